"""The goal of a search, in all rows or in a sample, and what the sample promises.

Notes
-----
[Motwani2007]_, theorems 5, 7 and 8. These are stated for the one set that greedy returns; their
proofs bound the failures of all 2**m sets together, so they hold for all minimal sets at once:
with probability 1 - delta each set found has the ratio promised, and each set with the ratio asked
for contains one that was found. *Departures*: lemma 6 is corrected, see `distinct_key_rows`.
"""

from __future__ import annotations

from discreet.display import dataclass
from discreet.errors import ColumnSetError, ParameterError, argument
from discreet.identification.keys import samples
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.goal import Measure, find_least_count
from discreet.identification.keys.growing import Growing, SeparatedPairs, SeparatedRows, add_columns
from discreet.identification.keys.samples import PairSample, Promise, RowsSample


@dataclass(frozen=True, eq=False)
class SearchGoal:
    """The start of a search, without columns, and its goal: to separate ``goal`` of ``total``.

    ``size_factor`` bounds the loss of the greedy search, if known. The ``promise`` of a sample says
    what its answer means for all rows; without a sample there is none.
    """

    start: Growing
    goal: int
    total: int
    size_factor: float | None
    promise: Promise | None = None
    notes: tuple[str, ...] = ()


def ask_of_rows(table: CodedTable, measure: Measure, beta: float) -> SearchGoal:
    """What a ratio means in all rows; a key is a key by either measure."""
    if beta == 1 and (again := table.duplicates):
        raise _make_duplicates_error(table.name, again)
    rows = len(table)
    distinct = measure == "distinct" and beta < 1
    total = rows if distinct else rows * (rows - 1) // 2
    goal = find_least_count(beta, total)
    factor = None if distinct else samples.cover_size_factor(max(1, goal))
    return SearchGoal(SeparatedRows.none(table, distinct), goal, total, factor)


def ask_of_sample(
    owner: str,
    sample: PairSample | RowsSample,
    measure: Measure,
    beta: float,
    epsilon: float | None,
    delta: float,
) -> SearchGoal:
    """What a ratio means in a sample; refuses a ratio about which a sample says nothing."""
    if isinstance(sample, PairSample):
        if measure != "separation":
            raise ParameterError(owner, "measure", "separation for a sample of pairs")
        return _ask_of_pairs(sample, beta, epsilon, delta)
    if measure != "distinct" or beta < 1:
        raise ParameterError(owner, "measure", "distinct with beta 1 for a sample of rows")
    return _ask_of_sampled_rows(sample, delta)


def _ask_of_sampled_rows(sample: RowsSample, delta: float) -> SearchGoal:
    """Theorem 7: a key of the sampled rows."""
    if again := sample.table.duplicates:
        raise _make_duplicates_error(sample.table.name, again, " of the sample")
    rows = len(sample.table)
    off = samples.distinct_key_epsilon(len(sample.columns), sample.rows, rows, delta)
    promise = Promise("rows", rows, delta, off, at_least=1 - off)
    pairs, factor = rows * (rows - 1) // 2, samples.key_size_factor(rows)
    return SearchGoal(SeparatedRows.none(sample.table, False), pairs, pairs, factor, promise)


def _ask_of_pairs(
    sample: PairSample, beta: float, epsilon: float | None, delta: float
) -> SearchGoal:
    """Theorem 5 for keys, theorem 8 for smaller ratios: sets that separate enough sampled pairs."""
    columns, pairs = len(sample.columns), sample.pairs
    start = SeparatedPairs.none(sample.bits)
    notes: tuple[str, ...] = ()
    if beta < 1:
        off = _choose_epsilon(columns, pairs, beta, epsilon, delta)
        goal = samples.beta_separation_goal(pairs, beta, off)
        least: float | None = (1 - off) * beta
    else:
        off = samples.separation_key_epsilon(columns, pairs, delta)
        goal = add_columns(start, range(columns)).value
        least = 1 - off if goal == pairs else None
        notes = () if goal == pairs else (_note_no_key(pairs - goal, pairs),)
    promise = Promise("pairs", pairs, delta, off, at_least=least)
    factor = samples.cover_size_factor(max(1, goal))
    return SearchGoal(start, goal, pairs, factor, promise, notes)


def _choose_epsilon(
    columns: int, pairs: int, beta: float, asked: float | None, delta: float
) -> float:
    """The requested epsilon, or the one for which the pairs suffice."""
    if asked is not None:
        need = samples.beta_separation_pairs(columns, beta, asked, delta)
        if pairs >= need:
            return asked
    return samples.beta_separation_epsilon(columns, beta, pairs, delta)


def _note_no_key(alike: int, pairs: int) -> str:
    return (
        f"{alike:,} of {pairs:,} sampled pairs are alike in all columns, so there is no key; what "
        "is found parts the others, and its separation ratio is at most epsilon below that of all "
        "columns together"
    )


def _make_duplicates_error(table: str, duplicates: int, where: str = "") -> ColumnSetError:
    """The error for a search for keys in rows that repeat in all columns."""
    one = duplicates == 1
    return ColumnSetError(
        table,
        f"{duplicates:,} row{'' if one else 's'}{where} repeat{'s' if one else ''} another in all "
        "columns, so no set of columns is a key",
        f"Remove the duplicates ({argument('drop_duplicates')}), or ask for a ratio below 1.",
    )
