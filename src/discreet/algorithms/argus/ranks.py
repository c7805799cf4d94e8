"""How identifying the data holder says that each column is, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from discreet.algorithms.argus.combinations import Combination, combinations
from discreet.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from discreet.algorithms.mu_argus import MuArgus

RANKS = ("most", "more", "identifying")


def check_ranks(algorithm: MuArgus) -> None:
    """Refuse ranks that share a column, and those that a variant needs and does not have."""
    seen: dict[str, str] = {}
    for key in (*RANKS, "generalize"):
        names = getattr(algorithm, key)
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            raise ParameterError(algorithm.name, key, "a list of column names")
    for key in RANKS:
        for name in getattr(algorithm, key):
            if name in seen:
                wanted = f"without '{name}', which is named under '{seen[name]}' already"
                raise ParameterError(algorithm.name, key, wanted)
            seen[name] = key
    if algorithm.variant != "complete" and not seen:
        wanted = f"given, with 'more' and 'identifying', for the variant {algorithm.variant}"
        raise ParameterError(algorithm.name, "most", wanted)
    if algorithm.variant == "actual" and algorithm.suppression != "greedy":
        raise ParameterError(algorithm.name, "suppression", "greedy for the variant actual")


def combinations_of(algorithm: MuArgus, columns: Sequence[str]) -> tuple[Combination, ...]:
    """The combinations that a variant tests; refuses names that are no quasi columns."""
    for key in (*RANKS, "generalize"):
        for name in getattr(algorithm, key):
            if name not in columns:
                wanted = f"names of quasi columns, and '{name}' is none"
                raise ParameterError(
                    algorithm.name, key, f"{wanted}. {did_you_mean(name, columns)[:-1]}"
                )
    if algorithm.variant == "complete":
        return (tuple(range(len(columns))),)
    ranked = [[columns.index(name) for name in getattr(algorithm, key)] for key in RANKS]
    for column, name in enumerate(columns):
        if not any(column in rank for rank in ranked):
            wanted = f"complete: '{name}' is under none of {', '.join(RANKS)}"
            raise ParameterError(algorithm.name, "identifying", wanted)
    return combinations(*ranked)
