"""The scorer, on findings whose score can be told by hand, and the formats of gold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ScrubError
from discreet.scrubbing.evaluate import Gold, GoldSpan, GoldText, evaluate, read_gold, show
from discreet.scrubbing.finding import Finding

TEXT = "Ann Lee lives in Bath, BA1 2XY."
SPANS = [(0, 7, "NAME"), (17, 21, "CITY"), (23, 30, "ZIP")]


def gold(*spans: tuple[int, int, str], text: str = TEXT) -> Gold:
    return Gold.of([("note", text, spans)])


def measured(findings: list[tuple[int, int, str]], marked: Gold | None = None, **options: int):
    return evaluate(lambda _: findings, marked or gold(*SPANS), **options)


class TestRecall:
    def test_a_span_is_found_when_all_its_characters_are_covered_whatever_the_kind(self):
        assert measured([(0, 7, "CITY")]).recall == 1 / 3

    def test_a_span_that_is_covered_in_part_is_missed(self):
        result = measured([(0, 3, "NAME")])
        assert result.recall == 0
        assert result.kinds["NAME"].characters.ratio == 3 / 7

    def test_two_findings_cover_one_span_together(self):
        assert measured([(0, 4, "NAME"), (4, 7, "NAME")]).recall == 1 / 3

    def test_a_gap_of_white_space_counts_as_a_miss_but_not_loosely(self):
        result = measured([(0, 3, "NAME"), (4, 7, "NAME")])
        assert result.recall == 0
        assert result.loose.ratio == 1 / 3

    def test_one_finding_covers_several_spans(self):
        assert measured([(0, 31, "BLOCK")]).recall == 1

    def test_nothing_marked_gives_no_recall_rather_than_a_number(self):
        result = measured([(0, 3, "NAME")], gold())
        assert result.recall is None
        assert result.precision == 0


class TestPrecision:
    def test_a_finding_is_right_when_it_overlaps_a_span(self):
        result = measured([(4, 13, "NAME"), (8, 13, "NAME")])
        assert result.precision == 1 / 2
        assert result.total.finding_characters.ratio == 3 / 14

    def test_no_finding_gives_no_precision_rather_than_a_number(self):
        assert measured([]).precision is None

    def test_findings_that_are_kept_do_not_count(self):
        kept = Finding(8, 13, "VERB", 0.9, "verbs", "verb", keep=True)
        assert evaluate(lambda _: [kept], gold(*SPANS)).total.findings.whole == 0

    def test_optional_spans_count_neither_way(self):
        marked = Gold((GoldText("a", "aged 45 or 97", (GoldSpan(5, 7, "AGE", True),)),))
        assert measured([], marked).recall is None
        assert measured([(5, 7, "AGE")], marked).precision is None
        assert measured([(5, 7, "AGE")], marked).optional.part == 1
        assert measured([(11, 13, "AGE")], marked).precision == 0

    def test_a_finding_outside_of_the_text_is_an_error_without_text(self):
        with pytest.raises(ScrubError, match="1 findings outside of note") as error:
            measured([(0, 99, "NAME")])
        assert "Ann" not in str(error.value)


STRETCHES = st.lists(
    st.tuples(st.integers(0, 18), st.integers(1, 6)).map(lambda at: (at[0], sum(at), "NAME")),
    max_size=6,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(STRETCHES, STRETCHES)
def test_the_score_is_that_of_sets_of_characters(marked, found):
    result = measured(found, gold(*marked, text="x" * 24))
    covered = {place for start, end, _ in found for place in range(start, end)}
    wanted = {place for start, end, _ in marked for place in range(start, end)}
    assert result.total.spans.part == sum(set(range(*span[:2])) <= covered for span in marked)
    assert result.total.findings.part == sum(bool(set(range(*one[:2])) & wanted) for one in found)
    assert len(result.missed) == min(10, result.total.spans.whole - result.total.spans.part)


class TestWhatIsShown:
    def test_facts_have_the_keys_of_the_design_and_no_text(self):
        facts = measured([(0, 7, "NAME"), (8, 13, "NAME")]).facts()
        assert facts["recall"] == 1 / 3
        assert facts["precision"] == 1 / 2
        assert facts["kinds"]["CITY"]["recall"] == 0
        assert facts["kinds"]["NAME"]["precision"] == 1 / 2
        assert facts["kinds"]["ZIP"]["precision"] is None
        written = json.dumps(facts)
        assert "Ann" not in written
        assert "Bath" not in written

    def test_the_terminal_shows_missed_and_false_findings_in_context(self):
        shown = show(measured([(0, 7, "NAME"), (8, 13, "NAME")]))
        assert "CITY: Ann Lee lives in [Bath], BA1 2XY.  (note)" in shown
        assert "NAME: Ann Lee [lives] in Bath" in shown

    def test_reprs_hold_no_text(self):
        result = measured([(0, 4, "NAME")])
        for thing in (result, result.missed[0], gold(*SPANS)):
            assert "Ann" not in repr(thing)

    def test_control_characters_do_not_reach_the_terminal(self):
        marked = gold((0, 3, "NAME"), text="A\x1b[31mnn\n")
        assert "\x1b" not in show(measured([], marked))

    def test_examples_are_limited_by_kind(self):
        marked = gold(*((at, at + 1, "NAME") for at in range(0, 20, 2)), text="a " * 10)
        assert len(measured([], marked, examples=3).missed) == 3
        assert measured([], marked, examples=3).total.spans.whole == 10


class TestBadGold:
    @pytest.mark.parametrize(
        ("span", "what"),
        [
            ((5, 90, "NAME"), "out of range"),
            ((-4, 3, "NAME"), "out of range"),
            ((7, 3, "NAME"), "out of range"),
            ((3, 3, "NAME"), "empty"),
            ((3, 4, "NAME"), "empty"),
            ((0, 7, "NAME"), "given twice"),
            ((4, 13, "NAME"), "overlapping"),
        ],
    )
    def test_it_is_counted_and_named(self, span, what):
        marked = gold(*SPANS, span)
        assert measured([], marked).facts()["bad_gold"] == {what: 1}
        assert str(marked.problems[0]).startswith("note")

    def test_what_cannot_be_scored_is_left_out_and_what_overlaps_is_scored(self):
        assert measured([], gold(*SPANS, (5, 90, "NAME"))).total.spans.whole == 3
        assert measured([], gold(*SPANS, (4, 13, "NAME"))).total.spans.whole == 4

    def test_white_space_at_the_ends_of_a_span_is_left_off(self):
        assert gold((3, 8, "NAME")).texts[0].spans == (GoldSpan(4, 7, "NAME"),)


NAME = {"start": 0, "end": 7, "label": "NAME"}
SHAPES = {
    "ours": {"text": TEXT, "spans": [NAME]},
    "entities": {"text": TEXT, "entities": [{"start": 0, "end": 7, "type": "NAME"}]},
    "triples": {"text": TEXT, "label": [[0, 7, "NAME"]]},
    "spaCy": [TEXT, {"entities": [[0, 7, "NAME"]]}],
    "presidio-research": {
        "full_text": TEXT,
        "spans": [{"entity_type": "NAME", "start_position": 0, "end_position": 7}],
    },
    "ai4privacy": {"source_text": TEXT, "privacy_mask": [{"value": "Ann Lee", **NAME}]},
    "ai4privacy, older": {
        "source_text": TEXT,
        "privacy_mask": {"[NAME_1]": "Ann Lee"},
        "span_labels": "[[0, 7, 'NAME'], [7, 31, 'O']]",
    },
    "a list as a string": {"text": TEXT, "spans": "[{'start': 0, 'end': 7, 'label': 'NAME'}]"},
    "Label Studio": {
        "data": {"text": TEXT},
        "annotations": [{"result": [{"value": {"start": 0, "end": 7, "labels": ["NAME"]}}]}],
    },
    "TAB": {
        "text": TEXT,
        "annotations": {
            "annotator1": {
                "entity_mentions": [{"entity_type": "NAME", "start_offset": 0, "end_offset": 7}]
            }
        },
    },
}


class TestReadGold:
    @pytest.mark.parametrize("shape", SHAPES)
    @pytest.mark.parametrize("ending", ["jsonl", "json"])
    def test_usual_json_shapes_are_read(self, tmp_path: Path, shape: str, ending: str):
        record = SHAPES[shape]
        file = tmp_path / f"gold.{ending}"
        file.write_text(json.dumps(record if ending == "jsonl" else [record]) + "\n")
        read = read_gold(file)
        assert read.problems == ()
        assert [one.spans for one in read.texts] == [(GoldSpan(0, 7, "NAME"),)]

    def test_brat_files_are_read_beside_their_texts(self, tmp_path: Path):
        (tmp_path / "a.txt").write_text(TEXT)
        marks = "T1\tNAME 0 7\tAnn Lee\nR1\tHas Arg1:T1\nT2\tPLACE 17 21;23 30\tBath BA1 2XY\n"
        (tmp_path / "a.ann").write_text(marks)
        for path in (tmp_path, tmp_path / "a.ann", tmp_path / "a.txt"):
            read = read_gold(path)
            assert [span[:2] for span in read.texts[0].spans] == [(0, 7), (17, 21), (23, 30)]
            assert read.problems == ()

    def test_line_ends_of_windows_keep_their_offsets(self, tmp_path: Path):
        (tmp_path / "a.txt").write_bytes(b"Dear\r\nAnn\r\n")
        (tmp_path / "a.ann").write_bytes(b"T1\tNAME 6 9\tAnn\r\n")
        assert read_gold(tmp_path).problems == ()

    def test_i2b2_files_are_read(self, tmp_path: Path):
        (tmp_path / "a.xml").write_text(
            f"<deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT><TAGS>"
            '<NAME id="P0" start="0" end="7" text="Ann Lee" TYPE="PATIENT"/></TAGS></deIdi2b2>'
        )
        assert read_gold(tmp_path).texts[0].spans == (GoldSpan(0, 7, "PATIENT"),)

    def test_bad_lines_are_counted_and_named_and_the_others_are_read(self, tmp_path: Path):
        file = tmp_path / "gold.jsonl"
        good = json.dumps(SHAPES["ours"])
        moved = json.dumps({"text": TEXT, "spans": [{**NAME, "text": "Ann Leigh"}]})
        lines = [good, "{not json", '{"spans": []}', f'{{"text": {json.dumps(TEXT)}}}', moved]
        odd = json.dumps({"text": TEXT, "spans": [{"start": "x", "end": 7, "label": "NAME"}]})
        file.write_text("\n".join([*lines, odd, ""]))
        read = read_gold(file)
        assert len(read.texts) == 4
        assert read.problem_counts() == {
            "not JSON": 1,
            "no text": 1,
            "no spans": 1,
            "text differs from what the offsets point at": 1,
            "not understood": 1,
        }
        assert str(read.problems[0]) == "gold.jsonl, line 2: not JSON"
        assert not any("Ann" in str(problem) for problem in read.problems)

    def test_other_encodings_are_named_not_guessed(self, tmp_path: Path):
        (tmp_path / "good.jsonl").write_text(json.dumps(SHAPES["ours"]))
        (tmp_path / "bad.jsonl").write_bytes('{"text": "Zoë"}'.encode("latin-1"))
        assert read_gold(tmp_path).problem_counts() == {"not UTF-8": 1}

    @pytest.mark.parametrize("content", ["", "[]", "{}", "3\n", "not json"])
    def test_a_file_without_marked_text_is_refused(self, tmp_path: Path, content: str):
        for ending in ("json", "jsonl", "ann", "xml"):
            file = tmp_path / f"gold.{ending}"
            file.write_text(content)
            with pytest.raises(ScrubError, match="no marked text could be read"):
                read_gold(file)

    def test_a_file_that_is_not_there_is_refused(self, tmp_path: Path):
        with pytest.raises(ScrubError, match="there is no such file"):
            read_gold(tmp_path / "gold.jsonl")
