"""The screen of promises: sentences with numbers, thresholds, recipients, and the cost of k."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

import discreet
from discreet.web.screens import promises
from discreet.web.words import load_texts
from tests.web.client import POLICY, Client
from tests.web.test_pages import read_policy


@pytest.fixture
def screen(client: Client, place: str) -> str:
    """The address of the screen, with a short policy."""
    client.submit(f"{place}/policy/apply", text=POLICY)
    return f"{place}/promises"


def read_data(page: str) -> dict[str, Any]:
    """What the policy pane says."""
    found: dict[str, Any] = yaml.safe_load(read_policy(page))
    return found


def test_each_promise_is_a_sentence_with_its_numbers_as_fields(client: Client, screen: str) -> None:
    page = client.visit(screen).text
    assert "groups have at least" in page
    assert 'id="promise-0-k" name="k" value="3" aria-label="Smallest group"' in page


def test_every_promise_can_be_added_and_is_said_in_words(client: Client, screen: str) -> None:
    page = client.visit(screen).text
    items = discreet.policy_schema()["properties"]["require"]["items"]
    models = items["anyOf"][0]["properties"]
    assert set(models) == set(promises.IN_SENTENCE)
    for name in models:
        assert f'id="add-{name}-go"' in page
        for text in (f"name_{name}", f"name_{name}_why", f"for_{name}", f"says_{name}"):
            assert f"promises.{text}" in load_texts()


def test_algorithms_and_measures_are_named_in_words(client: Client, screen: str) -> None:
    page = client.visit(screen).text
    for key, prefix in (("algorithm", "by"), ("measure", "as")):
        for name in discreet.policy_schema()["properties"][key]["anyOf"][1]["enum"]:
            assert f'<option value="{name}"' in page
            assert f"promises.{prefix}_{name.replace('-', '_')}" in load_texts()


ADDED = {
    "l_diversity": ({"column": "disease", "ell": "2"}, {"column": "disease", "ell": 2}),
    "t_closeness": ({"column": "disease", "t": "0,2"}, {"column": "disease", "t": 0.2}),
    "largest_risk": ({"max": "9 %"}, {"max": 0.09}),
    "sample_uniques": ({"max": "0", "columns": "age"}, {"max": 0, "columns": ["age"]}),
    "probabilistic": (
        {"k": "20,000", "population": "300.000.000"},
        {"k": 20000, "population": 300000000},
    ),
    "k_map": (
        {"k": "2", "register": "people.csv", "names": "age: years"},
        {"k": 2, "register": "people.csv", "names": {"age": "years"}},
    ),
}


@pytest.mark.parametrize("name", ADDED)
def test_a_promise_is_added_with_what_its_form_says(client: Client, screen: str, name: str) -> None:
    fields, wanted = ADDED[name]
    client.visit(screen)
    page = client.submit(f"{screen}/add", model=name, **fields).text
    assert read_data(page)["require"] == [{"k_anonymity": {"k": 3}}, {name: wanted}]
    assert "# what leaves the house" in read_policy(page)


def test_a_promise_is_changed_and_removed_and_both_can_be_undone(
    client: Client, screen: str
) -> None:
    client.visit(screen)
    client.submit(f"{screen}/add", model="largest_risk", max="0.5")
    page = client.submit(f"{screen}/change", number="0", model="k_anonymity", k="7").text
    assert read_data(page)["require"][0] == {"k_anonymity": {"k": 7}}
    page = client.submit(f"{screen}/remove", number="0", model="k_anonymity").text
    assert read_data(page)["require"] == [{"largest_risk": {"max": 0.5}}]
    for _ in range(3):
        page = client.submit(f"{screen}/undo").text
    assert read_policy(page) == POLICY


BAD = {
    "must be a whole number of at least 1. There is 0.": ("change", {"number": "0", "k": "0"}),
    "whole number of at least 1": ("change", {"number": "0", "k": "many"}),
    "it is gone": ("change", {"number": "7", "k": "5"}),
    "it is another one now": ("remove", {"number": "0", "model": "t_closeness"}),
    "is empty": ("remove", {"number": "0"}),
    "there is none of this name": ("add", {"model": "luck"}),
    "Did you mean": ("suppress", {"percent": "200"}),
    "needs a share from 0 to 1": ("suppress", {"percent": "some"}),
    "is a chance above 0": ("threshold", {"risk": "2", "reason": "why not"}),
    "needs a reason": ("threshold", {"risk": "0.1"}),
    "profile": ("profile", {"profile": "nobody"}),
    "time_limit": ("search", {"time_limit": "soon"}),
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_be_promised_is_refused_with_the_state_before(
    client: Client, screen: str, message: str
) -> None:
    action, fields = BAD[message]
    client.visit(screen)
    answer = client.submit(f"{screen}/{action}", **fields)
    assert answer.status_code == 422
    notices = "".join(re.findall(r'<div class="notice bad fault.*?</div>', answer.text, re.S))
    assert message in notices
    assert read_policy(answer.text) == POLICY


def test_a_threshold_by_name_is_accepted_and_sets_the_class_size(
    client: Client, screen: str
) -> None:
    page = client.visit(screen).text
    assert "at most 9 %, groups of at least 12" in page
    data = read_data(client.submit(f"{screen}/threshold", preset="ema").text)
    assert data["about"] == {"threshold": {"preset": "ema"}}
    assert data["require"] == [{"k_anonymity": {"k": 12}}]
    data = read_data(client.submit(f"{screen}/threshold", preset="cms").text)
    assert data["require"] == [{"k_anonymity": {"k": 11}}]


def test_a_threshold_of_ones_own_needs_its_reason(client: Client, screen: str) -> None:
    client.visit(screen)
    page = client.submit(f"{screen}/threshold", risk="10 %", reason="Board, 12 May").text
    data = read_data(page)
    assert data["about"]["threshold"] == {"risk": 0.1, "reason": "Board, 12 May"}
    assert data["require"] == [{"k_anonymity": {"k": 10}}]


def test_the_recipient_is_chosen_and_may_differ_by_column(client: Client, screen: str) -> None:
    client.visit(screen)
    data = read_data(client.submit(f"{screen}/profile", profile="researcher").text)
    assert data["profile"] == "researcher"
    assert data["profiles"] == {"researcher": {"preset": "researcher"}}
    page = client.submit(f"{screen}/profile", profile="").text
    assert read_policy(page) == POLICY
    data = read_data(client.submit(f"{screen}/likelihoods", **{"likelihood-1": "0,2"}).text)
    assert data["profile"] == "recipient"
    assert data["profiles"] == {"recipient": {"likelihoods": {"zip": 0.2}}}
    page = client.submit(f"{screen}/profile", profile="caretaker").text
    assert read_data(page)["profiles"].keys() == {"recipient", "caretaker"}
    assert 'name="profile" value=""' not in page


def test_rows_left_out_are_said_in_per_cent(client: Client, screen: str) -> None:
    page = client.submit(f"{screen}/suppress", percent="2,5 %").text
    assert read_data(page)["suppress"] == 0.025
    assert 'name="percent" class="number"' in page
    assert 'value="2.5"' in page


def test_algorithm_measure_and_time_are_set(client: Client, screen: str) -> None:
    asked = {"algorithm": "local", "measure": "precision", "time_limit": "30"}
    data = read_data(client.submit(f"{screen}/search", **asked).text)
    assert {key: data[key] for key in asked} == {**asked, "time_limit": 30}
    before = "algorithm: {local: {consistent: true}}\n"
    client.submit(screen.replace("promises", "policy/apply"), text=POLICY + before)
    data = read_data(client.submit(f"{screen}/search", algorithm="local", measure="loss").text)
    assert data["algorithm"] == {"local": {"consistent": True}}


def test_the_cost_of_each_k_is_worked_out_and_one_can_be_taken(client: Client, screen: str) -> None:
    client.visit(screen)
    page = client.submit(f"{screen}/costs").text
    assert len(re.findall(r'id="cost-\d', page)) == len(promises.SIZES) - 1
    assert "<style>" not in page
    page = client.submit(f"{screen}/size", k="10").text
    assert read_data(page)["require"] == [{"k_anonymity": {"k": 10}}]
    assert "from before your last changes" not in page
    page = client.submit(f"{screen}/suppress", percent="5").text
    assert "from before your last changes" in page


def test_costs_of_a_policy_with_a_mistake_say_what_it_is(client: Client, screen: str) -> None:
    client.visit(screen)
    client.submit(screen.replace("promises", "policy/apply"), text=POLICY.replace("k: 3", "k: 0"))
    answer = client.submit(f"{screen}/costs")
    assert answer.status_code == 422
    assert "must be a whole number" in answer.text


@pytest.mark.parametrize("text", ["columns: [", "require: 3", "require: [[], {a: 1}, null]", ""])
def test_a_text_that_says_nonsense_is_still_shown(client: Client, screen: str, text: str) -> None:
    client.submit(screen.replace("promises", "policy/apply"), text=text)
    assert client.visit(screen).status_code == 200
    assert client.visit(screen.replace("promises", "hierarchies")).status_code == 200
