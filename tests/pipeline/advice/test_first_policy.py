"""A first policy is tried, and says why: settings under which a release is useful."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow as pa
import pytest

import discreet
from discreet.errors import WriteError
from discreet.pipeline.advice import first_policy as module
from discreet.pipeline.advice.first_policy import USEFUL, choose_settings, parse_policy_text
from discreet.pipeline.advice.trials import Trials


def make_patients(rows: int = 400, odd: int = 6) -> pa.Table:
    """Few combinations that many have, and some rows that nobody is like."""
    random = Random(5)
    ages = [str(random.randint(20, 39)) for _ in range(rows - odd)]
    ages += [str(300 + 31 * n) for n in range(odd)]
    return pa.table(
        {
            "age": ages,
            "sex": [random.choice("mf") for _ in range(rows)],
            "illness": [random.choice(("flu", "gout", "rash", "cold")) for _ in range(rows)],
        }
    )


def test_the_settings_that_are_written_give_the_release_that_was_tried() -> None:
    table = make_patients()
    first = discreet.first_policy(table, seconds=60)
    assert first.chosen is not None
    assert first.chosen.best is not None
    assert first.chosen.best.kept is not None
    release = discreet.anonymize(table, parse_policy_text(first.text))
    assert release.facts()["measures"]["granularity"] == first.chosen.best.kept.granularity
    assert release.holds


def test_the_smallest_share_is_taken_that_gives_a_useful_release() -> None:
    first = discreet.first_policy(make_patients(), seconds=60)
    assert first.chosen is not None
    tried = {(one.algorithm, one.suppress): one for one in first.chosen.tried}
    policy = first.chosen.policy
    chosen = tried[policy.algorithm.name, policy.suppress]
    assert chosen.is_useful
    assert not any(
        one.is_useful
        for (algorithm, share), one in tried.items()
        if algorithm == policy.algorithm.name and share < policy.suppress
    )


def test_nothing_is_suppressed_where_that_is_not_needed() -> None:
    table = pa.table({"sex": ["m", "f"] * 50, "illness": ["flu", "gout", "rash", "cold"] * 25})
    first = discreet.first_policy(table, seconds=60)
    assert first.chosen is not None
    assert first.chosen.policy.suppress == 0
    assert len(first.chosen.tried) == 1
    assert "suppress: 0    #" in first.text


def test_levels_per_cell_are_taken_where_levels_per_column_lose_too_much() -> None:
    random = Random(1)
    names = [f"c{n}" for n in range(6)]
    cells = {name: [random.choice("abcdef") for _ in range(300)] for name in names}
    policy = discreet.Policy(
        columns={name: {"role": "quasi"} for name in names}, require=[{"k_anonymity": {"k": 3}}]
    )
    found = choose_settings(Trials(pa.table(cells)), policy, 60)
    assert found.policy.algorithm.name == "local"
    assert {one.algorithm for one in found.tried} == {"optimal", "local", "mondrian"}


def test_settings_that_were_given_stay_as_they_are() -> None:
    policy = discreet.Policy.from_flags(["age", "sex"], k=5, suppress=0.03)
    found = choose_settings(Trials(make_patients()), policy, 60, fixed=("suppress",))
    assert {one.suppress for one in found.tried} == {0.03}
    assert found.policy.suppress == 0.03
    both = choose_settings(Trials(make_patients()), policy, 60, fixed=("suppress", "algorithm"))
    assert len(both.tried) == 1
    assert both.policy == policy


def test_the_figures_that_were_tried_are_comments_of_the_policy() -> None:
    first = discreet.first_policy(make_patients(), seconds=60)
    assert first.chosen is not None
    text = " ".join(line.strip("# ") for line in first.text.splitlines())
    for one in first.chosen.tried:
        assert one.text in text
    assert "Tried on all 400 rows" in text


def test_a_large_table_is_tried_on_a_sample_and_the_policy_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 300)
    first = discreet.first_policy(make_patients(1000), seconds=60)
    assert first.chosen is not None
    sampled = first.chosen.sampled
    assert sampled is not None
    assert 200 < sampled < 400
    text = " ".join(line.strip("# ") for line in first.text.splitlines())
    assert f"Tried on {sampled:,} rows drawn from 1,000" in text


def test_a_table_without_a_quasi_column_gets_a_policy_that_was_not_tried() -> None:
    table = pa.table({"email": [f"p{n}@example.org" for n in range(40)]})
    first = discreet.first_policy(table, seconds=60)
    assert first.chosen is None
    assert first.facts()["not_tried"]
    assert "Until then this policy does not run." in " ".join(
        line.strip(" #") for line in first.text.splitlines()
    )


def test_a_promise_that_cannot_be_kept_is_said_in_the_policy() -> None:
    table = make_patients(40, 0)
    policy = discreet.Policy(
        columns={"sex": {"role": "quasi"}, "illness": {"role": "sensitive"}},
        require=[{"l_diversity": {"column": "illness", "ell": 9}}],
    )
    found = choose_settings(Trials(table), policy, 60)
    assert found.best is None
    assert all("no release meets this policy" in one.why for one in found.tried)


def test_the_first_policy_holds_no_value(tmp_path: Path) -> None:
    words = [f"word{n}x" for n in range(9)]
    random = Random(2)
    table = pa.table({name: [random.choice(words) for _ in range(300)] for name in ("job", "town")})
    text = discreet.first_policy(table, seconds=60).text
    assert not [word for word in words if word in text]


def test_useful_means_no_column_of_nothing_but_stars() -> None:
    random = Random(3)
    table = pa.table(
        {
            "a": ["x", "y"] * 150,
            "b": ["u", "v"] * 150,
            "c": ["p", "q"] * 150,
            "d": ["r", "s"] * 150,
            "own": [f"{random.random()}" for _ in range(300)],
        }
    )
    policy = discreet.Policy(
        columns={name: {"role": "quasi"} for name in table.column_names},
        require=[{"k_anonymity": {"k": 3}}],
    )
    (first, *_) = choose_settings(Trials(table), policy, 60, fixed=("algorithm",)).tried
    assert first.kept is not None
    assert first.kept.granularity >= USEFUL
    assert first.kept.lost == ("own",)
    assert not first.is_useful


def make_visits() -> pa.Table:
    """Three visits of each of 60 patients."""
    who = [n // 3 for n in range(180)]
    return pa.table(
        {
            "patient_id": [f"P{n:04}" for n in who],
            "sex": ["mf"[n % 2] for n in who],
            "disease": [("flu", "gout", "rash", "cold")[n % 4] for n in range(180)],
        }
    )


def test_people_with_several_rows_are_counted_in_a_first_policy() -> None:
    first = discreet.first_policy(make_visits(), seconds=60)
    policy = parse_policy_text(first.text)
    assert policy.people is not None
    assert policy.people.column == "patient_id"
    assert {model.name for model in policy.require} == {"k_anonymity", "l_diversity"}
    assert discreet.anonymize(make_visits(), policy).holds


def test_people_are_counted_also_where_all_of_them_share_a_value() -> None:
    table = make_visits()
    shared = pa.array(["flu" if n % 3 == 0 else f"ill{n % 7}" for n in range(180)])
    table = table.set_column(2, "disease", shared)
    first = discreet.first_policy(table, seconds=60)
    policy = parse_policy_text(first.text)
    assert policy.people is not None
    assert {model.name for model in policy.require} == {"k_anonymity"}
    assert "No release was possible with this promise about the values of people" in first.text


def test_names_do_not_tell_people_apart_in_a_first_policy() -> None:
    table = make_visits().rename_columns(["name", "sex", "disease"])
    names = [f"Person{chr(65 + n % 26)} Smith" for n in range(180)]
    table = table.set_column(0, "name", pa.array(names))
    assert parse_policy_text(discreet.first_policy(table, seconds=60).text).people is None


def test_learnt_hierarchies_are_private_files_next_to_the_policy(tmp_path: Path) -> None:
    random = Random(4)
    jobs = {f"word{n}x": "mf"[n % 2] for n in range(8)}
    drawn = [random.choice(list(jobs)) for _ in range(400)]
    table = pa.table(
        {
            "job": drawn,
            "sex": [jobs[one] if random.random() < 0.9 else "x" for one in drawn],
            "age": [str(random.randint(20, 60)) for _ in range(400)],
        }
    )
    first = discreet.first_policy(table, seconds=60)
    path = tmp_path / "first.yaml"
    first.save(path)
    text = path.read_text()
    assert not [word for word in jobs if word in text]
    if first.trees:
        (file, *_) = sorted((tmp_path / "first-hierarchies").iterdir())
        assert file.stat().st_mode & 0o777 == 0o600
    policy = discreet.Policy.load(path)
    assert first.chosen is not None
    assert first.chosen.best is not None
    assert first.chosen.best.kept is not None
    found = discreet.anonymize(table, policy).facts()["measures"]["granularity"]
    assert found == pytest.approx(first.chosen.best.kept.granularity)
    with pytest.raises(WriteError, match="exists already"):
        first.save(path)
