"""The screen of hierarchies: what it shows of each column, and how each kind is set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discreet.errors import DiscreetError
from discreet.web import groups
from tests.web.client import Client
from tests.web.test_pages import read_policy


def set_kind(client: Client, place: str, column: str, kind: str, **fields: str) -> str:
    """Submit the form of a kind; gives the page."""
    return client.submit(f"{place}/hierarchies/set", column=column, kind=kind, **fields).text


def read_spec(page: str, column: str) -> str:
    """What the policy pane says of a column."""
    found = re.search(rf"^  {column}: (.*)$", read_policy(page), re.M)
    return found[1] if found else ""


def test_each_quasi_column_is_listed_and_one_is_drawn(client: Client, place: str) -> None:
    page = client.visit(f"{place}/hierarchies?column=zip").text
    assert page.count('class="pick"') == 3
    assert '<h2 id="hierarchy-name">zip</h2>' in page
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="chart"' in page
    assert "<style>" not in page
    assert "8 values as found" in page
    assert '<th scope="row">02137</th><td class="n">15</td><td class="n">12.5 %</td>' in page


def test_the_chosen_column_is_kept(client: Client, place: str) -> None:
    client.visit(f"{place}/hierarchies?column=zip")
    assert '<h2 id="hierarchy-name">zip</h2>' in client.visit(f"{place}/hierarchies").text
    page = client.visit(f"{place}/hierarchies?column=nobody").text
    assert '<h2 id="hierarchy-name">age</h2>' in page


def test_without_quasi_columns_the_screen_leads_to_roles(client: Client, place: str) -> None:
    for column in ("age", "zip", "sex"):
        client.submit(f"{place}/roles/set", column=column, role="other")
    assert "No column is quasi" in client.visit(f"{place}/hierarchies").text


KINDS = {
    "intervals": ("age", {"main": "5, 10; 20"}, "{intervals: [5, 10, 20]}"),
    "ends": ("age", {"main": "5", "top": "50"}, "{intervals: {widths: [5], top: 50}}"),
    "cuts": ("age", {"main": "30, 40, 50\n\n40"}, "{cuts: [[30, 40, 50], [40]]}"),
    "prefix": ("zip", {"main": "4 3"}, "{prefix: [4, 3]}"),
    "known": ("sex", {"name": "sex"}, "{known: sex}"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_written_into_the_policy(client: Client, place: str, kind: str) -> None:
    column, fields, wanted = KINDS[kind]
    before = read_policy(client.visit(f"{place}/hierarchies").text)
    page = set_kind(client, place, column, kind.replace("ends", "intervals"), **fields)
    assert f"hierarchy: {wanted}" in read_spec(page, column)
    assert read_policy(client.submit(f"{place}/hierarchies/undo").text) == before


def test_a_hierarchy_can_be_taken_away_and_proposed_again(client: Client, place: str) -> None:
    before = read_policy(client.visit(f"{place}/hierarchies").text)
    page = set_kind(client, place, "age", "flat")
    assert read_spec(page, "age") == "{role: quasi}"
    assert "Use the proposal" in page
    page = client.submit(f"{place}/hierarchies/propose", column="age").text
    assert read_policy(page) == before


BAD = {
    "its width is not a multiple": ("age", "intervals", {"main": "5, 7"}),
    "widths must be numbers": ("age", "intervals", {"main": "five"}),
    "its numbers are not some of the numbers": ("age", "cuts", {"main": "30, 60\n61"}),
    "there is no such file": ("zip", "file", {"path": "/nowhere/zip.csv"}),
    "not quasi": ("name", "flat", {}),
    "there is no level": ("zip", "dates", {"level": "yesterday"}),
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_be_is_refused_with_the_state_before(
    client: Client, place: str, message: str
) -> None:
    column, kind, fields = BAD[message]
    before = read_policy(client.visit(f"{place}/hierarchies").text)
    answer = client.submit(f"{place}/hierarchies/set", column=column, kind=kind, **fields)
    assert answer.status_code == 422
    assert message in answer.text
    assert read_policy(answer.text) == before


def test_values_that_do_not_fit_are_counted_and_can_be_one_group(
    client: Client, place: str
) -> None:
    page = set_kind(client, place, "sex", "intervals", main="5")
    assert "2 of its 2 different values are not numbers" in page
    page = client.submit(f"{place}/hierarchies/widen", column="sex").text
    assert "others: group" in read_spec(page, "sex")
    assert "120 rows (100 %) have values that it does not know" in page


def test_every_form_says_which_column_it_is_about(client: Client, place: str) -> None:
    set_kind(client, place, "age", "flat")
    set_kind(client, place, "sex", "intervals", main="5")
    for column, least in (("age", 8), ("sex", 9)):
        page = client.visit(f"{place}/hierarchies?column={column}").text
        forms = re.findall(r'<form method="post" action="[^"]*/hierarchies/.*?</form>', page, re.S)
        own = [one for one in forms if not re.search(r"/(undo|redo|language)\"", one)]
        assert len(own) >= least
        assert all(f'name="column" value="{column}"' in one for one in own)


def test_a_mistake_in_one_column_hides_no_other(client: Client, place: str) -> None:
    set_kind(client, place, "sex", "intervals", main="5")
    page = client.visit(f"{place}/hierarchies?column=zip").text
    assert page.count("Does not fit") == 1
    assert "8 values as found" in page


def test_a_file_of_arx_is_imported_and_what_it_lacks_is_counted(
    client: Client, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "zip.csv"
    path.write_text("".join(f"0213{n};0213*;*\n" for n in range(6)))
    page = set_kind(client, place, "zip", "file", path=str(path))
    assert "2 of its 8 different values are missing from hierarchy file" in page
    page = client.submit(f"{place}/hierarchies/widen", column="zip").text
    assert "uncovered: root" in read_spec(page, "zip")
    path.write_text("".join(f"0213{n};0213*;*\n" for n in range(8)))
    page = set_kind(client, place, "zip", "file", path=str(path))
    assert "Every value of the column has its place" in page


def test_hierarchies_of_an_earlier_policy_are_taken_over_with_their_files(
    client: Client, place: str, tmp_path: Path, policy: Path
) -> None:
    (tmp_path / "zip.csv").write_text("".join(f"0213{n};all\n" for n in range(8)))
    policy.write_text(policy.read_text().replace("{prefix: [4, 3]}", "{file: zip.csv}"))
    asked = {"column": "age", "path": str(policy)}
    page = client.submit(f"{place}/hierarchies/earlier", **asked).text
    assert "{intervals: [5, 10]}" in read_spec(page, "age")
    assert "prefix" in read_spec(page, "zip")
    page = client.submit(f"{place}/hierarchies/earlier", **asked, all="1").text
    assert str(tmp_path / "zip.csv") in read_spec(page, "zip")
    answer = client.submit(f"{place}/hierarchies/earlier", column="sex", path=str(policy))
    assert answer.status_code == 422
    assert "no hierarchy for this column" in answer.text


def test_categories_are_grouped_and_taken_apart(client: Client, place: str) -> None:
    client.submit(f"{place}/roles/set", column="disease", role="quasi")
    address = f"{place}/hierarchies/group"
    set_kind(client, place, "disease", "flat")
    body = {"column": "disease", "kind": "tree", "name": "cold"}
    page = client.submit(address, **body, place="0").text
    assert "{tree: {'*': [{cold: [cough]}, flu, gout]}}" in read_spec(page, "disease")
    page = client.submit(address, **body, place="1").text
    assert "{tree: {'*': [{cold: [cough, flu]}, gout]}}" in read_spec(page, "disease")
    assert "2 values" in page
    page = client.submit(address, column="disease", apart="0").text
    assert "{tree: {'*': [cough, flu, gout]}}" in read_spec(page, "disease")


def test_grouping_begins_with_the_hierarchy_as_it_is(
    client: Client, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "zip.csv"
    path.write_text("".join(f"0213{n};{'NS'[n // 4]};*\n" for n in range(8)))
    set_kind(client, place, "zip", "file", path=str(path))
    page = client.submit(f"{place}/hierarchies/group", column="zip", apart="1").text
    north = "{N: ['02130', '02131', '02132', '02133']}"
    rest = "'02134', '02135', '02136', '02137'"
    assert f"{{tree: {{'*': [{north}, {rest}]}}}}" in read_spec(page, "zip")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ""}, "it has no name"),
        ({"name": "north"}, "nothing is selected"),
        ({"name": "F", "place": "0"}, "a value has this name"),
        ({"name": "north", "place": "99"}, "a value is gone"),
        ({"name": "north", "place": "../0"}, "a value is gone"),
    ],
)
def test_a_group_that_cannot_be_made_is_refused(
    client: Client, place: str, fields: dict[str, str], message: str
) -> None:
    before = read_policy(client.visit(f"{place}/hierarchies").text)
    answer = client.submit(f"{place}/hierarchies/group", column="sex", **fields)
    assert answer.status_code == 422
    assert message in answer.text
    assert read_policy(answer.text) == before


def test_values_in_no_group_are_counted_and_added(client: Client, place: str) -> None:
    text = read_policy(client.visit(f"{place}/hierarchies").text)
    text = re.sub(r"(?m)^  sex: .*$", "  sex: {role: quasi, hierarchy: {tree: {all: [F]}}}", text)
    client.submit(f"{place}/policy/apply", text=text)
    page = client.visit(f"{place}/hierarchies?column=sex").text
    assert "1 value is in no group yet" in page
    page = client.submit(f"{place}/hierarchies/rest", column="sex", name="Other").text
    assert "{tree: {all: [F, {Other: [M]}]}}" in read_spec(page, "sex")
    client.submit(f"{place}/hierarchies/undo")
    page = client.submit(f"{place}/hierarchies/rest", column="sex").text
    assert "{tree: {all: [F, M]}}" in read_spec(page, "sex")


# The tree by itself


TREE: list[groups.Node] = [{"Europe": [{"North": ["Oslo", "Umea"]}, "Rome"]}, "Lima", None]


def test_a_tree_is_read_as_it_was_written() -> None:
    assert groups.read_tree(groups.write_tree(TREE, "World")) == ("World", TREE)
    assert groups.read_tree({"tree": {"a": {"b": None}, "c": [1, ""]}}) == (
        *("*", [{"a": ["b"]}, {"c": ["1", None]}]),
    )
    assert groups.read_tree({"prefix": [2]}) is None


def test_parts_of_several_groups_become_one_under_the_root() -> None:
    found = groups.put_together(TREE, [(0, 0, 1), (1,)], "Mixed")
    assert found == [{"Mixed": ["Umea", "Lima"]}, {"Europe": [{"North": ["Oslo"]}, "Rome"]}, None]


def test_parts_of_one_group_become_a_group_in_it() -> None:
    found = groups.put_together(TREE, [(0, 0, 0), (0, 0, 1)], "Nordic")
    assert found[0] == {"Europe": [{"North": [{"Nordic": ["Oslo", "Umea"]}]}, "Rome"]}


def test_a_group_that_is_there_takes_more_values_and_empty_ones_go() -> None:
    found = groups.put_together(TREE, [(0, 0, 0), (0, 0, 1), (1,)], "Europe")
    assert found == [{"Europe": ["Rome", "Oslo", "Umea", "Lima"]}, None]


def test_no_group_is_put_into_itself() -> None:
    with pytest.raises(DiscreetError, match="in itself"):
        groups.put_together(TREE, [(0,)], "North")


def test_a_group_within_a_chosen_group_moves_with_it() -> None:
    found = groups.put_together(TREE, [(0,), (0, 1), (1,)], "All")
    assert found == [{"All": [TREE[0], "Lima"]}, None]
