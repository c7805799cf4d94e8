"""Texts go back into their markup with nothing else changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scrubbing.formats.flow import Edit, Flow, Slot
from discreet.scrubbing.formats.html import read_html_flow
from discreet.scrubbing.formats.json_lines import read_json_flow
from discreet.scrubbing.formats.xml import read_xml_flow

MARKUP = st.text(alphabet="<>&;\"'= /!-abnps\n[]{}:,1é\u0301א", max_size=60)


def _edit(flow: Flow, old: str, new: str) -> str:
    start = flow.text.index(old)
    return flow.put_back([Edit(start, start + len(old), new)])[0]


@settings(max_examples=60, deadline=None)
@given(MARKUP)
def test_without_edits_only_comments_and_scripts_change(source: str) -> None:
    for flow in (read_html_flow(source), read_xml_flow(source)):
        assert flow.cuts or flow.put_back([]) == [source]


def test_a_name_split_over_tags_is_read_and_replaced_as_one() -> None:
    flow = read_html_flow("<p>Mr. <b>Fra</b><i>nk</i> &amp; Co</p>")
    assert flow.text == "Mr. Frank & Co"
    assert _edit(flow, "Frank", "Odo") == "<p>Mr. <b>Odo</b><i></i> &amp; Co</p>"


def test_blocks_are_lines_and_white_space_counts_once() -> None:
    assert (
        read_html_flow("<p>Frank\n   Graves</p>\n<td>12</td><td>13</td>").text
        == "Frank Graves\n12\n13"
    )


def test_an_address_over_several_lines_keeps_its_lines() -> None:
    flow = read_html_flow("<p>Ann Lee</p><p>12 Oak St</p>")
    assert flow.put_back([Edit(0, len(flow.text), "Bo Vix\n9 Elm St")]) == [
        "<p>Bo Vix</p><p>9 Elm St</p>"
    ]
    assert flow.put_back([Edit(0, len(flow.text), "[BLOCK]")]) == ["<p>[BLOCK]</p><p></p>"]


def test_new_text_is_escaped() -> None:
    assert _edit(read_html_flow("<p>Ann</p>"), "Ann", "<b>&") == "<p>&lt;b&gt;&amp;</p>"
    assert _edit(read_html_flow("<p title='Ann'>"), "Ann", "O'x\"") == "<p title='O&#x27;x&quot;'>"
    assert _edit(read_html_flow("<p title=Ann>"), "Ann", "A b") == '<p title="A b">'
    assert _edit(read_xml_flow("<a>Ann</a>"), "Ann", "<&") == "<a>&lt;&amp;</a>"
    assert _edit(read_json_flow('["Ann"]'), "Ann", 'a"\n') == '["a\\"\\n"]'


def test_comments_scripts_and_handlers_are_taken_out() -> None:
    source = "<!--Ann--><script>Ann</script><a onclick='Ann' href='javascript:Ann'>x</a><!-- Ann"
    flow = read_html_flow(source)
    assert flow.put_back([]) == ["<a onclick='' href=''>x</a>"]
    assert sum(flow.removed.values()) == 5


def test_attributes_are_looked_at_unless_they_say_how_things_look() -> None:
    flow = read_html_flow('<a class="Ann" href="mailto:ann@x.org">m</a><img alt="Ann Lee">')
    assert flow.text == "m\nmailto:ann@x.org\nAnn Lee"


def test_what_only_looks_like_a_tag_is_text() -> None:
    assert read_html_flow("<p>from <Ann Lee> and <ann@x.org>, 3 < 4").text == (
        "from <Ann Lee> and <ann@x.org>, 3 < 4"
    )


def test_numbers_and_keys_of_json_are_looked_at() -> None:
    flow = read_json_flow('{"Ann Lee": {"ssn": 123456789, "ok": true}}')
    assert flow.text == "ssn: 123456789\nAnn Lee"
    assert _edit(flow, "123456789", "900") == '{"Ann Lee": {"ssn": 900, "ok": true}}'
    assert _edit(flow, "123456789", "[SSN]") == '{"Ann Lee": {"ssn": "[SSN]", "ok": true}}'


def test_only_the_fields_asked_for_with_all_that_is_in_them() -> None:
    source = '{"id": "Ann", "note": ["ill", {"by": "Bo"}], "more": {"note": "well"}, "z": "Cy"}'
    assert read_json_flow(source, ["note"]).text == "ill\nBo\nwell"


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        '<a b="',
        "<p a='",
        "<!--",
        "<script ",
        "&#x",
        '"',
        "<![CDATA[",
        "<!DOCTYPE [",
        "<?",
    ],
)
def test_markup_that_never_ends_is_read_in_one_go(piece: str) -> None:
    source = piece * 20_000
    for flow in (read_html_flow(source), read_xml_flow(source)):
        assert flow.cuts or flow.put_back([]) == [source]


def test_codes_of_no_character_do_no_harm() -> None:
    code = f"&#{'9' * 5000};"
    assert read_html_flow(f"<p title='{code}'>{code}</p>").text == "\ufffd\n\ufffd"
    assert read_xml_flow(f"<p>{code}&#xd800;&#x41;</p>").text.endswith(";\ufffdA")


def test_slots_without_text_are_not_touched() -> None:
    flow = Flow(["ab"], [Slot(0, 0, 1, "a"), Slot(0, 1, 1, ""), Slot(0, 1, 2, "b")])
    assert flow.put_back([Edit(0, 2, "x")]) == ["x"]
