"""The product answers what it answered when the net was frozen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.net.coverage import list_needed, list_used
from tests.net.entries import ALL
from tests.net.entry import Entry, entry
from tests.net.frozen import compare, list_frozen, load_frozen
from tests.net.run import MissingSharedData, run_apart, run_entry

SHOWN = 6
AS_A_SHELL_DOES = ("model-k-anonymity", "technique-noise", "people-records-cap")
"""Entries that are run in processes of their own too, with another order of sets."""


def _assert_same(one: Entry, now: object) -> None:
    found = list(compare(load_frozen(one.name), now))
    facts = [difference for difference in found if not difference.prose]
    shown = "\n  ".join(map(str, (facts or found)[:SHOWN]))
    assert not found, (
        f"{one.name}: {len(facts)} facts and {len(found) - len(facts)} sentences are not what they "
        f"were.\n  {shown}\nIf a fault was fixed, name it in the CHANGELOG, run\n"
        f"  python -m tests.net --update {one.name}\nand read what that changes in "
        f"tests/net/frozen/{one.name}.json. Where sentences alone were reworded: --prose."
    )


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_answers_and_files_are_those_that_were_frozen(one: Entry, tmp_path: Path) -> None:
    assert load_frozen(one.name) is not None, f"run: python -m tests.net --update {one.name}"
    try:
        now = run_entry(one, tmp_path)
    except MissingSharedData as why:
        pytest.skip(str(why))
    _assert_same(one, now)


@pytest.mark.parametrize("name", AS_A_SHELL_DOES)
def test_a_process_of_its_own_answers_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "11")
    one = next(one for one in ALL if one.name == name)
    _assert_same(one, run_entry(one, tmp_path, run_apart))


def test_an_entry_whose_shared_data_is_absent_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.net.run.SHARED", tmp_path / "nowhere")
    one = next(one for one in ALL if one.shared)
    with pytest.raises(MissingSharedData, match=r"no data/adult/adult_arx\.csv"):
        run_entry(one, tmp_path)


def test_every_entry_has_a_name_and_frozen_answers_of_its_own() -> None:
    names = [one.name for one in ALL]
    assert len({*names}) == len(names)
    assert list_frozen() == {*names}


def test_the_net_covers_all_that_the_product_has() -> None:
    missing = sorted({*list_needed()} - list_used(ALL))
    lines = "\n  ".join(" ".join(use) for use in missing)
    assert not missing, (
        f"no entry of the net uses\n  {lines}\nAdd an entry to the list that it belongs to in "
        "tests/net/entries.py, run python -m tests.net --update NAME, read the new file in "
        "tests/net/frozen and commit both."
    )


def test_a_catalogue_entry_that_no_policy_uses_is_missed() -> None:
    some = [one for one in ALL if "beta-likeness" not in one.name]
    missing = {*list_needed()} - list_used(some)
    assert ("model", "beta_likeness") in missing
    assert ("model", "beta_likeness", "kind", "enhanced") in missing


def test_a_changed_number_is_a_fact_and_a_changed_word_is_prose() -> None:
    was = {"rows": 3, "note": "3 rows are alone", "loss": 0.1}
    now = {"rows": 4, "note": "there are 3 unique rows", "loss": 0.1 + 1e-13}
    assert [(one.place, one.prose) for one in compare(was, now)] == [
        ("note", True),
        ("rows", False),
    ]
    other = {**was, "note": "4 rows are alone"}
    assert [one.prose for one in compare(was, other)] == [False]
    assert [one.prose for one in compare(was, {"rows": 3, "note": was["note"]})] == [False]
    assert list(compare({"a": 1}, {"a": True})) and list(compare({"a": None}, {"a": 0.0}))


def test_a_file_that_is_written_in_another_way_is_a_difference(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    seeds = (1, 2)
    found = []
    for folder, seed in zip(folders, seeds, strict=True):
        folder.mkdir()
        command = "anonymize small.csv -q sex -q zip -k 3 -o out.csv --seed"
        found.append(run_entry(entry("order", f"{command} {seed}"), folder))
    places = [one.place for one in compare(*found)]
    assert "files.out.csv.sha256" in places
