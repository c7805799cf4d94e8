"""How often a release reads the text of its file: sniffed once, parsed three times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.table.files import csv, formats
from discreet.table.files.csv import CsvSource

POLICY = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
        "ill": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "ill", "ell": 2}}],
}
ROWS = "age,ill\n" + "".join(f"{20 + n % 4},{('flu', 'cold', 'gout')[n % 3]}\n" for n in range(48))


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What is done to which file, in turn."""
    seen: list[tuple[str, str]] = []
    open_csv, sniff, scan = csv.open_csv, csv.sniff, CsvSource.scan

    def count_open(path: Path, *more: Any) -> Any:
        seen.append(("opened", path.name))
        return open_csv(path, *more)

    def count_sniff(name: str, sample: Any, separator: str | None, quote: str | None) -> Any:
        if separator is None or quote is None:
            seen.append(("sniffed", name))
        return sniff(name, sample, separator, quote)

    def count_scan(self: CsvSource, *more: Any) -> Any:
        seen.append(("parsed", self.path.name))
        return scan(self, *more)

    monkeypatch.setattr(formats, "open_csv", count_open)
    monkeypatch.setattr(csv, "sniff", count_sniff)
    monkeypatch.setattr(CsvSource, "scan", count_scan)
    return seen


def _release(folder: Path, rows: str, policy: dict[str, Any]) -> None:
    (folder / "in.csv").write_text(rows)
    release = discreet.anonymize(folder / "in.csv", policy)
    release.facts()
    release.write(folder / "out.csv")
    release.facts()


def test_a_file_is_sniffed_once_counted_once_and_recoded_once(
    tmp_path: Path, passes: list[tuple[str, str]]
) -> None:
    _release(tmp_path, ROWS, POLICY)
    private = [what for what, name in passes if name == "in.csv"]
    written = [what for what, name in passes if name != "in.csv"]
    assert private == ["opened", "sniffed", "parsed", "parsed"]
    assert written == ["opened", "parsed"]


def test_columns_that_may_single_out_rows_are_counted_in_one_more_pass(
    tmp_path: Path, passes: list[tuple[str, str]]
) -> None:
    columns = {**POLICY["columns"], "id": {"role": "other"}, "ward": {"role": "other"}}
    lines = ROWS.splitlines()
    more = [f"{line},{n},{n % 3}" for n, line in enumerate(lines[1:])]
    _release(tmp_path, "\n".join([f"{lines[0]},id,ward", *more]), {**POLICY, "columns": columns})
    assert passes.count(("parsed", "in.csv")) == 3
    assert sum(what == "parsed" for what, _ in passes) == 4
