"""Recall and precision of a finder on text in which personal information has been marked.

It judges the detectors and shares no code with them: it compares positions in text and knows
nothing of what a name looks like.
"""

from __future__ import annotations

from discreet.scrubbing.evaluate.evaluate import Evaluation, evaluate, show
from discreet.scrubbing.evaluate.read_gold import Gold, GoldProblem, GoldSpan, GoldText, read_gold

__all__ = [
    "Evaluation",
    "Gold",
    "GoldProblem",
    "GoldSpan",
    "GoldText",
    "evaluate",
    "read_gold",
    "show",
]
