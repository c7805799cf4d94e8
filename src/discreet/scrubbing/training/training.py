"""Training: likelihoods of templates adjusted to the data holder's own marked text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from importlib.resources import files

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.scrubbing.evaluate import Evaluation, Gold, evaluate
from discreet.scrubbing.evaluate.evaluate import Share, score
from discreet.scrubbing.evaluate.read_gold import GoldSpan, GoldText
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.resolve import resolve
from discreet.scrubbing.templates.template import Template, read_templates, set_likelihoods
from discreet.scrubbing.training.trained import Trained, Weaknesses

# The templates of a language, from all files.


def read_all_templates(language: str) -> Iterator[Template]:
    """Every template of a language, as defined in its folder."""
    folder = files("discreet.scrubbing.languages") / language
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".txt"):
            yield from read_templates(path.read_text(encoding="utf-8").splitlines(), path.name)


def index_templates(language: str, likelihoods: Mapping[str, float]) -> dict[str, Template]:
    """Templates by ``section/name``, with these likelihoods; the first if several share a name."""
    found: dict[str, Template] = {}
    for template in set_likelihoods(read_all_templates(language), dict(likelihoods)):
        found.setdefault(f"{template.section}/{template.name}", template)
    return found


# The matches of each template in a marked text, and whether they were right.
#
# A match is right if at least half of its letters and digits are marked, whatever the label; a
# match of a special detector, which keeps text, if none is. Optional spans count neither way.


def name_template(finding: Finding) -> str:
    """The name of a finding's template, as used for likelihoods."""
    return f"{finding.detector}/{finding.reason}"


@dataclass
class Tally:
    """Right and wrong matches of one template, and the kind it finds."""

    kind: str
    keep: bool
    right: int = 0
    wrong: int = 0

    @property
    def matches(self) -> int:
        """All matches that count."""
        return self.right + self.wrong


@dataclass(frozen=True)
class TextFindings:
    """A marked text, its casing, and all findings of the detectors before they competed."""

    gold: GoldText
    casing: str
    findings: list[Finding] = field(repr=False)


@dataclass
class Tallies:
    """Counts over all texts; a wording counts once per text, as repetitions add no information."""

    templates: dict[str, Tally] = field(default_factory=dict)
    winners: dict[str, dict[str, int]] = field(default_factory=dict)
    """By kind: how many right winners each template had."""

    def add(self, looked: TextFindings, threshold: float) -> None:
        """Count the matches of one text."""
        gold, findings = looked.gold, looked.findings
        marks = _Marks(gold)
        seen = set()
        for finding in findings:
            verdict = marks.is_right(finding)
            wording = name_template(finding), gold.text[finding.start : finding.end], verdict
            if verdict is not None and wording not in seen:
                seen.add(wording)
                self._count(finding, verdict)
        for finding in select_winners(looked, findings, threshold):
            if marks.is_right(finding):
                by_key = self.winners.setdefault(finding.kind, {})
                by_key[name_template(finding)] = by_key.get(name_template(finding), 0) + 1

    def _count(self, finding: Finding, verdict: bool) -> None:
        tally = self.templates.setdefault(name_template(finding), Tally(finding.kind, finding.keep))
        if verdict:
            tally.right += 1
        else:
            tally.wrong += 1


def look(scrubber: Scrubber, gold: GoldText) -> TextFindings:
    """Run the detectors on a text in two turns, as the scrubber does."""
    page, found = scrubber.candidates(gold.text)
    used = [f for f in found if f.keep or scrubber.is_wanted(f.kind)]
    return TextFindings(gold, page.casing, used)


def select_winners(
    looked: TextFindings, findings: Iterable[Finding], threshold: float
) -> list[Finding]:
    """The findings that would be replaced."""
    return [f for f in resolve(findings, threshold, looked.gold.text) if not f.keep]


class _Marks:
    """The marked characters of a text."""

    def __init__(self, gold: GoldText) -> None:
        self._text = gold.text
        self._marked = _cover(gold.text, (s for s in gold.spans if not s.optional))
        self._optional = _cover(gold.text, (s for s in gold.spans if s.optional))

    def is_right(self, finding: Finding) -> bool | None:
        """Whether a match is right; None where it does not count."""
        signs = list(self._list_signs(finding))
        marked = sum(self._marked[at] for at in signs)
        if not marked and any(self._optional[at] for at in signs):
            return None
        return not marked if finding.keep else 2 * marked >= max(len(signs), 1)

    def _list_signs(self, finding: Finding) -> Iterator[int]:
        return (at for at in range(finding.start, finding.end) if self._text[at].isalnum())


def _cover(text: str, spans: Iterable[GoldSpan]) -> bytearray:
    covered = bytearray(len(text))
    for span in spans:
        covered[span.start : span.end] = b"\x01" * (span.end - span.start)
    return covered


# Tries likelihoods on texts without running the detectors again.


class Trial:
    """Accepts changes of likelihoods one by one, if they improve the outcome.

    The outcome is ``miss_cost`` for each marked span that is missed and 1 for each false finding.
    The findings of detectors do not depend on likelihoods, except through posts; so only the
    competition is run again, in the texts where the template matched.
    """

    def __init__(self, texts: Sequence[TextFindings], threshold: float, miss_cost: float) -> None:
        self._texts, self._threshold, self._miss_cost = texts, threshold, miss_cost
        self._findings = [list(text.findings) for text in texts]
        self._where: dict[str, set[int]] = {}
        for place, text in enumerate(texts):
            for finding in text.findings:
                self._where.setdefault(name_template(finding), set()).add(place)

    def take(self, proposals: Mapping[str, float]) -> dict[str, float]:
        """The proposals that lower the cost, each tried on top of those accepted before."""
        return {name: new for name, new in proposals.items() if self._is_better(name, new)}

    def _is_better(self, name: str, likelihood: float) -> bool:
        gain, tried = 0.0, {}
        for place in sorted(self._where.get(name, ())):
            old = self._findings[place]
            new = [
                f._replace(likelihood=likelihood) if name_template(f) == name else f for f in old
            ]
            tried[place] = new
            gain += self._measure_gain(self._texts[place], old, new)
        if gain <= 0:
            return False
        for place, new in tried.items():
            self._findings[place] = new
        return True

    def _measure_gain(self, text: TextFindings, old: list[Finding], new: list[Finding]) -> float:
        before, after = (select_winners(text, findings, self._threshold) for findings in (old, new))
        if [f[:3] for f in before] == [f[:3] for f in after]:
            return 0.0
        return self._measure_cost(text, before) - self._measure_cost(text, after)

    def _measure_cost(self, text: TextFindings, findings: list[Finding]) -> float:
        scored = score(text.gold, findings)
        return self._miss_cost * len(scored.missed) + len(scored.false)


_FEW = 5
"""Fewest matches for a statement about a template or a kind."""
_MOST = 0.95
"""If one template makes this share of a kind's right findings, the kind rests on it."""


@dataclass(frozen=True)
class Training:
    """Adjusts the likelihoods of templates to marked text, and reports weaknesses.

    The new likelihood is the share of right matches, where the present likelihood counts as
    ``weight`` more matches, limited to ``lowest`` to ``highest``. It is accepted only if it reduces
    misses and false findings; a missed span counts as ``miss_cost`` false findings, because an
    identifier left in does more harm than a word replaced needlessly. Kinds that are found but
    never marked are left unchanged, as they may have been left unmarked on purpose.

    Notes
    -----
    [Sweeney2001]_, sec. 9.3: "During a training session on the database, template probabilities
    are adjusted and their effectiveness measured."

    Departures: the thesis gives no formula; this one, and all bounds, are ours. Likelihoods also
    decide which of two templates wins a span of text. If all were changed at once to their shares,
    short matches would beat long ones and more would be missed, so each change has to prove itself.

    Cost: three passes over the texts, and a competition for each template and text it matched in;
    the findings of all texts are held in memory.

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
        """Train on marked texts, starting from the scrubber's likelihoods."""
        texts = [look(scrubber, text) for text in gold.texts]
        tallies = Tallies()
        for text in texts:
            tallies.add(text, scrubber.threshold)
        templates = index_templates(scrubber.language, scrubber.likelihoods)
        unmarked = _find_unmarked(tallies.templates)
        proposals = self._list_proposals(templates, tallies.templates, unmarked)
        likelihoods = Trial(texts, scrubber.threshold, self.miss_cost).take(proposals)
        before = evaluate(scrubber.find, gold, examples=0)
        changed = replace(scrubber, likelihoods={**scrubber.likelihoods, **likelihoods})
        return Trained(
            scrubber.language,
            len(gold.texts),
            len(templates),
            dict(changed.likelihoods),
            self._find_weaknesses(
                templates, tallies, unmarked, before, _score_by_casing(texts, scrubber.threshold)
            ),
            before,
            evaluate(changed.find, gold, examples=0),
        )

    def _list_proposals(
        self,
        templates: Mapping[str, Template],
        tallies: Mapping[str, Tally],
        unmarked: Iterable[str],
    ) -> dict[str, float]:
        """Likelihoods that differ from the present ones, those with the most matches first."""
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

    def _find_weaknesses(
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
            single=dict(sorted(_find_single_template(tallies.winners).items())),
            unmarked=unmarked,
            casing=casing,
        )


def _find_unmarked(tallies: Mapping[str, Tally]) -> tuple[str, ...]:
    """Kinds with some matches, none of which is right."""
    right, matches = Counter[str](), Counter[str]()
    for tally in tallies.values():
        if not tally.keep:
            right[tally.kind] += tally.right
            matches[tally.kind] += tally.matches
    return tuple(sorted(kind for kind in matches if not right[kind]))


def _find_single_template(winners: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    """Kinds whose right findings nearly all come from one template: too little variation."""
    found = {}
    for kind, by_template in winners.items():
        most = max(by_template, key=lambda name: by_template[name])
        total = sum(by_template.values())
        if total >= _FEW and by_template[most] >= _MOST * total:
            found[kind] = most
    return found


def _score_by_casing(texts: Iterable[TextFindings], threshold: float) -> dict[str, Share]:
    """Marked spans found, by the casing of texts."""
    found: dict[str, Share] = {}
    for text in texts:
        scores = score(text.gold, select_winners(text, text.findings, threshold)).by_kind
        spans = sum((part.spans for _, part in scores), Share())
        found[text.casing] = found.get(text.casing, Share()) + spans
    return dict(sorted(found.items()))
