"""Texts that no detector was written for: what is found in them, and how much of it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.scrubbing.evaluate import Gold, GoldSpan, GoldText, evaluate
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.tagger.fit import read_marked

FOLDER = Path(__file__).parents[2] / "corpora" / "en" / "held_out"


def gold(name: str) -> Gold:
    texts = read_marked((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
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
