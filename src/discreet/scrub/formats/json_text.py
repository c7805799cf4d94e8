"""JSON: texts and numbers are looked at, each with its key before it; all else stays."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from discreet.scrub.formats.cue import cue
from discreet.scrub.formats.flow import NUMBER, Flow, Slot

_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+")(?P<key>\s*:)?|(?P<word>[^\s\[\]{},:"]+)|(?P<open>[\[{])'
    r"|(?P<close>[\]}])|(?P<comma>,)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[a-z_]*")


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def json_flow(source: str, fields: Collection[str] = ()) -> Flow:
    """The values of a JSON text that is known to be sound, a value a line with its key before it.

    With ``fields``, only values under these keys are looked at. Keys that are not plain words in
    small letters are looked at too, at the end: people's names can be keys.

    Examples
    --------
    >>> json_flow('{"name": "Ann", "age": 7}').text
    'name: Ann\\nage: 7'
    >>> json_flow('{"name": "Ann", "note": "ill"}', ["note"]).text
    'ill'
    """
    slots: list[Slot] = []
    names: list[Slot] = []
    keys: list[str] = [""]
    for token in _TOKEN.finditer(source):
        if token["open"]:
            keys.append(keys[-1] if token[0] == "[" or keys[-1] in fields else "")
        elif token["close"]:
            keys.pop()
        elif token["key"] is not None:
            key = json.loads(token["string"])
            if len(keys) < 2 or keys[-2] not in fields:
                keys[-1] = key
            if not fields and not _PLAIN.fullmatch(key):
                start, end = token.span("string")
                names.append(Slot(0, start + 1, end - 1, key, "\n", "json"))
        elif not fields or keys[-1] in fields:
            slots += _value(token, "" if fields else cue(keys[-1]))
    slots += names
    if slots:
        slots[0] = slots[0]._replace(before=slots[0].before[1:])
    return Flow([source], slots)


def _value(token: re.Match[str], before: str) -> list[Slot]:
    start, end = token.span()
    if token["string"] is not None:
        return [Slot(0, start + 1, end - 1, json.loads(token["string"]), f"\n{before}", "json")]
    if token["word"] is not None and NUMBER.fullmatch(token["word"]):
        return [Slot(0, start, end, token["word"], f"\n{before}", "json number")]
    return []
