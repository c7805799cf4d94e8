"""Text is cut into tokens and nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scrubbing.templates.tokens import find_token_ends, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("O'Brien's dog", ["O'Brien", "'s ", "dog"]),
        ("don’t", ["don’t"]),
        ("Smith-Jones", ["Smith", "-", "Jones"]),
        ("john_smith 5mg 1st", ["john_smith ", "5mg ", "1st"]),
        ("a\n\n  b", ["a", "\n\n  ", "b"]),
        ("a     b\tc", ["a  ", "   ", "b", "\t", "c"]),
        ("Jose\u0301 de", ["Jose\u0301 ", "de"]),
        ("", []),
    ],
)
def test_words_marks_lines_and_gaps_are_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_joined_tokens_are_the_text_and_ends_are_its_offsets(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(tokens) == text
    assert find_token_ends(tokens)[-1:] == ([len(text)] if text else [])
