"""What a released text stands for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InternalError
from discreet.hierarchy import Cuts, Dates, File, Intervals, Prefix, Tree, WithSuppression
from discreet.hierarchy.atoms import Atoms
from discreet.policy.parts import Auto

AGES = [str(age) for age in range(-3, 31)]
DECIMALS = ["0.5", "1", "1.25", "2.0", "7.75"]
DAYS = ["1965-09-20", "1965-02-14", "1964-11-07", "1967-12-31", "1967-01-01", "1960-02-29"]
ZIPS = ["02138", "02139", "02141", "0213", "9", "02238"]
TREE = {"World": {"Europe": {"Norway": ["Oslo", "Bergen"], "Italy": ["Rome"]}, "Moon": None}}
PERIODS = ["month", "quarter", "half", "year", "5 years", "decade", "century"]


@pytest.mark.parametrize(
    ("builder", "values"),
    [
        pytest.param(Intervals([5, 10]), AGES, id="whole numbers"),
        pytest.param(Intervals([2, 4], bottom=1, top=7), DECIMALS, id="decimals, cut ends"),
        pytest.param(Cuts([[20, 25, 26, 40], [25, 40]]), AGES, id="cut numbers"),
        pytest.param(Cuts([[0.5, 3, 3.1], [3]]), DECIMALS, id="cut decimals"),
        pytest.param(Intervals([1, 5]), ["07", "007", "8"], id="ranges of one number"),
        pytest.param(Dates(PERIODS), DAYS, id="periods"),
        pytest.param(Dates(["2 months", "4 months"]), DAYS, id="parts of a year"),
        pytest.param(Dates(["day", "week"]), DAYS, id="days and weeks"),
        pytest.param(Dates(["weekday"]), DAYS, id="weekdays"),
        pytest.param(Dates(["month of year", "quarter of year"]), DAYS, id="months of any year"),
        pytest.param(Dates(["year"], "%d/%m/%Y"), ["01/02/1965", "03/04/1964"], id="format given"),
        pytest.param(Dates(["year"]), ["09/1965", "10/1965", "01/1964"], id="months as found"),
        pytest.param(Prefix([4, 3]), ZIPS, id="codes"),
        pytest.param(Prefix([2], mask="#"), ZIPS, id="another mask"),
        pytest.param(Tree(TREE), ["Oslo", "Bergen", "Moon"], id="tree"),
        pytest.param(WithSuppression(Tree(TREE)), ["Rome", "Moon"], id="tree with suppression"),
        pytest.param(Auto(), ["02138", "02139", "02141", "02142", "02143", "02238"], id="proposed"),
        pytest.param(Auto(), [str(age) for age in range(17, 60)], id="proposed ranges"),
        pytest.param(Auto(), DAYS, id="proposed periods"),
    ],
)
@pytest.mark.parametrize("missing", [False, True])
def test_a_label_stands_for_the_values_that_its_hierarchy_puts_under_it(builder, values, missing):
    values = [*values, None] if missing else values
    hierarchy = builder.build("c", values)
    labels = [label for level in hierarchy.labels for label in level]
    atoms = Atoms.of("c", labels, builder, ground=values)
    above = {label: set() for label in labels}
    for level, codes in enumerate(hierarchy.maps):
        for value, code in zip(values, codes, strict=True):
            above[hierarchy.labels[level][code]].add(value)
    for label, under in above.items():
        found = {value for value in values if atoms.overlap(label, value)}
        assert found == under | ({label} & set(values)) | (set(values) if label == "*" else set())


def test_a_file_knows_leaves_that_nobody_has(tmp_path: Path):
    path = tmp_path / "place.csv"
    path.write_text("Oslo;Norway;Europe\nBergen;Norway;Europe\nRome;Italy;Europe\n")
    atoms = Atoms.of("place", ["Norway", "Europe", "Bergen"], File(path), ground=["Oslo", "Paris"])
    assert atoms.overlap("Norway", "Bergen")
    assert not atoms.overlap("Norway", "Paris")
    assert not atoms.overlap("Europe", "Paris")
    strays = Atoms.of("place", ["Norway", "Europe"], File(path, "root"), ground=["Oslo", "Paris"])
    assert strays.overlap("Europe", "Paris")


def test_mondrian_ranges_are_read_beside_a_file(tmp_path: Path):
    path = tmp_path / "age.csv"
    path.write_text("".join(f"{age};{age // 10}0s\n" for age in range(20, 40)))
    atoms = Atoms.of("age", ["25-31", "20s"], File(path), ground=["24", "25", "31", "32", "45"])
    assert [v for v in ("24", "25", "31", "32", "45") if atoms.overlap("25-31", v)] == ["25", "31"]
    assert atoms.overlap("25-31", "20s")


@pytest.mark.parametrize(
    ("released", "value", "fits"),
    [
        pytest.param("20-24", "24", True, id="both ends belong"),
        pytest.param("20 to <25", "25", False, id="the end does not belong"),
        pytest.param("20 to <25", "24.999", True, id="nearly the end"),
        pytest.param("-5 to -1", "-5", True, id="below zero"),
        pytest.param(">=90", "90", True, id="from"),
        pytest.param("<18", "18", False, id="below"),
        pytest.param("<=40", "40", True, id="up to"),
        pytest.param(">40", "40", False, id="above"),
        pytest.param("1", "01", False, id="another writing of a code is another code"),
        pytest.param("1.0", "1", False, id="another writing of a number"),
        pytest.param("24-20", "22", False, id="no range"),
    ],
)
def test_ranges_without_a_policy(released, value, fits):
    atoms = Atoms.of("age", [released], ground=[value, "1000"])
    assert atoms.overlap(released, value) is fits


def test_dates_in_another_format_are_not_matched_and_counted():
    atoms = Atoms.of("birth", ["20/9/1965", "1965"], ground=["1965-09-20", "1964-01-01"])
    assert not atoms.overlap("20/9/1965", "1965-09-20")
    assert atoms.overlap("1965", "1965-09-20")
    assert atoms.count_recognized(["20/9/1965", "1965", "*"]) == 1


def test_texts_that_look_like_ranges_are_values_where_the_register_has_them():
    atoms = Atoms.of("phone", ["555-1234", "555-1300"], ground=["555-1234", "555-1300"])
    assert not atoms.overlap("555-1234", "555-1300")


def test_masked_codes_meet_where_no_code_was_seen():
    atoms = Atoms.of("zip", ["0213*", "021**", "0214*", "*"])
    assert atoms.overlap("0213*", "021**")
    assert not atoms.overlap("0213*", "0214*")
    assert len(atoms.meet("0213*", "0214*")) == 0
    assert atoms.meet("0213*", "021**").tolist() == atoms.list_atoms("0213*").tolist()


def test_a_missing_value_is_one_of_its_own_or_any():
    assert not Atoms.of("sex", ["F", None], ground=["F", None]).overlap(None, "F")
    assert Atoms.of("sex", ["F", None], ground=["F"], wildcard=True).overlap(None, "F")
    assert Atoms.of("sex", ["F"], ground=[None]).overlap("*", None)


def test_a_root_that_missing_values_join_stands_for_them():
    race = Tree({"person": ["black", "white"]})
    atoms = Atoms.of("race", ["person", None], race, ground=["black", None])
    assert atoms.overlap("person", None)
    assert not atoms.overlap("black", None)


def test_a_label_of_missing_values_alone_stands_for_them(tmp_path: Path):
    path = tmp_path / "sex.csv"
    path.write_text("F;known;*\nM;known;*\n;unknown;*\n")
    atoms = Atoms.of("sex", ["known", "unknown"], File(path), ground=["F", None])
    assert atoms.overlap("unknown", None)
    assert not atoms.overlap("unknown", "F")
    assert not atoms.overlap("known", None)


def test_no_texts_and_no_values_are_nothing_special():
    atoms = Atoms.of("age", [])
    assert atoms.count_recognized([]) == 0
    assert atoms.matrix([]).shape == (0, atoms.size)
    assert Atoms.of("age", ["x"]).count_recognized(["x", "*"]) == 0


def test_nothing_private_is_shown():
    atoms = Atoms.of("name", ["Ann"], ground=["Abe"])
    assert "Ann" not in repr(atoms)
    with pytest.raises(InternalError) as error:
        atoms.list_atoms("Bob")
    assert "Bob" not in str(error.value)


RANGES = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ends: tuple(sorted(ends)))


@settings(max_examples=60)
@given(st.lists(RANGES, min_size=1, max_size=6), st.sets(st.integers(0, 9), min_size=1))
def test_ranges_share_atoms_when_they_share_numbers(ranges, values):
    texts = {(a, b): f"{a}-{b}" if a < b else str(a) for a, b in ranges}
    atoms = Atoms.of("n", [*texts.values(), "*"], Intervals([2]), ground=map(str, values))
    matrix = atoms.matrix(list(texts.values())).toarray()
    shared = (matrix.astype(int) @ matrix.T.astype(int)) > 0
    for i, (a, b) in enumerate(texts):
        assert matrix[i].nonzero()[0].tolist() == atoms.list_atoms(texts[a, b]).tolist()
        for j, (c, d) in enumerate(texts):
            assert (
                shared[i, j] == (max(a, c) <= min(b, d)) == atoms.overlap(texts[a, b], texts[c, d])
            )
        for value in values:
            assert atoms.overlap(texts[a, b], str(value)) == (a <= value <= b)
    assert np.array_equal(atoms.list_atoms("*"), np.arange(atoms.size))


def test_a_star_in_a_register_is_a_value_that_only_a_star_fits() -> None:
    atoms = Atoms.of("zip", ["0213*", "*", "02138"], ground=["02138", "*"])
    assert atoms.fits("*", "*")
    assert not atoms.fits("0213*", "*")
    assert not atoms.fits("02138", "*")


def test_a_text_that_is_a_value_and_a_group_stands_for_the_value() -> None:
    tree = Tree({"*": {"New York": ["New York", "Albany"], "Maine": ["Bangor"]}})
    atoms = Atoms.of("place", ["New York", "Maine"], tree, ground=["New York", "Albany", "Bangor"])
    assert atoms.fits("New York", "New York")
    assert not atoms.fits("New York", "Albany")
    assert atoms.fits("Maine", "Bangor")
