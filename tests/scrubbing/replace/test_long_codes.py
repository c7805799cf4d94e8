"""The replacement of a code takes work that grows with its length, not with the square of it."""

from __future__ import annotations

import pytest

from discreet.scrubbing.replace.context import Stream
from discreet.scrubbing.replace.numbers import replace_characters


def test_a_long_code_is_read_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    digest = Stream.digest

    def counted(self: Stream, about: str, text: str, turn: int = 0) -> bytes:
        read.append(len(text))
        return digest(self, about, text, turn)

    monkeypatch.setattr(Stream, "digest", counted)
    code = "1" * 50_000
    assert replace_characters(code, "ID", Stream(bytes(32), "document", "a")) != code
    assert sum(read) < 10 * len(code)
