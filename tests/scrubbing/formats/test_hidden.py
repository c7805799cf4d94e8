"""Names where nobody looks for them, or written so that a program does not see them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from discreet.scrubbing.formats.html import read_html_flow
from discreet.scrubbing.formats.xml import read_xml_flow

Scrubbed = Callable[..., Any]


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad", "\u2060", "\u200d", "\ufeff", "\u202c"])
def test_a_character_that_nobody_sees_does_not_split_a_name(scrub: Scrubbed, mark: str) -> None:
    text = f"We saw Mr. Ge{mark}orge Mil{mark}ler, M{mark}D. Then George left."
    assert scrub({"a.txt": text}).text == "We saw Mr. [NAME 1], MD. Then [NAME 1] left.".replace(
        "MD", f"M{mark}D"
    )


def test_what_nobody_sees_stays_where_nothing_was_found(scrub: Scrubbed) -> None:
    assert scrub({"a.txt": "a\u200bb c\u00add"}).text == "a\u200bb c\u00add"


def test_a_hidden_character_does_not_change_the_replacement(scrub: Scrubbed) -> None:
    done = scrub({"a.csv": "note\nMr. Miller met Mr. Mil\u00adler\n"}, style="pseudonym").text
    assert len(set(done.split("\n")[1].replace("met", "").split())) == 2


def test_cells_of_tables_are_looked_at_without_hidden_characters(scrub: Scrubbed) -> None:
    done = scrub({"a.csv": "id,note\n1,Mr. Ge\u200borge Miller\n"})
    assert "Ge" not in done.text and "orge" not in done.text


@pytest.mark.parametrize("start", ["{\\rtf1 Dr. {\\b Fr}ank", "%PDF-1.4 Dr. Frank", "%!PS Dr."])
def test_what_only_claims_to_be_text_is_left_out(scrub: Scrubbed, start: str) -> None:
    done = scrub({"a.txt": start, "b.txt": "fine"})
    assert set(done.files) == {"b.txt"}
    assert done.report.left_out == 1


XML = """<?xml version="1.0"?><?by Frank Miller?><!DOCTYPE r SYSTEM "c:/Frank Miller.dtd">
<r><!-- Frank Miller --><p by="Dr. Frank Miller">Dr. <b>Fr</b>ank <i>Mil</i>ler left</p></r>"""


def test_instructions_and_declarations_of_xml_are_taken_out(scrub: Scrubbed) -> None:
    done = scrub({"a.xml": XML})
    assert done.text.startswith('<?xml version="1.0"?>\n<r>')
    assert "Fr" not in done.text and "ler" not in done.text
    assert done.report.removed == {"comments and declarations": 3}


def test_xml_with_words_of_its_own_is_left_out(scrub: Scrubbed) -> None:
    done = scrub({"a.xml": '<!DOCTYPE r [<!ENTITY who "Frank Miller">]><r>&who;</r>', "b.txt": "x"})
    assert set(done.files) == {"b.txt"}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<r><a>x</a><b>y</b></r>", "a: x\nb: y"),
        ("<r>\n <a>x</a>\n <b>y</b>\n</r>", "a: x\nb: y"),
        ("<p><b>Fr</b>ank left</p>", "b: Frank left"),
        ("<p>Dr. <b>Frank</b> <i>Lee</i><br/>left</p>", "p: Dr. Frank Lee\np: left"),
        ("<p>a<q>b</q></p><p>c</p>", "p: ab\np: c"),
    ],
)
def test_text_with_elements_in_it_is_one_line(source: str, text: str) -> None:
    assert read_xml_flow(source).text == text


@pytest.mark.parametrize(
    "source",
    [
        "<p>Dr. Frank Miller</p><!Frank Miller>",
        "<p>Dr. Frank Miller</p><![CDATA[Frank Miller]]>",
        "<!DOCTYPE x [Frank Miller]><p>Dr. Frank Miller</p>",
        '<p>Dr. Frank Miller</p><a href="/of/Frank%20Miller/x">',
        '<p>Dr. Frank Miller</p><a href="mailto:x@y.org?cc=%46rank.%4diller%40y.org">',
        '<p style="background: url(Frank_Miller.png)">Dr. Frank Miller</p>',
    ],
)
def test_names_in_odd_places_of_a_page_go(scrub: Scrubbed, source: str) -> None:
    text = scrub({"a.html": source}).text
    assert "rank" not in text and "iller" not in text


def test_codes_in_links_that_are_no_letters_stay() -> None:
    source = '<a href="?q=%22a%26b%ff">50%20</a>'
    assert read_html_flow(source).parts == [source]


BASE64 = base64.b64encode(b"Dear Dr. Frank Miller, he came").decode()
MAIL = """\
From: Frank Miller <a@b.org>
Subject: =?utf-8?b?{broken}?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="Frank Miller"

--Frank Miller
Content-Type: text/x-frank-miller; charset="frank"
Content-Transfer-Encoding: {encoding}

{body}
--Frank Miller--
"""


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("base64", BASE64[:-3]), ("x-own", BASE64), ("x-uuencode", "Frank Miller: no code")],
)
def test_what_is_encoded_and_cannot_be_read_does_not_come_out(
    scrub: Scrubbed, encoding: str, body: str
) -> None:
    done = scrub({"a.eml": MAIL.format(encoding=encoding, body=body, broken=BASE64[:-3])})
    assert BASE64[:12] not in done.text
    assert "frank" not in done.text.casefold()
    assert done.report.problems == {"headers and texts in a broken encoding, removed": 2}


def test_a_mail_within_a_mail_that_is_encoded_as_a_whole_is_taken_out(scrub: Scrubbed) -> None:
    inner = base64.b64encode(b"From: Frank Miller <a@b.org>\n\nDear Dr. Frank Miller\n").decode()
    done = scrub(
        {
            "a.eml": "Subject: x\nMIME-Version: 1.0\nContent-Type: message/rfc822\n"
            f"Content-Transfer-Encoding: base64\n\n{inner}\n"
        }
    )
    assert inner[:12] not in done.text
    assert done.report.unprocessed == 1


def test_rich_text_in_a_mail_is_an_attachment(scrub: Scrubbed) -> None:
    done = scrub({"a.eml": "Subject: x\nContent-Type: text/rtf\n\n{\\rtf1 Dr. {\\b Fr}ank}\n"})
    assert "Fr" not in done.text
    assert done.report.problems == {"attachments, removed": 1}


def test_letters_escaped_in_json_that_is_not_sound_are_read(scrub: Scrubbed) -> None:
    line = r'{"note": "Mrs. Mar\u0079 Mill\u0065r,\nDr. Jos\u00e9 Garc\u00eda \u00e9",}'
    done = scrub({"a.jsonl": line})
    assert done.text == r'{"note": "Mrs. [NAME 1],\nDr. [NAME 2] \u00e9",}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"firstSeenOn": "ok", "totalTime": "Mr. Frank Miller", "sharedDoc": "no"}'),
        ("a.xml", "<r><firstSeen>ok</firstSeen><TotalTime>Mr. Frank Miller</TotalTime></r>"),
        ("a.csv", "FirstSeen,TotalTime\nok,Mr. Frank Miller\n"),
    ],
)
def test_names_of_fields_are_not_taken_for_people(scrub: Scrubbed, name: str, text: str) -> None:
    done = scrub({name: text})
    assert "[NAME 1]" in done.text
    assert done.report.findings == {"NAME": 1}
