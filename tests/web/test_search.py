"""What Search shows: the best release in words, its proof, and what helps where there is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discreet.web import lattice_work
from discreet.web.app import App
from discreet.web.child import Held
from discreet.web.words import Words
from tests.web.client import POLICY, Client

FIVE = POLICY.replace("k: 3", "k: 5")
"""No release of the table as it is keeps this."""


@pytest.fixture
def place(client: Client, table: Path, policy: Path) -> str:
    """A workspace with the small table and its policy."""
    policy.write_text(FIVE)
    found = client.begin()
    client.submit(f"{found}/open/path", path=str(table), policy=str(policy))
    return found


def apply_text(client: Client, place: str, text: str) -> None:
    assert client.submit(f"{place}/policy/apply", text=text).status_code == 200


def find_result(page: str) -> str:
    """The words of the card with the result."""
    found = re.search(r'<section[^>]*id="search-result".*?</section>', page, re.S)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def test_a_search_tells_levels_promises_and_proof_in_words(client: Client, place: str) -> None:
    client.submit(f"{place}/search/run")
    told = find_result(client.visit(f"{place}/search").text)
    assert "Proven best." in told
    assert "of the rows are left out (0)" in told
    assert "Every row matches at least 4 other rows. Measured" in told
    assert "age nothing: one value for all 0 %" in told
    assert "zip as found" in told


def test_a_result_of_an_earlier_policy_says_so(client: Client, place: str) -> None:
    client.submit(f"{place}/search/run")
    assert "changed since this search" not in client.visit(f"{place}/search").text
    apply_text(client, place, POLICY)
    page = client.visit(f"{place}/search").text
    assert "changed since this search" in page
    assert 'id="advice"' not in page


def test_levels_that_the_policy_fixes_are_shown_and_not_searched(
    client: Client, place: str
) -> None:
    apply_text(client, place, FIVE + "algorithm: {fixed: {levels: {age: 2, zip: 2}}}\n")
    client.submit(f"{place}/search/run")
    told = find_result(client.visit(f"{place}/search").text)
    assert "fixes these levels" in told
    assert "age generalized, level 2 of" in told


def test_a_release_cell_by_cell_is_told_as_such(client: Client, place: str) -> None:
    apply_text(client, place, FIVE + "algorithm: local\n")
    client.submit(f"{place}/search/run")
    told = find_result(client.visit(f"{place}/search").text)
    assert "each cell as fine as its row allows" in told
    assert re.search(r"At most [\d.]+ points of loss", told), told


def test_where_nothing_is_reachable_a_suggestion_is_applied_with_one_click(
    client: Client, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lattice_work, "TRIES", 1.0)
    apply_text(client, place, POLICY + "  - l_diversity: {column: disease, ell: 4}\n")
    client.submit(f"{place}/search/run")
    page = client.visit(f"{place}/search").text
    assert "No release keeps these promises" in page
    client.submit(f"{place}/search/advise")
    page = client.visit(f"{place}/search").text
    assert "▼ Weaker promise" in page
    client.submit(f"{place}/search/apply", number="0")
    page = client.visit(f"{place}/search").text
    assert "Proven best." in page
    assert "ell: 4" not in page
    client.submit(f"{place}/search/undo")
    assert "ell: 4" in client.visit(f"{place}/search").text


def test_a_suggestion_that_is_not_there_is_refused(client: Client, place: str) -> None:
    for number in ("0", "-1", "x"):
        answer = client.submit(f"{place}/search/apply", number=number)
        assert answer.status_code == 422
        assert "there is no such suggestion" in answer.text


def test_a_broken_policy_cannot_be_searched(client: Client, place: str) -> None:
    apply_text(client, place, POLICY.replace("quasi", "qasi", 1))
    page = client.visit(f"{place}/search").text
    assert "The policy has problems" in page
    assert re.search(r'id="search-run"[^>]*aria-disabled="true"', page)


def test_the_gap_is_told_in_points(client: Client, place: str, app: App) -> None:
    client.submit(f"{place}/search/run")
    (workspace,) = app.desk
    workspace.kept["search"]["found"]["optimal"].update(proven=False, gap=0.004)
    told = find_result(client.visit(f"{place}/search").text)
    assert "At most 0.4 points of loss (of 100) from the best." in told
    german = client.visit(f"{place}/search", **{"accept-language": "de"}).text
    assert "Höchstens 0,4 Punkte" in german


def test_the_lattice_is_kept_while_only_the_algorithm_changes() -> None:
    held = Held()
    text = "columns: {a: {role: quasi}}\nrequire: [{k_anonymity: {k: 2}}]\n"
    held.found["lattice"] = (
        repr({"columns": {"a": {"role": "quasi"}}, "require": [{"k_anonymity": {"k": 2}}]}), "."
    ), "lattice", {}  # fmt: skip
    for more in ("", "algorithm: mondrian\n"):
        assert lattice_work.find_lattice(held, text + more, "p.yaml", ".")[0] == "lattice"


def test_every_phase_has_a_word_in_each_language() -> None:
    for name in ("reading", "counting", "planning", "searching", "writing", "verifying"):
        assert all(Words(one).say(f"search.phase_{name}") for one in ("en", "de"))
