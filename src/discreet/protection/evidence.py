"""What an intruder with a register can conclude from a release, and what of it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.errors import TruthError, UnknownColumnError
from discreet.linking.columns import comparable, compared
from discreet.linking.link import link
from discreet.linking.links import Links
from discreet.linking.truth import Truth, as_table
from discreet.protection.subjects import Subjects
from discreet.release.as_released import private_as_released
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.release.policy import Policy

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that the protection models look at, row by row of the release.

    Parameters
    ----------
    links
        How many entries of the register each row fits, and whether its own person is among them.
    told
        Rows that have any cell to join by: a row that is suppressed throughout maps to nobody.
    subjects_fit
        Entries of subjects, people of the private table, that each row fits.
    named_right
        Rows that fit one subject only, and that is their own person.
    rows_of_subject
        Released rows that fit the entry of the row's own person.
    discloses_own, discloses_named
        Rows with a cell outside the columns compared that is right for their own person, or for
        the one subject that they fit. Without such columns all rows: they tell that somebody is in
        the table.
    """

    links: Links
    told: Mask = field(repr=False)
    subjects: int
    subjects_fit: Ints = field(repr=False)
    named_right: Mask = field(repr=False)
    rows_of_subject: Ints = field(repr=False)
    discloses_own: Mask = field(repr=False)
    discloses_named: Mask = field(repr=False)


def evidence(
    private: Any,
    release: Any,
    register: Any,
    key: str,
    columns: Mapping[str, str] | Sequence[str] | None = None,
    policy: Policy | None = None,
    masked: Sequence[str] = (),
) -> Evidence:
    """Join a release to a register and compare with the private table.

    Parameters
    ----------
    private
        The private table, one row for each released row, in the same order.
    release, register
        Tables, or whatever :func:`discreet.read` takes.
    key
        A column that tells in ``private`` and ``register`` who a row is about; it may be one of the
        columns compared.
    columns, policy, masked
        As in :func:`discreet.linking.link.link`.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3: S are the people of the private table, E is the register, and the
    relations g are joins on the columns compared, where a released text fits what it can stand
    for. *Departures*: P and U beyond the register are not known and not counted. *Cost*: two passes
    over the register; memory as :func:`link`, and for the private table.
    """
    ours, theirs, own = as_table(release), as_table(register), as_table(private)
    asked = compared(ours, theirs, columns, policy)
    truth = Truth(key, own)
    links = link(ours, theirs, asked, policy, truth, masked=masked)
    theirs, pairs, *_ = comparable(theirs, asked, policy, (key,), masked)
    keys = truth.keys(ours, links.rows)
    _refuse_repeated(keys)
    subjects = Subjects.of(ours, _entries(theirs, list(pairs.values()), key, keys), pairs, policy)
    who = subjects.named(keys)
    rows = np.arange(links.rows)
    changed = own if policy is None else private_as_released(policy, own).table
    others = _Others(ours, changed, pairs)
    return Evidence(
        links,
        subjects.told,
        len(subjects),
        subjects.fit,
        who == rows,
        subjects.rows_of(keys),
        others.disclose(rows),
        others.disclose(who),
    )


def _refuse_repeated(keys: pa.Array) -> None:
    present = keys.drop_null()
    twice = len(present) - len(present.unique())
    if twice:
        what = f"{twice:,} rows of the private table repeat the key of another"
        raise TruthError(what, "Give a key that is different for every row.")


def _entries(register: Table, columns: Sequence[str], key: str, keys: pa.Array) -> pa.Table:
    """The entries of subjects: the columns compared, then the key, each by its position."""
    if key not in register.columns:
        raise UnknownColumnError(register.name, key, register.columns)
    wanted = keys.drop_null()
    names = [str(number) for number in range(len(columns) + 1)]
    kept = [
        pa.RecordBatch.from_arrays(batch.columns, names=names).filter(
            pc.is_in(batch.column(len(columns)), value_set=wanted)
        )
        for batch in register.scan(text=[*columns, key])
    ]
    return pa.Table.from_batches(kept, pa.schema([(name, pa.string()) for name in names]))


class _Others:
    """The columns that are released beside those compared, as released and as they are."""

    def __init__(self, release: Table, private: Table, compared: Mapping[str, str]) -> None:
        names = [n for n in release.columns if n not in compared and n in private.columns]
        tables = (release, private) if names else ()
        self._cells = [table.scan(text=names).read_all().columns for table in tables]

    def disclose(self, who: Ints) -> Mask:
        """Released rows with a cell that is as the private row ``who`` (or -1) has it."""
        found = np.full(len(who), not self._cells)
        place = pa.array(np.maximum(who, 0))
        for ours, theirs in zip(*self._cells, strict=True):
            same = pc.equal(ours, theirs.take(place)).fill_null(False)
            found |= np.array(same.to_pylist(), dtype=np.bool_)
        return found & (who >= 0)
