"""How well a finder does on text whose personal information has been marked: recall and precision.

This part judges the detectors and shares no code with them: it knows positions in text, nothing
about what a name looks like.
"""

from discreet.scrub.evaluate.evaluate import evaluate
from discreet.scrub.evaluate.evaluation import Evaluation
from discreet.scrub.evaluate.gold import Gold, GoldProblem, GoldSpan, GoldText
from discreet.scrub.evaluate.read_gold import read_gold
from discreet.scrub.evaluate.show import show

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
