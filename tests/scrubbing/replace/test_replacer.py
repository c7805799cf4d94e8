"""The replacer: styles, scopes, offsets, what it refuses."""

from __future__ import annotations

import json

import pytest

from discreet.errors import ParameterError, ScrubError
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.replace import Replacer
from tests.scrubbing.replace.applied import KEY, found

LETTER = "Frank Graves came on 3/5/91. Mr. Graves called; GRAVES, Frank. Ann Lee (255-1423) too."
SEEN = found(
    LETTER,
    ("Frank Graves", "NAME"),
    ("3/5/91", "DATE"),
    ("Mr. Graves", "NAME"),
    ("GRAVES, Frank", "NAME"),
    ("Ann Lee", "NAME"),
    ("255-1423", "PHONE"),
)


def test_styles() -> None:
    new = {
        style: Replacer(style=style, key=KEY).apply(LETTER, SEEN).text
        for style in ("tag", "blank", "remove")
    }
    assert new["tag"] == (
        "[NAME 1] came on [DATE 1]. [NAME 1] called; [NAME 1]. [NAME 2] ([PHONE 1]) too."
    )
    assert new["blank"] == (
        "************ came on ******. ********** called; *************. ******* (********) too."
    )
    assert new["remove"] == " came on .  called; .  () too."


def test_pseudonyms_of_a_letter_agree() -> None:
    new = Replacer(key=KEY).apply(LETTER, SEEN).text
    first, last = new.split(" came")[0].split()
    assert f"Mr. {last} called; {last.upper()}, {first}." in new
    assert "graves" not in new.lower() and "255-1423" not in new and "on 3/1/91." in new


def test_offsets_lead_from_one_text_to_the_other() -> None:
    for style in ("pseudonym", "tag", "blank", "remove"):
        result = Replacer(style=style, key=KEY).apply(LETTER, SEEN)
        done = new_done = 0
        for start, end, new_start, new_end, _ in result.replacements:
            assert LETTER[done:start] == result.text[new_done:new_start]
            done, new_done = end, new_end
        assert LETTER[done:] == result.text[new_done:]


def test_scopes_say_how_far_names_agree() -> None:
    text = "Graves"
    seen = found(text, (text, "NAME"))

    def new(scope: str, document: str, person: str) -> str:
        return Replacer(scope=scope, key=KEY).apply(text, seen, person, document).text

    assert new("document", "a", "p") == new("document", "a", "q") != new("document", "b", "p")
    assert new("person", "a", "p") == new("person", "b", "p") != new("person", "a", "q")
    assert new("corpus", "a", "p") == new("corpus", "b", "q")


def test_a_document_without_a_name_is_known_by_its_text() -> None:
    one, two = "Graves came.", "Graves left."
    seen = [Finding(0, 6, "NAME", 0.9, "given", "given")]
    replacer = Replacer(key=KEY)
    again = Replacer(key=KEY).apply(one, seen).text
    assert replacer.apply(one, seen).text == again
    assert replacer.apply(two, seen).text.split()[0] != again.split()[0]


@pytest.mark.parametrize(
    ("text", "tagged"),
    [
        ("Frank Graves, Ann Lee", "[NAME 1], [NAME 2]"),
        ("Frank Graves/Ann Lee", "[NAME 1]/[NAME 2]"),
        ("Graves, Frank", "[NAME 1]"),
        ("Graves, Frank A.", "[NAME 1]"),
        ("Frank Graves, Jr.", "[NAME 1]"),
    ],
)
def test_two_full_names_of_one_finding_have_a_tag_each(text: str, tagged: str) -> None:
    seen = found(text, (text, "NAME"))
    assert Replacer("tag", key=KEY).apply(text, seen).text == tagged


def test_tags_of_a_corpus_do_not_depend_on_the_order_of_documents() -> None:
    texts = ["Graves came.", "Frank came.", "Weston came."]
    seen = {text: found(text, (text.split()[0], "NAME")) for text in texts}
    tags = [
        {
            text: Replacer(style="tag", scope="corpus", key=KEY).apply(text, seen[text]).text
            for text in order
        }
        for order in (texts, texts[::-1])
    ]
    assert tags[0] == tags[1] and len(set(tags[0].values())) == 3


def test_a_replacement_does_not_depend_on_what_was_read_before() -> None:
    fresh = Replacer(key=KEY, scope="corpus").apply(LETTER, SEEN).text
    used = Replacer(key=KEY, scope="corpus")
    other = "F. Graves and Grabes"
    used.apply(
        other, found(other, ("F. Graves", "NAME"), ("Grabes", "NAME")), same={"Grabes": "Graves"}
    )
    assert used.apply(LETTER, SEEN).text == fresh


def test_kept_findings_and_text_around_are_not_touched() -> None:
    text = "Hodgkins disease of Mr. Hodgkins"
    findings = [
        Finding(0, 16, "DISEASE", 0.9, "eponym", "list", keep=True),
        Finding(24, 32, "NAME", 0.9, "title", "title"),
    ]
    new = Replacer(key=KEY).apply(text, findings).text
    assert new.startswith("Hodgkins disease of Mr. ") and not new.endswith("Hodgkins")


def test_of_overlapping_findings_nothing_is_left_over() -> None:
    text = "Frank Graves Jones"
    findings = [Finding(0, 12, "NAME", 0.9, "a", "a"), Finding(6, 18, "NAME", 0.9, "b", "b")]
    result = Replacer(style="tag").apply(text, findings)
    assert [(r.start, r.end) for r in result.replacements] == [(0, 12), (12, 18)]


def test_places_outside_the_text_are_refused_without_showing_it() -> None:
    with pytest.raises(ScrubError, match="findings outside of the text") as raised:
        Replacer().apply("Graves", [Finding(2, 99, "NAME", 0.9, "a", "a")])
    assert "Graves" not in str(raised.value)


def test_facts_and_repr_have_no_text() -> None:
    result = Replacer(key=KEY).apply(LETTER, SEEN)
    shown = json.dumps(result.facts()) + repr(result) + repr(Replacer(avoid=frozenset({"Graves"})))
    assert "raves" not in shown and "came" not in shown
    assert result.facts()["findings"] == {"DATE": 1, "NAME": 4, "PHONE": 1}


@pytest.mark.parametrize(
    "wrong",
    [{"style": "x"}, {"scope": "x"}, {"dates": "x"}, {"places": "x"}, {"relative": "x"},
     {"language": "xx"}, {"oldest": 0}],
)  # fmt: skip
def test_wrong_choices_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Replacer(**wrong)  # type: ignore[arg-type]


def test_an_empty_text_and_a_text_without_findings_stay() -> None:
    assert Replacer().apply("", []).text == "" and Replacer().apply("a b", []).text == "a b"
