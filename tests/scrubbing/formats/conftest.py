"""Scrubs one document of any kind with a fixed key and a table of what is found in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.detectors import ALL
from discreet.scrubbing.finder import Finder
from discreet.scrubbing.formats.documents import list_inputs
from discreet.scrubbing.formats.target import open_folder
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.report import ScrubReport
from discreet.scrubbing.scrub import Scrub

KEY = ReplacementKey(bytes(32))
TEMPLATES = {"detectors": tuple(one for one in ALL if one.name != "tagged")}
"""Without the model: what it makes of a few words is not what is asked here."""


class Done:
    """The bytes that came out, by name, and the report."""

    def __init__(self, out: Path, report: ScrubReport) -> None:
        self.files = {
            str(path.relative_to(out)): path.read_bytes()
            for path in out.rglob("*")
            if path.is_file()
        }
        self.report = report

    @property
    def bytes(self) -> bytes:
        """The only file."""
        (found,) = self.files.values()
        return found

    @property
    def text(self) -> str:
        """The only file as text."""
        return self.bytes.decode()


@pytest.fixture
def scrub(tmp_path: Path) -> Callable[..., Done]:
    """Scrub documents given as name=bytes into tags."""

    def run(documents: dict[str, bytes | str], jobs: int = 1, **settings: object) -> Done:
        source = tmp_path / "in"
        source.mkdir()
        for name, data in documents.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        style = str(settings.pop("style", "tag"))
        scope = str(settings.pop("scope", "document"))
        job = Scrub(Finder(TEMPLATES, jobs), Replacer(style, scope, KEY), **settings)  # type: ignore[arg-type]
        report = ScrubReport()
        with open_folder(tmp_path / "out") as target:
            job(list_inputs([source], report), target, report)
        return Done(tmp_path / "out", report)

    return run
