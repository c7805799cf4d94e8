"""Progress hears of every stage, and a caller may cancel in any: nothing is left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest

import discreet
from discreet.ledger.ledger import Ledger
from discreet.pipeline.progress import Progress

STAGES = ["preparing", "counting", "searching", "writing", "checking"]

Run = Callable[[Path, Progress], None]


class Cancelled(Exception):
    """What the caller raises."""


class Listener:
    """Hears of steps, and cancels at one of them."""

    def __init__(self, cancel_at: int | None = None) -> None:
        self.steps: list[str] = []
        self.shares: list[float | None] = []
        self.cancel_at = cancel_at

    def __call__(self, step: str, share: float | None = None) -> None:
        self.steps.append(step)
        self.shares.append(share)
        if len(self.steps) - 1 == self.cancel_at:
            raise Cancelled


def _policy(**more: Any) -> discreet.Policy:
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [2]}},
        "ill": {"role": "sensitive"},
    }
    k = {"require": [{"k_anonymity": {"k": 2}}]}
    return discreet.Policy(**{"columns": columns, **k, "suppress": 0.2, **more})


def _table() -> pa.Table:
    return pa.table(
        {
            "who": [f"p{n % 20}" for n in range(40)],
            "age": [str(20 + n % 10) for n in range(40)],
            "zip": [f"02{n % 4}" for n in range(40)],
            "ill": ["flu", "cold"] * 20,
        }
    )


def _release_rows(folder: Path, progress: Progress) -> None:
    pyarrow.csv.write_csv(_table(), folder / "in.csv")
    release = discreet.anonymize(folder / "in.csv", _policy(), progress=progress)
    release.write(folder / "out.csv", progress=progress)


def _release_people(folder: Path, progress: Progress) -> None:
    policy = _policy(people={"column": "who"})
    release = discreet.anonymize(_table(), policy, progress=progress)
    release.write(folder / "out.parquet", progress=progress)


def _release_again(folder: Path, progress: Progress) -> None:
    with Ledger.open(folder / "ledger") as ledger:
        first = discreet.anonymize_again(_table(), _policy(), ledger, "public", progress=progress)
        first.write(folder / "out.xlsx", progress=progress)


def _release_together(folder: Path, progress: Progress) -> None:
    columns = {
        "stays.age": {"role": "quasi", "hierarchy": {"intervals": [5, 10]}},
        "homes.zip": {"role": "quasi", "hierarchy": {"prefix": [2]}},
    }
    policy = _policy(columns=columns, people={"column": "who"})
    tables = {
        "stays": _table().select(["who", "age"]),
        "homes": _table().select(["who", "zip"]).slice(0, 20),
    }
    discreet.together(tables, policy, progress).write(folder / "out", progress)


RUNS: dict[str, Run] = {
    "rows": _release_rows,
    "people": _release_people,
    "again": _release_again,
    "together": _release_together,
}


def _list_released(folder: Path) -> list[str]:
    """What is in the folder but the private table and the files of the ledger."""
    kept = ("in.csv", "ledger", "ledger.key")
    return sorted(path.name for path in folder.iterdir() if path.name not in kept)


@pytest.mark.parametrize("name", RUNS)
def test_progress_hears_of_every_stage_in_order(tmp_path: Path, name: str) -> None:
    heard = Listener()
    RUNS[name](tmp_path, heard)
    stages = [step.replace(",", " ").split()[0] for step in heard.steps]
    assert list(dict.fromkeys(stages)) == STAGES
    assert all(share is None or 0 <= share <= 1 for share in heard.shares)
    assert heard.shares[-1] == 1.0


@pytest.mark.parametrize("name", RUNS)
def test_a_run_cancelled_at_any_step_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    for step in range(1000):  # how many there are depends on the order of the released rows
        folder, heard = tmp_path / str(step), Listener(cancel_at=step)
        folder.mkdir()
        try:
            RUNS[name](folder, heard)
        except Cancelled:
            assert _list_released(folder) == [], heard.steps[-1]
            if (folder / "ledger").exists():
                assert Ledger.read(folder / "ledger").releases() == ()
        else:
            break
    assert len(heard.steps) <= step, "the run went on although it was cancelled"
    assert heard.steps[-1].startswith("checking")
    assert _list_released(folder) != []


def test_an_older_release_stays_as_it_was_if_its_replacement_is_cancelled(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("as it was")
    release = discreet.anonymize(_table(), _policy(seed=1))
    whole = Listener()
    release.write(tmp_path / "other.csv", progress=whole)
    for step in range(len(whole.steps)):
        with pytest.raises(Cancelled):
            release.write(target, progress=Listener(cancel_at=step))
        assert target.read_text() == "as it was"
    release.write(target)
    assert target.read_text().startswith("age,zip,ill")


@pytest.mark.parametrize("step", [0, 1])
def test_a_frame_is_not_handed_out_if_its_check_is_cancelled(step: int) -> None:
    release = discreet.anonymize(_table(), _policy())
    whole = Listener()
    assert release.to_arrow(progress=whole).num_rows == release.rows
    first = whole.steps.index("checking")
    with pytest.raises(Cancelled):
        release.to_arrow(progress=Listener(cancel_at=first + step))
