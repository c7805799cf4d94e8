"""The shapes in which JSON corpora write a text and its spans."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discreet.scrub.evaluate.gold import GoldProblem, GoldSpan

TEXTS = ("text", "full_text", "source_text", "generated_text", "content", "document", "sentence")
SPANS = (
    "spans",
    "privacy_mask",
    "span_labels",
    "entities",
    "entity_mentions",
    "pii_spans",
    "annotations",
    "labels",
    "label",
    "result",
)
STARTS = ("start", "start_position", "start_offset", "start_char", "startOffset", "begin")
ENDS = ("end", "end_position", "end_offset", "end_char", "endOffset", "stop")
LABELS = ("label", "entity_type", "labels", "type", "kind", "entity", "tag", "category")
VALUES = ("text", "value", "entity_value", "surface")
OUTSIDE = ("", "O")


def text_of(record: Any) -> str | None:
    """The text of a record, under any of the usual names."""
    if isinstance(record, Sequence) and not isinstance(record, str) and record:
        return record[0] if isinstance(record[0], str) else None
    if not isinstance(record, Mapping):
        return None
    for key in TEXTS:
        if isinstance(record.get(key), str):
            return str(record[key])
    return text_of(record.get("data"))


def spans_of(record: Any, text: str, where: str) -> tuple[list[GoldSpan], list[GoldProblem]]:
    """The spans of a record as they are written, and those that cannot be read.

    Read are lists under ``spans``, ``entities``, ``annotations`` and the like, of mappings
    (Prodigy, presidio-research, ai4privacy, Label Studio, TAB) or of ``[start, end, label]``
    (doccano, spaCy), also where the list is written as a string.
    """
    found: list[GoldSpan] = []
    problems: list[GoldProblem] = []
    items = span_items(record)
    if items is None:
        return found, [GoldProblem(where, "no spans", f"looked for {', '.join(SPANS)}")]
    for number, item in enumerate(items, 1):
        span = span_of(item)
        if span is None:
            problems.append(GoldProblem(f"{where}, span {number}", "not understood"))
        elif span.label not in OUTSIDE:
            found.append(span)
            if _differs(item, text, span):
                what = "text differs from what the offsets point at"
                problems.append(GoldProblem(f"{where}, span {number}", what))
    return found, problems


def span_items(record: Any) -> list[Any] | None:
    """The list of spans of a record, wherever it is; None if there is none."""
    if isinstance(record, Sequence) and not isinstance(record, str):
        return span_items(record[1]) if len(record) > 1 else None
    if not isinstance(record, Mapping):
        return None
    for key in SPANS:
        if key in record:
            items = list(_flat(_unquoted(record[key])))
            if items or record[key] in ([], "[]", {}, None):
                return items
    return None


def span_of(item: Any) -> GoldSpan | None:
    """One span, from a mapping or from ``[start, end, label]``."""
    if isinstance(item, Mapping):
        inner = item.get("value")
        if isinstance(inner, Mapping):
            return span_of(inner)
        start, end, label = (_first(item, keys) for keys in (STARTS, ENDS, LABELS))
        optional = item.get("optional") is True
    elif isinstance(item, list | tuple) and len(item) >= 3:
        start, end, label = item[0], item[1], item[2]
        optional = False
    else:
        return None
    if isinstance(label, list) and label:
        label = label[0]
    if not isinstance(label, str) or not _whole(start) or not _whole(end):
        return None
    return GoldSpan(int(start), int(end), label, optional)


def _flat(value: Any) -> Iterator[Any]:
    """Spans out of lists, and out of mappings of annotators or results."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _flat(span_items(part) if isinstance(part, Mapping) else part)
    elif isinstance(value, list | tuple):
        for part in value:
            nested = isinstance(part, Mapping) and span_of(part) is None and "result" in part
            yield from _flat(part["result"]) if nested else (part,)


def _unquoted(value: Any) -> Any:
    """A list that a data frame has written as a string."""
    if not isinstance(value, str):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None


def _first(item: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def _whole(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole or (isinstance(value, str) and value.isdecimal())


def _differs(item: Any, text: str, span: GoldSpan) -> bool:
    value = _first(item, VALUES) if isinstance(item, Mapping) else None
    return isinstance(value, str) and text[span.start : span.end].strip() != value.strip()
