"""A policy that is saved keeps the comments, the order and the layout of the file it came from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.policy import policy_text
from discreet.policy.policy import Policy

TEXT = """\
# The ward's policy. Ask the board before you change it.

suppress: 0.020   # the board allows 2 %
require:          # what we promise
  # five people at least
  - k_anonymity: {k: 5}     # the board's number
  # and three diseases
  - l_diversity: {column: disease, ell: 3}

columns:
  # in years
  age:       {role: quasi,   hierarchy: {intervals: [5, 10]}}   # rounded
  zip:
    # five digits
    role: quasi
    weight: 2      # researchers need it
    # first digits
    hierarchy:
      prefix: [4, 3]

  # what nobody may learn
  disease:   {"role": 'sensitive'}
  name: {role: identifier}    # not released
  # nothing below this line
missing: value
seed: 7    # for the auditor
# the end
"""


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Policy]:
    def from_text(text: str) -> Policy:
        path = tmp_path / "policy.yaml"
        path.write_bytes(text.encode())
        return Policy.load(path)

    return from_text


def change_column(policy: Policy, name: str, **changes: Any) -> Policy:
    column = policy.columns[name]
    given = {key: getattr(column, key) for key in type(column).model_fields}
    return policy.replace(columns={**policy.columns, name: {**given, **changes}})


def remove_column(policy: Policy, *names: str) -> Policy:
    left = {name: one for name, one in policy.columns.items() if name not in names}
    return policy.replace(columns=left)


def check_edit(load: Callable[[str], Policy], changed: Policy, expected: str) -> None:
    written = changed.to_yaml(changed.source.folder)
    assert written == expected
    assert load(written) == changed


def test_a_policy_that_was_not_changed_is_written_letter_by_letter(load: Any) -> None:
    policy = load(TEXT)
    assert policy.to_yaml(policy.source.folder) == TEXT
    assert policy.replace(suppress=0.02).to_yaml(policy.source.folder) == TEXT


def test_a_saved_policy_keeps_its_comments(load: Any, tmp_path: Path) -> None:
    load(TEXT).replace(seed=8).save(tmp_path / "other.yaml")
    assert (tmp_path / "other.yaml").read_text() == TEXT.replace("seed: 7 ", "seed: 8 ")


def test_comments_can_be_left_out(load: Any) -> None:
    written = load(TEXT).to_yaml(comments=False)
    assert "#" not in written
    assert load(written) == load(TEXT)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"suppress": 0.1}, "suppress: 0.020 ", "suppress: 0.1 "),
        ({"suppress": 0}, "suppress: 0.020   # the board allows 2 %\n", ""),
        ({"seed": None}, "seed: 7    # for the auditor\n", ""),
        ({"missing": "wildcard"}, "missing: value", "missing: wildcard"),
        ({"algorithm": "datafly"}, "2 %\n", "2 %\nalgorithm: datafly\n"),
        (
            {"algorithm": {"datafly": {"heuristic": "minimal"}}},
            "2 %\n",
            "2 %\nalgorithm:\n  datafly: {heuristic: minimal}\n",
        ),
        ({"prefer": ["zip", "age"]}, "auditor\n", "auditor\nprefer: [zip, age]\n"),
        (
            {
                "require": [
                    {"k_anonymity": {"k": 7}},
                    {"l_diversity": {"column": "disease", "ell": 3}},
                ]
            },
            "{k: 5}",
            "{k: 7}",
        ),
        (
            {"require": [{"k_anonymity": {"k": 5}}]},
            "  # and three diseases\n  - l_diversity: {column: disease, ell: 3}\n",
            "",
        ),
        (
            {"require": [{"l_diversity": {"column": "disease", "ell": 3}}]},
            "  # five people at least\n  - k_anonymity: {k: 5}     # the board's number\n",
            "",
        ),
        (
            {
                "require": [
                    {"k_anonymity": {"k": 5}},
                    {"l_diversity": {"column": "disease", "ell": 3}},
                    {"t_closeness": {"column": "disease", "t": 0.2}},
                ]
            },
            "ell: 3}\n",
            "ell: 3}\n  - t_closeness: {column: disease, t: 0.2}\n",
        ),
    ],
    ids=str,
)
def test_only_the_text_of_a_changed_key_changes(
    load: Any, changes: dict[str, Any], old: str, new: str
) -> None:
    assert TEXT.count(old) == 1
    check_edit(load, load(TEXT).replace(**changes), TEXT.replace(old, new))


@pytest.mark.parametrize(
    ("name", "changes", "old", "new"),
    [
        ("zip", {"weight": 3.0}, "weight: 2 ", "weight: 3 "),
        ("zip", {"weight": 1.0}, "    weight: 2      # researchers need it\n", ""),
        ("zip", {"hierarchy": {"prefix": [3]}}, "[4, 3]", "[3]"),
        ("zip", {"hierarchy": {"prefix": [4, 3, 1]}}, "[4, 3]", "[4, 3, 1]"),
        (
            "zip",
            {"hierarchy": None},
            "    # first digits\n    hierarchy:\n      prefix: [4, 3]\n",
            "",
        ),
        ("age", {"weight": 2.5}, "[5, 10]}}", "[5, 10]}, weight: 2.5}"),
        ("age", {"hierarchy": None}, ",   hierarchy: {intervals: [5, 10]}", ""),
        (
            "age",
            {"role": "other", "hierarchy": None},
            "quasi,   hierarchy: {intervals: [5, 10]}",
            "other",
        ),
        ("disease", {"role": "other"}, "'sensitive'", "other"),
    ],
)
def test_only_the_text_of_a_changed_column_changes(
    load: Any, name: str, changes: dict[str, Any], old: str, new: str
) -> None:
    text = TEXT.replace("  - l_diversity: {column: disease, ell: 3}\n", "")
    check_edit(load, change_column(load(text), name, **changes), text.replace(old, new))


@pytest.mark.parametrize(
    ("gone", "old"),
    [
        (["age"], TEXT[TEXT.index("  # in years") : TEXT.index("  zip:")]),
        (["zip"], TEXT[TEXT.index("  zip:") : TEXT.index("\n  # what nobody")]),
        (["name"], "  name: {role: identifier}    # not released\n"),
    ],
)
def test_a_column_goes_with_its_comments_and_leaves_those_of_others(
    load: Any, gone: list[str], old: str
) -> None:
    assert TEXT.count(old) == 1
    check_edit(load, remove_column(load(TEXT), *gone), TEXT.replace(old, ""))


def test_a_new_column_takes_its_place_in_the_order(load: Any) -> None:
    policy = load(TEXT)
    columns = {}
    for name, column in policy.columns.items():
        columns[name] = column
        columns |= {"sex": {"role": "quasi"}} if name == "zip" else {}
    made = policy.replace(columns=columns)
    check_edit(load, made, TEXT.replace("[4, 3]\n", "[4, 3]\n  sex: {role: quasi}\n"))
    assert load(made.to_yaml()).quasi == ("age", "zip", "sex")


def test_columns_in_another_order_are_written_in_that_order(load: Any) -> None:
    policy = load(TEXT)
    columns = dict(reversed(policy.columns.items()))
    written = policy.replace(columns=columns).to_yaml()
    assert [*load(written).columns] == [*columns]
    assert "# the board allows 2 %" in written


def test_a_file_with_windows_lines_keeps_them(load: Any) -> None:
    text = TEXT.replace("\n", "\r\n")
    new = "seed: 7    # for the auditor\r\nprefer: [zip, age]\r\n"
    made = load(text).replace(prefer=["zip", "age"])
    check_edit(load, made, text.replace("seed: 7    # for the auditor\r\n", new))


def test_a_last_line_without_an_end_is_followed_by_a_new_one(load: Any) -> None:
    text = "columns: {age: {role: quasi}}\nrequire: [k_anonymity: {k: 2}] # two"
    check_edit(load, load(text).replace(seed=3, order="keep"), f"{text}\nseed: 3\norder: keep")


@pytest.mark.parametrize("code", ["02138", "2001-02-03", "no", "1_000", "0x1F", "12:30"])
def test_text_that_looks_like_something_else_stays_as_it_is(load: Any, code: str) -> None:
    text = (
        f"columns:\n  {code}: {{role: quasi, hierarchy: {{tree: {{{code}: {{low: {{a: 1}}}}}}}}}}\n"
        "require: [k_anonymity: {k: 2}]\n"
    ).replace("{a: 1}", f"[{code}]")
    check_edit(load, load(text).replace(seed=3), f"{text}seed: 3\n")


def test_what_is_written_out_stays_though_it_is_the_default(load: Any) -> None:
    text = TEXT.replace("seed: 7", "algorithm: optimal   # the best\nseed: 7")
    check_edit(load, load(text).replace(suppress=0.5), text.replace("0.020", "0.5"))


LISTED = """\
columns:
  age: {
    role: quasi,  # it is known
    hierarchy: {tree: {"0-9": [
      "1",  # one
      "2",  # two
    ]}},
    weight: 2,  # twice
  }
require: [k_anonymity: {k: 2}]
"""


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"weight": 1.0}, ",\n    weight: 2,  # twice", ",  # twice"),
        ({"weight": 3.0}, "weight: 2", "weight: 3"),
        ({"hierarchy": {"tree": {"0-9": ["1"]}}}, '"2",  # two', "  # two"),
        ({"hierarchy": {"tree": {"0-9": ["2"]}}}, '"1",  # one\n      ', ""),
        ({"hierarchy": {"tree": {"0-9": ["1", "5"]}}}, '"2"', "'5'"),
        ({"hierarchy": {"tree": {"0-9": ["1", "2", "5"]}}}, '"2"', "\"2\", '5'"),
    ],
)
def test_comments_inside_brackets_stay(
    load: Any, changes: dict[str, Any], old: str, new: str
) -> None:
    assert LISTED.count(old) == 1
    check_edit(load, change_column(load(LISTED), "age", **changes), LISTED.replace(old, new))


def test_a_value_in_one_line_can_become_a_mapping(load: Any) -> None:
    text = TEXT.replace("seed: 7", "algorithm: optimal   # the best\nseed: 7")
    made = load(text).replace(algorithm={"datafly": {"heuristic": "minimal"}})
    new = "algorithm: {datafly: {heuristic: minimal}}   # the best"
    check_edit(load, made, text.replace("algorithm: optimal   # the best", new))


def test_a_list_that_is_not_indented_stays_so(load: Any) -> None:
    text = (
        "columns:\n  age: {role: quasi}\n# all\nrequire:\n# two\n- k_anonymity: {k: 2}\nseed: 1\n"
    )
    made = load(text).replace(require=[{"k_anonymity": {"k": 2}}, {"sample_uniques": {"max": 0}}])
    check_edit(load, made, text.replace("seed", "- sample_uniques: {max: 0}\nseed"))


def test_a_text_of_several_lines_is_replaced_as_a_whole(load: Any) -> None:
    text = (
        "columns: {age: {role: quasi}}\nrow_weight: |-\n  age\n\n# why\n"
        "require: [k_anonymity: {k: 2}]\n"
    )
    made = load(text).replace(row_weight=None)
    check_edit(load, made, text.replace("row_weight: |-\n  age\n", ""))


ALIASES = """\
# shared
columns:
  age: &known {role: quasi, weight: 2}   # anchor
  zip: *known
require: [k_anonymity: {k: 2}]
"""


def test_a_policy_with_aliases_is_kept_whole_or_written_anew(load: Any) -> None:
    policy = load(ALIASES)
    assert policy.to_yaml() == ALIASES
    made = change_column(policy, "zip", weight=5.0)
    written = made.to_yaml()
    assert load(written) == made
    assert load(written).columns["age"].weight == 2


def test_a_merged_mapping_is_kept_or_written_anew(load: Any) -> None:
    text = (
        "columns:\n  age: {<<: {role: quasi, weight: 2}, hierarchy: {intervals: [5]}}\n"
        "require: [k_anonymity: {k: 2}]\n"
    )
    policy = load(text)
    assert policy.to_yaml() == text
    for weight in (1.0, 3.0):
        made = change_column(policy, "age", weight=weight)
        assert load(made.to_yaml()) == made


def test_a_tagged_value_is_replaced_with_its_tag(load: Any) -> None:
    text = (
        "columns: {age: {role: !!str quasi}}  # c\nrequire: [k_anonymity: {k: 2}]\n"
        "seed: !!int 3 # s\n"
    )
    check_edit(load, load(text).replace(seed=4), text.replace("!!int 3", "4"))


def test_paths_that_change_with_the_folder_are_written_anew(load: Any, tmp_path: Path) -> None:
    text = (
        "columns:\n  age: {role: quasi, hierarchy: {file: age.csv}}  # from the ward\n"
        "  zip: {role: quasi, hierarchy: {prefix: [3]}}  # three digits\n"
        "require: [k_anonymity: {k: 2}]\n"
    )
    (tmp_path / "below").mkdir()
    policy = load(text)
    policy.save(tmp_path / "same.yaml")
    assert (tmp_path / "same.yaml").read_text() == text
    policy.save(tmp_path / "below" / "other.yaml")
    assert (tmp_path / "below" / "other.yaml").read_text() == text.replace("age.csv", "../age.csv")


def test_the_file_may_have_been_changed_since(load: Any, tmp_path: Path) -> None:
    policy = load(TEXT)
    (tmp_path / "policy.yaml").write_text("# gone\n")
    assert policy.replace(seed=8).to_yaml() == TEXT.replace("seed: 7 ", "seed: 8 ")


def test_a_text_that_would_mean_something_else_is_not_written(
    load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edit is never trusted: what was written is read again and compared."""
    made = load(TEXT).replace(seed=8)
    monkeypatch.setattr(policy_text, "edit_policy_text", lambda *_: TEXT)
    assert load(made.to_yaml()) == made
    monkeypatch.setattr(policy_text, "edit_policy_text", lambda *_: "columns: [")
    assert load(made.to_yaml()) == made


def test_a_promise_that_follows_from_a_level_need_not_be_written(load: Any) -> None:
    text = "columns: {age: {role: quasi}}\nanonymity: 0.5  # half\n"
    check_edit(
        load,
        load(text).replace(seed=3),
        "columns: {age: {role: quasi}}\nseed: 3\nanonymity: 0.5  # half\n",
    )


CHOICES: dict[str, list[Any]] = {
    "suppress": [0, 0.5],
    "algorithm": ["optimal", "datafly", {"datafly": {"heuristic": "minimal"}}],
    "seed": [None, 1],
    "prefer": [(), ("zip",), ("age", "zip")],
    "measure": ["loss", "precision"],
    "techniques": [(), [{"noise": {"columns": ["visits"], "amount": 0.1}}]],
}
COLUMNS: dict[str, list[Any]] = {
    "age": [
        {"role": "quasi"},
        {"role": "quasi", "weight": 2},
        {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
        {"role": "quasi", "hierarchy": {"intervals": {"widths": [5, 10], "top": 90}}},
    ],
    "zip": [{"role": "quasi"}, {"role": "quasi", "hierarchy": {"tree": {"*": ["02138", "no"]}}}],
    "visits": [{"role": "other"}, {"role": "other", "technique": {"noise": {"amount": 0.2}}}],
    "disease": [{"role": "sensitive"}, {"role": "other"}],
    "02138: #": [{"role": "identifier"}],
}
TEXTS = [
    TEXT.replace("  name:", "  visits: {role: other}\n  name:"),
    """\
---
columns:
    zip:
        role: quasi
        hierarchy: {tree: {'*': ["02138", no]}}  # all
    age: {role: quasi, hierarchy: {intervals:
        [5, 10]}, weight: 2}
    disease: {role: sensitive}
    # about visits
    visits:
        role: other
        technique:
            - noise: {amount: 0.2}
    '02138: #': # odd
        {role: identifier}
require:
- # sizes
  k_anonymity:
    k: 2
algorithm:
    datafly:   # fast
        heuristic: minimal
prefer: [age, # first
         zip]
techniques:
-   noise:
        columns:
        - visits
        amount: 0.1
...
""",
    '{"columns": {"age": {"role": "quasi"}, "zip": {"role": "quasi"}, '
    '"visits": {"role": "other"}}, "require": [{"k_anonymity": {"k": 2}}]}',
]


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    text=st.sampled_from(TEXTS),
    changes=st.fixed_dictionaries({}, optional={k: st.sampled_from(v) for k, v in CHOICES.items()}),
    columns=st.fixed_dictionaries(
        {name: st.sampled_from(COLUMNS[name]) for name in ("age", "zip", "visits")},
        optional={name: st.sampled_from(COLUMNS[name]) for name in ("disease", "02138: #")},
    ),
    k=st.integers(1, 3),
)
def test_whatever_changes_the_text_means_the_new_policy(
    load: Any, text: str, changes: dict[str, Any], columns: dict[str, Any], k: int
) -> None:
    require = [{"k_anonymity": {"k": k}}]
    policy = load(text).replace(columns=columns, require=require, **changes)
    written = policy.to_yaml()
    again = load(written)
    assert again == policy
    assert [*again.columns] == [*policy.columns]
