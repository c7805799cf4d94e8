"""Columns of role text: withheld, or released scrubbed with the row's identifiers known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet import Policy, anonymize, verify
from discreet.errors import PolicyError
from discreet.release.promise import not_promised

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
    assert "scrubbing does not find all" in not_promised(
        _policy(note={"role": "text", "scrub": True})
    )
    assert "scrubbing" not in not_promised(_policy(note={"role": "text"}))


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
        ({"role": "text", "scrub": {"styel": "tag"}}, "some of style, scope"),
        ({"role": "text", "scrub": {"style": "tags"}}, "one of pseudonym"),
        ({"role": "text", "scrub": {"threshold": 7}}, "from 0 to 1"),
        ({"role": "text", "scrub": "yes"}, "some of style, scope"),
    ],
)
def test_choices_that_cannot_be_made_are_refused(column: dict[str, Any], told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        _policy(note=column)
