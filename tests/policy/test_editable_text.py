"""The text of a policy, edited key by key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import discreet
from discreet.errors import ArgumentError, DiscreetError, PolicyError, WriteError
from discreet.hierarchy import Intervals
from discreet.policy.editable_text import PolicyText

TEXT = PolicyText("""\
# Who asked: the board.
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10]}, weight: 2}  # in years
  zip: {role: quasi}
  # Says too much.
  name: {role: identifier}
  ill: {role: sensitive}
require:
  - k_anonymity: {k: 5}  # agreed in May
  - l_diversity: {column: ill, ell: 2}
suppress: 0.02  # at most
""")


def list_changed(new: PolicyText, old: PolicyText = TEXT) -> list[str]:
    """The lines that only one of two texts has."""
    one, other = old.text.splitlines(), new.text.splitlines()
    gone = [f"-{line.strip()}" for line in one if line not in other]
    return gone + [f"+{line.strip()}" for line in other if line not in one]


EDITS: list[tuple[Any, list[str]]] = [
    (
        lambda text: text.set_role("age", "sensitive"),
        [
            "-age: {role: quasi, hierarchy: {intervals: [5, 10]}, weight: 2}  # in years",
            "+age: {role: sensitive, hierarchy: {intervals: [5, 10]}}  # in years",
        ],
    ),
    (
        lambda text: text.set_role("age", "other"),
        [
            "-age: {role: quasi, hierarchy: {intervals: [5, 10]}, weight: 2}  # in years",
            "+age: {role: other}  # in years",
        ],
    ),
    (lambda text: text.set_role("job", "quasi"), ["+job: {role: quasi}"]),
    (
        lambda text: text.set_hierarchy("zip", {"prefix": [3]}),
        ["-zip: {role: quasi}", "+zip: {role: quasi, hierarchy: {prefix: [3]}}"],
    ),
    (
        lambda text: text.set_hierarchy("age", None),
        [
            "-age: {role: quasi, hierarchy: {intervals: [5, 10]}, weight: 2}  # in years",
            "+age: {role: quasi, weight: 2}  # in years",
        ],
    ),
    (
        lambda text: text.set_column("zip", missing=["?"], weight=3),
        ["-zip: {role: quasi}", "+zip: {role: quasi, missing: ['?'], weight: 3}"],
    ),
    (
        lambda text: text.remove_column("name"),
        ["-# Says too much.", "-name: {role: identifier}"],
    ),
    (
        lambda text: text.add_promise({"largest_risk": {"max": 0.1}}),
        ["+- largest_risk: {max: 0.1}"],
    ),
    (
        lambda text: text.change_promise(0, {"k_anonymity": {"k": 7}}),
        ["-- k_anonymity: {k: 5}  # agreed in May", "+- k_anonymity: {k: 7}  # agreed in May"],
    ),
    (lambda text: text.remove_promise(1), ["-- l_diversity: {column: ill, ell: 2}"]),
    (
        lambda text: text.set("suppress", 0.05),
        ["-suppress: 0.02  # at most", "+suppress: 0.05  # at most"],
    ),
    (lambda text: text.set("suppress", None), ["-suppress: 0.02  # at most"]),
    (lambda text: text.set("measure", "precision"), ["+measure: precision"]),
    (
        lambda text: text.set("algorithm", {"fixed": {"levels": {"zip": 1}}}),
        ["+algorithm:", "+fixed:", "+levels: {zip: 1}"],
    ),
]


@pytest.mark.parametrize(("edit", "lines"), EDITS)
def test_an_edit_changes_its_lines_and_no_other(edit: Any, lines: list[str]) -> None:
    before = TEXT.text
    assert list_changed(edit(TEXT)) == lines
    assert TEXT.text == before
    assert edit(TEXT).problems == ()


def test_a_hierarchy_may_be_a_builder() -> None:
    assert TEXT.set_hierarchy("zip", Intervals([5])).policy.columns["zip"].hierarchy == Intervals(
        [5]
    )


def test_problems_name_the_key_and_the_line() -> None:
    text = TEXT.set_column("zip", hierarchy={"prefix": ["a"]}).set_role("ill", "other")
    assert [(one["key"], one["line"]) for one in text.problems] == [
        ("columns.zip.hierarchy", 4),
    ]
    text = TEXT.set_role("ill", "other")
    assert [(one["key"], one["line"]) for one in text.problems] == [
        ("require[1].l_diversity.column", 10)
    ]
    with pytest.raises(PolicyError, match="line 10"):
        _ = text.policy


@pytest.mark.parametrize("text", ["", "# Nothing yet.", "# Nothing yet.\n\n"])
def test_a_policy_can_be_written_from_nothing(text: str) -> None:
    made = PolicyText(text).set_role("age", "quasi").add_promise({"k_anonymity": {"k": 3}})
    assert made.policy.quasi == ("age",)
    assert made.text.startswith(text)


def test_text_with_aliases_is_written_anew() -> None:
    text = PolicyText("columns: {a: &q {role: quasi}, b: *q}\nrequire: [k_anonymity: {k: 2}]\n")
    made = text.set_role("b", "other")
    assert made.policy.quasi == ("a",) and "&q" not in made.text


@pytest.mark.parametrize("broken", ["columns: {", "- a\n- b\n", "a: b: c"])
def test_a_text_that_is_not_read_is_not_edited(broken: str) -> None:
    assert len(PolicyText(broken).problems) == 1
    with pytest.raises(PolicyError):
        PolicyText(broken).set("seed", 1)


def test_wrong_requests_are_refused() -> None:
    for edit in (
        lambda: TEXT.set_role("age", "kuasi"),
        lambda: TEXT.set_column("agee", weight=1),
        lambda: TEXT.remove_column("agee"),
        lambda: TEXT.change_promise(2, {}),
        lambda: TEXT.remove_promise(-1),
        lambda: TEXT.set("measure", object()),
    ):
        with pytest.raises(ArgumentError):
            edit()


def test_a_file_is_read_and_saved_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    TEXT.save(path)
    assert PolicyText.load(path).text == TEXT.text
    with pytest.raises(WriteError):
        TEXT.save(path)
    TEXT.set("seed", 1).save(path, replace=True)
    assert PolicyText.load(path).policy.seed == 1


def test_advice_is_applied_to_the_text_it_was_asked_for() -> None:
    ages = pa.table({"age": [str(20 + n // 2) for n in range(40)]})
    text = PolicyText("# Mine.\ncolumns:\n  age: {role: quasi}  # years\nrequire:\n"
                      "  - k_anonymity: {k: 3}\n")  # fmt: skip
    best = discreet.advise(ages, text.policy).suggestions[0]
    changed = best.policy_text
    assert changed.policy == best.policy
    assert "# Mine." in changed.text and "# years" in changed.text


def test_a_repr_shows_no_text() -> None:
    assert "board" not in repr(TEXT)
    with pytest.raises(DiscreetError):
        PolicyText.load("postgresql://u:p@host/policy")
