"""The JSON schema of a policy: it takes what the program takes, and describes every key."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import discreet
from discreet import algorithms, measures, models, techniques
from discreet.errors import PolicyError
from discreet.hierarchy import Dates
from discreet.policy.parameter_classes import FOR_PYTHON, read_parameters
from discreet.policy.policy_file import read_policy
from discreet.policy.text_columns import TextScrub
from tests.docs.page import PAGES, ROOT
from tests.net.entries import ALL as NET
from tests.properties.test_rubbish_parameters import CHANGES, RUBBISH, base

SCHEMA = discreet.policy_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
GOOD: dict[str, Any] = {
    "columns": {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}},
    "require": [{"k_anonymity": {"k": 2}}],
}

STRICTER = {
    ("shift_dates.key", "null"),
    *(
        (f"hierarchy.intervals{key}", "'5'")
        for key in ("", ".widths", ".origin", ".bottom", ".top")
    ),
}
"""Where the schema says what to write, and the program takes more: numbers in quotes, say."""


def list_errors(data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in VALIDATOR.iter_errors(data)]


def list_shown_policies() -> Iterator[Any]:
    """Every policy of the docs; a piece of one is completed."""
    for page in PAGES:
        text = page.read_text("utf-8")
        shown = re.findall(
            r"(?<!<!-- file: wrong\.yaml -->\n)^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE
        )
        for number, block in enumerate(shown):
            yield pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")


def test_the_schema_is_a_schema_of_its_draft() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("text", [*list_shown_policies()])
def test_policies_of_the_docs_fit_the_schema(text: str, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(text, encoding="utf-8")
    assert list_errors({**GOOD, **read_policy(tmp_path / "policy.yaml")[0]}) == []


@pytest.mark.parametrize("entry", NET, ids=lambda entry: entry.name)
def test_policies_of_the_net_fit_the_schema(entry: Any, tmp_path: Path) -> None:
    for name, text in entry.policy_texts().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        fits = list_errors(read_policy(tmp_path / name)[0]) == []
        assert fits == (entry.name != "technique-add-tuples-is-refused")


@pytest.mark.parametrize("place", CHANGES)
def test_what_the_program_takes_fits_the_schema(place: str, tmp_path: Path) -> None:
    """Not the other way round: a class checks more than a schema can say."""
    wrong = []
    (tmp_path / "register.csv").write_text("age\n1\n")
    for name, value in RUBBISH.items():
        if name == "date" or (place, name) in STRICTER:
            continue  # YAML is read without dates
        said = base()
        if place.startswith("scrub."):
            said["columns"]["note"] = {"role": "text", "scrub": {}}
        CHANGES[place][1](said, copy.deepcopy(value))
        try:
            discreet.Policy(folder=tmp_path, **copy.deepcopy(said))
        except PolicyError:
            continue
        wrong += [f"{name}: {error}" for error in list_errors(said)]
    assert wrong == []


@pytest.mark.parametrize(
    "change",
    [
        {"colums": {}},
        {"columns": {}},
        {"columns": {"age": {"role": "qi"}}},
        {"columns": {"age": {}}},
        {"columns": {"age": {"role": "quasi", "hierachy": {}}}},
        {"columns": {"age": {"role": "quasi", "hierarchy": {"interval": [5]}}}},
        {"columns": {"age": {"role": "quasi", "hierarchy": {"intervals": [5], "prefix": [3]}}}},
        {"columns": {"age": {"role": "quasi", "hierarchy": {"intervals": {"width": [5]}}}}},
        {"columns": {"age": {"role": "quasi", "weight": "2"}}},
        {"columns": {"id": {"role": "identifier", "replace": {"pseudonym": {}}}}},
        {"columns": {"id": {"role": "identifier", "replace": {"pseudonim": {"key": "k"}}}}},
        {"columns": {"note": {"role": "text", "scrub": {"stile": "tag"}}}},
        {"columns": {"pay": {"role": "other", "technique": {"noise": {"columns": ["pay"]}}}}},
        {"columns": {"pay": {"role": "other", "technique": "sample_rows"}}},
        {"require": []},
        {"require": {"k_anonymity": {"k": 2}}},
        {"require": [{"k_anonymity": {"kk": 2}}]},
        {"require": [{"k_anonymity": {"k": "2"}}]},
        {"require": [{"k_anonymity": {"k": 2}, "l_diversity": {"column": "disease", "ell": 2}}]},
        {"require": [{"l_diversity": {"column": "disease"}}]},
        {"require": [{"l_diversity": {"column": "disease", "ell": 2, "kind": "distinkt"}}]},
        {"require": ["l_diversity"]},
        {"require": [{"k_anonimity": {"k": 2}}]},
        {"suppress": 2},
        {"suppress": "2%"},
        {"algorithm": "optimum"},
        {"algorithm": {"datafly": {"heuristik": "minimal"}}},
        {"measure": {"weighted_precision": {"weights": "rows"}}},
        {"missing": "no"},
        {"seed": 1.5},
        {"seed": -1},
        {"prefer": "age"},
        {"time_limit": 0},
        {"techniques": {"noise": {"columns": ["age"]}}},
        {"techniques": [{"noise": {"column": ["age"]}}]},
        {"techniques": [{"shift_dates": {"columns": ["d"], "entity": "who", "key": "ab"}}]},
        {"techniques": [{"add_tuples": {"share": 0.1}}]},
        {"people": {"colum": "who"}},
        {"people": {"column": "who", "records": {"cap": "5"}}},
        {"people": {"column": "who", "records": "all"}},
        {"profiles": {"ward": {"preset": "publik"}}},
        {"profiles": {"ward": {"likelihoods": {"age": 2}}}},
        {"profiles": {"ward": {"quasi_identifiers": ["age"]}}},
        {"anonymity": 70},
        {"anonymity": {"k": {"0.5": 3}}},
        {"anonymity": {"level": 0.5, "row": 100}},
        {"about": {"titel": "Visits"}},
        {"about": {"period": 2023}},
        {"about": {"environment": "publik"}},
        {"about": {"controls": "training"}},
        {"about": {"threshold": {"preset": "emma"}}},
        {"about": {"threshold": {"risk": 0.1}}},
        {"about": {"threshold": {"risk": 0, "reason": "none"}}},
    ],
    ids=str,
)
def test_a_mistake_in_the_shape_is_found_by_schema_and_program(change: dict[str, Any]) -> None:
    said = {**GOOD, **change}
    assert list_errors(said)
    with pytest.raises(PolicyError):
        discreet.Policy(**said)


def test_a_policy_without_promises_needs_an_anonymity_level() -> None:
    columns = {"columns": GOOD["columns"]}
    assert list_errors(columns)
    assert list_errors({**columns, "anonymity": 0.5}) == []


def list_keys(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every key that the schema has, with its schema."""
    if isinstance(schema, list):
        for one in schema:
            yield from list_keys(one, path)
    elif isinstance(schema, dict):
        for name, one in schema.get("properties", {}).items():
            yield f"{path}/{name}", one
            yield from list_keys(one, f"{path}/{name}")
        for name, one in schema.get("$defs", {}).items():
            yield from list_keys(one, name)
        for word in ("anyOf", "items", "additionalProperties"):
            yield from list_keys(schema.get(word), path)


KEYS = dict(list_keys(SCHEMA))


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_described_in_a_sentence(key: str) -> None:
    told = find_description(KEYS[key])
    assert told[:1].isupper() or told[:1] == "`", told
    assert told.endswith("."), told
    assert len(told) <= 200, told


def find_description(schema: dict[str, Any]) -> str:
    """What the schema says of a key, at the key or at the definition that it refers to."""
    if "description" in schema:
        return str(schema["description"])
    refers = [schema, *schema.get("anyOf", ())]
    name = next(one["$ref"].rpartition("/")[2] for one in refers if "$ref" in one)
    return str(SCHEMA["$defs"][name]["description"])


ANY_NUMBER = {("TopCode", "at"), ("BottomCode", "at"), ("ShiftDates", "days")}
"""Numbers without a range, and one that may be a pair as well."""
NUMBERS = {
    (cls.__name__, one.name): (cls, one)
    for cls in (*models.ALL, *algorithms.ALL, *measures.ALL, *techniques.ALL, Dates, TextScrub)
    for one in read_parameters(cls).values()
    if re.match(r"<class '(int|float)'>|(int|float) ", str(one.hint))
}


@pytest.mark.parametrize(("owner", "key"), NUMBERS)
def test_the_schema_has_the_range_that_the_class_checks(owner: str, key: str) -> None:
    if (owner, key) in ANY_NUMBER:
        return
    cls, parameter = NUMBERS[owner, key]
    assert parameter.range is not None
    limits = parameter.range.schema
    assert limits
    if key in FOR_PYTHON.get(getattr(cls, "name", ""), ()):
        return
    for name in (owner, f"{owner}OfColumn"):
        if name in SCHEMA["$defs"]:
            found = SCHEMA["$defs"][name]["properties"][key]
            assert {word: found[word] for word in limits} == limits
    assert owner in SCHEMA["$defs"]


@pytest.mark.parametrize("wrong", [0, -1])
@pytest.mark.parametrize(
    "place",
    ["k_anonymity.k", "l_diversity.ell", "t_closeness.t", "noise.amount", "sample_rows.share"],
)
def test_a_number_out_of_range_is_found_by_schema_and_program(place: str, wrong: float) -> None:
    name, key = place.split(".")
    needed = {"l_diversity": {"column": "disease"}, "t_closeness": {"column": "disease"}}
    part = {name: {**needed.get(name, {}), key: wrong}}
    is_model = name in {model.name for model in models.ALL}
    if name == "noise":
        part[name]["columns"] = ["disease"]
    said = {**GOOD, "require": [part]} if is_model else {**GOOD, "techniques": [part]}
    assert list_errors(said)
    with pytest.raises(PolicyError):
        discreet.Policy(**said)
    right = copy.deepcopy(said)
    (right["require"] if is_model else right["techniques"])[0][name][key] = 1
    assert list_errors(right) == []
    discreet.Policy(**right)


def put_in_column(name: str, role: str, key: str) -> Callable[[Any], dict[str, Any]]:
    """A policy with something under a key of a column."""
    columns = {**GOOD["columns"], name: {"role": role}}
    return lambda said: {**GOOD, "columns": {**columns, name: {"role": role, key: said}}}


def put_in_hierarchy(kind: str) -> Callable[[Any], dict[str, Any]]:
    put = put_in_column("age", "quasi", "hierarchy")
    return lambda said: put({kind: said})


PARSERS: dict[str, tuple[Callable[[Any], dict[str, Any]], dict[str, Any]]] = {
    "people": (lambda said: {**GOOD, "people": said}, {"column": "who"}),
    "people.records": (lambda said: {**GOOD, "people": {"column": "who", "records": said}}, {}),
    "profiles.ward": (lambda said: {**GOOD, "profiles": {"ward": said}}, {}),
    "anonymity": (lambda said: {"columns": GOOD["columns"], "anonymity": said}, {"level": 0.5}),
    "about": (lambda said: {**GOOD, "about": said}, {}),
    "about.threshold": (lambda said: {**GOOD, "about": {"threshold": said}}, {"preset": "ema"}),
    "scrub": (put_in_column("note", "text", "scrub"), {}),
    "hierarchy": (put_in_column("age", "quasi", "hierarchy"), {}),
    "hierarchy.intervals": (put_in_hierarchy("intervals"), {"widths": [5]}),
    "hierarchy.prefix": (put_in_hierarchy("prefix"), {"lengths": [3]}),
    "hierarchy.dates": (put_in_hierarchy("dates"), {"levels": ["year"]}),
    "hierarchy.file": (put_in_hierarchy("file"), {"path": "age.csv"}),
    "replace": (put_in_column("id", "identifier", "replace"), {}),
    "replace.pseudonym": (
        lambda said: put_in_column("id", "identifier", "replace")({"pseudonym": said}),
        {"key": "a.key"},
    ),
}
"""Where a policy is read by a function of its own, and what has to be there besides a key."""
NAMES = sorted({name.rpartition("/")[2] for name in KEYS} | {"points", "numbers", "kind", "_drawn"})
UNKNOWN = re.compile(r"is not a key|is not a parameter|is not a known|no such (setting|kind)")


@pytest.mark.parametrize("place", PARSERS)
def test_parser_and_schema_know_the_same_keys(place: str) -> None:
    """Each key of the whole schema, tried everywhere: known to both, or to neither."""
    put, needed = PARSERS[place]
    differ = []
    for name in NAMES:
        odd = [["odd"]]
        said = put({**needed, name: odd})
        try:
            discreet.Policy(**said)
            is_known = True
        except PolicyError as error:
            is_known = not UNKNOWN.search(str(error))
            if place == "people.records":
                is_known = "must be keep, ignore" not in str(error)
        unexpected = [
            error.message
            for error in VALIDATOR.iter_errors(said)
            for error in list_causes(error)
            if error.validator == "additionalProperties" and f"'{name}' was" in error.message
        ]
        if is_known == bool(unexpected):
            differ.append(name)
    assert differ == []


def list_causes(error: Any) -> Iterator[Any]:
    """A mistake that jsonschema found, and those below it."""
    yield error
    for one in error.context:
        yield from list_causes(one)
