"""The whole table, of which parts are released, as far as conditions and classes need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import EarlierReleaseError
from discreet.frequency.classes import Mask
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import Numbers, number_lines
from discreet.ledger.hierarchies import HierarchiesNow, hash_hierarchies
from discreet.ledger.known import Known
from discreet.ledger.ledger import Ledger
from discreet.pipeline.auto_hierarchies import list_row_codes, settle_auto
from discreet.pipeline.part import Part, refuse_policy
from discreet.pipeline.plan import build_hierarchy, list_promised_columns
from discreet.policy.policy import Policy
from discreet.table.table import Table, make_changed_error
from discreet.table.where import Where


@dataclass(frozen=True, eq=False)
class WholeTable:
    """Distinct tuples of all quasi columns and all columns used in some condition."""

    name: str
    frequency: FrequencyList
    hierarchies: Mapping[str, Hierarchy]

    def meets(self, where: str | None) -> Mask:
        """Mark the tuples that meet a condition."""
        if where is None:
            return np.ones(len(self.frequency), dtype=np.bool_)
        condition = Where(where)
        cells = {name: self._read_cells(name) for name in condition.columns}
        return condition(cells)

    def _read_cells(self, column: str) -> pa.Array:
        codes = self.frequency.codes[self.frequency.columns.index(column)]
        values = pa.array(self.frequency.values[column], pa.string())
        return values.take(pa.array(codes))

    def find_places_in(self, part: FrequencyList, inside: Mask) -> Numbers:
        """Where the part has each of the tuples that are inside it."""
        theirs = np.stack([codes.astype(np.int64) for codes in part.codes], axis=1)
        mine = np.stack(
            [self._translate_codes(part, name)[inside] for name in part.columns], axis=1
        )
        found = find_places(theirs, mine)
        if (found < 0).any():
            raise make_changed_error(self.name)
        return found

    def _translate_codes(self, part: FrequencyList, column: str) -> Numbers:
        """The codes of a column as the part numbers its values; -1 for those it lacks."""
        known = {value: code for code, value in enumerate(part.values[column])}
        values = self.frequency.values[column]
        codes = np.array([known.get(value, -1) for value in values], dtype=np.int64)
        return codes[self.frequency.codes[self.frequency.columns.index(column)]]


def find_places(known: npt.NDArray[np.integer], wanted: npt.NDArray[np.integer]) -> Numbers:
    """The position of each wanted line among the known ones, which are distinct; -1 if absent.

    >>> find_places(np.array([[1, 2], [3, 4]]), np.array([[3, 4], [5, 6]])).tolist()
    [1, -1]
    """
    number = number_lines(list(np.concatenate([known, wanted]).T))
    place = np.full(int(number.max(initial=0)) + 1, -1, dtype=np.int64)
    place[number[: len(known)]] = np.arange(len(known))
    return place[number[len(known) :]]


def count_whole_table(
    ledger: Ledger, name: str, table: Table, policy: Policy, known: Known, part: Part | None
) -> WholeTable:
    """Count a table for a new part and for earlier releases, in one pass.

    Refused is a policy under which the earlier releases mean something else than they did.
    """
    refuse_policy(policy)
    known.refuse_roles(policy)
    policy, found = _count_table(table, policy, part, known.releases)
    hashes = hash_hierarchies(policy, found.hierarchies.values())
    now = HierarchiesNow(ledger.key, name, policy, found.hierarchies, hashes)
    now.refuse_changed(known.releases)
    return found


def _count_table(
    table: Table, policy: Policy, part: Part | None, releases: Sequence[Entry]
) -> tuple[Policy, WholeTable]:
    looked = list(part.condition_columns) if part is not None else []
    for entry in releases:
        if entry.where is not None:
            looked += Where(entry.where).columns
            _refuse_lacking(entry, table)
    columns = tuple(dict.fromkeys([*policy.quasi, *looked]))
    frequency = count(table, columns, list_promised_columns(policy)).frequency
    policy = settle_auto(policy, list_row_codes(frequency, policy.quasi))
    hierarchies = {
        name: build_hierarchy(policy, name, frequency.values[name]) for name in policy.quasi
    }
    return policy, WholeTable(table.name, frequency, hierarchies)


def _refuse_lacking(entry: Entry, table: Table) -> None:
    for name in Where(entry.where or "").columns:
        if name not in table.columns:
            what = f"its condition names '{name}', which the table does not have any more"
            raise EarlierReleaseError([entry.number], what, "Put the column back.")
