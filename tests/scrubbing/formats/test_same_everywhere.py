"""The same key gives the same replacement in every kind of document, on any number of cores."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scrubbing.finder import Finder, Work, WorkFindings
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.invisible import look, strip_hidden
from discreet.scrubbing.review.decisions import DecidingFinder, Decision, Decisions, hash_text

TEXT = "Dear Dr. Frank Miller, MRN 4711234, mail frank.miller@clinic.org, left"
DOCUMENTS = {
    "a.txt": TEXT,
    "b.html": f"<p>{TEXT}</p>",
    "c.csv": f'id,note\n1,"{TEXT}"\n',
    "d.jsonl": f'{{"note": "{TEXT}"}}\n',
    "e.eml": f"Subject: x\n\n{TEXT}\n",
    "f.xml": f"<note>{TEXT}</note>",
    "g.json": f'["{TEXT}"]',
    "h.txt": TEXT.replace("rank", "ra\u200bnk"),
}


def test_one_key_gives_one_replacement_in_all_kinds_of_documents(scrub: Callable[..., Any]) -> None:
    done = scrub(DOCUMENTS, style="pseudonym", scope="corpus")
    assert len(done.files) == len(DOCUMENTS)
    new = {
        re.search(r"Dr\. (.*), MRN (\d+), mail (\S+), left", text.decode()).groups()  # type: ignore[union-attr]
        for text in done.files.values()
    }
    assert len(new) == 1
    (name, number, mail) = new.pop()
    assert mail.startswith(name.lower().replace(" ", ".") + "@")
    assert number != "4711234"


class Words(Finder):
    """Finds every word."""

    def look(self, works: Any) -> Any:
        """Each word of each text, as a finding."""
        for work in works:
            found = [
                [Finding(m.start(), m.end(), "NAME", 1.0, "w", "w") for m in re.finditer(r"\w+", t)]
                for t in work.texts
            ]
            yield work, WorkFindings(found, [[] for _ in found])


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abC ,.\u200b\u00ad\ufeff\u202eé"))
def test_places_in_what_is_seen_lead_back_to_the_text(text: str) -> None:
    ((work, looked),) = look(Words(), [Work((text,), tag="mine")])
    assert work.tag == "mine" and work.texts == (text,)
    found = [strip_hidden(text[one.start : one.end]) for one in looked.findings[0]]
    assert found == re.findall(r"\w+", strip_hidden(text))


def test_what_a_person_decided_is_about_the_text_with_all_its_characters() -> None:
    text = "saw Ge\u200borge of Ro\u00adme there"
    by_text = {hash_text(text): (Decision(4, 11, False, "NAME"), Decision(15, 20, True, "NAME"))}
    finder = DecidingFinder(inner=Words(), decisions=Decisions("d", by_text))
    ((_, looked),) = look(finder, [Work((text,))])
    finder.check_met()
    found = [strip_hidden(text[one.start : one.end]) for one in looked.findings[0]]
    assert found == ["saw", "George", "of", "there"]
