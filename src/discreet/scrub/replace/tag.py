"""Tags: ``[NAME 1]`` for the first person of a document, wherever and however it is named.

Within a document tags are counted in its order. In a wider scope a count would depend on which
documents were read before, so the number is keyed: six digits, the same wherever the key is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from discreet.scrub.replace.entity import entities
from discreet.scrub.replace.stream import Stream
from discreet.scrub.replace.words import Words

_NUMBERS = 1_000_000
_BETWEEN = re.compile(r"([,;]\s+| [-–/&] |/)")
"""What may stand between two people of one finding."""


def tags(
    found: Sequence[str],
    kinds: Sequence[str],
    words: Words,
    same: Mapping[str, str],
    stream: Stream | None,
) -> list[str | None]:
    """The tag of each finding; counted, or by key if there is a stream."""
    cut = [
        _people(text) if kind == "NAME" else [text] for kind, text in zip(kinds, found, strict=True)
    ]
    pairs = [(kind, text) for kind, parts in zip(kinds, cut, strict=True) for text in parts[::2]]
    about = entities(dict.fromkeys(pairs), words, same)
    numbers: dict[tuple[str, str], str] = {}
    count: dict[str, int] = {}
    for kind, text in pairs:
        entity = (kind, about[kind, text])
        if entity in numbers:
            continue
        if stream is None:
            count[kind] = count.get(kind, 0) + 1
            numbers[entity] = str(count[kind])
        else:
            numbers[entity] = f"{stream.number('tag ' + kind, entity[1], _NUMBERS):06d}"
    made = {pair: f"[{pair[0]} {numbers[pair[0], about[pair]]}]" for pair in about}
    return [
        "".join(part if place % 2 else made[kind, part] for place, part in enumerate(parts))
        for kind, parts in zip(kinds, cut, strict=True)
    ]


def _people(text: str) -> list[str]:
    """The people of a finding, and what stands between them: two full names are two people.

    Examples
    --------
    >>> _people("Frank Graves, Ann Lee"), _people("Graves, Frank")
    (['Frank Graves', ', ', 'Ann Lee'], ['Graves, Frank'])
    """
    first, *rest = _BETWEEN.split(text)
    people = [first]
    for between, name in zip(rest[::2], rest[1::2], strict=True):
        if " " in people[-1] and " " in name:
            people += between, name
        else:
            people[-1] += between + name
    return people
