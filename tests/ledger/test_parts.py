"""Parts of a table through a ledger, put together by somebody who has them and the conditions."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from discreet.errors import DiscreetError, EarlierReleaseError
from discreet.hierarchy import Tree
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.ledger import Ledger
from discreet.pipeline.part import Part
from discreet.policy.policy import Policy
from discreet.table.where import Where
from tests.properties.strategies import examples

TREES: dict[str, dict[str, str]] = {"x": {"ab": "ab", "cd": "cd"}, "y": {"12": "12", "34": "34"}}
Person = dict[str, str]


def _crowd(size: int, seed: int) -> list[Person]:
    """People who differ, whatever hypothesis would rather have simple."""
    draw = random.Random(seed)
    kinds = {"x": "aaabcd", "y": "111234", "s": "pqr"}
    return [{name: draw.choice(letters) for name, letters in kinds.items()} for _ in range(size)]


seeds = st.integers(0, 2**32)
crowds = st.builds(_crowd, st.integers(12, 30), seeds)
values = st.sampled_from(
    (
        "x = 'a'",
        "x != 'a'",
        "x IN ('a', 'c')",
        "x LIKE '%'",
        "y < 3",
        "y >= 2",
        "y = 4",
        "NOT (x = 'b' AND y > 1)",
        "id != '0'",
        "id IN ('0', '1', '2')",
        "NOT id IN ('1', '2')",
        "id BETWEEN 3 AND 9",
        "y BETWEEN 2 AND 3 OR x = 'd'",
    )
)
asks = st.fixed_dictionaries(
    {
        "where": st.one_of(values, st.none()),
        "columns": st.sampled_from(((), (), (), ("id", "x", "s"), ("id", "y", "s"))),
        "to": st.sampled_from(("lab", "lab", "lab", "lab", "public")),
        "suppress": st.sampled_from((0.3, 0.0, 0.1, 0.6)),
        "algorithm": st.sampled_from(("optimal", "optimal", "datafly", "spalm")),
        "more": st.builds(_crowd, st.integers(0, 3), seeds),
    }
)


@dataclass(frozen=True)
class Held:
    """A release as its reader has it, with the condition that was asked and the levels."""

    to: str
    where: str | None
    levels: Mapping[str, int]
    rows: Mapping[str, tuple[tuple[str, str], ...]]

    def cells_of(self, person: Person) -> tuple[tuple[str, str], ...]:
        """What the release would have said of somebody."""
        return tuple((c, _up(c, person[c], level)) for c, level in self.levels.items())

    def meant(self, crowd: Sequence[Person]) -> list[bool]:
        """Who meets the condition."""
        if self.where is None:
            return [True] * len(crowd)
        cells = {name: _table(crowd)[name].combine_chunks() for name in ("id", "x", "y")}
        return Where(self.where)(cells).tolist()


def _up(column: str, value: str, level: int) -> str:
    branch = next(branch for branch in TREES[column] if value in branch)
    return (value, branch, "*")[level]


def _policy(ask: Mapping[str, Any], require: list[Any]) -> Policy:
    trees = {c: Tree({"*": {b: list(b) for b in branches}}) for c, branches in TREES.items()}
    columns: dict[str, Any] = {"id": {"role": "other"}, "s": {"role": "sensitive"}}
    columns |= {name: {"role": "quasi", "hierarchy": tree} for name, tree in trees.items()}
    settings = {name: ask[name] for name in ("suppress", "algorithm") if name in ask}
    return Policy(columns=columns, require=require, **settings)


def _table(crowd: Sequence[Person]) -> pa.Table:
    names = {name: [person[name] for person in crowd] for name in ("x", "y", "s")}
    return pa.table({"id": [str(number) for number in range(len(crowd))], **names})


def _release(
    folder: Path, crowd: Sequence[Person], ask: Mapping[str, Any], require: list[Any]
) -> Held:
    whole = ask["where"] is None and not ask["columns"]
    part = None if whole else Part(ask["where"], ask["columns"])
    with Ledger.open(folder / "ledger") as ledger:
        policy = _policy(ask, require)
        release = anonymize_again(_table(crowd), policy, ledger, ask["to"], part=part)
        ledger.add(release.record.entry("release.csv", "hash"))
    levels = {name: level for name, level in release.levels.items() if level is not None}
    with release._build_recoder().open_reader() as rows:
        told = rows.read_all().to_pylist()
    shown = {row["id"]: tuple((c, row[c]) for c in levels) for row in told}
    return Held(ask["to"], ask["where"], levels, shown)


def _released(
    crowd: list[Person], asked: Sequence[Mapping[str, Any]], require: list[Any], grows: bool
) -> list[Held]:
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for number, ask in enumerate(asked):
            crowd += ask["more"] if grows and number else []
            try:
                made.append(_release(Path(folder), crowd, ask, require))
                event(f"{number}: released")
            except DiscreetError as error:
                event(f"{number}: {type(error).__name__}")
    return made


def _fitting(
    held: Sequence[Held], crowd: Sequence[Person], grows: bool
) -> Iterator[tuple[str, set[str]]]:
    """For everybody the rows that may be theirs, to somebody who has the releases.

    The worst is assumed: the rows of several releases can be put together, and where a class was
    released in part (by datafly) it is known that some of it is not shown. A row that a release
    does not show may have come later, if the table grows.
    """
    rows = {row for one in held for row in one.rows}
    inside = [
        {
            str(number): one.cells_of(person)
            for number, (person, met) in enumerate(zip(crowd, one.meant(crowd), strict=True))
            if met
        }
        for one in held
    ]
    there = [Counter(cells.values()) for cells in inside]
    shown = [Counter(one.rows.values()) for one in held]
    for number in map(str, range(len(crowd))):
        fits = set(rows)
        for one, cells, then, now in zip(held, inside, shown, there, strict=True):
            mine = cells.get(number)
            hidden = grows or mine is None or then[mine] < now[mine]
            fits = {row for row in fits if one.rows.get(row, mine if hidden else "") == mine}
        yield number, fits


@examples(14)
@given(crowds, st.lists(asks, min_size=3, max_size=3), st.data())
def test_parts_together_never_tell_fewer_than_k_rows_apart(
    crowd: list[Person], asked: list[dict[str, Any]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(2, 3))
    made = _released(crowd, asked, [{"k_anonymity": {"k": k}}], grows=False)
    for reader in ("lab", "public"):
        held = [one for one in made if one.to in (reader, "public")]
        assert all(not rows or len(rows) >= k for _, rows in _fitting(held, crowd, grows=False))


@examples(8)
@given(crowds, st.lists(asks, min_size=3, max_size=3))
def test_parts_together_keep_the_sensitive_values_diverse(
    crowd: list[Person], asked: list[dict[str, Any]]
) -> None:
    require: list[Any] = [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "s", "ell": 2}}]
    made = _released(crowd, asked, require, grows=False)
    for reader in ("lab", "public"):
        held = [one for one in made if one.to in (reader, "public")]
        for _, rows in _fitting(held, crowd, grows=False):
            assert not rows or len({crowd[int(row)]["s"] for row in rows}) >= 2


@examples(8)
@given(crowds, st.lists(asks, min_size=3, max_size=3))
def test_whoever_is_shown_fits_k_rows_of_the_parts_of_a_table_that_grows(
    crowd: list[Person], asked: list[dict[str, Any]]
) -> None:
    made = _released(crowd, asked, [{"k_anonymity": {"k": 2}}], grows=True)
    for reader in ("lab", "public"):
        held = [one for one in made if one.to in (reader, "public")]
        shown = {row for one in held for row in one.rows}
        assert all(
            len(rows) >= 2 for number, rows in _fitting(held, crowd, grows=True) if number in shown
        )


@examples(8)
@given(crowds, st.lists(asks, min_size=3, max_size=3))
def test_a_promise_for_columns_of_its_own_holds_for_parts_together(
    crowd: list[Person], asked: list[dict[str, Any]]
) -> None:
    promises: list[Any] = [
        {"k_anonymity": {"k": 2}},
        {"k_anonymity": {"k": 4, "columns": ["x"]}},
    ]
    asked = [{**ask, "to": "lab"} for ask in asked]
    held = _released(crowd, asked, promises, grows=False)
    everyone = {row for one in held for row in one.rows}
    for value in {person["x"] for person in crowd}:
        mine = {str(number) for number, person in enumerate(crowd) if person["x"] == value}
        rows = {row for row in everyone if all(_may_be(one, row, value, mine) for one in held)}
        assert not rows or len(rows) >= 4


def _may_be(one: Held, row: str, value: str, mine: set[str]) -> bool:
    """Whether a row may be that of somebody of whom one value is known, and who has it."""
    if row not in one.rows:
        return not mine <= one.rows.keys()
    return dict(one.rows[row])["x"] == _up("x", value, one.levels["x"])


CROWD = [{"x": "a", "y": "1", "s": "pqr"[i % 3]} for i in range(8)] + [
    {"x": "b", "y": "2", "s": "pqr"[i % 3]} for i in range(8)
]
ALL = {"where": None, "columns": (), "to": "lab"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def _ask(folder: Path, where: str | None, crowd: Sequence[Person] = CROWD, **more: Any) -> Held:
    return _release(folder, crowd, {**ALL, "where": where, **more}, [{"k_anonymity": {"k": 3}}])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (None, "id != '0'"),
        ("id != '0'", None),
        ("id IN ('0', '1', '2', '3')", "id IN ('0', '1', '2', '3', '4')"),
        ("id IN ('0', '1', '2', '3')", "id IN ('2', '3', '4', '5')"),
    ],
    ids=["all, then all but one", "all but one, then all", "one more", "a few in both"],
)
def test_a_part_that_differs_by_few_rows_is_refused(
    folder: Path, first: str | None, second: str | None
) -> None:
    _ask(folder, first)
    refusal = "earlier release 1: rows that only one of the releases shows"
    with pytest.raises(EarlierReleaseError, match=refusal):
        _ask(folder, second)


def test_parts_without_rows_in_common_do_not_restrict_each_other(folder: Path) -> None:
    assert _ask(folder, "x = 'a'").levels == {"x": 0, "y": 0}
    assert _ask(folder, "x = 'b'").levels == {"x": 0, "y": 0}


def test_a_part_may_leave_out_whole_classes_of_an_earlier_release(folder: Path) -> None:
    _ask(folder, None)
    assert len(_ask(folder, "x = 'a'").rows) == 8


def test_a_part_may_have_fewer_columns_than_an_earlier_one_and_more(folder: Path) -> None:
    assert _ask(folder, None, columns=("id", "x")).levels == {"x": 0}
    assert _ask(folder, None, columns=("id", "y")).levels == {"y": 0}
    assert _ask(folder, None).levels == {"x": 0, "y": 0}


def test_columns_that_cross_are_made_coarser_until_together_they_tell_no_few_apart(
    folder: Path,
) -> None:
    crossed = [{"x": x, "y": y, "s": "p"} for x in "ac" for y in "13" for _ in range(2)]
    assert _ask(folder, None, crossed, columns=("id", "x")).levels == {"x": 0}
    assert _ask(folder, None, crossed, columns=("id", "y")).levels == {"y": 2}


def test_columns_that_cross_are_made_coarser_until_sensitive_values_stay_diverse(
    folder: Path,
) -> None:
    values = {"a1": "p", "a3": "q", "c1": "q", "c3": "p"}
    crossed = [{"x": x, "y": y, "s": s} for (x, y), s in values.items() for _ in range(4)]
    require: list[Any] = [{"k_anonymity": {"k": 3}}, {"l_diversity": {"column": "s", "ell": 2}}]
    first = {**ALL, "columns": ("id", "x", "s")}
    assert _release(folder, crossed, first, require).levels == {"x": 0}
    second = {**ALL, "columns": ("id", "y", "s")}
    assert _release(folder, crossed, second, require).levels == {"y": 2}


def test_rows_that_too_few_would_share_are_left_out_where_the_policy_allows_it(
    folder: Path,
) -> None:
    _ask(folder, None)
    second = _ask(folder, "id NOT IN ('0') ", suppress=0.6)
    assert set(second.rows) == {str(number) for number in range(8, 16)}


def test_another_audience_knows_nothing_of_a_part(folder: Path) -> None:
    _ask(folder, "id != '0'")
    assert len(_ask(folder, "id != '1'", to="council").rows) == 15
    with pytest.raises(EarlierReleaseError):
        _ask(folder, "id != '2'", to="public")


def test_rows_removed_since_a_part_must_be_said_to_be(folder: Path) -> None:
    _ask(folder, "x = 'a'")
    with pytest.raises(EarlierReleaseError, match="cannot be found any more"):
        _ask(folder, None, CROWD[1:])


def test_new_rows_of_a_class_do_not_count_for_old_ones_that_a_part_divides(folder: Path) -> None:
    _ask(folder, None)
    grown = CROWD + [{"x": "a", "y": "1", "s": "p"}] * 4
    with pytest.raises(EarlierReleaseError):
        _ask(folder, "id IN ('0', '1', '16', '17', '18', '19')", grown)


def test_what_an_earlier_policy_told_apart_may_be_released_again_but_not_divided(
    folder: Path,
) -> None:
    pairs = [{"x": x, "y": "1", "s": s} for x in "abc" for s in "pq"]
    _release(folder, pairs, ALL, [{"k_anonymity": {"k": 2}}])
    assert len(_ask(folder, "x != 'a'", pairs).rows) == 4
    with pytest.raises(EarlierReleaseError):
        _ask(folder, "id NOT IN ('2', '4')", pairs)


ONE_BY_ONE = [{"k_anonymity": {"k": 2, "columns": [name]}} for name in "xy"]
"""Promises to somebody who knows one column only."""


def test_whoever_knows_one_column_that_was_protected_by_itself_is_still_one_of_k(
    folder: Path,
) -> None:
    """Of three who are a or b, the part shows two as a: the third is the only b."""
    crowd = [{"x": x, "y": y, "s": "p"} for x, y in (*["a1"] * 2, "b3", *["c3"] * 2)]
    assert _release(folder, crowd, ALL, ONE_BY_ONE).levels == {"x": 1, "y": 0}
    ask = {**ALL, "where": "x = 'a' OR y = 1", "columns": ("id", "x")}
    with pytest.raises(EarlierReleaseError):
        _release(folder, crowd, ask, [{"k_anonymity": {"k": 2}}])


def test_rows_that_only_newer_ones_keep_company_are_not_put_beside_a_part(folder: Path) -> None:
    crowd = [{"x": "b", "y": "1", "s": "p"}] * 3 + [{"x": "a", "y": "1", "s": "p"}] * 2
    first = _ask(folder, None, crowd, suppress=0.4)
    assert first.levels == {"x": 0, "y": 0}
    crowd += [{"x": "b", "y": "1", "s": "p"}]
    assert _ask(folder, None, crowd).levels["x"] == 1
    with pytest.raises(EarlierReleaseError, match="rows were added or removed since then"):
        _ask(folder, "x != 'a'", crowd)
