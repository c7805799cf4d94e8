"""The facts of a released table: what it keeps, what it lost, and what was tried on it.

``describe`` reads from top to bottom: open the tables, count every promise anew, count the columns
of both tables, and put the facts together. Everything after counting works on the counts.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from discreet.attacks.published_counts import ASSUMED, SummaryCounts, SummaryError
from discreet.display import dataclass
from discreet.engines.address import find_scheme
from discreet.engines.read import read
from discreet.engines.table import find_engine_source
from discreet.errors import ArgumentError, ReleaseError, SourceError
from discreet.input_file import hash_regular
from discreet.models.verdict import Verdict
from discreet.pipeline.anonymize import Release
from discreet.pipeline.attack import Attacked, attack
from discreet.pipeline.description.compared import Compared
from discreet.pipeline.description.counted_table import ColumnCounts
from discreet.pipeline.description.described_columns import (
    ColumnDescriber,
    describe_dependence,
    describe_suppression,
)
from discreet.pipeline.description.described_risk import describe_classes, describe_risks
from discreet.pipeline.description.facts import (
    Facts,
    FreeText,
    Promise,
    ReleasedFile,
    Sources,
    TriedAttack,
)
from discreet.pipeline.description.figures import summarize_classes
from discreet.pipeline.description.run import list_broken, make_tried_attack, read_run
from discreet.pipeline.description.words import MODELS, list_not_promised, list_reviews
from discreet.pipeline.every_release import reopen_written
from discreet.pipeline.prepare import change_table, open_for
from discreet.pipeline.promise import state_promise
from discreet.pipeline.verify import Verification, verify
from discreet.policy.about import note_validity
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.policy_text import write_shown_policy
from discreet.policy.techniques import list_steps
from discreet.table.header import settle_names
from discreet.table.table import Table
from discreet.version import read_version

ONLY_COUNTED = "People are counted by their whole records; the values of columns are those of rows."
UNCLEAR = (
    "Published counts were not subtracted from the release: a released text of some column has "
    "several meanings."
)


ROWS_STAY = (
    "No attack was tried: attacks read every row, and the rows stay in the database. Write the "
    "release to a file, attack that, and give what was found to the report."
)


class BrokenReleaseError(ReleaseError):
    """A release that does not keep its policy is not reported on; ``found`` has the verdicts."""

    def __init__(self, subject: object, what: str, fix: str, found: Verification | None) -> None:
        self.found = found
        super().__init__(subject, what, fix)


def describe(
    release: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    *,
    original: Any = None,
    register: Any = None,
    facts: Any = (),
    population: int | None = None,
    broken: bool = False,
    written: str | Path | None = None,
    open_table: Callable[[], Table] | None = None,
) -> Facts:
    """Describe a release by what can be counted from it, and from the private table if given.

    Parameters
    ----------
    release
        The released file, a Table or a data frame; or the :class:`Release` itself, which knows its
        policy, its private table and how it was found.
    policy
        What was promised: a Policy, a dict or a policy file.
    original
        The private table: for everything about before.
    register
        A register of people: for the risk that a journalist names somebody, and for attacks.
    facts
        What ``anonymize`` or ``attack`` said of it: a result, its facts, or a file of these in
        JSON; one or several.
    population
        People of whom the table is a random sample.
    broken
        Whether a release that does not keep its policy is described; the facts say that it fails.
    written
        Of a :class:`Release`: the file that it was written to, which is then read.
    open_table
        Opens the released file, if not :func:`discreet.read` does.

    Notes
    -----
    *Cost*: each table is read three to five times: to verify, to count, and by attacks. Memory
    grows with what is different, and with the rows where attacks compare row by row.
    """
    made = release if isinstance(release, Release) else None
    if made is not None:
        policy, facts = made.policy, [made, *_list(facts)]
        original = made.table if original is None else original
        if written is None:
            release = made.to_arrow(unprotected=broken)
        else:
            release, dialect = Path(written), made.table.dialect
            open_table = partial(reopen_written, release, dialect)
    if policy is None:
        raise ArgumentError("policy", "a report is about what was promised", "Give the policy.")
    chosen = settle_policy(policy, release).for_recipient()
    file = _ReleasedPath.of(release)
    table = _open_release(release, chosen, open_table)
    original = None if original is None else _open(original)  # read once for all that follow
    private = None if original is None else _open_private(original, chosen, made)
    found = verify(table, chosen, private)
    _refuse_broken(table.name, found, broken)
    run = read_run(facts, found, chosen)
    both = Compared(table, private, chosen, run, register)
    both.check_rows()
    _check_register(both)
    attacks = run.attacks
    if attacks is None:
        attacks = tuple(_attack(both, original, made))
    files = [] if file is None else [file.facts()]
    if find_engine_source(table) is not None:
        files = [ReleasedFile(name=table.name)]
    described = _put_together(both, found, attacks, files, population)
    if file is not None and file.hash() != file.sha256:
        what = "the file changed while it was counted"
        raise SourceError(file.path, what, "Run again when nobody writes to it.")
    return described


# What is read.


@dataclass(frozen=True)
class _ReleasedPath:
    path: Path
    sha256: str

    @classmethod
    def of(cls, release: Any) -> _ReleasedPath | None:
        """The released file with its hash, if it is one."""
        if isinstance(release, Table):
            release = release.path
        if not isinstance(release, str | os.PathLike) or find_scheme(release) is not None:
            return None
        path = Path(release)
        if path.is_dir():
            what = "this is a folder of tables, and a report describes the columns of one table"
            fix = (
                "Promises about people in several tables are counted by discreet verify and signed "
                "by discreet certify; both take the folder."
            )
            raise SourceError(path, what, fix)
        return cls(path, hash_regular(path))

    def hash(self) -> str:
        """The hash as it is now."""
        return hash_regular(self.path)

    def facts(self) -> ReleasedFile:
        """The file as a report names it."""
        size = self.path.stat().st_size
        return ReleasedFile(name=self.path.name, sha256=self.sha256, bytes=size)


def _open(source: Any) -> Table:
    """A Table, of whatever it is."""
    return source if isinstance(source, Table) else read(source)


def _list(given: Any) -> list[Any]:
    if isinstance(given, str | os.PathLike | Mapping | Release | Attacked):
        return [given]
    return list(given or ())


def _open_release(release: Any, policy: Policy, open_table: Callable[[], Table] | None) -> Table:
    table = open_table() if open_table is not None else _open(release)
    return settle_names(table, (*policy.quasi, *policy.sensitive))


def _open_private(original: Table, policy: Policy, made: Release | None) -> Table:
    """The private table as it was counted: techniques that draw nothing are run again."""
    if made is not None and original is made.table:
        return original
    opened = open_for(original, policy)
    if any(step.technique.by_chance for step in list_steps(policy)):
        return opened
    return change_table(opened, policy)


def _refuse_broken(name: str, found: Verification, broken: bool) -> None:
    if found.holds or broken:
        return
    what = f"the release does not keep its policy: {list_broken(found.verdicts)}"
    fix = "Find out why with discreet verify."
    raise BrokenReleaseError(name, what, fix, found)


def _check_register(both: Compared) -> None:
    """A register is compared by all quasi columns; ``attack`` can take some, by other names."""
    if both.register is None:
        return
    there = _open(both.register).columns
    if lacking := [name for name in both.policy.quasi if name not in there]:
        what = f"it has no column {', '.join(map(repr, lacking))}"
        fix = (
            "Name its columns as the policy does, or leave it out and use discreet attack, which "
            "can join by some columns, or by other names."
        )
        raise ArgumentError("register", what, fix)


def _attack(both: Compared, original: Any, made: Release | None) -> Iterator[TriedAttack]:
    """Every attack that the files at hand allow, published counts taken for known."""
    policy = both.policy
    if any(find_engine_source(one) for one in (both.table, both.private) if one is not None):
        both.notes.append(ROWS_STAY)
        return
    if not both.rows or not any(name in both.table.columns for name in policy.quasi):
        return
    summary = None
    if both.before is not None and policy.people is None and both.same_rows:
        known = [name for name in both.before.joint.columns if name not in both.drawn]
        summary = SummaryCounts(
            ASSUMED,
            {(name,): _count_values(both.before.count_column(name)) for name in known},
        )
    against = partial(
        attack,
        both.table,
        policy,
        register=both.register,
        original=original,
        made=made,
        trust_order=both.run.search is not None,  # the run that scrambled the rows
    )
    try:
        tried = against(summary=summary)
    except SummaryError:
        both.notes.append(UNCLEAR)
        tried = against()
    yield from (make_tried_attack(one.facts()) for one in tried.outcomes)


def _count_values(counts: ColumnCounts) -> dict[tuple[str | None, ...], int]:
    """The counts of a column as they would be published."""
    pairs = zip(counts.values, counts.rows.tolist(), strict=True)
    return {(value,): rows for value, rows in pairs}


# The facts, put together.


def _put_together(
    both: Compared,
    found: Verification,
    attacks: Sequence[TriedAttack],
    files: list[ReleasedFile],
    population: int | None,
) -> Facts:
    """All facts, for inside the house."""
    policy = both.policy
    described: dict[str, Any] = {
        "columns": ColumnDescriber(both).describe_all(),
        "classes_before": describe_classes(both.sizes_before),
        "classes_after": describe_classes(both.sizes_after)
        or summarize_classes(np.zeros(0, dtype=np.int64)),
        "risks": describe_risks(both, population),
        "suppression": describe_suppression(both),
        "dependence": list(describe_dependence(both)),
    }
    return Facts(
        edition="inside",
        version=read_version(),
        made=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        sources=Sources(
            original=both.before is not None,
            register_of_people=both.register is not None,
            ledger=False,
            run=both.run.search is not None,
        ),
        about={} if policy.about is None else policy.about.facts(),
        files=files,
        policy=write_shown_policy(policy)[1],
        rows_before=None if both.before is None else both.before.rows,
        rows_after=both.rows,
        people=found.people,
        holds=found.holds,
        promises=list(_describe_promises(policy, found.verdicts)),
        search=both.run.search,
        **described,
        attacks=list(attacks),
        text=[
            FreeText(column=name, findings=both.run.scrubbed.get(name)) for name in policy.scrubbed
        ],
        notes=list(dict.fromkeys([*both.notes, *_write_notes(both)])),
        not_promised=list_not_promised(policy),
        reviews=list_reviews(policy),
    )


def _write_notes(both: Compared) -> Iterator[str]:
    """What is said of all figures together."""
    if over := note_validity(both.policy):
        yield over
    if both.policy.people is not None:
        yield ONLY_COUNTED
    if both.policy.missing.wildcard:
        yield "Missing values fit any value; in the sizes of classes they are a value."
    if both.before is not None and both.drawn:
        names = ", ".join(name for name in both.policy.columns if name in both.drawn)
        yield f"Changed by chance, so not compared with the private table: {names}."
    if any(one.level is None for one in both.labels.values()):
        yield (
            "Cells of a column differ in their level. A private value is counted under the "
            "smallest released label that covers it."
        )


def _describe_promises(policy: Policy, verdicts: Sequence[Verdict]) -> Iterator[Promise]:
    """Each verdict with its promise: a policy may have several of one model, in the same order."""
    models = list(policy.require)
    for verdict in verdicts:
        model = next((one for one in models if one.name == verdict.model), None)
        if model is not None:
            models.remove(model)
        yield _describe_promise(verdict, "" if model is None else state_promise(model, policy))


def _describe_promise(verdict: Verdict, clause: str) -> Promise:
    title, limits = MODELS[verdict.model]
    return Promise(
        model=verdict.model,
        title=title,
        sentence=_make_sentence(clause),
        limits=limits,
        holds=verdict.holds,
        measured=_make_finite(verdict.measured),
        limit=_make_finite(verdict.limit),
        rows_at_risk=verdict.rows_at_risk,
        columns=list(verdict.columns),
        note=verdict.note,
    )


def _make_finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _make_sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}." if clause else ""
