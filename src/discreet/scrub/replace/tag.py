"""Tags: ``[NAME 1]`` for the first person of a document, wherever and however it is named.

Within a document tags are counted in its order. In a wider scope a count would depend on which
documents were read before, so the number is keyed: six digits, the same wherever the key is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discreet.scrub.replace.entity import entities
from discreet.scrub.replace.stream import Stream
from discreet.scrub.replace.words import Words

_NUMBERS = 1_000_000


def tags(
    found: Sequence[str],
    kinds: Sequence[str],
    words: Words,
    same: Mapping[str, str],
    stream: Stream | None,
) -> list[str | None]:
    """The tag of each finding; counted, or by key if there is a stream."""
    pairs = list(zip(kinds, found, strict=True))
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
    return [f"[{kind} {numbers[kind, about[kind, text]]}]" for kind, text in pairs]
