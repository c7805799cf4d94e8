"""What is known of English words, from packages and lists."""

from __future__ import annotations

import pytest

from discreet.scrubbing.languages.en.knowledge import ordinary
from discreet.scrubbing.languages.load import load_language


@pytest.mark.parametrize(
    ("word", "features"),
    [
        ("Jennifer", {"first", "sure_first", "female"}),
        ("Kowalski", {"last", "sure_last"}),
        ("O'Brien", {"last"}),
        ("José", {"first", "sure_first"}),
        ("Wojciech", {"first", "sure_first"}),  # not of the census
        ("Nakamura", {"last"}),
        ("Boston", {"city", "large_city"}),
        ("Virginia", {"state", "sure_first"}),
        ("France", {"country"}),
        ("May", {"month", "first", "ordinary"}),
        ("walked", {"ordinary"}),
        ("Xqzt", {"unknown"}),
        ("instagrammer", {"unknown"}),
        ("paypal", {"familiar"}),
    ],
)
def test_words_have_the_features_of_their_lists(word: str, features: set[str]) -> None:
    lexicon = load_language("en").lexicon
    assert {feature for feature in features if lexicon.has(word, feature)} == features


@pytest.mark.parametrize("word", ["Will", "May", "Grant", "Hope", "Long", "Young", "Bill"])
def test_names_that_are_more_often_words_are_not_sure(word: str) -> None:
    lexicon = load_language("en").lexicon
    assert not lexicon.has(word, "sure_first") and not lexicon.has(word, "sure_last")
    assert lexicon.has(word, "ordinary")


@pytest.mark.parametrize("word", ["John", "Frank", "Bob", "Peter", "Smith"])
def test_names_that_are_seldom_words_are_no_words(word: str) -> None:
    assert not load_language("en").lexicon.has(word, "ordinary")


def test_places_of_several_words_are_phrases() -> None:
    phrases = load_language("en").lexicon.phrases
    assert "virginia beach" in phrases["city"] and "new york" in phrases["state"]


@pytest.mark.parametrize("word", ["happiness", "berries", "running", "don't", "largest"])
def test_forms_of_ordinary_words_are_ordinary(word: str) -> None:
    assert ordinary(word)
