"""The frozen answers: where they are, and what differs from them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "frozen"
CLOSE = 1e-9
"""Two numbers are the same up to what another processor makes of the last digits."""


class Difference(NamedTuple):
    """One place where an answer is not what it was."""

    place: str
    was: str
    now: str
    prose: bool

    def __str__(self) -> str:
        return f"{self.place}\n    was: {self.was}\n    now: {self.now}"


def load_frozen(name: str) -> Any:
    """The frozen answers of an entry; None if it has none yet."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def save_frozen(name: str, answers: Any) -> None:
    """Freeze the answers of an entry: sorted and indented, so that a change can be read."""
    text = json.dumps(answers, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def list_frozen() -> set[str]:
    """The names of all entries that have frozen answers."""
    return {path.stem for path in FOLDER.glob("*.json")}


def compare(was: Any, now: Any, place: str = "") -> Iterator[Difference]:
    """Every place where two answers differ.

    A sentence that is worded in another way and has the same numbers in it is prose; all else is a
    difference of facts.
    """
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted({*was, *now}):
            at = f"{place}.{key}" if place else key
            if key not in now or key not in was:
                yield Difference(at, _show(was, key), _show(now, key), False)
            else:
                yield from compare(was[key], now[key], at)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for number, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from compare(one, other, f"{place}[{number}]")
    elif not _is_same(was, now):
        yield Difference(place, _short(was), _short(now), _is_reworded(was, now))


def _is_same(was: Any, now: Any) -> bool:
    if isinstance(was, float) or isinstance(now, float):
        numbers = all(isinstance(one, int | float) and one is not True for one in (was, now))
        return numbers and math.isclose(was, now, rel_tol=CLOSE, abs_tol=1e-12)
    return type(was) is type(now) and bool(was == now)


def _is_reworded(was: Any, now: Any) -> bool:
    if not (isinstance(was, str) and isinstance(now, str) and " " in was and " " in now):
        return False
    return sorted(re.findall(r"\d+", was)) == sorted(re.findall(r"\d+", now))


def _show(answers: dict[str, Any], key: str) -> str:
    return _short(answers[key]) if key in answers else "(absent)"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:297]}..."
