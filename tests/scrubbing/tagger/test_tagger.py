"""The tagger: what it is fitted to is what it sees, and it finds what is in no list."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from discreet.scrubbing.detectors import ALL
from discreet.scrubbing.detectors.tagged import TAGGED
from discreet.scrubbing.languages.load import Language, load_language
from discreet.scrubbing.machine import Scrubber, list_texts
from discreet.scrubbing.tagger.fit import (
    Fit,
    Mark,
    MarkedText,
    Rows,
    Vary,
    label_tokens,
    read_marked,
)
from discreet.scrubbing.tagger.tagger import Tagger
from discreet.scrubbing.tagger.weights import CASINGS, LABELS, Observer, Weights

MARKED = """=== 1 | mail
Dear {{NAME:Ann}}, {{NAME:Gorzelak}} rang about the lamp. The Printer is broken.
=== 2 | note
{{NAME:Wimbush}} rang about the pump at {{ORGANIZATION:Dallow Feed}}. {{?AGE:40}} years.
"""


EARLY = Scrubber(detectors=tuple(d for d in ALL if d is not TAGGED))


@pytest.fixture(scope="module")
def weights() -> Weights:
    """Fitted to two small texts, many times varied."""
    return Fit(copies=(12, 3), steps=30, penalty=0.1)(list(read_marked(MARKED)))


def test_marks_are_read_where_they_are() -> None:
    first, second = read_marked(MARKED)
    found = [(first.text[m.start : m.end], m.kind) for m in first.marks]
    assert found == [("Ann", "NAME"), ("Gorzelak", "NAME")]
    assert "{{" not in first.text + second.text
    assert [m.optional for m in second.marks] == [False, False, True]


def test_varied_texts_have_their_marks_in_place() -> None:
    text = next(read_marked(MARKED))
    vary = Vary(load_language("en").lexicon, seed=3)
    others = [vary(text) for _ in range(20)]
    assert len({other.text for other in others}) > 10
    for other in others:
        start, end = other.marks[1][:2]
        assert other.text[: other.marks[0].start] == "Dear "
        assert other.text[end:].startswith(" rang about the lamp")
        assert other.text[start - 2 : start] == ", "


def test_labels_cover_the_tokens_of_marks() -> None:
    page = EARLY.first_look("Ann Lee, 40")
    marked = MarkedText(page.text, (Mark(0, 7, "NAME"), Mark(9, 11, "AGE", True)))
    assert label_tokens(page, marked).tolist() == [1, 1, 0, -1]


def test_scores_are_those_of_the_rows_it_is_fitted_to(weights: Weights) -> None:
    """Fitting and use write the observations down in two ways; both have to be the same."""
    scrubber = EARLY
    lexicon = scrubber.lexicon
    text = "Dear Ann Lee,\n\nthe Gorzelak-Smith (b. 1/2/1980) of 12 Main St. had 5mg of X.\n"
    for casing, written in zip(CASINGS, (text, text.upper(), text.lower()), strict=True):
        page = scrubber.first_look(written)
        assert page.casing == casing
        rows = Rows(Observer(lexicon, weights.features, weights.words), weights.layout, casing)
        rows.add(page)
        table = weights.of(casing)
        ends = list(rows.ends)
        slow = np.array([table[np.array(rows.columns[a:b])].sum(axis=0) for a, b in pairwise(ends)])
        slow = np.exp(slow - slow.max(axis=1, keepdims=True))
        slow /= slow.sum(axis=1, keepdims=True)
        fast = Tagger(weights, lexicon).likelihoods(page)
        assert np.allclose(slow, fast, atol=1e-4)


def test_one_token_and_none(weights: Weights) -> None:
    tagger = Tagger(weights, load_language("en").lexicon)
    scrubber = EARLY
    assert list(tagger.tags(scrubber.first_look(""), 0.5)) == []
    assert tagger.likelihoods(scrubber.first_look("Ann")).shape == (1, len(LABELS))


def test_a_fitted_tagger_finds_a_word_it_never_saw(weights: Weights) -> None:
    page = EARLY.first_look("Zurplinko rang about the lamp.")
    likely = Tagger(weights, load_language("en").lexicon).likelihoods(page)
    assert LABELS[likely[0].argmax()] == "NAME"
    assert likely[0].max() > 0.9
    assert LABELS[likely[1].argmax()] == ""


def test_weights_come_back_from_a_file(weights: Weights, tmp_path: Path) -> None:
    weights.save(tmp_path / "t.npz")
    back = Weights.read(tmp_path / "t.npz")
    assert (back.features, back.words) == (weights.features, weights.words)
    for casing in CASINGS:
        assert np.allclose(back.of(casing), weights.of(casing), atol=0.04)


def test_the_weights_shipped_are_for_the_language_shipped() -> None:
    language = load_language("en")
    assert language.tagger is not None
    path = Path(__file__).parents[3] / "src/discreet/scrubbing/languages/en/tagger.npz"
    assert set(Weights.read(path).features) <= set(language.lexicon.bits)


def test_names_in_no_list_are_found_by_how_they_stand() -> None:
    text = "On Monday Wexhurlo told us that the boiler had failed again, and Brennazik agreed."
    found = list_texts(text, Scrubber().find(text))
    assert [who for who, kind in found if kind == "NAME"] == ["Wexhurlo", "Brennazik"]


def test_a_reason_says_what_stands_where() -> None:
    text = "Ask for Wexhurlo at the desk."
    (finding,) = Scrubber(detectors=(TAGGED,)).find(text)
    assert finding.reason == (
        "new capitalized word after small function word, before small function word"
    )


def test_a_language_without_weights_has_no_tagger(tmp_path: Path) -> None:
    assert Language("xx", load_language("de").lexicon, tmp_path).tagger is None


def test_german_names_in_no_list_are_found_by_how_they_stand() -> None:
    text = "Gestern hat Wexhurlo gesagt, dass die Wundheilungsstörung besser ist."
    found = Scrubber("de").find(text)
    assert [text[f.start : f.end] for f in found] == ["Wexhurlo"]
