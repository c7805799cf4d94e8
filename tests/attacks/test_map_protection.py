"""The protection models against the definition, row by row."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attacks.evidence import gather_evidence
from discreet.attacks.linking.link import link
from discreet.attacks.map_protection import (
    BasicAnonymousDataSystem,
    KMapProtection,
    NullMapProtection,
    WrongMapProtection,
)
from discreet.errors import AttackError, ParameterError, UnknownColumnError

ZIPS = ["02138", "02139", "02141"]
CELLS = st.sampled_from([*ZIPS, "0213*", "*"])
PEOPLE = st.lists(st.sampled_from(ZIPS), min_size=3, max_size=6)
ILLS = st.sampled_from(["flu", "gout"])


def fits(text: str, value: str) -> bool:
    return text in (value, "*") or (text == "0213*" and value.startswith("0213"))


@settings(max_examples=6, deadline=None)
@given(st.data())
def test_every_verdict_is_what_its_definition_says(data):
    people = data.draw(PEOPLE)
    size = data.draw(st.integers(1, len(people)))
    cells = data.draw(st.lists(CELLS, min_size=size, max_size=size))
    ills, told = (data.draw(st.lists(ILLS, min_size=size, max_size=size)) for _ in range(2))
    names = [str(number) for number in range(len(people))]
    register = pa.table({"name": names, "zip": people})
    private = pa.table({"name": names[:size], "zip": people[:size], "ill": ills})
    release = pa.table({"zip": cells, "ill": told})
    found = gather_evidence(private, release, register, "name", ["zip"], masked=["zip"])
    map_to = [[p for p, value in enumerate(people) if fits(cell, value)] for cell in cells]
    subjects = [[p for p in mapped if p < size] for mapped in map_to]
    back = [sum(p in mapped for mapped in map_to) for p in range(size)]
    rows = range(size)
    ads0 = [i for i in rows if map_to[i] == [i] and back[i] == 1 and ills[i] == told[i]]
    null = [i for i in rows if subjects[i] and cells[i] != "*"]
    right = [
        i for i in rows
        if len(subjects[i]) == 1 and subjects[i] != [i] and told[i] != ills[subjects[i][0]]
    ]  # fmt: skip
    assert [row - 1 for row in BasicAnonymousDataSystem()(found).rows] == ads0
    assert [row - 1 for row in NullMapProtection()(found).rows] == null
    assert [row - 1 for row in WrongMapProtection()(found).rows] == sorted({*rows} - {*right})
    few = [i for i in rows if len(map_to[i]) < 2]
    assert [row - 1 for row in KMapProtection(2)(found).rows] == few
    for model in (KMapProtection(2), NullMapProtection(), WrongMapProtection()):
        assert not model(found).holds or BasicAnonymousDataSystem()(found).holds


REGISTER = pa.table({"id": ["1", "2", "3"], "zip": ZIPS})
RELEASE = pa.table({"zip": ["0213*", "02141"]})


def test_facts_name_rows_and_no_values():
    facts = KMapProtection(2)(link(RELEASE, REGISTER, ["zip"])).facts()
    assert facts["rows"] == [2]
    assert facts["reasons"] == {"fit fewer than 2 entries": 1}
    assert not facts["holds"]
    assert "02141" not in str(facts)


def test_rows_that_do_not_fit_their_own_person_are_noted():
    private = pa.table({"id": ["3", "3"], "zip": ["02141", "02141"]})
    with pytest.raises(AttackError, match="1 rows of the private table repeat"):
        gather_evidence(private, RELEASE, REGISTER, "id", ["zip"])
    private = pa.table({"id": ["3", "1"], "zip": ["02141", "02138"]})
    verdict = KMapProtection(1)(gather_evidence(private, RELEASE, REGISTER, "id", ["zip"]))
    assert verdict.holds
    assert verdict.notes == ("2 rows do not fit an entry of their own person",)


def test_a_register_without_any_subject_proves_nothing():
    private = pa.table({"id": ["8", "9"], "zip": ["02138", "02141"]})
    found = gather_evidence(private, RELEASE, REGISTER, "id", ["zip"])
    for model in (NullMapProtection(), BasicAnonymousDataSystem()):
        verdict = model(found)
        assert not verdict.holds
        assert "none of the subjects" in verdict.refused


def test_values_written_in_another_way_are_not_null_map():
    private = pa.table({"id": ["1", "2"], "zip": ["02138", "02139"]})
    release = pa.table({"zip": ["2138", "2139"]})
    with pytest.raises(AttackError, match=r"'zip' \(0 of 2\)"):
        gather_evidence(private, release, REGISTER, "id", ["zip"])
    found = gather_evidence(private, release, REGISTER, "id", ["zip"], masked=["zip"])
    assert NullMapProtection()(found).holds


def test_bad_parameters_are_named():
    with pytest.raises(ParameterError, match="k"):
        KMapProtection(0)
    with pytest.raises(UnknownColumnError, match="'name'"):
        gather_evidence(RELEASE, RELEASE, REGISTER, "name", ["zip"])
