"""Tries likelihoods on texts that were looked at, without looking again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discreet.scrub.evaluate.score import score
from discreet.scrub.finding import Finding
from discreet.scrub.training.matches import Looked, key_of, winners


class Trial:
    """Takes changes of likelihoods one by one, those that make the outcome better.

    The outcome is ``miss_cost`` for each marked span that is missed and 1 for each false finding.
    What detectors say does not depend on likelihoods, but for what they post; so only the
    competition is run again, in the texts where the template matched.
    """

    def __init__(self, texts: Sequence[Looked], threshold: float, miss_cost: float) -> None:
        self._texts, self._threshold, self._miss_cost = texts, threshold, miss_cost
        self._findings = [list(text.findings) for text in texts]
        self._where: dict[str, set[int]] = {}
        for place, text in enumerate(texts):
            for finding in text.findings:
                self._where.setdefault(key_of(finding), set()).add(place)

    def take(self, proposals: Mapping[str, float]) -> dict[str, float]:
        """The proposals that lessen the cost, each tried with those taken before."""
        return {name: new for name, new in proposals.items() if self._is_better(name, new)}

    def _is_better(self, name: str, likelihood: float) -> bool:
        gain, tried = 0.0, {}
        for place in sorted(self._where.get(name, ())):
            old = self._findings[place]
            new = [f._replace(likelihood=likelihood) if key_of(f) == name else f for f in old]
            tried[place] = new
            gain += self._gain(self._texts[place], old, new)
        if gain <= 0:
            return False
        for place, new in tried.items():
            self._findings[place] = new
        return True

    def _gain(self, text: Looked, old: list[Finding], new: list[Finding]) -> float:
        before, after = (winners(text, findings, self._threshold) for findings in (old, new))
        if [f[:3] for f in before] == [f[:3] for f in after]:
            return 0.0
        return self._cost(text, before) - self._cost(text, after)

    def _cost(self, text: Looked, findings: list[Finding]) -> float:
        scored = score(text.gold, findings)
        return self._miss_cost * len(scored.missed) + len(scored.false)
