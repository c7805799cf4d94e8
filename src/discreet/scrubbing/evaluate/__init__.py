"""How well a finder does on text whose personal information has been marked: recall and precision.

This part judges the detectors and shares no code with them: it knows positions in text, nothing
about what a name looks like.
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
