"""Which column of a register each column of a release is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from discreet.display import safe_repr
from discreet.errors import LinkColumnsError, UnknownColumnError, UnusableColumnsError
from discreet.release.as_released import as_released
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.release.policy import Policy


def compared(
    release: Table,
    register: Table,
    columns: Mapping[str, str] | Sequence[str] | None,
    policy: Policy | None,
    key: str | None = None,
) -> dict[str, str]:
    """The columns to link by: those given, the policy's quasi columns, or all that both have.

    ``key`` is a column that tells the truth to the data holder: it is not found among the last.
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
        raise LinkColumnsError(register.name, lacking, register.columns)
    return pairs


@safe_repr
class Comparable(NamedTuple):
    """A register that can be compared with a release, and what was done to make it so."""

    register: Table
    pairs: dict[str, str]
    changed: Mapping[str, str]
    unusable: Mapping[str, str]
    notes: tuple[str, ...]


def comparable(
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
    found = as_released(policy, register, pairs, more, masked)
    if not found.pairs:
        raise UnusableColumnsError(register.name, found.unusable)
    return Comparable(found.table, found.pairs, found.changed, found.unusable, found.notes)
