"""Which column of a register each column of a release is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.errors import AttackError, UnknownColumnError
from discreet.policy.changed_table import change_as_released
from discreet.table.read import read
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


def choose_columns(
    release: Table,
    register: Table,
    columns: Mapping[str, str] | Sequence[str] | None,
    policy: Policy | None,
    key: str | None = None,
) -> dict[str, str]:
    """The columns to link by: the given ones, the policy's quasi columns, or all that both have.

    ``key`` is the data holder's column with the true identity, which is never among the last.
    """
    if columns is None and policy is not None:
        columns = [name for name in policy.quasi if name in release.columns]
    elif columns is None:
        here = [name for name in release.columns if name != key]
        columns = [name for name in here if name in register.columns] or here
    pairs = dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns}
    for name in pairs:
        if name not in release.columns:
            raise UnknownColumnError(release.name, name, release.columns)
    lacking = [theirs for theirs in pairs.values() if theirs not in register.columns]
    if lacking or not pairs:
        raise _make_lacking_error(register.name, lacking, register.columns)
    return pairs


def _make_lacking_error(
    register: str, lacking: Sequence[str], columns: Sequence[str]
) -> AttackError:
    """A register does not have the columns to link by, or calls them otherwise."""
    alike = {name.casefold(): name for name in columns}
    near = {
        name: alike[found[0]]
        for name in lacking
        if (found := get_close_matches(name.casefold(), alike, n=1, cutoff=0.5))
    }
    guess = ", ".join(f"{name}={theirs}" for name, theirs in near.items())
    few = ", ".join(columns[:30]) + (", ..." if len(columns) > 30 else "")
    return AttackError(
        register,
        f"it has no column {', '.join(repr(name) for name in lacking)}",
        f"Say which of its columns is meant{f' (perhaps {guess})' if guess else ''}, or name "
        f"only the columns that it has. It has: {few or 'none'}.",
    )


class UnusableColumnsError(AttackError):
    """No column of a release can be compared with another file."""

    def __init__(self, register: str, unusable: Mapping[str, str]) -> None:
        self.unusable = dict(unusable)
        told = ", ".join(f"{name} ({why})" for name, why in unusable.items())
        super().__init__(
            f"no column can be compared with {register}",
            told,
            "This does not mean that the release is safe. Name other quasi columns, which the "
            "register has.",
        )


@safe_repr
class Comparable(NamedTuple):
    """A register that can be compared with a release, and what was done to make it so."""

    register: Table
    pairs: dict[str, str]
    changed: Mapping[str, str]
    unusable: Mapping[str, str]
    notes: tuple[str, ...]


def make_comparable(
    register: Table,
    pairs: Mapping[str, str],
    policy: Policy | None,
    more: Sequence[str] = (),
    masked: Sequence[str] = (),
) -> Comparable:
    """The register after the changes that the policy makes to columns of the release.

    Columns for which that cannot be done are left out; refused if none remains.
    """
    if policy is None:
        return Comparable(register, dict(pairs), {}, {}, ())
    found = change_as_released(policy, register, pairs, more, masked)
    if not found.pairs:
        raise UnusableColumnsError(register.name, found.unusable)
    return Comparable(found.table, found.pairs, found.changed, found.unusable, found.notes)


# The people that released rows are about, if the data holder knows them.


@dataclass(frozen=True)
class Truth:
    """A key that tells who a row is about, in the register and in the release or the original.

    Parameters
    ----------
    column
        The key's column in the register.
    original
        The private table, its rows in the order of the release; without it the release itself has
        the key.
    name
        The key's column in the original or release, if it is called otherwise there.
    """

    column: str
    original: Any = None
    name: str | None = None

    def keys(self, release: Table, rows: int) -> pa.Array:
        """The key of each released row; null where there is none."""
        table = release if self.original is None else ensure_table(self.original)
        name = self.name or self.column
        if name not in table.columns:
            raise UnknownColumnError(table.name, name, table.columns)
        keys = table.scan(text=[name]).read_all().column(0).combine_chunks()
        if len(keys) != rows:
            what = f"the original has {len(keys):,} rows and the release has {rows:,}"
            fix = "Give the original with one row for each released one, in the same order."
            raise AttackError("truth", what, fix)
        return keys


class Tap:
    """A register that keeps, while it is read, the rows of those whom the release is about."""

    def __init__(self, register: Table, key: str, keys: pa.Array) -> None:
        if key not in register.columns:
            raise UnknownColumnError(register.name, key, register.columns)
        self.name = register.name
        self._register, self._key = register, key
        self._wanted = keys.drop_null().unique()
        self._kept: list[pa.RecordBatch] = []

    def count_rows(self, columns: Sequence[str]) -> None:
        """Rows must be read: some are kept."""

    def scan(self, text: Sequence[str], *, coded: bool = False) -> Iterator[pa.RecordBatch]:
        """A pass over the rows, as :meth:`Table.scan`, never coded."""
        for batch in self._register.scan(text=[*text, self._key]):
            here = pc.is_in(batch.column(len(text)), value_set=self._wanted)
            self._kept.append(batch.filter(here))
            yield pa.RecordBatch.from_arrays(batch.columns[: len(text)], names=list(text))

    def entries(self, keys: pa.Array) -> tuple[NDArray[np.int64], list[pa.ChunkedArray]]:
        """Pairs of a released row and an entry of its person: the rows, and the entries' cells."""
        if not self._kept:
            return np.empty(0, dtype=np.int64), []
        kept = pa.Table.from_batches(self._kept)
        number = pc.index_in(keys, value_set=self._wanted).fill_null(-1).to_numpy()
        theirs = pc.index_in(kept.column(kept.num_columns - 1), value_set=self._wanted).to_numpy()
        order = np.argsort(theirs, kind="stable")
        first = np.searchsorted(theirs[order], number, side="left")
        count = np.searchsorted(theirs[order], number, side="right") - first
        rows = np.repeat(np.arange(len(number)), count)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
        entry = pa.array(order[np.repeat(first, count) + within])
        return rows, [kept.column(i).take(entry) for i in range(kept.num_columns - 1)]


def ensure_table(source: Any) -> Table:
    """A Table, or whatever :func:`discreet.read` makes one of."""
    return source if isinstance(source, Table) else read(source)
