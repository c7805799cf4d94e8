"""The profiles of a policy are read as they were meant, or refused with the key and the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.errors import PolicyError
from discreet.policy.policy import Policy
from discreet.policy.profiles import Profile

HEAD = """\
columns:
  birth: {role: quasi}
  sex: {role: quasi, weight: 3}
  zip: {role: quasi}
  disease: {role: sensitive}
  ward: {role: other}
  name: {role: identifier}
  remarks: {role: text}
require:
  - k_anonymity: {k: 3}
  - l_diversity: {column: disease, ell: 2}
"""
GOOD = """\
profiles:
  public use: {preset: public use}
  registry: {likelihoods: {birth: 1, ward: 0.4}, audience: Registry, includes: [alice, bob]}
  researcher: {preset: researcher, likelihoods: {zip: 0.2}, quasi_identifiers: [[birth, sex]]}
profile: registry
"""


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def from_text(text: str) -> Policy:
        path = tmp_path / "policy.yml"
        path.write_text(HEAD + text)
        return Policy.load(path)

    return from_text


def test_good_profiles_mean_what_they_say(load: Any) -> None:
    policy = load(GOOD)
    assert policy.profile == "registry"
    assert policy.profiles["public use"] == Profile(preset="public use")
    assert policy.profiles["registry"] == Profile(
        {"birth": 1.0, "ward": 0.4}, audience="Registry", includes=("alice", "bob")
    )
    assert policy.profiles["researcher"].quasi_identifiers == (("birth", "sex"),)


def test_a_policy_with_profiles_is_written_as_it_was_read(load: Any, tmp_path: Path) -> None:
    policy = load(GOOD)
    again = tmp_path / "again.yml"
    again.write_text(policy.to_yaml(tmp_path))
    assert Policy.load(again) == policy


def test_profiles_are_taken_as_objects_too(load: Any) -> None:
    policy = load(GOOD)
    assert policy.replace(profiles={"r": Profile({"zip": 0.2})}, profile="r").profiles == {
        "r": Profile({"zip": 0.2})
    }


def test_a_column_that_is_not_named_has_the_presets_likelihood_else_1() -> None:
    assert Profile().find_likelihood("zip") == 1
    assert Profile(preset="researcher").find_likelihood("zip") == 0.5
    assert Profile({"zip": 0.1}, preset="caretaker").find_likelihood("zip") == 0.1


LIKELIHOOD = "profiles.r.likelihoods.zip: is a likelihood from 0"
WRONG = {
    "{r: {likelihoods: {zip: 1.5}}}": LIKELIHOOD,
    "{r: {likelihoods: {zip: -0.1}}}": LIKELIHOOD,
    "{r: {likelihoods: {zip: 40}}}": "Did you mean 0.4?",
    "{r: {likelihoods: {zip: '0.4'}}}": "Write it without quotes: 0.4.",
    "{r: {likelihoods: {zip: true}}}": "there is true",
    "{r: {likelihoods: {zip: .nan}}}": LIKELIHOOD,
    "{r: {likelihoods: {zip: .inf}}}": LIKELIHOOD,
    f"{{r: {{likelihoods: {{zip: {10**400}}}}}}}": LIKELIHOOD,
    "{r: {likelihoods: {zip: }}}": "there is nothing",
    "{r: {likelihoods: [zip]}}": "needs a likelihood for each column, there is a list",
    "{r: {likelihoods: {zpi: 1}}}": "the policy has no column 'zpi'. Did you mean 'zip'?",
    "{r: {likelihoods: {name: 1}}}": "column 'name' has role identifier",
    "{r: {likelihoods: {remarks: 0}}}": "column 'remarks' has role text",
    "{r: {likelihoods: {disease: 0.4}}}": "l_diversity guards column 'disease'",
    "{r: {preset: researchers}}": "'researchers' is not a preset. Did you mean 'researcher'?",
    "{r: {preset: 1}}": "profiles.r.preset: there is 1",
    "{r: {linked: {zip: 1}}}": "profiles.r.linked: is not a key of a profile",
    "{r: public use}": "needs a preset or likelihoods, there is the text 'public use'",
    "{r: }": "needs a preset or likelihoods, there is nothing",
    "[r]": "needs recipients by name, there is a list",
    "{' ': {preset: researcher}}": "the name of a recipient is empty",
    "{r: {quasi_identifiers: [birth, sex]}}": "there is one list. Write [[birth, sex], [zip, sex]]",
    "{r: {quasi_identifiers: [[]]}}": "profiles.r.quasi_identifiers[0]: is empty",
    "{r: {quasi_identifiers: [[birth, birth]]}}": "names something twice",
    "{r: {quasi_identifiers: [[birth, 1]]}}": "needs the name of a column, there is 1",
    "{r: {quasi_identifiers: [[birth, age]]}}": "the policy has no column 'age'",
    "{r: {quasi_identifiers: [[birth, ward]]}}": "'ward' has role other and no likelihood",
    "{r: {preset: caretaker, quasi_identifiers: [[zip]]}}": "column 'zip' has likelihood 0",
    "{r: {includes: [alice]}}": "profiles.r.includes: says who is part of an audience",
    "{r: {audience: 7}}": "needs the name of an audience, there is 7",
    "{r: {audience: x, includes: alice}}": "needs a list of names, there is the text 'alice'",
}


@pytest.mark.parametrize("text", WRONG, ids=WRONG.get)
def test_a_mistake_is_named_with_its_line(load: Any, text: str) -> None:
    with pytest.raises(PolicyError) as error:
        load(f"profiles: {text}\n")
    assert WRONG[text] in str(error.value)
    assert "policy.yml, line 12: profiles" in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("profile: registry\n", "the policy has no profiles"),
        (
            GOOD.replace("profile: r", "profile: R"),
            "no profile 'Registry'. Did you mean 'registry'",
        ),
    ],
)
def test_a_profile_that_is_not_there_is_refused(load: Any, text: str, told: str) -> None:
    with pytest.raises(PolicyError, match=told):
        load(text)


def test_every_recipient_must_be_said(load: Any) -> None:
    policy = load("profiles: {public use: {preset: public use}}\n")
    with pytest.raises(PolicyError, match="line 12: profiles: no recipient is named"):
        policy.for_recipient()
    with pytest.raises(PolicyError, match="no profile 'public'"):
        policy.for_recipient("public")


def test_a_register_is_joined_on_all_columns_or_not_at_all(tmp_path: Path) -> None:
    columns = {"birth": {"role": "quasi"}, "zip": {"role": "quasi"}}
    more: Any = {"require": [{"k_map": {"k": 2, "register": "people.csv"}}], "folder": tmp_path}
    Policy(columns=columns, profiles={"r": {"likelihoods": {"zip": 0}}}, **more)
    with pytest.raises(PolicyError, match=r"profiles\.r: k_map is joined on all quasi columns"):
        Policy(columns=columns, profiles={"r": {"likelihoods": {"zip": 0.5}}}, **more)
