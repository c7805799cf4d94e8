"""Lists that are written as text."""

from __future__ import annotations


def listed(text: str, mark: str | None = None) -> list[str]:
    """The words of a text; with a mark, the parts between marks and line ends."""
    if mark is None:
        return text.split()
    return [part for line in text.splitlines() for part in line.split(mark)]
