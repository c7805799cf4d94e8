"""Advice: each change is really tried, those that weaken a promise are marked, nothing is shown."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

import discreet
from discreet.errors import ArgumentError, HierarchyError
from discreet.pipeline.advice.advise import Advice, Suggestion
from discreet.pipeline.advice.changes import list_changes
from discreet.pipeline.advice.trials import Trials, measure_kept
from discreet.policy.policy_text import write_policy_data
from tests.pipeline.advice.random_policies import (
    advise_or_refuse,
    find_differences,
    make_cases,
    read_draft,
)

ROWS = 240


def make_people() -> pa.Table:
    """Ages, places and jobs of which no two columns go together well, and one illness in ten."""
    return pa.table(
        {
            "age": [str(20 + (7 * n) % 60) for n in range(ROWS)],
            "zip": [f"021{(3 * n) % 40:02}" for n in range(ROWS)],
            "job": [f"job-{(n * n) % 7}" for n in range(ROWS)],
            "sex": ["mf"[n % 2] for n in range(ROWS)],
            "illness": [f"ill-{n % 10}" for n in range(ROWS)],
        }
    )


def make_policy(**changes: Any) -> discreet.Policy:
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in ("age", "zip", "job", "sex")}
    columns["illness"] = {"role": "sensitive"}
    require = [{"k_anonymity": {"k": 5}}, {"l_diversity": {"column": "illness", "ell": 3}}]
    return discreet.Policy(**{"columns": columns, "require": require, **changes})


@pytest.fixture(scope="module")
def advice() -> Advice:
    return discreet.advise(make_people(), make_policy(), seconds=300)


def find(advice: Advice, text: str) -> Suggestion:
    return next(one for one in advice.suggestions if one.text == text)


def test_a_flat_column_gets_a_hierarchy_that_keeps_more(advice: Advice) -> None:
    assert advice.before is not None
    assert "age" in advice.before.lost
    assert any("a hierarchy for age" in one.text for one in advice.suggestions)
    assert all(one.gain > 0 for one in advice.suggestions)


def test_the_figures_are_those_of_really_running_the_changed_policy(advice: Advice) -> None:
    assert len(advice.tried) > 20
    assert find_differences(make_people(), advice) == []


def test_the_figures_are_true_on_random_policies(tmp_path: Path) -> None:
    tried = 0
    for number, (draft, table) in enumerate(make_cases(tmp_path, 8)):
        found = advise_or_refuse(table, read_draft(draft, tmp_path / f"case{number}"))
        if found is not None:
            assert find_differences(table, found) == []
            tried += len(found.tried)
    assert tried > 16


def test_changes_that_weaken_a_promise_are_marked_and_come_last(advice: Advice) -> None:
    marks = [one.weakens for one in advice.suggestions]
    assert marks == sorted(marks)
    base = write_policy_data(make_policy(), None)["require"]
    for one in advice.suggestions:
        assert one.weakens == (write_policy_data(one.policy, None)["require"] != base)


def test_those_that_promise_as_much_are_ranked_by_what_they_gain(advice: Advice) -> None:
    gains = [one.gain for one in advice.suggestions if not one.weakens]
    assert gains == sorted(gains, reverse=True)


def test_a_weaker_promise_is_ranked_by_its_gain_for_what_is_given_up(advice: Advice) -> None:
    rates = [one.gain / one.weakening for one in advice.suggestions if one.weakens]
    assert rates == sorted(rates, reverse=True)


def test_several_changes_are_made_together_where_that_gains_more(advice: Advice) -> None:
    best = advice.suggestions[0]
    assert len(best.changes) > 1
    singles = [one.gain for one in advice.suggestions if len(one.changes) == 1 and not one.weakens]
    assert best.gain > max(singles)


def paste(policy: discreet.Policy, lines: str) -> dict[str, Any]:
    """The policy with the lines in the place of its own, as a reader would put them there."""
    plain = write_policy_data(policy, None)
    for line in lines.splitlines():
        if line.startswith("# delete this column: "):
            del plain["columns"][json.loads(line.removeprefix("# delete this column: "))]
        elif line.startswith("# delete this key: "):
            del plain[line.removeprefix("# delete this key: ")]
    said = yaml.safe_load(lines) or {}
    columns = {**plain["columns"], **said.pop("columns", {})}
    return {**plain, **said, "columns": columns}


def test_the_lines_to_paste_make_the_policy_that_was_tried(advice: Advice) -> None:
    kinds = set()
    for one in advice.tried:
        pasted = discreet.Policy(**paste(make_policy(), one.lines))
        assert write_policy_data(pasted, None) == write_policy_data(one.policy, None)
        kinds |= {change.kind for change in one.changes}
    assert {"suppress", "algorithm", "hierarchy"} <= kinds


def test_only_the_changed_keys_are_in_the_lines(advice: Advice) -> None:
    one = next(one for one in advice.tried if one.text == "suppress up to 5 % of the rows")
    assert one.lines == "suppress: 0.05\n"


def test_no_value_of_the_table_is_in_the_facts(advice: Advice) -> None:
    text = json.dumps(advice.facts()) + repr(advice) + advice._repr_html_()
    text = re.sub(
        r"\d+\.\d+(e[+-]?\d+)?", "", text
    )  # the digits of a measure may be those of a ZIP code
    table = make_people()
    words = [word for name in ("job", "zip", "illness") for word in table[name].to_pylist()]
    assert not [word for word in set(words) if word in text]


@pytest.mark.parametrize("algorithm", ["optimal", "local", "datafly", "mondrian", "exact"])
def test_what_each_column_keeps_is_what_the_rows_show(algorithm: str) -> None:
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4]}},
        "job": {"role": "quasi"},
    }
    require = [{"k_anonymity": {"k": 3}}]
    policy = discreet.Policy(
        columns=columns, require=require, suppress=0.05, algorithm=algorithm, seed=1
    )
    table = make_people().slice(0, 40)
    release = discreet.anonymize(table, policy)
    kept = measure_kept(release)
    rows = release.to_arrow()
    shown = {name: sum(cell != "*" for cell in rows[name].to_pylist()) for name in columns}
    assert {one.column: one.rows_kept for one in kept.columns} == shown
    assert kept.cells_kept == sum(shown.values())
    assert kept.rows_suppressed == 40 - rows.num_rows


@pytest.mark.parametrize("algorithm", ["optimal", "local"])
def test_the_granularity_of_the_columns_is_on_average_that_of_the_release(algorithm: str) -> None:
    kept = measure_kept(discreet.anonymize(make_people(), make_policy(algorithm=algorithm)))
    mean = sum(one.granularity for one in kept.columns) / len(kept.columns)
    assert mean == pytest.approx(kept.granularity)


def test_a_column_that_is_left_out_keeps_nothing_of_the_detail(advice: Advice) -> None:
    assert any(change.kind == "leave out" for one in advice.tried for change in one.changes)
    for one in advice.tried:
        gone = [change for change in one.changes if change.kind == "leave out"]
        assert len(one.kept.columns) == 4 - len(gone)
        assert one.detail <= 1 - len(gone) / 4
        if not gone:
            assert one.detail == pytest.approx(one.kept.granularity)


def test_changes_for_which_there_was_no_time_are_told_as_not_tried() -> None:
    found = discreet.advise(make_people(), make_policy(), seconds=1e-9)
    assert found.suggestions == ()
    assert len(found.not_tried) > 5
    assert {why for _, why in found.not_tried} == {"the time was over"}


def test_every_change_is_told_once(advice: Advice) -> None:
    texts = [one.text for one in advice.suggestions]
    texts += [text for text, _ in (*advice.without_gain, *advice.not_tried)]
    assert [text for text, times in Counter(texts).items() if times > 1] == []


def test_a_promise_that_cannot_be_kept_gets_what_makes_it_possible() -> None:
    table = make_people()
    require = [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "illness", "ell": 12}}]
    found = discreet.advise(table, make_policy(require=require), seconds=300)
    assert found.before is None
    assert "no release meets this policy" in (found.refused or "")
    assert found.suggestions
    assert all(one.kept.holds for one in found.suggestions)
    assert find_differences(table, found) == []
    assert any("ell 12 -> " in one.text for one in found.suggestions)


def test_enough_suppression_makes_a_promise_possible_that_fails_for_some() -> None:
    table = pa.table({"sex": ["m"] * 30, "ill": ["a"] * 27 + ["b", "c", "d"]})
    columns = {"sex": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    close = {"beta_likeness": {"column": "ill", "beta": 0.5}}
    policy = discreet.Policy(columns=columns, require=[{"k_anonymity": {"k": 31}}, close])
    found = discreet.advise(table, policy, seconds=300)
    assert found.before is None
    assert [one for one in found.suggestions if one.weakens]


def test_a_policy_that_cannot_be_run_at_all_is_refused_as_ever() -> None:
    columns = {"job": {"role": "quasi", "hierarchy": {"intervals": [5]}}}
    policy = discreet.Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}])
    with pytest.raises(HierarchyError):
        discreet.advise(make_people(), policy, seconds=300)


def test_time_must_be_given_to_try() -> None:
    with pytest.raises(ArgumentError, match="seconds"):
        discreet.advise(make_people(), make_policy(), seconds=0)


def test_people_with_several_rows_get_advice_too() -> None:
    own = [str(20 + (n // 2) % 40) for n in range(ROWS)]
    who = [f"p{n // 2}" for n in range(ROWS)]
    rows = pa.table({"who": who, "age": own, "sex": ["mf"[n // 2 % 2] for n in range(ROWS)]})
    columns = {"age": {"role": "quasi"}, "sex": {"role": "quasi"}}
    policy = discreet.Policy(
        columns=columns,
        require=[{"k_anonymity": {"k": 5}}],
        people={"column": "who"},
        seed=1,
    )
    found = discreet.advise(rows, policy, seconds=300)
    assert found.before is not None
    assert found.suggestions
    assert find_differences(rows, found) == []


def test_rows_are_counted_once_for_policies_that_look_at_the_same_columns() -> None:
    seen: list[str] = []
    trials = Trials(make_people(), lambda step, share=None: seen.append(step))
    for share in (0.0, 0.02, 0.05):
        trials.run(make_policy(suppress=share))
    assert seen.count("counting") == 1


def test_a_recipient_gets_advice_for_the_policy_with_the_profile() -> None:
    profiles = {"hospital": {"likelihoods": {"age": 1.0, "job": 0.5}}}
    policy = make_policy(profiles=profiles, profile="hospital")
    found = discreet.advise(make_people(), policy, seconds=300)
    for one in found.suggestions:
        assert one.policy.profile == "hospital"
    assert find_differences(make_people(), found) == []


def test_fewer_rows_per_person_are_tried_where_people_are_counted() -> None:
    rows = [(f"p{n}", str(20 + (7 * n + 3 * visit) % 40)) for n in range(60) for visit in (0, 1, 2)]
    who, age = (list(column) for column in zip(*rows, strict=True))
    visits = pa.table({"who": who, "age": age})
    policy = discreet.Policy(
        people={"column": "who"},
        columns={"age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}}},
        require=[{"k_anonymity": {"k": 5}}],
        seed=3,
    )
    found = discreet.advise(visits, policy, seconds=300)
    one = find(found, "at most 1 row per person, drawn at random")
    assert (one.kept.rows_left_out, one.kept.rows_suppressed) == (120, 0)
    assert find_differences(visits, found) == []
    lower = policy.replace(people={"column": "who", "records": {"cap": 2}})
    texts = {one.text for one in discreet.advise(visits, lower, seconds=300).tried}
    assert "at most 1 row per person, drawn at random" in texts
    assert "at most 2 rows per person, drawn at random" not in texts


def test_a_limit_of_nothing_is_raised_and_values_without_numbers_keep_their_hierarchy() -> None:
    ill = ["a", "b"] * 20
    table = pa.table({"age": ["unknown"] * 40, "size": ["7"] * 40, "ill": ill})
    others = {"widths": [5, 10], "others": "group"}
    policy = discreet.Policy(
        columns={
            "age": {"role": "quasi", "hierarchy": {"intervals": others}},
            "size": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
            "ill": {"role": "sensitive"},
        },
        require=[{"k_anonymity": {"k": 2}}, {"sample_uniques": {"max": 0}}],
    )
    texts = [change.text for change in list_changes(policy, read_values(table), {}, 40)]
    assert "sample_uniques: max 0 -> 0.05" in texts


def read_values(table: pa.Table) -> dict[str, list[str]]:
    return {name: sorted(set(table[name].to_pylist())) for name in ("age", "size")}
