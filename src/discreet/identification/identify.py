"""Which columns of a table single people out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ArgumentError, argument
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.goal import Measure, check_share, check_weights
from discreet.identification.keys.question import MostIdentifying, Progress, Question
from discreet.table.read import open_table


@dataclass(frozen=True, eq=False)
class Identification:
    """The sets of columns that single people out; holds no value of the table."""

    _facts: dict[str, Any]

    def __repr__(self) -> str:
        sets = format_count(len(self._facts["sets"]), "set")
        return f"Identification({format_count(self._facts['rows'], 'row')}, {sets} of columns)"

    def _repr_html_(self) -> str:
        heads = ("columns", "distinct ratio", "separation ratio", "unique rows")
        keys = ("distinct_ratio", "separation_ratio", "uniques")
        rows = [
            (", ".join(one["columns"]), *(one.get(key) for key in keys))
            for one in self._facts["sets"][:20]
        ]
        return render_html_table(repr(self), heads, rows)

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The columns of each set, as the facts have them."""
        return tuple(tuple(one["columns"]) for one in self._facts["sets"])

    def facts(self) -> dict[str, Any]:
        """The sets as plain data, as ``discreet identify --json`` shows them."""
        return {"format": "discreet-identify/1", **deepcopy(self._facts)}


def identify(
    table: Any,
    *,
    all_: bool = False,
    distinct: float | None = None,
    separation: float | None = None,
    max_size: int | None = None,
    drop_duplicates: bool | None = None,
    quasi: Sequence[str] = (),
    weight: Mapping[str, float] | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    sample_only: bool = False,
    time_limit: float = 60.0,
    most_identifying: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
) -> Identification:
    """See which columns of a table single people out.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes; with ``epsilon`` also an
        open file with CSV, which is read once.
    all_
        All minimal sets, instead of one smallest set.
    distinct, separation
        Search for at least this many distinct combinations per row, or this share of pairs of rows
        that differ, instead of a key.
    max_size, quasi
        No sets of more columns; only these columns.
    drop_duplicates
        Count rows that are equal in all columns searched only once. If absent, this is done where
        no columns are named in ``quasi`` and all rows are read: of few columns, many rows that
        are not the same person are equal.
    weight
        What it costs to learn a column, 1 if absent.
    epsilon, delta, sample_only, seed
        Search a sample: ratios may be short by ``epsilon``, and the search may fail with
        probability ``delta``, 0.01 if absent. With ``sample_only`` no ratios are counted.
    time_limit
        Seconds of search, after which what was found is returned; 0 for none.
    most_identifying
        Count the most identifying sets of one to three columns as well.
    progress
        Called with the current step and the share of it that is done.

    >>> import pyarrow as pa
    >>> people = pa.table({"age": ["30", "30", "40"], "sex": ["f", "m", "m"]})
    >>> identify(people).sets
    (('age', 'sex'),)

    Notes
    -----
    *Cost*: one pass over the rows; then see :class:`Question`.
    """
    question = _ask(
        all_, distinct, separation, max_size, weight or {}, epsilon, delta, time_limit, seed
    )
    stream = hasattr(table, "read")
    if stream or sample_only:
        subject = "table" if stream else "sample_only"
        _check_sampled(question, subject, bool(drop_duplicates), most_identifying)
    source = table if stream else open_table(table, quasi)
    names = list(quasi) or None
    if not stream:
        check_weights(question.weights, quasi or source.columns, source.name)
    report = progress or _report_nothing
    if stream or sample_only:
        report("reading", None)
        return Identification(question.of_stream(source, names, report))
    coded = CodedTable.of(
        source,
        names,
        not quasi if drop_duplicates is None else drop_duplicates,
        lambda rows: report(f"reading, {format_count(rows, 'row')}", None),
    )
    facts = question(coded, report)
    if coded.duplicates_removed:
        facts["notes"].append(_note_dropped(coded))
    if most_identifying:
        report("counting small sets", None)
        facts["most_identifying"] = [one.facts() for one in MostIdentifying()(coded)]
    return Identification(facts)


def _note_dropped(coded: CodedTable) -> str:
    again, rows = coded.duplicates_removed, coded.rows + coded.duplicates_removed
    are = "repeats another and is left out" if again == 1 else "repeat another and are left out"
    return (
        f"{again:,} of {format_count(rows, 'row')} {are}; a row that is shown as unique may stand "
        "for several people"
    )


def _report_nothing(step: str, share: float | None) -> None:
    pass


def _ask(
    every: bool,
    distinct: float | None,
    separation: float | None,
    max_size: int | None,
    weights: Mapping[str, float],
    epsilon: float | None,
    delta: float | None,
    time_limit: float,
    seed: int,
) -> Question:
    """The question that the parameters ask; impossible ones are refused before rows are read."""
    if distinct is not None and separation is not None:
        what = "a set has both ratios"
        raise ArgumentError(("distinct", "separation"), what, "Ask for one.")
    if delta is not None and epsilon is None:
        fix = f"Give {argument('epsilon')} as well, or leave {argument('delta')} out."
        raise ArgumentError("delta", f"without {argument('epsilon')} all rows are used", fix)
    measure: Measure = "separation" if distinct is None else "distinct"
    given = separation if distinct is None else distinct
    check_share(measure, given, most=True)
    check_share("epsilon", epsilon)
    check_share("delta", delta)
    if max_size is not None and max_size < 1:
        what = "no set is that small"
        raise ArgumentError("max_size", what, "Give 1 or more.", f"{max_size}")
    if not time_limit >= 0:
        what = "it is not a length of time"
        raise ArgumentError("time_limit", what, "Give 0 or more.", f"{time_limit:g}")
    beta = 1.0 if given is None else given
    if epsilon is not None and measure == "distinct" and beta < 1:
        what = "no sample bounds a distinct ratio below 1"
        raise ArgumentError(
            "epsilon",
            what,
            f"Ask for {argument('separation')}, or leave {argument('epsilon')} out.",
        )
    return Question(
        every,
        measure,
        beta,
        max_size,
        epsilon,
        0.01 if delta is None else delta,
        seed,
        time_limit or None,
        dict(weights),
    )


def _check_sampled(
    question: Question, subject: str, drop_duplicates: bool, most_identifying: bool
) -> None:
    """Refuse what one pass over the rows cannot answer."""
    if question.epsilon is None:
        fix = f"Add {argument('epsilon', 'E')}."
        raise ArgumentError(subject, "the rows are read once and not kept", fix)
    if question.measure == "distinct":
        what = "how many rows to sample follows from how many there are"
        raise ArgumentError(("distinct", subject), what, f"Ask for {argument('separation')}.")
    if drop_duplicates or most_identifying:
        other = "drop_duplicates" if drop_duplicates else "most_identifying"
        fix = f"Leave {argument(other)} out."
        raise ArgumentError((other, subject), "this needs all rows", fix)
