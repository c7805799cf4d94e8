"""A hierarchy may grow between two releases; what the table held then becomes the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import EarlierReleaseError
from discreet.hierarchy import Dates, File, Intervals, Prefix, Tree, WithSuppression
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release
from discreet.policy.policy import Policy

THEN = {"NY": ["Albany", "Troy"]}
GROWN = {"NY": ["Albany", "Troy", "Utica"], "MA": ["Boston", "Salem"]}
CITIES = ["Albany", "Troy"]
MORE = [*CITIES, "Boston", "Salem"]
CHANGED = "the hierarchy of 'city' is not the one that was used then"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger") as opened:
        yield opened


def _release(ledger: Ledger, values: list[Any], builder: Any, removed: bool = False) -> Release:
    """Make a release of one column."""
    columns = {"city": {"role": "quasi", "hierarchy": builder}}
    policy = Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}])
    table = pa.table({"city": pa.array(values, pa.string())})
    return anonymize_again(table, policy, ledger, "public", removed=removed)


def _enter(ledger: Ledger, values: list[Any], builder: Any) -> Release:
    release = _release(ledger, values, builder)
    ledger.add(release.record.entry("release.csv", "hash"))
    return release


def _file(folder: Path, states: dict[str, list[str]]) -> File:
    """The same file each time, written anew."""
    lines = [f"{city},{state},*" for state, cities in states.items() for city in cities]
    (folder / "cities.csv").write_text("\n".join(lines))
    return File(folder / "cities.csv")


def _tree(_: Path, states: dict[str, list[str]]) -> Tree:
    return Tree({"*": states})


WRITTEN = pytest.mark.parametrize("written", [_file, _tree])


@WRITTEN
def test_a_hierarchy_that_got_new_values_is_accepted(
    ledger: Ledger, tmp_path: Path, written: Any
) -> None:
    assert _enter(ledger, CITIES, written(tmp_path, THEN)).levels == {"city": 1}
    second = _enter(ledger, MORE, written(tmp_path, GROWN))
    assert second.levels == {"city": 1}
    assert second.known == (1,)


@WRITTEN
@pytest.mark.parametrize(
    "states",
    [
        {"NY": ["Albany", "Boston"], "MA": ["Troy", "Salem"]},
        {"MA": ["Albany", "Troy"], "NY": ["Boston", "Salem"]},
        {"New York": ["Albany", "Troy"], "MA": ["Boston", "Salem"]},
    ],
)
def test_a_value_that_becomes_something_else_is_refused(
    ledger: Ledger, tmp_path: Path, written: Any, states: dict[str, list[str]]
) -> None:
    _enter(ledger, CITIES, written(tmp_path, THEN))
    with pytest.raises(EarlierReleaseError, match=CHANGED) as refused:
        _release(ledger, MORE, written(tmp_path, states), removed=True)
    assert "from level 1 up" in str(refused.value)
    assert not any(name in str(refused.value) for name in ("Albany", "Troy", "NY"))


def test_a_label_above_the_released_one_counts_too(ledger: Ledger) -> None:
    people = [city for city in MORE for _ in range(2)]
    _enter(ledger, people, Tree({"*": {"east": {"NY": CITIES, "MA": ["Boston", "Salem"]}}}))
    other = Tree({"*": {"north": {"NY": CITIES, "MA": ["Boston", "Salem"]}}})
    with pytest.raises(EarlierReleaseError, match=CHANGED):
        _release(ledger, people, other)


@WRITTEN
def test_values_that_left_the_table_must_stay_in_the_hierarchy(
    ledger: Ledger, tmp_path: Path, written: Any
) -> None:
    _enter(ledger, [*CITIES, "Utica"], written(tmp_path, {"NY": [*CITIES, "Utica"]}))
    kept = _release(ledger, MORE, written(tmp_path, GROWN), removed=True)
    assert any("1 row of release 1" in note for note in kept.facts()["notes"])
    without = GROWN | {"NY": CITIES}
    with pytest.raises(EarlierReleaseError, match=CHANGED):
        _release(ledger, MORE, written(tmp_path, without), removed=True)
    moved = {"NY": CITIES, "MA": ["Boston", "Salem", "Utica"]}
    with pytest.raises(EarlierReleaseError, match=CHANGED):
        _release(ledger, MORE, written(tmp_path, moved), removed=True)


def test_a_value_without_a_line_that_gets_one_is_another(ledger: Ledger, tmp_path: Path) -> None:
    path = _file(tmp_path, THEN).path
    _enter(ledger, [*CITIES, "Boston", "Salem"], File(path, "root"))
    assert _release(ledger, [*MORE, None, None], File(path, "root")).known == (1,)
    _file(tmp_path, GROWN)
    with pytest.raises(EarlierReleaseError, match=CHANGED):
        _release(ledger, MORE, File(path, "root"))


def test_a_file_keeps_its_missing_values(ledger: Ledger, tmp_path: Path) -> None:
    _enter(ledger, [*CITIES, None, None], _file(tmp_path, THEN))
    second = _release(ledger, MORE, _file(tmp_path, GROWN), removed=True)
    assert second.levels == {"city": 1}


@pytest.mark.parametrize(
    ("then", "now", "values", "more"),
    [
        (Intervals([5, 10]), Intervals([5, 10], top=90), ["20", "21"], ["93", "95"]),
        (Dates(["year"]), Dates(["year"], "%Y-%m-%d"), ["1964-01-02", "1964-03-04"], []),
        (Prefix([4]), WithSuppression(Prefix([4])), ["02138", "02139"], []),
        (Tree(THEN), WithSuppression(Tree(THEN)), CITIES, []),
        (Tree(THEN), Tree({"USA": GROWN}), CITIES, ["Boston", "Salem"]),
    ],
)
def test_other_settings_that_leave_the_values_of_then_alone_are_accepted(
    ledger: Ledger, then: Any, now: Any, values: list[str], more: list[str]
) -> None:
    assert _enter(ledger, values, then).levels == {"city": 1}
    assert _release(ledger, [*values, *more], now).levels == {"city": 1}


@pytest.mark.parametrize(
    ("then", "now", "values"),
    [
        (Intervals([5, 10]), Intervals([10, 20]), ["20", "21"]),
        (Intervals([5, 10]), Intervals([5, 10], top=21), ["20", "21"]),
        (Prefix([4]), Prefix([3]), ["02138", "02139"]),
        (Dates(["year"]), Dates(["5 years"]), ["1964-01-02", "1964-03-04"]),
    ],
)
def test_other_settings_that_do_not_are_refused(
    ledger: Ledger, then: Any, now: Any, values: list[str]
) -> None:
    _enter(ledger, values, then)
    with pytest.raises(EarlierReleaseError, match=CHANGED):
        _release(ledger, values, now)


def test_a_hierarchy_that_lost_the_released_level_is_refused(ledger: Ledger) -> None:
    assert _enter(ledger, ["20", "30"], Intervals([5])).levels == {"city": 2}
    with pytest.raises(EarlierReleaseError, match=CHANGED):
        _release(ledger, ["20", "21"], Intervals([5]), removed=True)


def test_an_older_entry_needs_the_very_same_hierarchy(ledger: Ledger) -> None:
    entry = _release(ledger, CITIES, Tree({"*": THEN})).record.entry("release.csv", "hash")
    old = {"city": {k: v for k, v in entry.columns["city"].items() if k != "becomes"}}
    ledger.add(replace(entry, columns=old))
    assert Ledger.read(ledger.path).releases()[0].columns == old
    assert _release(ledger, [*CITIES, "Troy"], Tree({"*": THEN})).known == (1,)
    with pytest.raises(EarlierReleaseError, match=rf"{CHANGED}\. Use the one of"):
        _release(ledger, MORE, Tree({"*": GROWN}))


def test_the_ledger_has_fingerprints_of_the_values_that_the_table_had_and_no_value(
    ledger: Ledger, tmp_path: Path
) -> None:
    wide = {f"state {n}": [f"town {n}.{i}" for i in range(20)] for n in range(20)}
    _enter(ledger, CITIES, _file(tmp_path, THEN | wide))
    (entry,) = Ledger.read(ledger.path).releases()
    assert len(entry.columns["city"]["becomes"]) == len(CITIES) + 1
    assert not any(text in ledger.path.read_text() for text in (*CITIES, "NY", "town", "state"))
    assert "becomes" not in entry.facts()["columns"]["city"]


def test_nothing_is_kept_of_values_that_were_released_by_cells(ledger: Ledger) -> None:
    columns = {"city": {"role": "quasi", "hierarchy": Tree({"*": THEN})}}
    require = [{"k_anonymity": {"k": 2}}]
    policy = Policy(columns=columns, require=require, algorithm="local")
    release = anonymize_again(pa.table({"city": CITIES}), policy, ledger, "public")
    assert "becomes" not in release.record.entry("release.csv", "hash").columns["city"]
