"""A release that is attacked before it leaves the house."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import pyarrow as pa

from discreet.algorithms.claims import UnreachableError
from discreet.attacks.linking.columns import ensure_table
from discreet.attacks.published_counts import ASSUMED, SummaryCounts, SummaryError
from discreet.attacks.summary import Summary
from discreet.display import dataclass
from discreet.engines.held_rows import hold_counted_rows
from discreet.errors import InternalError
from discreet.frequency.count import count
from discreet.pipeline.anonymize import Release
from discreet.pipeline.attack import Attacked, attack
from discreet.pipeline.attack_limits import Limits
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import RowAnswer
from discreet.policy.policy import ColumnPolicy, Policy
from discreet.table.table import Table

NOTHING_LEFT_OUT = (
    "no row was suppressed, although the policy allows it: published counts of the columns would "
    "have revealed such rows"
)


@dataclass(frozen=True, eq=False)
class Intruder:
    """What somebody may have who attacks the release.

    Parameters
    ----------
    register
        A register of people; that of the policy's promises if not given.
    mapping
        The register's names of columns, where they are others.
    earlier
        Earlier releases about the same people.
    summary
        Published counts of the private table; without them the counts of every released column are
        taken for known, which is the worst case.
    """

    register: Any = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    earlier: Sequence[Any] = ()
    summary: Any = None


def release_and_attack(
    make: Callable[[Table, Policy], Release],
    table: Table,
    policy: Policy,
    intruder: Intruder,
    progress: Progress | None = None,
) -> tuple[Release, Attacked]:
    """A release made by ``make``, and what every attack on it got.

    Where the counts of columns give away rows that were left out, another one without such rows is
    made, if there is one. What withstands nothing is still returned: look at ``Attacked.holds``.
    """
    release = make(table, policy)
    found = attack_release(release, intruder, progress)
    fallen = [outcome.attack for outcome in found.outcomes if outcome.breaks]
    if "summary" not in fallen or not release.solution.suppressed or not policy.suppress:
        return release, found
    if release.policy.choice == "blind":  # another try would depend on what is to be kept secret
        return release, found
    try:
        whole = make(table, policy.replace(suppress=0.0))
    except UnreachableError:
        return release, found
    second = attack_release(whole, intruder, progress)
    if second.breaks:
        return release, found
    object.__setattr__(whole, "notes", (*whole.notes, NOTHING_LEFT_OUT))
    return whole, second


def attack_release(
    release: Release,
    intruder: Intruder,
    progress: Progress | None = None,
    trust_order: bool = False,
) -> Attacked:
    """Run every attack on a release as it would be written; ``trust_order`` as in `attack`."""
    policy = release.policy
    if not release.rows:
        return Attacked(Limits(policy.quasi, policy.sensitive, 1), 0, ())
    release = _hold_rows(release)
    released = release.to_arrow(unprotected=True, progress=progress)

    def run(summary: Any) -> Attacked:
        return attack(
            released,
            policy,
            register=intruder.register,
            mapping=intruder.mapping,
            earlier=intruder.earlier,
            summary=summary,
            original=release.table,
            made=release,
            trust_order=trust_order,
        )

    if intruder.summary is not None:
        return run(intruder.summary)
    known = [
        name
        for name in policy.released
        if name in policy.columns
        and _is_countable(policy.columns[name])
        and not _is_key(policy, name)
    ]
    try:
        return run(_assume_counts(release.table, known))
    except SummaryError:  # in some column a released text has several meanings
        clear = [name for name in known if _subtracts(released, release, name)]
        counts = _assume_counts(release.table, clear) if clear else None
        return _note_untried(run(counts), known, clear)


def _hold_rows(release: Release) -> Release:
    """The same release of rows made from counts, where those of the table are in a database."""
    held = hold_counted_rows(release.table, [*release.policy.columns])
    if held is release.table:
        return release
    source, answer = replace(release.source, table=held), release.answer
    if not isinstance(answer, RowAnswer):
        raise InternalError("people of a table in a database were counted")
    return replace(release, source=source, answer=replace(answer, source=source), notes=())


def _is_countable(column: ColumnPolicy) -> bool:
    """Whether counts of a column may be out: nobody counts scrubbed texts, or pseudonyms."""
    return column.scrub is None and column.replace is None


def _is_key(policy: Policy, name: str) -> bool:
    """Whether a column tells people apart, which has pseudonyms in the release."""
    return policy.people is not None and name == policy.people.column


def _subtracts(released: pa.Table, release: Release, column: str) -> bool:
    """Whether the counts of a column can be compared with the release."""
    policy = release.policy
    k = max([1, *(model.least_rows for model in policy.require)])
    try:
        Summary(policy.quasi, k, policy)(released, publish_counts(release.table, [column]))
    except SummaryError:
        return False
    return True


def _note_untried(found: Attacked, known: Sequence[str], clear: Sequence[str]) -> Attacked:
    """The same, saying of which columns the counts were not tried."""
    unclear = ", ".join(name for name in known if name not in clear)
    note = f"not tried with the counts of {unclear}, whose released texts have several meanings"
    outcomes = tuple(
        replace(one, note="; ".join(filter(None, (one.note, note))))
        if one.attack == "summary"
        else one
        for one in found.outcomes
    )
    return replace(found, outcomes=outcomes)


def _assume_counts(table: Table, columns: Sequence[str]) -> SummaryCounts:
    """The worst case: exact counts of these columns are known."""
    return replace(SummaryCounts.of(publish_counts(table, columns)), name=ASSUMED)


def publish_counts(source: Any, columns: Sequence[str]) -> pa.Table:
    """How often each value of each column occurs, as published counts are written."""
    table = ensure_table(source)
    lines: list[tuple[str, str | None, int]] = []
    for name in columns:
        counted = count(table, [name]).frequency
        values = counted.values[name]
        lines += [
            (name, values[code], int(rows))
            for code, rows in zip(counted.codes[0], counted.rows, strict=True)
        ]
    names, values, amounts = zip(*lines, strict=True)
    texts = [pa.array(part, pa.string()) for part in (names, values, map(str, amounts))]
    return pa.table(texts, names=["column", "value", "count"])
