"""Which column of a register each column of a release is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from discreet.errors import LinkColumnsError, UnknownColumnError
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
