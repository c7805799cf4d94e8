"""A word that means missing is missing for every stage, from counting to the attack."""

from __future__ import annotations

import csv

import pyarrow as pa
import pytest

import discreet
from discreet.errors import DiscreetError, PolicyError
from discreet.pipeline.part import Part
from discreet.pipeline.verify import verify

ROWS = {
    "age": ["31", "31", "NA", "NA", "", "?", "45", "45"],
    "zip": ["2138", "02138", "02138", "02138", "02138", "02138", "02139", "02139"],
    "ill": ["flu", "gout", "flu", "unknown", "gout", "flu", "flu", "gout"],
}
POLICY = {
    "columns": {
        "age": {"role": "quasi", "missing": ["?"], "hierarchy": {"intervals": [5, 10]}},
        "zip": {"role": "quasi", "repair": "lost_zeros", "hierarchy": {"prefix": [3]}},
        "ill": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": 2}}],
    "missing": {"values": ["NA", "unknown"], "as": "value"},
    "order": "keep",
    "seed": 1,
}


def changed(**more):
    return discreet.Policy(**{**POLICY, **more})


def test_words_of_the_table_and_of_a_column_are_missing_in_the_release():
    release = discreet.anonymize(pa.table(ROWS), changed())
    assert dict(release.levels) == {"age": 0, "zip": 0}
    made = release.to_arrow().to_pydict()
    assert made["age"] == ["31", "31", None, None, None, None, "45", "45"]
    assert made["zip"] == ["02138"] * 6 + ["02139"] * 2
    assert made["ill"] == ["flu", "gout", "flu", None, "gout", "flu", "flu", "gout"]


def test_the_written_file_has_empty_cells_and_keeps_the_same_policy(tmp_path):
    path = tmp_path / "release.csv"
    policy = changed()
    discreet.anonymize(pa.table(ROWS), policy).write(path)
    with path.open(newline="") as file:
        written = list(csv.DictReader(file))
    assert [row["age"] for row in written] == ["31", "31", "", "", "", "", "45", "45"]
    found = verify(path, policy, original=pa.table(ROWS))
    assert found.holds
    assert found.rows == 8


def test_a_file_in_which_words_can_still_be_told_apart_does_not_hold(tmp_path):
    raw = pa.table({"age": ["NA", "NA", "?", ""], "zip": ["02138"] * 4, "ill": ["flu"] * 4})
    found = verify(raw, changed())
    assert not found.holds


def test_two_words_for_missing_are_not_two_values_of_a_sensitive_column():
    raw = pa.table({"age": ["31"] * 2, "zip": ["02138"] * 2, "ill": ["NA", "unknown"]})
    policy = changed(require=[{"l_diversity": {"column": "ill", "ell": 2}}])
    assert not verify(raw, policy).holds


def test_a_wildcard_with_words_matches_any_value():
    rows = {
        "age": ["31", "NA"],
        "zip": ["02138", "02138"],
        "ill": ["flu", "gout"],
    }
    wild = {"values": ["NA"], "as": "wildcard"}
    release = discreet.anonymize(pa.table(rows), changed(missing=wild))
    assert release.levels["age"] == 0
    assert release.facts()["missing"] == "wildcard"
    apart = discreet.anonymize(pa.table(rows), changed(missing={"values": ["NA"]}))
    assert apart.levels["age"] > 0


def test_what_was_read_otherwise_is_counted_in_the_facts_and_said_in_the_notes():
    facts = discreet.anonymize(pa.table(ROWS), changed()).facts()
    assert {"column": "age", "missing": 3, "zeros_restored": 0} in facts["cleaned"]
    assert {"column": "zip", "missing": 0, "zeros_restored": 1} in facts["cleaned"]
    assert any("lost zeros put back" in note for note in facts["notes"])


def test_conditions_and_risk_see_what_is_meant():
    policy = changed()
    part = discreet.anonymize(pa.table(ROWS), policy, part=Part(where="age IS NULL"))
    assert part.rows == 4
    assert discreet.risk(pa.table(ROWS), policy).facts()["classes"] == 3


def test_an_attack_compares_a_register_as_it_is_meant():
    policy = changed()
    release = discreet.anonymize(pa.table(ROWS), policy).to_arrow()
    register = pa.table({"name": ["Ann", "Bob"], "age": ["NA", "?"], "zip": ["2138", "02138"]})
    linking = next(
        one
        for one in discreet.attack(release, policy, register=register).outcomes
        if one.attack == "linking"
    )
    assert linking.applies
    assert linking.found["rows_fitting_none"] == 4


def test_a_promise_about_a_register_counts_it_as_it_is_meant(tmp_path):
    register = tmp_path / "register.csv"
    register.write_text("age,zip\nNA,2138\n?,02138\n31,02138\n31,02138\n45,02139\n45,02139\n")
    policy = changed(require=[{"k_map": {"k": 2, "register": str(register)}}])
    release = discreet.anonymize(pa.table(ROWS), policy)
    assert release.levels["age"] == 0
    assert verify(release.to_arrow(), policy).holds


def test_people_with_a_word_for_missing_as_their_key_are_refused():
    rows = {**ROWS, "who": ["a", "a", "b", "b", "c", "c", "d", "NA"]}
    policy = changed(people={"column": "who"})
    with pytest.raises(DiscreetError, match="who"):
        discreet.anonymize(pa.table(rows), policy)


def test_a_policy_is_written_with_its_words_and_read_again(tmp_path):
    policy = changed()
    path = tmp_path / "policy.yaml"
    policy.save(path)
    again = discreet.Policy.load(path)
    assert again.missing == policy.missing
    assert again.columns["age"].missing == ("?",)
    assert again.columns["zip"].repair == "lost_zeros"
    assert "missing" not in changed(missing="value").to_yaml().split("require:")[1]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"missing": {"values": [999]}}, "missing: needs a list of words"),
        ({"missing": {"as": "wild"}}, "missing: 'wild' is not understood"),
    ],
)
def test_a_mistake_in_the_words_names_the_key(more, what):
    with pytest.raises(PolicyError, match=what):
        changed(**more)
