"""What a policy allows an intruder to learn, for the attacks to be held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from discreet.attacks.coded_rows import CodedRows
from discreet.attacks.outcome import Outcome
from discreet.display import dataclass
from discreet.errors import (
    ArgumentError,
    UnknownColumnError,
    argument,
)


@dataclass(frozen=True)
class Limits:
    """The columns an intruder knows and wants, and how far he may get.

    Parameters
    ----------
    quasi, sensitive
        The columns of the release in these roles.
    k
        A row with fewer than k rows, or people, like it is exposed.
    sized
        Whether a class size was promised for these columns together, or asked for; else exposed
        rows are told but break nothing.
    diverse
        Sensitive columns guarded by l-diversity.
    close
        The distance promised for sensitive columns guarded by t-closeness.
    k_map
        The k of a k-map promise.
    presence
        The range of a delta-presence promise.
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    k: int
    sized: bool = True
    diverse: tuple[str, ...] = ()
    close: Mapping[str, float] = field(default_factory=dict)
    k_map: int | None = None
    presence: tuple[float | None, float | None] = (None, None)

    @classmethod
    def of(
        cls,
        release: CodedRows,
        policy: Any,
        quasi: Sequence[str],
        sensitive: Sequence[str],
        k: int | None,
    ) -> Limits:
        """From a policy and from what is asked for instead."""
        for name in (*quasi, *sensitive):
            if name not in release.columns:
                raise UnknownColumnError(release.name, name, release.columns)
        models = () if policy is None else policy.require
        wanted = tuple(sensitive) or _select_present(policy.sensitive if policy else (), release)
        known = tuple(quasi) or _select_present(policy.quasi if policy else (), release)
        if not known:
            what = "no quasi column of the release is named"
            fix = (
                f"Give {argument('quasi', 'COLUMN')} for what somebody could know of a person, or "
                f"{argument('policy', 'FILE')}."
            )
            raise ArgumentError("quasi", what, fix)
        if set(known) & set(wanted):
            what = f"'{min(set(known) & set(wanted))}' is named as quasi and as sensitive"
            fix = "A column has one role: drop one of the two."
            raise ArgumentError(("quasi", "sensitive"), what, fix)
        if k is not None and k < 1:
            fix = f"Give {argument('k', '5')}."
            raise ArgumentError("k", "k must be a whole number from 1", fix)
        size = max([1, *(model.least_rows for model in models)])
        joint = [m for m in models if not m.columns or set(known) <= set(m.columns)]
        promised = any(model.least_rows > 1 for model in joint)
        presence = next((m for m in models if m.name == "delta_presence"), None)
        return cls(
            known,
            wanted,
            k or max(2, size),
            k is not None or promised or not models,
            tuple(m.column for m in models if m.name == "l_diversity" and m.ell > 1),
            {m.column: m.t for m in models if m.name == "t_closeness" and m.distance == "equal"},
            next((m.k for m in models if m.name == "k_map"), None),
            (None, None) if presence is None else (presence.min, presence.max),
        )

    def counted(self, outcome: Outcome) -> Outcome:
        """The outcome, which breaks nothing if no class size was promised."""
        return outcome if self.sized else replace(outcome, counts=False)


def _select_present(names: Sequence[str], release: CodedRows) -> tuple[str, ...]:
    return tuple(name for name in names if name in release.columns)
