"""Columns of role text: withheld, or released scrubbed with the row's identifiers known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet import Policy, anonymize, verify
from discreet.errors import PolicyError, ScrubError, UnknownColumnError
from discreet.pipeline.promise import state_limits
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.training.trained import save_likelihoods

ROWS = {
    "name": ["Anna Zorbeth", "Bo Vixen", "Cy Tamm", None],
    "age": ["30", "30", "30", "30"],
    "note": ["then zorbeth slept", "Dr. Frank Graves saw Vixen", None, "zorbeth"],
    "more": ["blue door", "x", "saw CY TAMM", "y"],
}


def _policy(**columns: Any) -> Policy:
    given = {"name": {"role": "identifier"}, "age": {"role": "quasi"}, **columns}
    return Policy(columns=given, require=[{"k_anonymity": {"k": 2}}], order="keep")


def test_text_that_is_not_scrubbed_is_not_released() -> None:
    policy = _policy(note={"role": "text"})
    assert policy.released == ("age",)
    assert anonymize(pa.table(ROWS), policy).to_polars().columns == ["age"]


def test_text_is_released_scrubbed(tmp_path: Path) -> None:
    policy = _policy(
        note={"role": "text", "scrub": {"style": "blank"}},
        more={"role": "text", "scrub": {"style": "remove"}},
    )
    out = tmp_path / "out.csv"
    anonymize(pa.table(ROWS), policy).write(out)
    assert out.read_text().splitlines() == [
        "age,note,more",
        "30,then ******* slept,blue door",
        "30,Dr. ************ saw *****,x",
        "30,,saw ",
        "30,zorbeth,y",
    ]
    assert verify(out, policy).holds


def test_a_drawn_key_holds_for_all_copies_of_a_release() -> None:
    policy = _policy(note={"role": "text", "scrub": True})
    release = anonymize(pa.table(ROWS), policy)
    assert release.to_polars()["note"].to_list() == release.to_polars()["note"].to_list()


def test_the_promise_says_what_scrubbing_does_not() -> None:
    assert "scrubbing does not find everything" in state_limits(
        _policy(note={"role": "text", "scrub": True})
    )
    assert "scrubbing" not in state_limits(_policy(note={"role": "text"}))


def test_a_policy_is_written_as_it_was_read(tmp_path: Path) -> None:
    policy = _policy(
        note={"role": "text", "scrub": {"style": "tag", "key": "k"}},
        more={"role": "text", "scrub": True},
    )
    path = tmp_path / "policy.yaml"
    path.write_text(policy.to_yaml())
    again = Policy.load(path)
    assert again.columns["more"].scrub == policy.columns["more"].scrub
    assert again.columns["note"].scrub.style == "tag"
    assert again.columns["note"].scrub.key == tmp_path / "k"


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ({"role": "other", "scrub": True}, "only text columns are scrubbed"),
        ({"role": "text", "scrub": {"styel": "tag"}}, "Did you mean 'style'"),
        ({"role": "text", "scrub": {"style": "tags"}}, "one of pseudonym"),
        ({"role": "text", "scrub": {"threshold": 7}}, "from 0 to 1"),
        ({"role": "text", "scrub": {"threshold": "high"}}, "from 0 to 1"),
        ({"role": "text", "scrub": {"key": 5}}, "the path of a file"),
        ({"role": "text", "scrub": {"likelihoods": [1]}}, "the path of a file"),
        ({"role": "text", "scrub": {"scope": "person"}}, "a column that tells people apart"),
        ({"role": "text", "scrub": "yes"}, "some of style, scope"),
    ],
)
def test_choices_that_cannot_be_made_are_refused(column: dict[str, Any], told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        _policy(note=column)


def test_trained_likelihoods_are_part_of_a_policy(tmp_path: Path) -> None:
    """The one template that tells a record number is put below the threshold."""
    text = "MRN 4711"
    (finding,) = Scrubber().find(text)
    template = f"{finding.detector}/{finding.reason}"
    save_likelihoods(tmp_path / "trained.json", "en", {template: 0.1})
    path = tmp_path / "policy.yaml"
    scrubs = {"note": "{style: tag, likelihoods: trained.json}", "more": "{style: tag}"}
    columns = "".join(
        f"  {name}: {{role: text, scrub: {scrub}}}\n" for name, scrub in scrubs.items()
    )
    path.write_text(
        f"columns:\n  age: {{role: quasi}}\n{columns}require: [{{k_anonymity: {{k: 2}}}}]\n"
    )
    policy = Policy.load(path)
    table = pa.table({"age": ["30", "30"], "note": [text] * 2, "more": [text] * 2})
    released = anonymize(table, policy).to_polars()
    assert released["more"].to_list() == ["MRN [RECORD 1]"] * 2
    assert "RECORD" not in "".join(released["note"].to_list())
    (tmp_path / "again.yaml").write_text(policy.to_yaml(tmp_path))
    again = Policy.load(tmp_path / "again.yaml")
    assert again.columns["note"].scrub == policy.columns["note"].scrub
    assert "likelihoods: trained.json" in policy.to_yaml(tmp_path)


def test_likelihoods_that_are_not_there_stop_the_release(tmp_path: Path) -> None:
    policy = _policy(note={"role": "text", "scrub": {"likelihoods": "none.json"}})
    with pytest.raises(ScrubError, match="no such file"):
        anonymize(pa.table(ROWS), policy).write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_replacements_agree_in_all_rows_of_a_person() -> None:
    rows = {
        "who": ["1", "1", "2"],
        "age": ["30", "30", "30"],
        "note": ["saw Mr. Miller", "then Mr. Miller left", "saw Mr. Miller"],
    }
    columns = {
        "who": {"role": "identifier"},
        "age": {"role": "quasi"},
        "note": {"role": "text", "scrub": {"scope": "person", "person": "who"}},
    }
    policy = Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}], order="keep")
    notes = anonymize(pa.table(rows), policy).to_polars()["note"].to_list()
    names = [note.split("Mr. ")[1].split()[0] for note in notes]
    assert names[0] == names[1] != names[2]


def test_a_person_column_that_is_not_there_is_named() -> None:
    policy = _policy(note={"role": "text", "scrub": {"scope": "person", "person": "nobody"}})
    with pytest.raises(UnknownColumnError, match="nobody"):
        anonymize(pa.table(ROWS), policy).to_polars()


def test_a_name_that_is_a_word_too_is_found_in_notes_without_capitals() -> None:
    rows = {
        "name": ["Cy Quell", "Bo Vixen"],
        "age": ["30", "30"],
        "note": ["quell said: vixen is here", "They quell it. He said so"],
    }
    policy = _policy(note={"role": "text", "scrub": {"style": "blank"}})
    notes = anonymize(pa.table(rows), policy).to_polars()["note"].to_list()
    assert notes == ["***** said: vixen is here", "They quell it. He said so"]
