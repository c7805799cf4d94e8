"""Metadata that travels with a release."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.main import app
from discreet.errors import ArgumentError, WriteError
from discreet.pipeline.description.facts import Facts
from discreet.reporting import metadata
from tests.reporting.example_facts import make_facts

ABOUT = {
    "title": "Visits | 2023",
    "description": "One row per visit.",
    "holder": "City hospital",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
    "url": "https://hospital.example/visits",
}
ODD = 'we|ird "x" é/#?'
ROWS = 100


def run(*words: Any) -> Any:
    """Call ``discreet``."""
    return CliRunner().invoke(app, [str(word) for word in words])


def make_column(name: str, labels: list[str | None], **more: Any) -> dict[str, Any]:
    """A released column of the outside edition."""
    plain = {"role": "quasi", "released": True, "released_as": "as it is", "technique": "none"}
    values = [{"label": label, "after": 10} for label in labels]
    return {"name": name, **plain, "values": values, **more}


def make_numbers(count: int = ROWS, ranges: bool = False) -> dict[str, Any]:
    return {"count": count, "mean": 3, "deviation": 1, "quantiles": {}, "ranges": ranges}


def make_outside(columns: list[dict[str, Any]] | None = None, **more: Any) -> Facts:
    """Facts of the outside edition, with columns that cause trouble."""
    usual = [
        make_column("age", ["30-39", "*"], released_as="level 1 of 2 (intervals of 10)", level=1),
        make_column(ODD, ["m", "f"]),
        make_column("=cost()", [None], role="sensitive"),
        make_column("name", [], role="identifier", released=False),
    ]
    changed = {"edition": "outside", "about": ABOUT, "rows_after": ROWS, **more}
    plain = make_facts(columns=1).model_dump()
    return Facts.model_validate({**plain, **changed, "columns": columns or usual})


def walk(part: Any) -> Iterator[dict[str, Any]]:
    """Every mapping below a part of JSON-LD."""
    if isinstance(part, dict):
        yield part
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from walk(one)


# Croissant


def test_croissant_has_every_property_that_the_specification_requires() -> None:
    made = metadata.make_croissant(make_outside())
    required = {"@context", "@type", "conformsTo", "description", "license", "name", "url"}
    assert required | {"creator", "datePublished"} <= {*made}
    assert made["@type"] == "sc:Dataset"
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    (file,) = made["distribution"]
    assert {"@id", "name", "contentUrl", "encodingFormat", "sha256"} <= {*file}
    assert re.fullmatch("[0-9a-f]{64}", file["sha256"])
    (rows,) = made["recordSet"]
    assert [field["source"]["extract"]["column"] for field in rows["field"]] == [
        "age",
        ODD,
        "=cost()",
    ]


def test_identifiers_are_unique_and_addresses_and_references_lead_somewhere() -> None:
    made = {k: v for k, v in metadata.make_croissant(make_outside()).items() if k != "@context"}
    nodes = [one for one in walk(made) if "@id" in one]
    defined = [one["@id"] for one in nodes if len(one) > 1]
    assert len({*defined}) == len(defined) == 5
    assert {one["@id"] for one in nodes if len(one) == 1} <= {*defined}
    assert all(re.fullmatch(r"[\w%./~-]+", one) for one in defined)


def test_every_croissant_word_is_in_the_context() -> None:
    made = metadata.make_croissant(make_outside())
    words = {key for one in walk([made["distribution"], made["recordSet"]]) for key in one}
    of_schema_org = {"name", "description", "contentUrl", "encodingFormat", "sha256", "contentSize"}
    assert words - of_schema_org - {"@id", "@type"} <= {*made["@context"]}


@pytest.mark.parametrize(
    ("labels", "numbers", "kind"),
    [
        (["1", "2"], make_numbers(), "sc:Integer"),
        (["1.5", None], make_numbers(), "sc:Float"),
        (["1", "2"], make_numbers(ROWS - 1), "sc:Text"),
        (["30-39"], make_numbers(ranges=True), "sc:Text"),
        (["02138"], make_numbers(), "sc:Text"),
        (["m", "f"], None, "sc:Text"),
    ],
)
def test_a_column_is_of_numbers_only_if_every_row_has_one(
    labels: Any, numbers: Any, kind: str
) -> None:
    facts = make_outside([make_column("x", labels, numbers_after=numbers)])
    assert metadata.find_data_type(facts, facts.columns[0]) == kind


def test_what_croissant_needs_and_the_policy_does_not_say_is_named() -> None:
    assert metadata.list_unsaid(make_outside()) == []
    assert metadata.list_unsaid(make_outside(about={})) == ["licence", "url", "holder"]
    assert "license" not in metadata.make_croissant(make_outside(about={}))


# Data dictionary


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        ("*", "suppressed"),
        ("", "missing"),
        ("30-39", "both included"),
        ("2001-03", "March 2001"),
        ("0213*", "stands for one character"),
        ("10 to <50", "less than 50"),
        (">=50", "50 or more"),
    ],
)
def test_each_way_to_write_a_label_is_explained(label: str, meaning: str) -> None:
    (column,) = make_outside([make_column("x", [label])]).columns
    (said,) = metadata.list_meanings(column)
    assert meaning in said


def test_values_as_found_are_not_explained_as_labels_of_ours() -> None:
    (column,) = make_outside([make_column("x", ["30-39", "0213*"], role="sensitive")]).columns
    assert metadata.list_meanings(column) == []


def test_a_row_of_the_dictionary_is_a_released_column_and_no_formula() -> None:
    read = list(csv.reader(metadata.render_dictionary_csv(make_outside()).splitlines()))
    assert read[0] == list(metadata.HEADS)
    assert [row[0] for row in read[1:]] == ["age", ODD, "'=cost()"]
    page = metadata.render_dictionary_markdown(make_outside())
    table = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {len(metadata.HEADS) + 1}
    assert "Not released: name." in page


# Texts


def test_the_methods_say_what_was_promised_found_and_left_out() -> None:
    text = metadata.write_methods(make_outside())
    for said in ("discreet 0.1.0", "k-anonymity (", "algorithm optimal", "At most 2% of the rows"):
        assert said in text
    assert "age (level 1 of 2: intervals of 10)" in text
    assert "\n" not in text


def test_techniques_about_rows_are_among_the_methods() -> None:
    policy = "columns: {}\ntechniques:\n- sample_rows: {share: 0.5}\n- scramble\n"
    assert "Done to the rows: sampling and rows in random order" in metadata.write_methods(
        make_outside(policy=policy)
    )


def test_the_assessment_says_what_is_left_to_state_and_runs_no_markup() -> None:
    about = {"title": "<script>", "purpose": "teaching", "controls": ["a", "b"]}
    text = metadata.write_assessment(make_outside(about=about))
    assert "- Purpose: teaching" in text
    assert "- Controls: a; b" in text
    assert "- Recipient: TO STATE" in text
    assert not re.search(r"(?<!\\)<", text)


# Files


def test_facts_for_inside_or_of_no_file_are_refused() -> None:
    with pytest.raises(ArgumentError, match="edition for outside"):
        metadata.render_metadata(make_facts())
    with pytest.raises(ArgumentError, match="about a file"):
        metadata.render_metadata(make_outside(files=[]))


def test_a_file_that_exists_is_left_alone_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "methods.txt").write_text("mine")
    with pytest.raises(WriteError, match="exists already"):
        metadata.write_metadata(make_outside(), tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["methods.txt"]
    metadata.write_metadata(make_outside(), tmp_path, replace=True)
    assert "discreet" in (tmp_path / "methods.txt").read_text()


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A release of seven rows, of which one was left out, and its policy."""
    ages = ["31", "36", "34", "62", "68", "65", "97"]
    (tmp_path / "people.csv").write_text("age\n" + "\n".join(ages) + "\n")
    policy = discreet.Policy(
        columns={"age": {"role": "quasi", "hierarchy": {"intervals": [10]}}},
        require=[{"k_anonymity": {"k": 3}}],
        suppress=0.2,
        about={"holder": "City hospital"},
    )
    policy.save(tmp_path / "policy.yaml")
    release = discreet.anonymize(tmp_path / "people.csv", policy)
    release.write(tmp_path / "release.csv")
    (tmp_path / "run.json").write_text(json.dumps(release.facts()))
    return tmp_path


def test_the_command_writes_them_from_what_may_leave_whatever_the_edition(released: Path) -> None:
    made = []
    for edition in ("inside", "outside"):
        result = run(
            *("report", released / "release.csv", "--policy", released / "policy.yaml"),
            *("--facts", released / "run.json", "--edition", edition),
            *("--metadata", released / edition),
        )
        assert result.exit_code == 0, result.stderr
        assert "about.licence, about.url." in result.stdout
        texts = {one.name: one.read_text() for one in sorted((released / edition).iterdir())}
        made.append(texts)
    assert made[0] == made[1]
    assert len(made[0]) == 5
    assert "97" not in made[0]["dictionary.csv"]
    assert "At most 20% of the rows were suppressed." in made[0]["methods.txt"]


def test_a_release_that_an_attack_breaks_gets_no_metadata(released: Path) -> None:
    rows = len((released / "release.csv").read_text().splitlines()) - 1
    told = {"attack": "linking", "applies": True, "decided": True, "succeeds": True}
    told |= {"breaks": True, "rows_exposed": 1, "note": ""}
    (released / "tried.json").write_text(json.dumps({"rows": rows, "attacks": [told]}))
    result = run(
        *("report", released / "release.csv", "--policy", released / "policy.yaml"),
        *("--facts", released / "tried.json", "--metadata", released / "meta"),
    )
    assert result.exit_code == 2
    assert "attacks get in: linking" in result.stderr
    assert not (released / "meta").exists()


def test_a_release_that_breaks_its_policy_gets_no_metadata(released: Path) -> None:
    (released / "release.csv").write_text("age\n30-39\n")
    result = run(
        *("report", released / "release.csv", "--policy", released / "policy.yaml", "--broken"),
        *("--metadata", released / "meta"),
    )
    assert result.exit_code != 0
    assert not (released / "meta").exists()


def test_the_methods_speak_of_people_where_people_are_counted(tmp_path: Path) -> None:
    whose = [name for name in "abcdef" for _ in range(2)]
    policy = discreet.Policy(
        columns={"age": {"role": "quasi"}},
        require=[{"k_anonymity": {"k": 3}}],
        people={"column": "who", "records": {"cap": 1}},
    )
    table = pa.table({"who": whose, "age": ["30"] * 12})
    release = discreet.anonymize(table, policy)
    release.write(tmp_path / "release.csv")
    made = discreet.report(tmp_path / "release.csv", policy, facts=release)
    assert made.outside is not None
    text = metadata.write_methods(made.outside)
    assert "person" in made.outside.promises[0].sentence
    assert "rows of people who have many left out at random" in text
    assert "No people were suppressed." in text
