"""A short way to write JSON schemas, and the shapes that several answers have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Shape = Mapping[str, Any]

ANY: Shape = {}
COUNT: Shape = {"type": "integer", "minimum": 0}
NUMBER: Shape = {"type": "number"}
SHARE: Shape = {"type": "number", "minimum": 0, "maximum": 1}
TEXT: Shape = {"type": "string"}
FLAG: Shape = {"type": "boolean"}


def maybe(shape: Shape) -> Shape:
    """The shape, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def one_of(*values: str) -> Shape:
    """One of these words."""
    return {"enum": list(values)}


def items(shape: Shape) -> Shape:
    """A list of the shape."""
    return {"type": "array", "items": shape}


def by_name(shape: Shape) -> Shape:
    """An object whose keys are names of the data: columns, kinds, measures."""
    return {"type": "object", "additionalProperties": shape}


def record(keys: Mapping[str, Shape], more: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these keys; those of ``more`` may be absent. Later versions may have others.

    >>> record({"k": COUNT}, {"note": TEXT})["required"]
    ['k']
    """
    return {
        "type": "object",
        "properties": {**keys, **(more or {})},
        "required": list(keys),
    }


NAMES = items(TEXT)
LEVELS = by_name(maybe(COUNT))

VERDICT = record(
    {
        "model": TEXT,
        "holds": FLAG,
        "measured": maybe(NUMBER),
        "limit": maybe(NUMBER),
        "rows_at_risk": COUNT,
        "columns": NAMES,
        "note": TEXT,
    }
)
ANONYMITY = record(
    {
        "level": NUMBER,
        "rows": COUNT,
        "assumed": FLAG,
        "k": COUNT,
        "most_general": FLAG,
        "map": maybe(items(record({"level": NUMBER, "k": COUNT}))),
    }
)
PROFILE = record(
    {
        "name": TEXT,
        "preset": maybe(TEXT),
        "likelihoods": by_name(NUMBER),
        "quasi_identifiers": items(NAMES),
        "assumes": NAMES,
        "audience": maybe(TEXT),
        "includes": NAMES,
    }
)
UNIQUE_ROWS = record(
    {
        "columns": NAMES,
        "rows": COUNT,
        "rows_unique": COUNT,
        "share": SHARE,
        "rows_below_k": COUNT,
        "smallest_class": maybe(COUNT),
        "promised": COUNT,
        "note": TEXT,
    }
)
SEVERAL_ROWS = record(
    {
        "columns": NAMES,
        "why": TEXT,
        "unit": one_of("people", "cases", "households"),
        "rows": COUNT,
        "people": COUNT,
        "k": COUNT,
        "classes": maybe(COUNT),
        "classes_below_k": maybe(COUNT),
        "fewest_people": maybe(COUNT),
        "note": TEXT,
    }
)

MISSING = one_of("value", "wildcard")
