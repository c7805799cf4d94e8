"""Texts that no detector was written for: what is found in them, and how much of it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.scrubbing.evaluate import Gold, GoldSpan, GoldText, evaluate
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.tagger.fit import read_marked

CORPORA = Path(__file__).parents[2] / "corpora"


def gold(name: str, language: str = "en") -> Gold:
    path = CORPORA / language / "held_out" / f"{name}.txt"
    texts = read_marked(path.read_text(encoding="utf-8"))
    return Gold(
        tuple(
            GoldText(f"{name} {number}", text, tuple(GoldSpan(*mark) for mark in marks))
            for number, (text, marks) in enumerate(texts)
        )
    )


@pytest.mark.parametrize("name", ["clinic", "business", "messages"])
def test_recall_and_precision_do_not_fall(name: str) -> None:
    result = evaluate(Scrubber().find, gold(name), examples=0)
    assert result.recall is not None and result.recall >= 0.86
    assert result.precision is not None and result.precision >= 0.9


@pytest.mark.parametrize("name", ["clinic", "office"])
def test_recall_and_precision_do_not_fall_in_german(name: str) -> None:
    result = evaluate(Scrubber("de").find, gold(name, "de"), examples=0)
    assert result.recall is not None and result.recall >= 0.85
    assert result.precision is not None and result.precision >= 0.75
