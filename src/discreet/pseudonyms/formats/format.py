"""What every format of pseudonyms has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.pseudonyms.chance import Chance


class Format(Protocol):
    """A kind of identifier. All texts are without missing ones and, after `fits`, of the kind.

    `wanted` names the identifiers in the plural, for errors; `keeps_type` says that pseudonyms of
    whole numbers are whole numbers. A `roomy` format has so many pseudonyms that no two draws meet;
    pseudonyms of one that is `apart` are nobody's identifiers.
    """

    name: ClassVar[str]
    wanted: ClassVar[str]
    keeps_type: ClassVar[bool]
    roomy: ClassVar[bool]
    apart: ClassVar[bool]

    def numbers(self, whole: pa.Array) -> pa.Array:
        """Whole numbers as such identifiers are written; null where none would stay a number."""
        ...

    def fits(self, written: pa.Array) -> pa.Array:
        """Which of the texts are identifiers of this kind."""
        ...

    def canonical(self, written: pa.Array) -> pa.Array:
        """One way of writing for each identifier: what is hashed and compared."""
        ...

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """A pseudonym for each, in the canonical way of writing."""
        ...

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The pseudonyms, written as the identifiers were."""
        ...
