"""What the app is made of: public functions, pinned scripts, complete texts, nothing inline."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import discreet
from discreet.web.screens import ALL
from discreet.web.words import FOLDER, LANGUAGES, Words, choose_language, load_texts

WEB = Path(discreet.__file__).with_name("web")
ALLOWED = {"discreet", "discreet.errors", "discreet.display"}
"""Besides its own modules: the public names, families of errors, and how classes are shown."""

VENDORED = {
    "htmx-2.0.11.min.js": "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
    "idiomorph-ext-0.8.0.min.js": (
        "5811b9a7eda14878b7dab4378bf60432e1bb6f11fcfb970cc26540642650181e"
    ),
}
"""As the packages htmx.org 2.0.11 and idiomorph 0.8.0 have them, both under the licence 0BSD."""


def list_imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = set()
    for node in ast.walk(tree):
        if node in types:
            continue
        if isinstance(node, ast.Import):
            found.update(one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", sorted(WEB.rglob("*.py")), ids=lambda path: path.stem)
def test_the_app_calls_public_functions_only(path: Path) -> None:
    ours = {name for name in list_imports(path) if name.partition(".")[0] == "discreet"}
    assert {name for name in ours if not name.startswith("discreet.web")} <= ALLOWED
    for name in re.findall(r"\bdiscreet\.([A-Za-z_]+)\b", path.read_text(encoding="utf-8")):
        assert name in discreet.__all__ or (WEB.parent / name).exists() or name == name.lower()


def test_the_server_loads_nothing_of_what_the_child_works_with() -> None:
    script = (
        "import sys, discreet.web.serve; "
        "print([one for one in ('numpy', 'pyarrow', 'duckdb', 'pydantic', 'scipy', 'numba') "
        "if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_vendored_scripts_are_those_of_their_packages_with_their_licences() -> None:
    folder = WEB / "static" / "vendor"
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.js")
    }
    assert found == VENDORED
    for name in ("htmx", "idiomorph"):
        assert "Zero-Clause BSD" in (folder / f"{name}-LICENSE.txt").read_text()


def test_every_text_is_there_in_each_language_and_fills_in_the_same() -> None:
    for key, entry in load_texts().items():
        assert set(LANGUAGES) <= set(entry) <= {*LANGUAGES, "en_one", "de_one"}, key
        fields = [set(re.findall(r"\{(\w+)\}", entry[one])) for one in LANGUAGES]
        assert fields[0] == fields[1], key
        assert all(text.strip() for text in entry.values()), key


def test_every_text_that_is_shown_is_there_and_every_text_there_is_shown() -> None:
    shown, prefixes = set(), set()
    for path in [*WEB.rglob("*.html"), *WEB.rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        shown.update(re.findall(r"""say\(["'](\w+\.\w+)["'][,)]""", text))
        shown.update(f"{one}_why" for one in re.findall(r"""why\("([\w.]+)"\)""", text))
        prefixes.update(re.findall(r"""["'](\w+\.\w*)["'] ~""", text))
    assert shown - set(load_texts()) == set()
    names = {f"{screen.name}.{key}" for screen in ALL for key in ("title", "lead")}
    unshown = {
        key
        for key in load_texts()
        if key not in shown | names and not key.startswith(tuple(prefixes))
    }
    assert unshown == set()


def test_each_screen_has_its_title_and_template() -> None:
    for screen in ALL:
        assert f"{screen.name}.title" in load_texts()
        assert (WEB / "templates" / "screens" / f"{screen.name}.html").is_file()


def test_nothing_is_inline_that_the_content_policy_forbids() -> None:
    for path in WEB.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|<style|\son\w+=|hx-on|javascript:", text), path.name
        assert "<script>" not in text, path.name
        assert "http://" not in text.replace("http://www.w3.org", ""), path.name


def test_texts_have_no_file_without_entries() -> None:
    assert len(list(FOLDER.glob("*.toml"))) == len({key.partition(".")[0] for key in load_texts()})


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-AT,de;q=0.9", "de"),
        ("en-GB", "en"),
        ("fr", "en"),
        ("fr,de;q=0.1", "de"),
        ("x;q=x", "en"),
    ],
)
def test_the_language_is_one_that_the_browser_asks_for(accepted: str, language: str) -> None:
    assert choose_language(accepted) == language


def test_numbers_are_written_as_the_language_does() -> None:
    english, german = Words("en"), Words("de")
    assert (english.number(12345), german.number(12345)) == ("12,345", "12.345")
    assert (english.percent(0.1234), german.percent(0.1234)) == ("12.3 %", "12,3 %")
    assert (english.percent(0.00001), english.percent(0.99999)) == ("< 0.1 %", "> 99.9 %")
    assert (english.percent(0), english.percent(1), english.percent(None)) == ("0 %", "100 %", "–")
    assert english.say("app.rows", count=1) == "1 row"
    assert german.say("app.rows", count=1000) == "1.000 Zeilen"
