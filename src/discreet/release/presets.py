"""Recipients that many data holders have, and what giving them data assumes."""

from __future__ import annotations

from discreet.display import dataclass


@dataclass(frozen=True)
class Preset:
    """How likely a kind of recipient links on any one column, and what that rests on."""

    likelihood: float
    assumes: tuple[str, ...]


PRESETS: dict[str, Preset] = {
    "public use": Preset(
        1.0,
        (
            "Anybody may get this release, with any other data, and nobody is bound to anything.",
            "Whatever is known of people in one of these columns may be known in all of them.",
        ),
    ),
    "researcher": Preset(
        0.5,
        (
            "The recipient is bound by contract not to link people to other data, and not to pass "
            "the release on.",
            "Columns are protected as said below, not all together: whoever breaks the contract "
            "and joins more of them may find people.",
        ),
    ),
    "caretaker": Preset(
        0.0,
        (
            "The recipient may see the data as they are: the people in it agreed, or the law "
            "allows it.",
            "The recipient does not pass the release on.",
        ),
    ),
}
"""The recipients of [Sweeney2001]_, sec. 6.1: the public, researchers bound by contract, and those
who care for the people in the table."""
