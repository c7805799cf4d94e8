"""Which rule of HIPAA's safe harbor each column of a table meets or breaks, and a ready policy."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.display import dataclass, render_html_table
from discreet.errors import ArgumentError, ParameterError
from discreet.identification.inspect import inspect
from discreet.kinds.written_years import write_iso_day
from discreet.models.safe_harbor import SafeHarbor
from discreet.pipeline.prepare import ask_safe_harbor, change_table
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.policy_text import write_policy_text
from discreet.safe_harbor.check import check_safe_harbor
from discreet.safe_harbor.checked import RULES, Checked, Question, Standing
from discreet.safe_harbor.ready_policy import write_ready_policy
from discreet.table.read import open_table
from discreet.table.table import Table


@dataclass(frozen=True, eq=False)
class SafeHarborCheck:
    """Which columns of a table meet safe harbor; holds no value of the table.

    ``scope`` says what of the table was checked.
    """

    found: Checked
    scope: str
    table: Table
    zip_table: Path | None = None

    def __repr__(self) -> str:
        broken, look = len(self.found.broken), len(self.found.list_standing(Standing.look))
        columns = len(self.found.columns)
        return f"SafeHarborCheck({columns} columns, {broken} break a rule, {look} to look at)"

    def _repr_html_(self) -> str:
        rows = [(one.column, one.rule, one.standing.value, one.why) for one in self.found.columns]
        return render_html_table(repr(self), ("column", "rule", "standing", "why"), rows)

    @property
    def holds(self) -> bool:
        """Whether no rule is broken, as far as column names and values show."""
        return self.found.holds

    def facts(self) -> dict[str, Any]:
        """The check as plain data; ``discreet hipaa --json`` names the policy it wrote in it."""
        rules = [rule.facts() for rule in RULES]
        return {
            "format": "discreet-hipaa/1",
            **self.found.facts(),
            "checked": self.scope,
            "rules": rules,
            "policy": None,
        }

    def write_policy(self, path: str | Path, *, replace: bool = False) -> None:
        """Write a policy that keeps the rules, to be read and edited; whole or not at all."""
        folder = Path(path).absolute().parent
        zips = None if self.zip_table is None else Path(os.path.relpath(self.zip_table, folder))
        write_policy_text(
            Path(path), write_ready_policy(inspect(self.table), self.found, zips), replace
        )


def hipaa(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    *,
    zip_table: str | Path | None = None,
    as_of: str | None = None,
    code: Sequence[str] = (),
) -> SafeHarborCheck:
    """See which rule of HIPAA's safe harbor each column of a table meets or breaks.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        Check what this policy would release of the table, instead of every column.
    zip_table
        A CSV file of people by three-digit ZIP prefix, instead of the one that comes with discreet.
    as_of
        The day of which ages count, such as 2026-11-16; today if absent.
    code
        Columns of codes that were assigned at random.

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2). *Cost*: one pass over the table.
    """
    if as_of is not None:
        _check_day(as_of)
    zips, codes = None if zip_table is None else Path(zip_table), tuple(code)
    if policy is None:
        source = open_table(table)
        question = Question.on(as_of, zips, codes=codes)
        scope = "every column, as if all were released"
        return SafeHarborCheck(check_safe_harbor(source, question), scope, source, zips)
    chosen = settle_policy(policy, table).for_recipient()
    source = open_table(table, (*chosen.quasi, *chosen.sensitive))
    question = _ask(chosen, zips, as_of, codes)
    if set(source.columns) <= set(chosen.released):
        scope = f"as it is: it has only columns that {chosen.file} releases"
    else:
        scope = f"what {chosen.file} releases of it, before rows are made coarser"
        source = change_table(source, chosen)
    return SafeHarborCheck(check_safe_harbor(source, question), scope, source, zips)


def _ask(
    policy: Policy, zip_table: Path | None, as_of: str | None, codes: tuple[str, ...]
) -> Question:
    """What the policy says, with the parameters in the place of its own settings."""
    today = datetime.date.today().isoformat()
    own = [model for model in policy.require if isinstance(model, SafeHarbor)]
    model = own[0] if own else SafeHarbor(as_of or today)
    given = {"as_of": as_of, "zip_table": zip_table, "codes": codes or None}
    known: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return ask_safe_harbor(policy, replace(model, **known))


def _check_day(as_of: str) -> None:
    try:
        write_iso_day(as_of, "hipaa")
    except ParameterError:
        raise ArgumentError("as_of", "this is not a date", "Write it as 2026-11-16.") from None
