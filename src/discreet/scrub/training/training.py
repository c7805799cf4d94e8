"""Training: likelihoods of templates adjusted to the data holder's own marked text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.scrub.evaluate import Evaluation, Gold, evaluate
from discreet.scrub.evaluate.evaluation import Share
from discreet.scrub.evaluate.score import score
from discreet.scrub.machine import Scrubber
from discreet.scrub.template import Template
from discreet.scrub.training.matches import Looked, Tallies, Tally, look, winners
from discreet.scrub.training.templates import templates_by_name
from discreet.scrub.training.trained import Trained, Weaknesses
from discreet.scrub.training.trial import Trial

_FEW = 5
"""Matches below which nothing is said about a template or a kind."""
_MOST = 0.95
"""Share of a kind's right findings that one template has if the kind rests on it."""


@dataclass(frozen=True)
class Training:
    """Adjusts how likely each template is right, by marked text, and reports weaknesses.

    The new likelihood is the share of right matches, with the printed likelihood counted as
    ``weight`` matches more, and kept from ``lowest`` to ``highest``. It is taken only if less is
    missed or falsely found with it; a missed span counts as ``miss_cost`` false findings, for an
    identifier that stays harms more than a word that is replaced for nothing. Kinds that are
    found but never marked are left alone, as the marks may lack them by choice.

    Notes
    -----
    [Sweeney2001]_, sec. 9.3: "During a training session on the database, template probabilities
    are adjusted and their effectiveness measured."

    Departures: the thesis gives no formula; this one, and all bounds, are ours. Likelihoods also
    say which of two templates wins a stretch of text. Changed all at once by their shares alone,
    short matches beat long ones and more is missed, so each change has to earn its place.

    Cost: three looks at the texts, and a competition for each template and text it matched in;
    what detectors say of all texts is held in memory.

    Examples
    --------
    >>> text = "Mail ann@example.org or bob@example.org."
    >>> gold = Gold.of([("a", text, [(5, 20, "EMAIL"), (24, 39, "EMAIL")])])
    >>> Training()(Scrubber(), gold).after.recall
    1.0
    """

    weight: float = 20.0
    lowest: float = 0.05
    highest: float = 0.99
    miss_cost: float = 10.0
    low_recall: float = 0.9

    def __post_init__(self) -> None:
        if self.weight <= 0:
            raise ParameterError("training", "weight", "above 0")
        if not 0 <= self.lowest <= self.highest <= 1:
            raise ParameterError("training", "lowest", "from 0 to 'highest', and that at most 1")
        if self.miss_cost < 0:
            raise ParameterError("training", "miss_cost", "0 or more")

    def __call__(self, scrubber: Scrubber, gold: Gold) -> Trained:
        """Train on marked texts, from the likelihoods that the scrubber has."""
        texts = [look(scrubber, text) for text in gold.texts]
        tallies = Tallies()
        for text in texts:
            tallies.add(text, scrubber.threshold)
        templates = templates_by_name(scrubber.language, scrubber.likelihoods)
        unmarked = _unmarked(tallies.templates)
        proposals = self._proposals(templates, tallies.templates, unmarked)
        likelihoods = Trial(texts, scrubber.threshold, self.miss_cost).take(proposals)
        before = evaluate(scrubber.find, gold, examples=0)
        changed = replace(scrubber, likelihoods={**scrubber.likelihoods, **likelihoods})
        return Trained(
            scrubber.language,
            len(gold.texts),
            len(templates),
            dict(changed.likelihoods),
            self._weaknesses(
                templates, tallies, unmarked, before, _casing(texts, scrubber.threshold)
            ),
            before,
            evaluate(changed.find, gold, examples=0),
        )

    def _proposals(
        self,
        templates: Mapping[str, Template],
        tallies: Mapping[str, Tally],
        unmarked: Iterable[str],
    ) -> dict[str, float]:
        """Likelihoods that differ from the present ones, those with most matches first."""
        found = {}
        for name, tally in sorted(tallies.items(), key=lambda item: (-item[1].matches, item[0])):
            if name not in templates or (tally.kind in unmarked and not tally.keep):
                continue
            printed = templates[name].likelihood
            share = (tally.right + self.weight * printed) / (tally.matches + self.weight)
            new = round(min(max(share, self.lowest), self.highest), 3)
            if new != printed:
                found[name] = new
        return found

    def _weaknesses(
        self,
        templates: Mapping[str, Template],
        tallies: Tallies,
        unmarked: tuple[str, ...],
        before: Evaluation,
        casing: Mapping[str, Share],
    ) -> Weaknesses:
        counted = tallies.templates
        wrong = {
            name: Share(tally.right, tally.matches)
            for name, tally in counted.items()
            if tally.matches >= _FEW and tally.wrong > tally.right and tally.kind not in unmarked
        }
        low = {
            label: kind.spans
            for label, kind in before.kinds.items()
            if kind.spans.ratio is not None and kind.spans.ratio < self.low_recall
        }
        return Weaknesses(
            never=tuple(sorted(templates.keys() - counted.keys())),
            wrong=dict(sorted(wrong.items())),
            low_recall=low,
            single=dict(sorted(_single(tallies.winners).items())),
            unmarked=unmarked,
            casing=casing,
        )


def _unmarked(tallies: Mapping[str, Tally]) -> tuple[str, ...]:
    """Kinds with some matches, and none of them right."""
    right, matches = Counter[str](), Counter[str]()
    for tally in tallies.values():
        if not tally.keep:
            right[tally.kind] += tally.right
            matches[tally.kind] += tally.matches
    return tuple(sorted(kind for kind in matches if not right[kind]))


def _single(winners: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    """Kinds whose right findings are nearly all of one template: too little variation."""
    found = {}
    for kind, by_template in winners.items():
        most = max(by_template, key=lambda name: by_template[name])
        total = sum(by_template.values())
        if total >= _FEW and by_template[most] >= _MOST * total:
            found[kind] = most
    return found


def _casing(texts: Iterable[Looked], threshold: float) -> dict[str, Share]:
    """Marked spans found, by whether texts have capitals and small letters."""
    found: dict[str, Share] = {}
    for text in texts:
        scores = score(text.gold, winners(text, text.findings, threshold)).by_kind
        spans = sum((part.spans for _, part in scores), Share())
        found[text.casing] = found.get(text.casing, Share()) + spans
    return dict(sorted(found.items()))
