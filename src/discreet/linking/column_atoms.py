"""What the texts of each column of a release and a register stand for, as a policy reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.linking.atoms import Atoms

if TYPE_CHECKING:
    from discreet.release.policy import Policy

Texts = Sequence[str | None]


def column_atoms(
    columns: Sequence[str], released: Sequence[Texts], found: Sequence[Texts], policy: Policy | None
) -> list[Atoms]:
    """The atoms of each column: by its hierarchy in the policy, or by what its values look like.

    ``released`` and ``found`` have the different texts of the release and of the register, column
    by column. A policy with ``missing: wildcard`` makes a missing value any value.
    """
    wildcard = policy is not None and policy.missing == "wildcard"
    atoms = []
    for name, texts, values in zip(columns, released, found, strict=True):
        column = policy.columns.get(name) if policy else None
        builder = column.hierarchy if column else None
        atoms.append(Atoms.of(name, texts, builder, ground=values, wildcard=wildcard))
    return atoms
