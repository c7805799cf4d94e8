"""A policy is read as it was meant, or refused with the key and the fix."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from discreet import models
from discreet.errors import ArgumentError, PolicyError, PolicyFileError
from discreet.policy.policy import Policy
from discreet.table.table import Role

GOOD = """\
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10]}, weight: 2}
  zip: {role: quasi, hierarchy: {prefix: [4, 3]}}
  sex: {role: quasi}
  disease: {role: sensitive}
  name: {role: identifier}
  remarks: {role: text}
  visits: {role: other}
require:
  - k_anonymity: {k: 5}
  - l_diversity: {column: disease, ell: 3, columns: [age, zip]}
suppress: 0.02
algorithm: {datafly: {heuristic: minimal}}
measure: precision
seed: 7
prefer: [zip, age]
"""


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def from_text(text: str | bytes) -> Policy:
        path = tmp_path / "policy.yml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return Policy.load(path)

    return from_text


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


# --- what a good policy means ---------------------------------------------------------------------


def test_a_good_policy_means_what_it_says(load: Any) -> None:
    policy = load(GOOD)
    assert policy.quasi == ("age", "zip", "sex")
    assert policy.sensitive == ("disease",)
    assert policy.require[0] == models.KAnonymity(5)
    assert policy.require[1] == models.LDiversity("disease", 3, columns=("age", "zip"))
    assert (policy.suppress, policy.measure.name, policy.seed) == (0.02, "precision", 7)
    assert (policy.algorithm.name, policy.algorithm.heuristic) == ("datafly", "minimal")
    assert policy.prefer == ("zip", "age")
    assert policy.columns["age"].weight == 2
    assert policy.columns["sex"].hierarchy is None


def test_what_is_not_said_has_the_stated_default(load: Any) -> None:
    policy = load("columns: {age: {role: quasi}}\nrequire: [k_anonymity: {k: 2}]\n")
    assert (policy.suppress, policy.algorithm.name, policy.measure.name) == (0, "optimal", "loss")
    assert (policy.missing.meaning, policy.missing.values) == ("value", ())
    assert (policy.order, policy.suppressed_rows) == ("scramble", "drop")
    assert policy.seed is policy.time_limit is None


def test_identifiers_and_free_text_are_not_released(load: Any) -> None:
    assert load(GOOD).released == ("age", "zip", "sex", "disease", "visits")


def test_a_policy_can_be_written_and_read_again(load: Any) -> None:
    policy = load(GOOD)
    assert load(policy.to_yaml()) == policy


def test_python_takes_the_shapes_of_the_file_and_objects_alike() -> None:
    columns = {"age": {"role": "quasi"}, "disease": {"role": Role.sensitive}}
    by_name = Policy(columns=columns, require=[{"k_anonymity": {"k": 5}}], algorithm="optimal")
    by_object = Policy(columns=columns, require=[models.KAnonymity(5)])
    assert by_name == by_object


def test_paths_are_relative_to_the_policy_file(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("f;*\nm;*\n")
    text = (
        "columns: {sex: {role: quasi, hierarchy: {file: sex.csv}}}\nrequire: [k_anonymity: {k: 2}]"
    )
    (tmp_path / "policy.yml").write_text(text)
    builder = Policy.load(tmp_path / "policy.yml").columns["sex"].hierarchy
    assert builder.build("sex", ["f", "m"]).height == 1


def test_a_policy_cannot_be_changed_by_accident(load: Any) -> None:
    with pytest.raises(ValueError, match="frozen"):
        load(GOOD).suppress = 1.0


def test_replace_checks_anew(load: Any) -> None:
    policy = load(GOOD)
    assert policy.replace(suppress=0.5).suppress == 0.5
    with pytest.raises(PolicyError, match=r"suppress: .*Did you mean 0.04"):
        policy.replace(suppress=4)


def test_importing_the_policy_loads_neither_numba_nor_duckdb() -> None:
    code = (
        "import sys, discreet.policy.policy; sys.exit(bool({'numba', 'duckdb'} & {*sys.modules}))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- YAML as it was meant -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["no", "yes", "on", "1990", "02138", "2020-01-01", "~", "1e3"])
def test_any_plain_word_can_be_a_column_name(load: Any, name: str) -> None:
    policy = load(f"columns: {{{name}: {{role: quasi}}}}\nrequire: [k_anonymity: {{k: 2}}]")
    assert policy.quasi == (name,)
    assert load(policy.to_yaml()).quasi == (name,)


@pytest.mark.parametrize("name", ["no", "02138", "2020-01-01"])
def test_a_word_that_old_yaml_turns_into_something_else_stays_text(load: Any, name: str) -> None:
    text = f"columns: {{{name}: {{role: quasi}}}}\nrequire: [k_anonymity: {{k: 2}}]"
    assert load(f"{text}\nprefer: [{name}]").prefer == (name,)


@pytest.mark.parametrize("mark", ["", '"'])
def test_a_name_may_be_longer_than_yaml_lets_keys_be(load: Any, mark: str) -> None:
    name = "long" * 500
    policy = load(
        f"columns:\n  {mark}{name}{mark}: {{role: quasi}}\nrequire: [{{k_anonymity: {{k: 2}}}}]\n"
    )
    assert policy.quasi == (name,)


def test_a_line_without_a_colon_is_still_told(load: Any) -> None:
    with pytest.raises(PolicyFileError, match="line 3: not valid YAML"):
        load("columns: {a: {role: quasi}}\nrequire\nseed: 7\n")


def test_a_number_like_name_survives_writing(load: Any) -> None:
    policy = Policy(
        columns={"1e3": {"role": "quasi"}, "7": {"role": "quasi"}},
        require=[models.KAnonymity(2)],
        prefer=["1e3", "7"],
    )
    assert load(policy.to_yaml()) == policy


def test_merged_keys_give_way_to_own_keys(load: Any) -> None:
    text = "columns:\n  a: &q {role: quasi, weight: 3}\n  b: {<<: *q, weight: 4}\n"
    policy = load(f"{text}require: [k_anonymity: {{k: 2}}]")
    assert policy.columns["b"].weight == 4
    assert policy.quasi == ("a", "b")


def test_a_byte_order_mark_is_no_part_of_the_first_key(load: Any) -> None:
    assert load("\ufeff" + GOOD).quasi


# --- refusals: (change, what the message must hold) -----------------------------------------------

REFUSED = {
    "unknown role": ("role: quasi, h", "role: quasy, h", ["line 2", "columns.age.role", "'quasi'"]),
    "role of another program": (
        "role: other",
        "role: insensitive",
        ["columns.visits.role", "Did you mean 'other'"],
    ),
    "role by its long name": (
        "sex: {role: quasi}",
        "sex: {role: quasi-identifier}",
        ["columns.sex.role", "Did you mean 'quasi'"],
    ),
    "role that is no text": (
        "role: other",
        "role: 5",
        ["columns.visits.role", "identifier, quasi"],
    ),
    "unknown key of a column": (
        "weight: 2",
        "weigth: 2",
        ["columns.age.weigth", "Did you mean 'weight'"],
    ),
    "role missing": ("{role: other}", "{}", ["line 8", "columns.visits.role", "{role: quasi}"]),
    "column without settings": ("{role: other}", "", ["columns.visits", "visits: {role: quasi}"]),
    "column as a word": ("{role: other}", "other", ["columns.visits", "visits: {role: quasi}"]),
    "unknown key": ("suppress:", "supress:", ["line 12", "supress", "Did you mean 'suppress'"]),
    "key of the constructor": ("seed: 7", "folder: x", ["folder", "is not a key"]),
    "unknown model": ("k_anonymity", "k_anonimity", ["require[0]", "Did you mean 'k_anonymity'"]),
    "model with dashes": ("k_anonymity", "k-anonymity", ["Did you mean 'k_anonymity'"]),
    "model without parameters": ("k_anonymity: {k: 5}", "k_anonymity", ["k_anonymity: {k: ...}"]),
    "model with a bare number": (
        "{k: 5}",
        "5",
        ["require[0].k_anonymity", "k_anonymity: {k: ...}"],
    ),
    "unknown parameter": ("{k: 5}", "{K: 5}", ["require[0].k_anonymity.K", "Did you mean 'k'"]),
    "parameter missing": ("ell: 3, ", "", ["line 11", "'ell' is missing", "ell: ..."]),
    "k as text": ("k: 5", 'k: "5"', ["k_anonymity.k", "without quotes: 5"]),
    "k of zero": ("k: 5", "k: 0", ["k_anonymity.k", "at least 1", "There is 0"]),
    "k below zero": ("k: 5", "k: -5", ["k_anonymity.k", "There is -5"]),
    "k with a fraction": ("k: 5", "k: 2.5", ["k_anonymity.k", "whole number", "2.5"]),
    "k that is no number": ("k: 5", "k: .nan", ["k_anonymity.k", "whole number"]),
    "k of true": ("k: 5", "k: true", ["k_anonymity.k", "whole number", "true"]),
    "two models in one entry": (
        "{k: 5}",
        "{k: 5}\n    largest_risk: {max: 0.2}",
        ["require[0]", "one model per entry"],
    ),
    "unknown sensitive column": (
        "column: disease",
        "column: desease",
        ["require[1].l_diversity.column", "Did you mean 'disease'"],
    ),
    "quasi column as sensitive": (
        "column: disease",
        "column: sex",
        ["require[1].l_diversity.column", "role quasi", "columns.sex.role: sensitive"],
    ),
    "sensitive column that is also quasi": (
        "columns: [age, zip]",
        "columns: [age, disease]",
        ["require[1].l_diversity.columns", "cannot be quasi as well", "Take it out"],
    ),
    "unknown quasi column": (
        "columns: [age, zip]",
        "columns: [age, zipp]",
        ["require[1].l_diversity.columns", "Did you mean 'zip'"],
    ),
    "identifier as quasi": (
        "columns: [age, zip]",
        "columns: [name]",
        ["l_diversity.columns", "role identifier", "columns.name.role: quasi"],
    ),
    "one name for a list": (
        "columns: [age, zip]",
        "columns: age",
        ["l_diversity.columns", "[a, b]"],
    ),
    "empty list": ("columns: [age, zip]", "columns: []", ["l_diversity.columns", "an empty list"]),
    "number as a name": ("[age, zip]", "[age, 5]", ["l_diversity.columns", "in quotes"]),
    "same name twice": ("[age, zip]", "[age, age]", ["l_diversity.columns", "twice"]),
    "hierarchical without hierarchy": (
        "l_diversity: {column: disease, ell: 3, columns: [age, zip]}",
        "t_closeness: {column: disease, t: 0.2, distance: hierarchical}",
        ["t_closeness.distance", "Add columns.disease.hierarchy"],
    ),
    "percent": ("suppress: 0.02", "suppress: 4", ["suppress", "share", "Did you mean 0.04"]),
    "percent sign": ("suppress: 0.02", "suppress: 4%", ["suppress", "Did you mean 0.04"]),
    "share below zero": ("suppress: 0.02", "suppress: -0.1", ["suppress", "from 0 to 1", "-0.1"]),
    "share above all": ("suppress: 0.02", "suppress: 400", ["suppress", "from 0 to 1", "400"]),
    "share that is no number": ("suppress: 0.02", "suppress: .nan", ["suppress", "from 0 to 1"]),
    "share as text": ("suppress: 0.02", 'suppress: "0.02"', ["suppress", "without quotes: 0.02"]),
    "share of nothing": ("suppress: 0.02", "suppress:", ["suppress", "from 0 to 1", "nothing"]),
    "share of true": ("suppress: 0.02", "suppress: true", ["suppress", "from 0 to 1", "true"]),
    "unknown algorithm": ("{datafly: {heuristic: minimal}}", "optimum", ["Did you mean 'optimal'"]),
    "unknown algorithm parameter": (
        "heuristic",
        "heuristik",
        ["algorithm.datafly.heuristik", "Did you mean 'heuristic'"],
    ),
    "unknown heuristic": ("minimal", "minimum", ["algorithm.datafly.heuristic", "minimal"]),
    "unknown measure": ("precision", "presicion", ["measure", "Did you mean 'precision'"]),
    "weight below zero": ("weight: 2", "weight: -2", ["columns.age.weight", "at least 0", "-2"]),
    "weight without end": ("weight: 2", "weight: .inf", ["columns.age.weight", "finite"]),
    "weight as text": ("weight: 2", 'weight: "2"', ["columns.age.weight", "without quotes: 2"]),
    "weight on a sensitive column": (
        "disease: {role: sensitive}",
        "disease: {role: sensitive, weight: 3}",
        ["columns.disease.weight", "only quasi columns", "Remove"],
    ),
    "hierarchy on an identifier": (
        "{role: identifier}",
        "{role: identifier, hierarchy: {prefix: [1]}}",
        ["columns.name.hierarchy", "Set role: quasi"],
    ),
    "unknown hierarchy": (
        "prefix: [4, 3]",
        "prefixes: [4, 3]",
        ["columns.zip.hierarchy", "prefix"],
    ),
    "hierarchy that is not nested": ("[5, 10]", "[5, 8]", ["line 2", "columns.age.hierarchy"]),
    "seed with a fraction": ("seed: 7", "seed: 7.5", ["seed", "whole number", "7.5"]),
    "seed below zero": ("seed: 7", "seed: -7", ["seed", "at least 0", "-7"]),
    "missing by another name": ("seed: 7", "missing: wild", ["missing", "Did you mean 'wildcard'"]),
    "order by another name": ("seed: 7", "order: kept", ["order", "Did you mean 'keep'"]),
    "suppressed rows by another name": (
        "seed: 7",
        "suppressed_rows: dropped",
        ["suppressed_rows", "Did you mean 'drop'"],
    ),
    "no time": ("seed: 7", "time_limit: 0", ["time_limit", "above 0"]),
    "preference for no quasi column": (
        "[zip, age]",
        "[zip, disease]",
        ["prefer[1]", "'disease' is not a quasi column", "age, zip, sex"],
    ),
    "preference twice": ("[zip, age]", "[zip, zip]", ["prefer[1]", "twice"]),
    "preference as a word": ("[zip, age]", "zip", ["prefer", "needs a list"]),
    "column twice": (
        "  sex: {role: quasi}",
        "  disease: {role: quasi}",
        ["line 5", "columns.disease", "first in line 4", "one role"],
    ),
    "key twice": ("seed: 7", "suppress: 0.1", ["line 15", "suppress", "first in line 12"]),
    "tab": ("  sex", "\tsex", ["line 4", "tabs", "spaces"]),
    "bracket left open": ("{k: 5}", "{k: 5", ["line 1", "not valid YAML", "brackets"]),
    "second document": ("seed: 7", "---\nseed: 7", ["more than one document"]),
    "alias without anchor": ("seed: 7", "seed: *x", ["line 15", "alias", "quotes"]),
    "alias of itself": ("seed: 7", "seed: &x [*x]", ["line 15", "refers to itself"]),
    "unknown tag": ("seed: 7", "seed: !!python/none x", ["seed", "not understood"]),
}


@pytest.mark.parametrize(("old", "new", "told"), REFUSED.values(), ids=REFUSED)
def test_a_mistake_is_named_with_its_key_and_its_fix(
    load: Any, old: str, new: str, told: list[str]
) -> None:
    with pytest.raises(PolicyError) as caught:
        load(changed(old, new))
    message = str(caught.value)
    assert message.startswith("policy.yml")
    for part in told:
        assert part in message


def test_all_mistakes_are_told_at_once(load: Any) -> None:
    text = changed("role: quasi, h", "role: quasy, h").replace("0.02", "4")
    with pytest.raises(PolicyError, match="2 mistakes") as caught:
        load(text)
    assert [problem.line for problem in caught.value.problems] == [2, 12]


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "empty": ("", "empty; it needs 'columns' and 'require'"),
        "only a comment": ("# later\n", "empty"),
        "a data file": ("age,zip\n23,02138\n", "a policy starts with keys such as 'columns:'"),
        "a list": ("- age\n- zip\n", "a policy starts with keys"),
        "not text": (b"PK\x03\x04\xff\xfe", "not UTF-8"),
        "control characters": (b"a\x00b", "not text"),
        "too deep": ("[" * 5000, "nested too deeply"),
        "no columns": ("require: [k_anonymity: {k: 2}]", "columns: is missing. Name each column"),
        "empty columns": ("columns: {}\nrequire: [k_anonymity: {k: 2}]", "columns: is empty"),
        "no promise": ("columns: {a: {role: quasi}}", "require: is missing. Say what must hold"),
        "empty promise": (
            "columns: {a: {role: quasi}}\nrequire: []",
            "require: is empty. Say what",
        ),
        "promise as a mapping": (
            "columns: {a: {role: quasi}}\nrequire: {k_anonymity: {k: 2}}",
            "require: needs a list, there is a mapping. Say what must hold: - k_anonymity",
        ),
        "no quasi column": (
            "columns: {a: {role: other}}\nrequire: [k_anonymity: {k: 2}]",
            "no column has role quasi",
        ),
        "no weight at all": (
            "columns: {a: {role: quasi, weight: 0}}\nrequire: [k_anonymity: {k: 2}]",
            "all weights are 0. Give",
        ),
    }.values(),
)
def test_what_is_no_policy_is_told_apart(load: Any, text: str | bytes, told: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load(text)
    assert told in str(caught.value)


def test_a_data_file_given_as_policy_is_not_quoted(load: Any) -> None:
    with pytest.raises(PolicyFileError) as caught:
        load('name: "Ada" Lovelace\n')
    assert "Ada" not in str(caught.value)
    assert "Lovelace" not in str(caught.value)


def test_an_alias_bomb_is_refused_before_it_grows(load: Any) -> None:
    lines = ["a0: &a0 [x, x, x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    with pytest.raises(PolicyError, match="more than 200,000 entries, aliases written out"):
        load("\n".join(lines))


def test_a_missing_policy_file_is_named_with_its_folder(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match="no such file") as caught:
        Policy.load(tmp_path / "polcy.yml")
    assert "polcy.yml" in str(caught.value)
    with pytest.raises(PolicyFileError, match="this is a folder"):
        Policy.load(tmp_path)


def test_a_huge_file_is_not_read_as_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    with path.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(PolicyFileError, match=r"more than the 4 MB .* data given by mistake"):
        Policy.load(path)


# --- columns of the data, and flags ---------------------------------------------------------------


def test_a_table_that_lacks_a_column_is_refused_with_the_nearest(load: Any) -> None:
    there = ["age", "ZIP", "sex", "disease", "name", "remarks", "visits"]
    with pytest.raises(PolicyError) as caught:
        load(GOOD).check_columns(there, "patients.csv")
    told = "policy.yml, line 3: columns.zip: patients.csv has no column 'zip'. Did you mean 'ZIP'?"
    assert str(caught.value).startswith(told)


def test_a_release_need_not_have_the_identifiers(load: Any) -> None:
    policy = load(GOOD)
    policy.check_columns(policy.released, "release.csv", policy.released)


def test_flags_make_a_policy_with_proposed_hierarchies() -> None:
    policy = Policy.from_flags(["age", "zip"], ["disease"], 5, suppress=0.1)
    assert policy.released == ("age", "zip", "disease")
    assert policy.require == (models.KAnonymity(5),)
    assert policy.suppress == 0.1
    assert "auto" in policy.to_yaml()


def test_proposed_hierarchies_are_built_from_the_data() -> None:
    builder = Policy.from_flags(["age"], [], 5).columns["age"].hierarchy
    hierarchy = builder.build("age", [str(age) for age in range(20, 60)])
    assert hierarchy.height >= 2


@pytest.mark.parametrize(
    ("quasi", "sensitive", "k", "told"),
    [
        ([], ["disease"], 5, "quasi: no quasi column is named. Give quasi=COLUMN, or policy=FILE"),
        (["age"], [], None, "k: the size of the smallest class is missing. Give k"),
        (["age"], ["age"], 5, "'age' is named as quasi and as sensitive. A column has one role"),
    ],
)
def test_flags_that_do_not_add_up_are_refused(
    quasi: list[str], sensitive: list[str], k: int | None, told: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        Policy.from_flags(quasi, sensitive, k)
    assert told in str(caught.value)


@pytest.mark.parametrize(("said", "meant"), [("entity", "people"), ("recipients", "profiles")])
def test_a_word_of_the_papers_leads_to_our_key(said: str, meant: str) -> None:
    with pytest.raises(PolicyError, match=f"{said}: is not a key here. Did you mean '{meant}'?"):
        Policy(columns={"age": {"role": "quasi"}}, require=[{"k_anonymity": {"k": 2}}], **{said: 1})
