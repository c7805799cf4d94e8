"""What the pages show and do: opening, roles, the policy with its history, two tabs, bad input."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from discreet.web import app as app_module
from discreet.web import table_work
from discreet.web.app import App
from discreet.web.worker import WorkError
from tests.web.client import ORIGIN, OWN, POLICY, ROWS, SECRET, Client

VALUES = ("Person 1", "Person 77", "02131", "gout")


def read_policy(page: str) -> str:
    """The text in the policy pane."""
    found = re.search(r'<pre class="code" id="policy-text".*?>(.*?)</pre>', page, re.S)
    assert found is not None
    return re.sub(r"<[^>]+>", "", found[1]).replace("&#39;", "'").replace("&gt;", ">")


def test_a_new_tab_begins_with_opening_a_file(client: Client) -> None:
    page = client.visit(f"{client.begin()}/open").text
    assert "<title>Open · discreet</title>" in page
    assert "Open the sample" in page
    assert 'aria-disabled="true"' in page


def test_a_path_opens_a_file_and_proposes_a_policy(client: Client, place: str) -> None:
    page = client.visit(f"{place}/open").text
    assert "120 rows" in page
    assert "1 to 50 of 120" in page
    assert "Person 49" in page
    assert "Person 50" not in page
    assert "age: {role: quasi" in read_policy(page)
    assert "discreet anonymize" in page


def test_rows_come_in_pages_of_fifty(client: Client, place: str) -> None:
    part = client.visit(f"{place}/open/rows?first=100").text
    assert "101 to 120 of 120" in part
    assert "Person 119" in part
    assert 'id="rows-after" role="link" aria-disabled="true"' in part
    whole = client.visit(f"{place}/open?first=50").text
    assert "51 to 100 of 120" in whole
    for odd in ("-1", "x", "99999999", "1e9"):
        assert client.visit(f"{place}/open/rows?first={odd}").status_code == 200


def test_a_file_is_opened_with_a_policy_to_go_on_with(
    client: Client, table: Path, policy: Path
) -> None:
    place = client.begin()
    page = client.submit(f"{place}/open/path", path=str(table), policy=str(policy)).text
    assert read_policy(page) == POLICY
    assert f"--policy {policy}" in page  # from another folder the name alone is another file


def test_what_the_command_line_names_is_open_in_each_new_tab(
    app: App, client: Client, table: Path, policy: Path
) -> None:
    app.file, app.policy = str(table), str(policy)
    for _ in range(2):
        page = client.visit(f"{client.begin()}/open").text
        assert "120 rows" in page
        assert read_policy(page) == POLICY


def test_a_dropped_file_is_read_from_memory(client: Client) -> None:
    place = client.begin()
    name = quote("Kranke März.csv")
    answer = client.post(
        f"{place}/open/drop", content="\n".join(ROWS), headers={**OWN, "x-file-name": name}
    )
    assert answer.status_code == 200
    assert "Kranke März.csv" in answer.text
    assert "120 rows" in answer.text


def test_a_dropped_file_that_is_too_large_is_refused_with_advice(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "MOST_DROPPED", 1000)
    answer = client.post(
        f"{client.begin()}/open/drop", content=b"x" * 2000, headers={**OWN, "hx-request": "true"}
    )
    assert answer.status_code == 422
    assert "Open it by its path" in answer.text


def test_a_file_that_cannot_be_opened_leaves_everything_as_it_was(
    client: Client, place: str, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    before = client.visit(f"{place}/roles").text
    answer = client.submit(f"{place}/open/path", path=str(empty))
    assert answer.status_code == 422
    assert "the file is empty" in answer.text
    assert client.visit(f"{place}/roles").text == before


BAD = {
    "no such file": "/nowhere/at-all.csv",
    "the path: it is empty": "",
    "the ending &#39;.xyz&#39; is not known": "table.xyz",
}


@pytest.mark.parametrize("message", BAD)
def test_bad_paths_get_the_messages_of_the_command_line(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.xyz").write_text("a,b\n1,2\n")
    answer = client.submit(f"{client.begin()}/open/path", path=BAD[message])
    assert answer.status_code == 422
    assert message in answer.text


def test_no_value_of_the_table_is_in_an_error(client: Client, tmp_path: Path, table: Path) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_text("\n".join([*ROWS[:60], 'Person 77,"02131', "gout"]))
    latin = tmp_path / "latin.csv"
    latin.write_bytes("\n".join([*ROWS, "Jürgen,20,02131,M,gout"]).encode("latin-1") * 2)
    for path, more in ((broken, {}), (latin, {"encoding": "utf-8"}), (table, {"sheet": "x"})):
        answer = client.submit(f"{client.begin()}/open/path", path=str(path), **more)
        notices = "".join(re.findall(r'<div class="notice bad.*?</div>', answer.text, re.S))
        assert not any(value in notices for value in (*VALUES, "Jürgen")), notices


def test_a_fault_of_the_app_itself_is_a_page_in_place_without_values(
    app: App, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*args: object) -> None:
        raise ValueError("Person 77")

    monkeypatch.setattr(app_module.Workspace, "find_risk", fail)
    peer = ("127.0.0.1", 50000)
    with Client(app.guarded, ORIGIN, raise_server_exceptions=False, client=peer) as client:
        for more in ({}, {"hx-request": "true"}):
            answer = client.visit(f"{place}/roles", **more)
            assert answer.status_code == 500
            assert "Nothing was released here" in answer.text
            assert "ValueError at tests" not in answer.text
            assert "Person" not in answer.text
            assert answer.text.startswith("<!DOCTYPE html>") != bool(more)
            assert answer.headers["hx-retarget"] == "#page"


def test_a_table_that_is_gone_is_told_in_place_and_the_policy_stays(
    client: Client, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*args: object) -> None:
        raise WorkError("patients.csv: there is no such file.")

    monkeypatch.setattr(app_module.Workspace, "find_risk", refuse)
    answer = client.visit(f"{place}/roles")
    assert answer.status_code == 422
    assert "patients.csv: there is no such file." in answer.text
    assert f"{place}/policy/file" in answer.text
    assert "columns:" in client.visit(f"{place}/policy/file").text
    assert client.visit(f"{place}/roles/risk").status_code == 422


def test_what_was_dropped_and_cannot_be_opened_is_let_go(client: Client, place: str) -> None:
    def count_files() -> int:
        links = [one for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
        return sum("memfd:dropped" in str(one.readlink()) for one in links)

    before = count_files()
    for _ in range(3):
        headers = {**OWN, "hx-request": "true", "x-file-name": "empty.csv"}
        answer = client.post(f"{place}/open/drop", content=b"", headers=headers)
        assert answer.status_code == 422
        assert answer.text.count("the file is empty") == 1
    assert count_files() == before


def test_a_second_drop_is_refused_before_it_is_read(client: Client, app: App, place: str) -> None:
    app.is_receiving = True
    headers = {**OWN, "hx-request": "true", "x-file-name": "a.csv"}
    answer = client.post(f"{place}/open/drop", content=b"a,b\n1,2\n", headers=headers)
    assert answer.status_code == 422
    assert "other work is under way" in answer.text


def test_a_form_of_a_workspace_that_is_gone_leads_to_a_new_one(client: Client) -> None:
    answer = client.submit(f"/{SECRET}/w/gone/roles/set", column="age", role="other")
    assert answer.headers["hx-redirect"] == f"/{SECRET}/"


# Roles


def test_each_column_shows_its_guess_and_why(client: Client, place: str) -> None:
    page = client.visit(f"{place}/roles").text
    assert page.count('<li class="card column"') == 5
    assert "its name says" in page
    assert re.search(r'value="quasi" id="role-2-quasi" checked', page)


def test_a_role_is_written_into_the_policy_and_can_be_undone(client: Client, place: str) -> None:
    before = read_policy(client.visit(f"{place}/roles").text)
    page = client.submit(f"{place}/roles/set", column="age", role="other").text
    changed = read_policy(page)
    assert "age: {role: other}" in changed
    assert '<span class="line changed">' in page
    assert [one for one in changed.splitlines() if "#" in one] == [
        one for one in before.splitlines() if "#" in one
    ]
    assert read_policy(client.submit(f"{place}/roles/undo").text) == before
    assert read_policy(client.submit(f"{place}/roles/redo").text) == changed


def test_a_change_after_an_undo_ends_what_could_be_redone(client: Client, place: str) -> None:
    client.submit(f"{place}/roles/set", column="age", role="sensitive")
    client.submit(f"{place}/roles/undo")
    page = client.submit(f"{place}/roles/set", column="zip", role="other").text
    assert 'id="redo" aria-disabled="true"' in page
    assert "age: {role: quasi" in read_policy(client.submit(f"{place}/roles/redo").text)


def test_undo_at_the_beginning_and_redo_at_the_end_do_nothing(client: Client, place: str) -> None:
    before = read_policy(client.visit(f"{place}/roles").text)
    for action in ("undo", "redo", "undo"):
        assert read_policy(client.submit(f"{place}/roles/{action}").text) == before


def test_a_column_can_be_left_out_and_taken_in_with_its_hierarchy(
    client: Client, place: str
) -> None:
    page = client.submit(f"{place}/roles/set", column="age", role="none").text
    assert "age: {" not in read_policy(page)
    page = client.submit(f"{place}/roles/set", column="age", role="quasi").text
    assert re.search(r"age: \{role: quasi, hierarchy: ", read_policy(page))


def test_a_change_of_role_answers_with_the_risk(client: Client, place: str) -> None:
    page = client.submit(f"{place}/roles/set", column="sex", role="other").text
    risk = page[page.index('<section id="risk"') :]
    assert "of the rows are unique" in risk
    assert "<code>age</code>" in risk
    assert "<code>sex</code>" not in risk[: risk.index("</section>")]


def test_no_quasi_column_is_warned_of_and_reported(client: Client, place: str) -> None:
    for column in ("age", "zip", "sex"):
        page = client.submit(f"{place}/roles/set", column=column, role="other").text
    assert "Without one nothing is protected" in page
    assert "nothing to count" in page


@pytest.mark.parametrize(
    "fields", [{"column": "age", "role": "king"}, {"column": "nobody", "role": "quasi"}, {}]
)
def test_a_form_that_makes_no_sense_changes_nothing(
    client: Client, place: str, fields: dict[str, str]
) -> None:
    before = read_policy(client.visit(f"{place}/roles").text)
    client.submit(f"{place}/roles/set", **fields)
    assert read_policy(client.visit(f"{place}/roles").text) == before


# The policy as text


def test_a_text_with_mistakes_is_kept_and_its_problems_are_shown(
    client: Client, place: str
) -> None:
    text = POLICY.replace("role: sensitive", "role: secret")
    page = client.submit(f"{place}/policy/apply", text=text).text
    assert read_policy(page) == text
    assert "1 problem in the policy" in page
    assert "columns.disease.role" in page
    page = client.submit(f"{place}/policy/apply", text="columns: [").text
    assert "in the policy</strong>" in page
    assert client.visit(f"{place}/roles").status_code == 200
    assert read_policy(client.submit(f"{place}/policy/undo").text) == text


def test_a_role_cannot_be_set_in_a_text_that_cannot_be_read(client: Client, place: str) -> None:
    client.submit(f"{place}/policy/apply", text="columns: [")
    answer = client.submit(f"{place}/roles/set", column="age", role="other")
    assert answer.status_code == 422
    assert read_policy(answer.text) == "columns: [\n"


def test_a_policy_is_saved_where_it_says_and_not_over_another(
    client: Client, place: str, tmp_path: Path
) -> None:
    target = tmp_path / "mine.yaml"
    client.submit(f"{place}/policy/apply", text=POLICY)
    page = client.submit(f"{place}/policy/save", path=str(target)).text
    assert "Saved:" in page
    assert target.read_text() == POLICY
    client.submit(f"{place}/roles/set", column="zip", role="other")
    answer = client.submit(f"{place}/policy/save", path=str(target))
    assert answer.status_code == 422
    assert "exists already" in answer.text
    assert target.read_text() == POLICY
    client.submit(f"{place}/policy/save", path=str(target), replace="1")
    assert "zip: {role: other}" in target.read_text()


def test_a_policy_is_opened_and_downloaded(client: Client, place: str, policy: Path) -> None:
    page = client.submit(f"{place}/policy/load", path=str(policy)).text
    assert read_policy(page) == POLICY
    answer = client.visit(f"{place}/policy/file")
    assert answer.text == POLICY
    assert "attachment" in answer.headers["content-disposition"]
    answer = client.submit(f"{place}/policy/load", path=str(policy) + "x")
    assert answer.status_code == 422


# Tabs, languages, the end


def test_a_reload_shows_what_was_there(client: Client, place: str) -> None:
    client.submit(f"{place}/roles/set", column="age", role="other")
    once = client.visit(f"{place}/roles").text
    assert client.visit(f"{place}/roles").text == once
    assert "age: {role: other}" in read_policy(once)


def test_two_tabs_do_not_disturb_each_other(client: Client, place: str, table: Path) -> None:
    other = client.begin()
    client.submit(f"{other}/open/path", path=str(table))
    before = client.visit(f"{place}/roles").text
    client.submit(f"{other}/roles/set", column="age", role="other")
    client.submit(f"{other}/roles/language", language="de")
    assert client.visit(f"{place}/roles").text == before
    assert '<h1 id="title">Rollen</h1>' in client.visit(f"{other}/roles").text


def test_a_workspace_that_is_gone_leads_to_a_new_one(client: Client) -> None:
    answer = client.visit(f"/{SECRET}/w/gone/roles")
    assert "<title>Open · discreet</title>" in answer.text


def test_a_screen_that_needs_a_table_leads_to_opening_one(client: Client) -> None:
    assert "<title>Open · discreet</title>" in client.visit(f"{client.begin()}/roles").text


def test_forms_work_without_a_script(client: Client, place: str) -> None:
    answer = client.submit(f"{place}/roles/set", htmx=False, column="age", role="other")
    assert answer.text.startswith("<!DOCTYPE html>")
    assert "age: {role: other}" in read_policy(answer.text)


def test_no_title_has_a_name_or_value(client: Client, place: str) -> None:
    for screen in ("open", "roles", "policy"):
        found = re.search("<title>(.*?)</title>", client.visit(f"{place}/{screen}").text)
        assert found is not None
        assert "patients" not in found[1]


def test_close_ends_everything(app: App, client: Client, place: str) -> None:
    ended = []
    app.close = lambda: ended.append(True)
    answer = client.submit(f"/{SECRET}/close", htmx=False)
    assert "discreet has ended" in answer.text
    assert answer.headers["clear-site-data"] == '"cache", "storage"'
    assert list(app.desk) == []


def test_many_tabs_let_go_of_the_one_that_was_used_longest_ago(
    app: App, client: Client, place: str
) -> None:
    for _ in range(30):
        client.begin()
    assert len(list(app.desk)) <= 12
    assert "patients.csv" in client.visit(f"{place}/roles").text


def test_a_page_holds_no_more_of_a_cell_than_it_shows(client: Client, tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    long.write_text("a,b\n" + "x" * 5000 + ",1\ny,2\n")
    page = client.submit(f"{client.begin()}/open/path", path=str(long)).text
    assert "x" * table_work.LONGEST in page
    assert "x" * (table_work.LONGEST + 1) not in page
