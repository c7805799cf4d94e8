"""What a policy says about its release."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import discreet
from discreet.certificate.certify import make_shown_policy
from discreet.errors import PolicyError
from discreet.policy.about import THRESHOLDS, About, find_threshold, note_validity

BASE: dict[str, Any] = {
    "columns": {"age": {"role": "quasi", "hierarchy": {"intervals": [10, 50]}}},
    "require": [{"k_anonymity": {"k": 2}}],
}
ABOUT: dict[str, Any] = {
    "title": "Visits of 2023",
    "description": "One row per visit:\nage only.",
    "purpose": "teaching",
    "holder": "City hospital",
    "contact": "data@hospital.example",
    "recipient": "students",
    "environment": "contract",
    "controls": ["training", "log: of access"],
    "population": "all patients",
    "period": "2023",
    "licence": "CC-BY-4.0",
    "url": "https://hospital.example/visits",
    "reviewed_by": ["ethics board"],
    "valid_until": "2030-12-31",
    "threshold": {"risk": 0.25, "reason": "students are known"},
}
AGES = pa.table({"age": ["31", "36", "34", "62", "68", "65"]})


def make(about: Any, **more: Any) -> discreet.Policy:
    return discreet.Policy(**{**BASE, **more}, about=about)


def test_everything_said_survives_a_file_a_recipient_and_a_certificate(tmp_path: Path) -> None:
    policy = make(ABOUT, profiles={"ward": {"preset": "public use"}}, profile="ward")
    policy.save(tmp_path / "policy.yaml")
    loaded = discreet.Policy.load(tmp_path / "policy.yaml")
    plain = loaded.for_recipient()
    shown = discreet.Policy.parse(make_shown_policy(plain).text)
    for one in (policy, loaded, plain, shown):
        assert one.about.write_spec() == ABOUT


def test_a_release_is_the_same_whatever_is_said_about_it(tmp_path: Path) -> None:
    made = []
    for about in (None, ABOUT):
        discreet.anonymize(AGES, make(about, seed=7)).write(tmp_path / "out.csv")
        made.append((tmp_path / "out.csv").read_bytes())
        (tmp_path / "out.csv").unlink()
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("Visits", "about: needs keys such as title, there is the text 'Visits'."),
        ({"license": "MIT"}, "about.license: is not a key here. Did you mean 'licence'?"),
        ({"period": 2023}, "about.period: needs text, there is 2023. Use quotes: '2023'."),
        ({"title": " "}, "about.title: the text is empty"),
        ({"title": "a\x1b[2J"}, "about.title: the text is empty or has characters"),
        ({"purpose": "x" * 5001}, "about.purpose: the text has 5,001 characters"),
        ({"controls": ["a", 3]}, "about.controls[1]: needs text, there is 3."),
        ({"url": "hospital.example"}, "about.url: needs an address such as https://"),
        ({"environment": "publc"}, "Did you mean 'public'?"),
        ({"valid_until": "2030-02-30"}, "about.valid_until: needs a day such as 2030-12-31"),
        ({"threshold": {"risk": 9, "reason": "x"}}, "Did you mean 0.09?"),
        ({"threshold": {"risk": float("nan"), "reason": "x"}}, "about.threshold.risk: is a chance"),
        ({"threshold": {"risk": 0.1}}, "about.threshold.reason: is missing."),
        ({"threshold": {}}, "about.threshold.risk: is missing."),
        ({"threshold": {"preset": "ema", "risk": 0.1}}, "a preset has its own risk"),
    ],
    ids=str,
)
def test_a_mistake_is_named_with_its_key_and_what_to_do(said: Any, message: str) -> None:
    with pytest.raises(PolicyError) as error:
        make(said)
    assert message in str(error.value)


def test_a_mistake_in_a_file_is_told_with_its_line() -> None:
    text = "columns:\n  age: {role: quasi}\nrequire:\n- k_anonymity: {k: 2}\nabout:\n  titel: x\n"
    with pytest.raises(PolicyError, match="line 6"):
        discreet.Policy.parse(text)


def test_an_object_is_checked_as_a_file_is() -> None:
    with pytest.raises(PolicyError, match="environment"):
        make(About(environment="moon"))


def test_a_policy_out_of_date_is_said_by_verify_and_changes_no_verdict() -> None:
    ages = pa.table({"age": ["[30, 40)"] * 3})
    old = discreet.verify(ages, make({"valid_until": "2020-01-31"}))
    assert old.holds
    assert "was valid until 2020-01-31" in old.facts()["outdated"]
    assert "outdated" not in discreet.verify(ages, make({"valid_until": "2999-01-31"})).facts()


def test_the_last_day_is_still_valid() -> None:
    policy = make({"valid_until": "2030-12-31"})
    assert note_validity(policy, date(2030, 12, 31)) == ""
    assert note_validity(policy, date(2031, 1, 1)) != ""


def test_the_threshold_is_the_one_that_is_named_else_what_is_promised() -> None:
    assert find_threshold(make({"threshold": {"preset": "cms"}}))[0] == 1 / 11
    assert find_threshold(make(ABOUT)) == (0.25, "students are known")
    promised, reason = find_threshold(make(None))
    assert promised == 0.5
    assert "classes of at least 2" in reason


def test_a_class_size_of_some_columns_is_no_threshold_for_all() -> None:
    columns = {"age": {"role": "quasi"}, "sex": {"role": "quasi"}}
    policy = make(None, columns=columns, require=[{"k_anonymity": {"k": 9, "columns": ["age"]}}])
    found, reason = find_threshold(policy)
    assert found == 0.2
    assert "promises no class size" in reason


@pytest.mark.parametrize("name", THRESHOLDS)
def test_each_preset_says_its_source_and_date(name: str) -> None:
    preset = THRESHOLDS[name]
    assert 0 < preset.risk < 1
    assert preset.source in preset.reason
    assert preset.date[-4:].isdigit()
    page = (Path(__file__).parents[2] / "docs/explain/thresholds.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
    least = int(row.split("|")[3])
    assert 1 / least <= preset.risk < 1 / (least - 1)
