"""The made corpus is what it says: exact spans, repeatable, varied; and so are the baselines."""

from __future__ import annotations

from collections import Counter

import pytest

from discreet.scrubbing.evaluate import Gold, evaluate
from tests.scrubbing.corpus.baselines import search_with_cues, straight_search
from tests.scrubbing.corpus.make import FAMILIES, as_gold, corpus
from tests.scrubbing.corpus.mark import Made

FIGURE_107 = """Wednesday, February 2, 1994

Marjorie Long, M.D.                RE: Virginia Townsend
St. John's Hospital                CH#32-841-09787
Huntington 18                      DOB 05/26/86
Boston, MA 02151

Dear Dr. Lang:

I feel much better after seeing Virginia this time. As you know, Dot is a 7 and 6/12 year old
female in follow up for insulin dependent diabetes mellitus diagnosed in June of 1993 by Dr. Frank
at Brigham's. She is currently on Lily Human Insulin and is growing and gaining weight normally.
She will start competing again with the U. S. Junior Gymnastics team. We will contact Mrs. Hodgkins
in a week at Marina Corp 473-1214 to schedule a follow-up visit for her daughter.

Patrick Hayes, M.D. 34764
"""


@pytest.fixture(scope="module")
def made() -> list[Made]:
    return corpus(360)


def test_the_same_seed_gives_the_same_texts_and_another_seed_others():
    assert corpus(24, seed=3) == corpus(24, seed=3)
    assert not {one.text for one in corpus(24, seed=3)} & {one.text for one in corpus(24, seed=4)}


def test_spans_point_at_words_and_do_not_overlap(made: list[Made]):
    for one in made:
        reach = 0
        for span in one.spans:
            assert reach <= span.start < span.end <= len(one.text)
            assert one.text[span.start : span.end].strip() == one.text[span.start : span.end]
            reach = span.end


def test_gold_made_of_the_corpus_has_no_problems(made: list[Made]):
    gold = as_gold(made)
    marked = ((one.name, one.text, [span[:3] for span in one.spans]) for one in gold.texts)
    assert Gold.of(marked).problems == ()


def test_every_kind_and_every_variant_is_there(made: list[Made]):
    labels = Counter(span.label for one in made for span in one.spans)
    assert min(labels.values()) >= 5
    assert len(labels) >= 24
    variants = Counter(one.variant for one in made)
    assert set(variants) == {"plain", "misspelt", "capitals", "lower"}
    assert variants["plain"] > len(made) / 2


def test_names_come_from_several_sources(made: list[Made]):
    forms = {span.form for one in made for span in one.spans if span.label == "NAME"}
    assert {"last: common", "last: foreign", "last: made", "last: word", "last: particle"} <= forms
    assert any(form.startswith("misspelt") for form in forms)


def test_families_share_no_frame_and_have_more_than_a_hundred():
    frames = {
        family: {frame for style in styles for frame in (*style.openings, *style.bodies)} - {""}
        for family, styles in FAMILIES.items()
    }
    assert sum(len(some) for some in frames.values()) > 200
    assert len(set().union(*frames.values())) == sum(len(some) for some in frames.values())


def test_one_family_can_be_held_out():
    assert {one.family for one in corpus(20, families=("clinical", "records"))} == {
        "clinical",
        "records",
    }


def missing(found: list[tuple[int, int, str]], words: str) -> bool:
    """Whether some character of the words stays."""
    at = FIGURE_107.index(words)
    covered = {place for start, end, _ in found for place in range(start, end)}
    return not set(range(at, at + len(words))) <= covered


KNOWN = ("Virginia Townsend", "Virginia", "Townsend", "32-841-09787")
KEEPER = ("Patrick Hayes", "Patrick", "Hayes", "34764")
OBSCURE = ("Dot is", "Brigham", "Gymnastics", "Marina Corp", "473-1214")


def test_straight_search_leaves_what_figure_109_leaves():
    found = straight_search(FIGURE_107, (*KNOWN, *KEEPER))
    for words in (*KNOWN, "Patrick Hayes", "34764"):
        assert not missing(found, words)
    for words in (*OBSCURE, "Lang", "Frank", "Hodgkins", "Marjorie Long", "Boston", "05/26/86"):
        assert missing(found, words)


def test_cues_find_who_is_addressed_but_not_the_nick_name_nor_the_team():
    found = search_with_cues(FIGURE_107, (*KNOWN, *KEEPER))
    for words in ("Lang", "Frank", "Hodgkins", "Marjorie Long"):
        assert not missing(found, words)
    for words in OBSCURE:
        assert missing(found, words)


def test_cues_find_more_than_straight_search_on_letters_and_neither_finds_all():
    letters = [one for one in corpus(240) if one.style == "letter" and one.variant == "plain"]
    by_text = {one.text: one for one in letters}
    gold = as_gold(letters)
    straight = evaluate(lambda text: straight_search(text, by_text[text].known), gold)
    cues = evaluate(
        lambda text: search_with_cues(text, (*by_text[text].known, *by_text[text].keeper)), gold
    )
    assert straight.recall is not None
    assert cues.recall is not None
    assert 0.1 < straight.recall < 0.4 < cues.recall < 0.7
