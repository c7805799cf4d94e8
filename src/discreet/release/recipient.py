"""Whom a policy was made for, and what was assumed of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from discreet.display import dataclass


@dataclass(frozen=True)
class Recipient:
    """The recipient that a policy was made for; without a name, nobody in particular.

    Two policies that say the same are equal whomever they were made for: no field is compared.
    """

    name: str | None = field(default=None, compare=False)
    preset: str | None = field(default=None, compare=False)
    likelihoods: Mapping[str, float] = field(default_factory=dict, compare=False)
    quasi_identifiers: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    assumes: tuple[str, ...] = field(default=(), compare=False)
    audience: str | None = field(default=None, compare=False)
    includes: tuple[str, ...] = field(default=(), compare=False)

    def facts(self) -> dict[str, Any] | None:
        """What was assumed, as plain data; None if nobody was named."""
        if self.name is None:
            return None
        return {
            "name": self.name,
            "preset": self.preset,
            "likelihoods": dict(self.likelihoods),
            "quasi_identifiers": [list(names) for names in self.quasi_identifiers],
            "assumes": list(self.assumes),
            "audience": self.audience,
            "includes": list(self.includes),
        }
