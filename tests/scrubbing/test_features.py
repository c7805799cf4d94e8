"""The shape of a token."""

from __future__ import annotations

import pytest

from discreet.scrubbing.templates.lexicon import SHAPE_BIT, find_shape_bits


@pytest.mark.parametrize(
    ("token", "shapes"),
    [
        ("graves ", {"word", "lower", "spaced"}),
        ("Graves", {"word", "capitalized"}),
        ("O'Brien", {"word", "capitalized", "camel", "apostrophe"}),
        ("MD", {"word", "upper", "short"}),
        ("F", {"word", "initial", "short"}),
        ("iPhone", {"word", "mixed"}),
        ("1423", {"digits", "d4"}),
        ("12345678901", {"digits", "long"}),
        ("²", {"alnum"}),
        ("22nd", {"alnum", "ordinal"}),
        ("A12", {"alnum"}),
        (".", {"mark", "stop"}),
        (", ", {"mark", "spaced"}),
        ("'s", {"possessive"}),
        ("\n", {"newline", "stop"}),
        ("\n\n", {"newline", "stop", "blank"}),
        ("\t", {"gap"}),
        ("Zoë", {"word", "capitalized", "accented", "short"}),
    ],
)
def test_shapes_of_tokens(token: str, shapes: set[str]) -> None:
    bits = find_shape_bits(token)
    assert {name for name, bit in SHAPE_BIT.items() if bits & bit} == shapes
