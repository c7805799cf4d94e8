"""Nobody is taken for two people because an identifier is written in two ways."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.main import app
from discreet.errors import PolicyError, TogetherError
from discreet.pipeline.people import together as joint
from discreet.pipeline.people.together import verify_together
from discreet.policy.policy import Policy
from discreet.policy.text_columns import ScrubbedSource, scrub_text_columns
from discreet.pseudonyms.key import create_key
from discreet.table.read import read

SEX = {"role": "quasi"}
ACCENTS = [unicodedata.normalize(form, "José") for form in ("NFC", "NFD")]


def policy_of(**more: Any) -> Policy:
    given: dict[str, Any] = {"people": {"column": "who"}, "columns": {"sex": SEX}}
    return Policy(**{**given, "require": [{"k_anonymity": {"k": 2}}], "seed": 1, **more})


def visits(who: list[Any], **more: list[Any]) -> pa.Table:
    return pa.table({"who": who, "sex": ["f"] * len(who), **more})


@pytest.mark.parametrize("names", [["a", " a\t"], ACCENTS])
def test_one_person_written_in_two_ways_is_one_person(names: list[str]) -> None:
    release = discreet.anonymize(visits([*names, "b", "b"]), policy_of())
    assert len(set(release.to_arrow()["who"].to_pylist())) == release.facts()["people"] == 2


def test_dates_of_a_person_written_in_two_ways_move_alike() -> None:
    moved = {"role": "other", "technique": {"shift_dates": {"entity": "who", "days": 30000}}}
    table = visits(["a", "a ", "b", "b"], day=["2001-01-01"] * 4)
    rows = discreet.anonymize(table, policy_of(columns={"sex": SEX, "day": moved})).to_arrow()
    assert len(set(zip(*(rows[name].to_pylist() for name in ("who", "day")), strict=True))) == 2


@pytest.mark.parametrize("names", [["P1", "p1"], ["7", "007"], ["7", "7.0"]])
def test_identifiers_that_look_alike_are_told_of(names: list[str]) -> None:
    def told(who: list[str]) -> bool:
        notes = discreet.anonymize(visits(who), policy_of()).facts()["notes"]
        return any(".0 behind: 1;" in note for note in notes)

    assert told([*names, "x"])
    assert not told(["P1", "P2", "70"])


def test_the_identifier_of_a_person_is_looked_for_in_that_persons_texts() -> None:
    columns = {"sex": SEX, "note": {"role": "text", "scrub": True}}
    table = read(visits(["KX81-7", "QF02-9"], note=["pt KX81-7 came", "well"]))
    source = scrub_text_columns(table, policy_of(columns=columns)).source
    assert isinstance(source, ScrubbedSource)
    assert source.known == ("who",)


def together(**more: Any) -> Policy:
    return policy_of(columns={"t.sex": SEX, "u.sex": SEX}, **more)


def test_tables_that_share_nobody_are_told_of() -> None:
    def told(who: list[str]) -> bool:
        tables = {"t": visits(["a", "b"]), "u": visits(who)}
        notes = joint.together(tables, together()).facts()["notes"]
        return any(note.startswith("nobody is in two of the tables") for note in notes)

    assert told(["c", "d"])
    assert not told(["a", "b"])


def test_files_of_the_release_have_the_names_of_their_tables(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.tsv").write_text("who\tsex\na\tf\nb\tf\n")
    tables = {"t": tmp_path / "one/same.tsv", "u": tmp_path / "two/same.tsv"}
    joint.together(tables, together()).write(tmp_path / "out")
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["t.tsv", "u.tsv"]
    assert verify_together(tmp_path / "out", together()).holds


@pytest.mark.parametrize("name", ["../t", ".t", ""])
def test_a_table_cannot_be_written_outside_the_folder(name: str) -> None:
    with pytest.raises(TogetherError, match="cannot be the name of a table"):
        joint.together({name: visits(["a", "b"]), "u": visits(["a", "b"])}, together())


def test_dates_that_would_move_differently_in_each_table_are_refused(tmp_path: Path) -> None:
    create_key(tmp_path / "people.key")

    def day(days: int) -> dict[str, Any]:
        return {"role": "other", "technique": {"shift_dates": {"entity": "who", "days": days}}}

    policy = Policy(
        people={"column": "who", "key": str(tmp_path / "people.key")},
        columns={"t.sex": SEX, "t.day": day(180), "u.day": day(30)},
        require=[{"k_anonymity": {"k": 2}}],
    )
    table = visits(["a", "b"], day=["2001-01-01"] * 2)
    with pytest.raises(TogetherError, match="the same days and weeks everywhere"):
        joint.together({"t": table, "u": table}, policy)


TOGETHER = """
people: {column: who, key: people.key}
columns:
  t.who: {role: identifier}
  t.sex: {role: quasi}
  t.day: {role: other, technique: {shift_dates: {entity: who, days: [1, 9]}}}
  u.sex: {role: quasi}
require: [k_anonymity: {k: 2}]
"""


def test_what_became_of_each_column_is_shown_by_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    create_key(tmp_path / "people.key")
    Path("policy.yaml").write_text(TOGETHER)
    for name in "tu":
        Path(f"{name}.csv").write_text("who,sex,day\na,f,2001-01-01\nb,f,2001-01-02\n")
    shown = CliRunner().invoke(app, ["together", "t.csv", "u.csv", "--policy", "policy.yaml"])
    lines = [line.split() for line in shown.output.splitlines()]
    assert ["t.day", "other", "dates", "shifted", "by", "person"] in lines
    assert ["t.who", "identifier", "pseudonyms,", "one", "per", "person"] in lines


def test_the_key_of_people_beside_the_release_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    create_key(tmp_path / "people.key")
    text = "people: {column: who, key: people.key}\ncolumns: {sex: {role: quasi}}\n"
    Path("policy.yaml").write_text(text + "require: [k_anonymity: {k: 2}]\n")
    Path("t.csv").write_text("who,sex\na,f\nb,f\n")
    ran = CliRunner().invoke(app, ["anonymize", "t.csv", "--policy", "policy.yaml", "-o", "r.csv"])
    assert "people.key is in the folder of the release" in ran.output


def test_a_folder_without_tables_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(TogetherError, match="there is no table in this folder"):
        verify_together(tmp_path, together())


def test_rows_that_change_places_make_records_that_nobody_has() -> None:
    columns = {"sex": SEX, "ill": {"role": "other"}}
    for people, refused in (({"column": "who"}, True), (None, False)):
        try:
            policy_of(people=people, columns=columns, techniques=[{"swap": {"columns": ["sex"]}}])
        except PolicyError as error:
            assert refused and "not the people's own" in str(error)
            assert "unit" not in str(error)
        else:
            assert not refused


@pytest.mark.parametrize("records", [{"cap": 10**30}, {"group": [1, 10**30]}])
def test_a_number_of_rows_that_nobody_has_is_refused(records: Any) -> None:
    with pytest.raises(PolicyError, match="from 1 to 1,000,000,000"):
        policy_of(people={"column": "who", "records": records})


def test_the_facts_of_a_folder_are_those_that_the_command_shows() -> None:
    tables = {"t": visits(["a", "b"]), "u": visits(["a", "b"])}
    facts = verify_together(tables, together(profiles={"lab": {}}, profile="lab")).facts()
    assert facts["profile"]["name"] == "lab"
    assert set(discreet.verify(tables["t"], policy_of()).facts()) < set(facts)
