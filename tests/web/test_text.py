"""The screen for texts: findings in context, decisions, and the scrubbed texts."""

from __future__ import annotations

import gc
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from discreet.cli.app import app as command
from discreet.scrubbing.review import decisions as review
from discreet.web import text_work
from discreet.web.screens import screen as shape
from discreet.web.screens import text as screen
from tests.web.client import Client

LETTER = """\
Dear Dr. Graves,

Mary Miller was seen on March 3, 1994. Zorbix was there too.
Zorbix said nothing.
"""
NOTES = ["patient,note", *(f"{n},Mary Miller came on March {n % 28 + 1}" for n in range(45))]
POLICY = """\
columns:
  patient: {role: quasi}
  note: {role: text}   # what was said
require:
  - k_anonymity: {k: 2}
"""


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text(LETTER)
    return path


@pytest.fixture
def looked(client: Client, letter: Path) -> str:
    """The address of a workspace in which a letter is looked at."""
    place = client.begin()
    answer = client.submit(f"{place}/text/open", path=str(letter))
    assert answer.status_code == 200, answer.text
    return place


@pytest.fixture
def notes(client: Client, tmp_path: Path) -> str:
    """The address of a workspace with a table that has a column of text."""
    path = tmp_path / "notes.csv"
    path.write_text("\n".join(NOTES) + "\n")
    place = client.begin()
    client.submit(f"{place}/open/path", path=str(path))
    client.submit(f"{place}/policy/apply", text=POLICY)
    return place


def find_mark(page: str, words: str) -> dict[str, str]:
    """The fields of the form that decides about a finding."""
    form = re.search(rf"<li>\n<p><mark[^>]*>{words}</mark>.*?</form>", page, re.S)
    assert form is not None
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form[0]))


def test_findings_are_marked_in_context_with_kind_likelihood_and_reason(
    client: Client, looked: str
) -> None:
    page = client.visit(f"{looked}/text").text
    assert re.search(r'<mark class="found">Mary Miller<span class="unseen"> \(NAME, is rep', page)
    assert re.search(r"<strong>NAME</strong> · is replaced · \d+ % · <span lang=.en.>\S", page)
    assert "<title>Text · discreet</title>" in page


def test_decisions_are_kept_applied_and_those_of_the_command_line(
    client: Client, looked: str, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = client.visit(f"{looked}/text").text
    client.submit(f"{looked}/text/decide", do="keep", kind="NAME", **find_mark(page, "Graves"))
    page = client.submit(f"{looked}/text/add", place="1", words="Zorbix", kind="ORGANIZATION").text
    assert "kept by you" in page
    assert page.count('<mark class="decided">Zorbix<span') == 2
    out = letter.with_name("out.txt")
    page = client.submit(f"{looked}/text/scrub", out=str(out), style="tag").text
    assert "1 document scrubbed into" in page
    text = out.read_text()
    assert text.startswith("Dear Dr. Graves,")
    assert "Zorbix" not in text
    assert "[NAME 1] was seen" in text

    saved = client.visit(f"{looked}/text/decisions")
    assert not {"Graves", "Zorbix"} & set(re.findall(r"\w+", saved.text))
    monkeypatch.chdir(letter.parent)
    Path("decisions.json").write_bytes(saved.content)
    again = ["scrub", str(letter), "-o", "again.txt", "--style", "tag", "--quiet"]
    done = CliRunner().invoke(command, [*again, "--decisions", "decisions.json"])
    assert done.exit_code == 0, done.output
    assert Path("again.txt").read_text() == text


def test_a_decision_is_changed_and_taken_back(client: Client, looked: str) -> None:
    fields = find_mark(client.visit(f"{looked}/text").text, "Mary Miller")
    page = client.submit(f"{looked}/text/decide", do="replace", kind="CITY", **fields).text
    assert re.search("Mary Miller</mark> <strong>CITY</strong> · replaced by you", page)
    page = client.submit(f"{looked}/text/decide", do="forget", **fields).text
    assert re.search("Mary Miller</mark> <strong>NAME</strong> · is replaced", page)


def test_a_text_that_was_changed_after_the_review_is_not_scrubbed(
    client: Client, looked: str, letter: Path
) -> None:
    client.submit(f"{looked}/text/add", place="1", words="Zorbix", kind="NAME")
    letter.write_text(LETTER.replace("Zorbix", "Zorbyx"))
    before = set(shape.MEMORY.glob("discreet-*"))
    out = letter.with_name("out.txt")
    answer = client.submit(f"{looked}/text/scrub", out=str(out), style="tag")
    assert answer.status_code == 422
    assert "were changed" in answer.text
    assert not out.exists()
    gc.collect()
    assert set(shape.MEMORY.glob("discreet-*")) <= before


def test_a_file_that_is_there_is_asked_about(client: Client, looked: str, letter: Path) -> None:
    out = letter.with_name("out.txt")
    out.write_text("mine")
    answer = client.submit(f"{looked}/text/scrub", out=str(out), style="tag")
    assert answer.status_code == 422
    assert 'id="overwrite"' in answer.text
    assert out.read_text() == "mine"
    client.submit(f"{looked}/text/scrub", out=str(out), style="tag", replace="1")
    assert "[NAME 1]" in out.read_text()
    answer = client.submit(f"{looked}/text/scrub", out=str(letter), style="tag", replace="1")
    assert answer.status_code == 422
    assert letter.read_text() == LETTER


def test_words_that_are_not_there_cannot_be_added(client: Client, looked: str) -> None:
    for words in ("", "Nobody"):
        answer = client.submit(f"{looked}/text/add", place="1", words=words, kind="NAME")
        assert answer.status_code == 422


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.docx", b"x", "only plain text is reviewed here"),
        ("a.txt", b"\xff\xfe\xff", "it is not UTF-8"),
        ("none.txt", None, "there is no such file"),
    ],
)
def test_what_cannot_be_reviewed_is_refused_in_place(
    client: Client, tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    page = client.submit(f"{client.begin()}/text/open", path=str(tmp_path / name)).text
    assert message in page


# Columns of text


def test_how_a_column_is_scrubbed_is_an_edit_of_the_policy(client: Client, notes: str) -> None:
    page = client.visit(f"{notes}/text").text
    assert "It stays in the house." in page
    fields = {"column": "note", "released": "1", "style": "tag", "dates": "year"}
    page = client.submit(f"{notes}/text/set", **fields).text
    assert "scrub: {style: tag, dates: year}" in re.sub(r"<[^>]+>", "", page)
    assert "# what was said" in page
    page = client.submit(f"{notes}/text/set", column="note").text
    assert "scrub" not in client.visit(f"{notes}/policy/file").text


def test_texts_of_a_column_come_in_pages_of_twenty(client: Client, notes: str) -> None:
    page = client.submit(f"{notes}/text/show", column="note").text
    assert page.count('<li id="passage-') == 20
    assert "Passages 1 to 20" in page
    assert '<mark class="found">Mary Miller' in page
    page = client.visit(f"{notes}/text?first=40").text
    assert page.count('<li id="passage-') == 5
    assert "Row 45" in page


def test_without_the_extra_the_page_says_how_to_install_it(
    client: Client, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.errors import MissingExtraError

    def refuse(held: object, finding: object) -> None:
        raise MissingExtraError("looking for names", "text")

    monkeypatch.setattr(text_work, "_open_scrubber", refuse)
    page = client.submit(f"{client.begin()}/text/open", path=str(letter)).text
    assert "pip install &#39;discreet[text]&#39;" in page


def test_kinds_and_digests_are_those_of_the_command_line() -> None:
    assert set(screen.KINDS) == set(review.KINDS)
    assert text_work.FORMAT == review.FORMAT
    assert text_work.hash_text(LETTER) == review.hash_text(LETTER)
    assert json.loads(text_work.render_decisions([]))["decisions"] == []
