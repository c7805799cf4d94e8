"""Every release of every algorithm keeps its promises, and is made of the rows it was given."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pycanon import anonymity

import discreet
from discreet.algorithms import (
    ALL,
    Datafly,
    Fixed,
    KSimilar,
    Local,
    Mondrian,
    Mpalm,
    MuArgus,
    Optimal,
    Suppress,
)
from discreet.algorithms.claims import HeuristicError, UnreachableError
from discreet.algorithms.solution import CellSolution
from discreet.errors import ReleaseError, TooLargeError
from discreet.models import BY_CLASS, KAnonymity
from discreet.pipeline.anonymize import Release
from discreet.pipeline.compare import name_algorithm
from discreet.table.table import Table
from tests.properties.reference import (
    Case,
    Cell,
    Node,
    Outcome,
    equal_distance,
    ordered_distance,
    outcome,
    shares,
    whole,
)
from tests.properties.strategies import Drawn, cases, examples, small

MAKERS = (
    *(algorithm() for algorithm in ALL),
    Datafly("minimal"),
    Local(consistent=True),
    Mondrian(kind="relaxed"),
    MuArgus(suppression="fewest"),
    MuArgus(complementary=True),
    Suppress(complementary=True),
)
IDS = [name_algorithm(maker) for maker in MAKERS]
KEEP_ALL_ROWS = (Fixed, KSimilar, Mondrian, Mpalm, MuArgus, Suppress)
"""Algorithms that leave rows out only where there are too few for any class, or never."""

every_maker = pytest.mark.parametrize("maker", MAKERS, ids=IDS)
Row = tuple[Cell, ...]


def test_every_algorithm_is_tried() -> None:
    assert {type(maker) for maker in MAKERS} == set(ALL)


def made(drawn: Drawn, maker: Any, **more: Any) -> Release | None:
    """The release, or None where there can be none, none was found, or a promise was refused."""
    policy = drawn.policy.replace(algorithm=maker, **more)
    claimed = all(isinstance(model, maker.claims) for model in policy.require)
    try:
        return discreet.anonymize(drawn.table, policy)
    except (ReleaseError, TooLargeError) as error:
        if "cannot promise" in str(error):
            assert not claimed or any(model.columns for model in policy.require)
        return None


def suited(maker: Any, **more: Any) -> Any:
    """Cases with the promises that an algorithm claims."""
    if set(BY_CLASS) <= set(maker.claims):
        return cases(**more)
    return cases(**{**more, "kind": "size", "most_models": 1})


def generalized(case: Case, node: Node) -> list[Row]:
    """Each row as it would be released, its sensitive values behind its quasi values."""
    others = [cells for name, cells in case.cells.items() if name not in case.quasi]
    return [(*row, *(c[i] for c in others)) for i, row in enumerate(case.released(node))]


def rows_of(table: pa.Table, case: Case) -> list[Row]:
    columns = [table.column(name).to_pylist() for name in case.cells]
    return list(zip(*columns, strict=True))


def starred(rows: list[Row], case: Case) -> Counter[Row]:
    """Rows whose quasi values are all taken out."""
    return Counter((*("*" for _ in case.quasi), *row[len(case.quasi) :]) for row in rows)


def check_rows(release: Release, released: pa.Table, case: Case) -> None:
    """What is released are rows of the table at the node's levels, those it says it suppressed out.

    Algorithms that suppress failing classes and no more suppress just what brute force does.
    """
    if isinstance(release.solution, CellSolution):
        check_cells(release, released, case)
        return
    node = release.solution.node
    all_rows, found = generalized(case, node), rows_of(released, case)
    expected = outcome(case, node)
    if isinstance(release.policy.algorithm, Optimal):
        kept = [row for row, keep in zip(all_rows, expected.kept, strict=True) if keep]
        gone = [row for row, keep in zip(all_rows, expected.kept, strict=True) if not keep]
        assert release.solution.suppressed == len(gone)
        if release.stars:
            assert Counter(found) == Counter(kept) + starred(gone, case)
        else:
            assert Counter(found) == Counter(kept)
            assert release.policy.order == "scramble" or found == kept
    elif not release.stars:
        assert not Counter(found) - Counter(all_rows)
        if release.policy.order == "keep":
            left = iter(all_rows)
            assert all(row in left for row in found)
    assert len(found) == release.rows
    sizes = Counter(row[: len(case.quasi)] for row in found).values()
    facts = release.facts()
    assert facts["classes"] == len(sizes)
    assert facts["smallest_class"] == min(sizes, default=None)
    assert expected.suppressed <= release.solution.suppressed <= case.limit


def check_cells(release: Release, released: pa.Table, case: Case) -> None:
    """Each released row is a row of the table, every quasi value as it is, or a broader one."""
    found = rows_of(released, case)
    original = list(zip(*case.cells.values(), strict=True))
    assert len(found) == release.rows
    assert release.stars or len(original) - len(found) == release.solution.suppressed
    assert release.solution.suppressed <= case.limit
    sizes = Counter(row[: len(case.quasi)] for row in found).values()
    facts = release.facts()
    assert facts["classes"] == len(sizes)
    assert facts["smallest_class"] == min(sizes, default=None)
    if release.policy.order == "keep":
        left = iter(original)
        assert all(any(covers(row, one, case, release) for one in left) for row in found)


def covers(released: Row, row: Row, case: Case, release: Release) -> bool:
    """Whether a released row may stand for a row of the table."""
    blank = [None] if release.policy.missing.wildcard else []
    ladders = [case.ladders[name].up for name in case.quasi]
    quasi = zip(released, row, ladders, strict=False)
    return released[len(ladders) :] == row[len(ladders) :] and all(
        cell in (*up[value], "*", *blank) for cell, value, up in quasi
    )


def better(measure: Any, one: float, other: float) -> bool:
    """Whether one value of a measure is better than another, by more than rounding."""
    lower = measure.convert_score(0.0) < measure.convert_score(1.0)
    return one < other - 1e-9 if lower else one > other + 1e-9


def check_bound(release: Release) -> None:
    """No release is better than what was said to be the best possible; a proven one is as good."""
    measure, search = release.policy.measure, release.solution.search
    reached = release.solution.measures[measure.name]
    if search.bound is not None:
        assert not better(measure, reached, search.bound)
    if search.proven:
        assert reached == pytest.approx(search.bound, abs=1e-9)


def check_promises(release: Release, released: pa.Table, drawn: Drawn) -> None:
    """``verify`` agrees that all holds, and on how well."""
    second = discreet.verify(released, release.policy, original=drawn.table)
    assert second.holds
    first = release.facts()["verdicts"]
    for mine, other in zip(first, second.facts()["verdicts"], strict=True):
        assert mine["holds"]
        assert mine["measured"] == pytest.approx(other["measured"], abs=1e-9), mine["model"]
    if release.solution.suppressed == 0:
        assert discreet.verify(released, release.policy).holds


@every_maker
@examples(5)
@given(data=st.data(), seed=st.integers(0, 5), order=st.sampled_from(["scramble", "keep"]))
def test_a_release_keeps_its_promises_and_is_made_of_the_rows(
    maker: Any, data: st.DataObject, seed: int, order: str
) -> None:
    drawn = data.draw(suited(maker))
    table = drawn.table
    before = table.to_pydict()
    release = made(drawn, maker, seed=seed, order=order)
    assume(release is not None)
    assert release is not None
    released = release.to_arrow()
    check_promises(release, released, drawn)
    check_rows(release, released, drawn.case)
    check_bound(release)
    assert table.to_pydict() == before


@pytest.mark.parametrize(
    "maker",
    [maker for maker in MAKERS if not isinstance(maker, KEEP_ALL_ROWS)],
    ids=name_algorithm,
)
@examples(4)
@given(data=st.data(), seed=st.integers(0, 5))
def test_suppressed_rows_that_are_kept_as_stars_keep_the_promises_too(
    maker: Any, data: st.DataObject, seed: int
) -> None:
    drawn = data.draw(suited(maker, kind="sized", shares=[0.29, 0.5, 1]))
    release = made(drawn, maker, seed=seed, suppressed_rows="keep")
    assume(release is not None and release.solution.suppressed)
    assert release is not None
    released = release.to_arrow()
    check_promises(release, released, drawn)
    check_rows(release, released, drawn.case)


@every_maker
@examples(3)
@given(data=st.data(), keep=st.booleans())
def test_missing_values_that_match_any_keep_the_promises(
    maker: Any, data: st.DataObject, keep: bool
) -> None:
    drawn = data.draw(suited(maker, most_nodes=30, wildcard=True))
    release = made(drawn, maker, seed=3, suppressed_rows="keep" if keep else "drop")
    assume(release is not None)
    assert release is not None
    released = release.to_arrow()
    check_promises(release, released, drawn)
    check_rows(release, released, drawn.case)


@every_maker
@examples(2)
@given(data=st.data(), seed=st.integers(0, 5), keep=st.booleans())
def test_one_seed_gives_one_release(maker: Any, data: st.DataObject, seed: int, keep: bool) -> None:
    drawn = data.draw(suited(maker))
    kept = "keep" if keep else "drop"
    one = made(drawn, maker, seed=seed, suppressed_rows=kept)
    assume(one is not None)
    other = made(drawn, maker, seed=seed, suppressed_rows=kept)
    assert one is not None
    assert other is not None
    assert one.to_arrow().equals(other.to_arrow())
    assert {**one.facts(), "seconds": 0} == {**other.facts(), "seconds": 0}


def framed(released: pa.Table, case: Case) -> pd.DataFrame:
    """As pycanon wants it: without gaps, which it would take out together with their rows."""
    return pd.DataFrame(
        {
            name: [f"={cell}" if cell is not None else "missing" for cell in column.to_pylist()]
            for name, column in zip(released.column_names, released.columns, strict=True)
        }
    )[list(case.cells)]


def check_with_pycanon(model: Any, frame: pd.DataFrame, released: pa.Table, case: Case) -> None:
    quasi = list(case.quasi if model.columns is None else model.columns)
    if model.name == "k_anonymity":
        assert anonymity.k_anonymity(frame, quasi) >= model.k
    if model.name == "l_diversity" and model.kind == "distinct":
        assert anonymity.l_diversity(frame, quasi, [model.column]) >= model.ell
    if model.name == "t_closeness" and model.distance != "hierarchical":
        own = shares(Counter(released.column(model.column).to_pylist()))
        table = whole(case, model.column)
        if model.distance == "equal":
            theirs = anonymity.t_closeness(frame, quasi, [model.column])
            assert theirs <= model.t + float(equal_distance(own, table)) + 1e-9
        elif model.order is None and None not in own and 1 < len(own) == len(table):
            numbers = frame.assign(**{model.column: places(released, model)})
            theirs = anonymity.t_closeness(numbers, quasi, [model.column])
            drift = float(ordered_distance(case, model, own, table))
            assert theirs <= model.t + drift + 1e-9


def places(released: pa.Table, model: Any) -> list[int]:
    """Numbers in the order of the sensitive values, those written in two ways apart."""
    cells = released.column(model.column).to_pylist()
    order = sorted(set(cells), key=lambda cell: (float(cell), cell))
    return [order.index(cell) for cell in cells]


@every_maker
@examples(3)
@given(data=st.data())
def test_pycanon_finds_the_promises_kept(maker: Any, data: st.DataObject) -> None:
    """pycanon compares with the release itself, which may have drifted by what was suppressed."""
    drawn = data.draw(suited(maker, wildcard=False))
    release = made(drawn, maker, seed=1)
    assume(release is not None and release.rows)
    assert release is not None
    released = release.to_arrow()
    frame = framed(released, drawn.case)
    for model in drawn.case.models:
        check_with_pycanon(model, frame, released, drawn.case)


@examples(8)
@given(drawn=cases(shares=[0], wildcard=False, most_models=2))
def test_pycanon_measures_the_same_where_nothing_is_suppressed(drawn: Drawn) -> None:
    release = made(drawn, Optimal(), seed=1)
    assume(release is not None)
    assert release is not None
    frame = framed(release.to_arrow(), drawn.case)
    for model, verdict in zip(drawn.case.models, release.solution.verdicts, strict=True):
        quasi = list(verdict.columns)
        if model.name == "k_anonymity":
            assert anonymity.k_anonymity(frame, quasi) == verdict.measured
        if model.name == "l_diversity" and model.kind == "distinct":
            assert anonymity.l_diversity(frame, quasi, [model.column]) == verdict.measured
        if model.name == "t_closeness" and model.distance == "equal":
            theirs = anonymity.t_closeness(frame, quasi, [model.column])
            assert theirs == pytest.approx(verdict.measured, abs=1e-9)
        if model.name == "beta_likeness":
            theirs = anonymity.basic_beta_likeness(frame, quasi, [model.column])
            assert theirs == pytest.approx(verdict.measured, abs=1e-9)


def predecessors(node: Node) -> list[Node]:
    return [(*node[:c], level - 1, *node[c + 1 :]) for c, level in enumerate(node) if level]


def acceptable(one: Outcome, case: Case) -> bool:
    """Whether Datafly would surely take a node: nothing to suppress, or no complement needed."""
    smallest = [model.k for model in case.models if model.name == "k_anonymity"]
    smallest += [math.ceil(1 / model.max) for model in case.models if model.name == "largest_risk"]
    return one.allowed and (one.suppressed == 0 or one.suppressed >= max(smallest, default=0))


@examples(80)
@given(drawn=cases(most_models=1, kind="size", shares=[0, 0.1]))
def test_minimal_datafly_never_ends_above_a_node_that_would_do(drawn: Drawn) -> None:
    case = drawn.case
    try:
        solution = Datafly("minimal")(drawn.problem())
    except (HeuristicError, UnreachableError):
        return
    assert outcome(case, solution.node).allowed
    for lower in predecessors(solution.node):
        assert not acceptable(outcome(case, lower), case), lower


@examples(80)
@given(drawn=cases())
def test_datafly_finds_a_release_where_everything_at_its_root_is_one(drawn: Drawn) -> None:
    top = outcome(drawn.case, drawn.case.top)
    for heuristic in ("distinct", "minimal"):
        if acceptable(top, drawn.case):
            solution = Datafly(heuristic)(drawn.problem())
            assert outcome(drawn.case, solution.node).allowed
            assert all(verdict.holds for verdict in solution.verdicts)


@pytest.mark.parametrize("heuristic", ["distinct", "minimal"])
@examples(80)
@given(drawn=cases(kind="size", most_models=2, shares=[0.1, 0.29, 0.5]))
def test_complementary_suppression_breaks_no_promise(heuristic: Any, drawn: Drawn) -> None:
    """Rows that are suppressed so that suppressed rows number k may be missed elsewhere."""
    try:
        solution = Datafly(heuristic)(drawn.problem())
    except (HeuristicError, UnreachableError):
        return
    assert all(verdict.holds for verdict in solution.verdicts)
    assert solution.suppressed <= drawn.case.limit


def test_a_complement_that_would_break_a_class_is_not_taken() -> None:
    """b stands out alone, so two more rows must go; without them, c would be too small."""
    cells = {"q": ["b", "c", "c", "c", "c"], "r": ["x", "x", "x", "y", "y"]}
    ups = {"q": {v: (v, "*") for v in "bc"}, "r": {v: (v, "*") for v in "xy"}}
    drawn = small(ups, cells, models=(KAnonymity(3, columns=("q",)),), suppress=0.6)
    assert outcome(drawn.case, (0, 0)).suppressed == 1
    solution = Datafly()(drawn.problem())
    assert all(verdict.holds for verdict in solution.verdicts)


def test_rows_that_are_drawn_to_be_suppressed_are_the_same_under_one_seed() -> None:
    """Datafly takes two of the eight rows of a class to hide one that stands out."""
    cells = {"q": ["a"] * 8 + ["b"], "s": [str(number) for number in range(9)]}
    up = {v: (v, "*") for v in "ab"}
    drawn = small({"q": up}, cells, models=(KAnonymity(3),), suppress=0.5)
    found = []
    for seed in (1, 2, 3, 4):
        one, other = (made(drawn, Datafly(), seed=seed) for _ in range(2))
        assert one is not None
        assert other is not None
        released = one.to_arrow()
        assert released.equals(other.to_arrow())
        found.append(frozenset(released.column("s").to_pylist()))
    assert len(set(found)) > 1
    assert {len(rows) for rows in found} == {6}


def test_a_class_is_suppressed_in_part_in_however_many_batches_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def in_threes(self: Table, *given: Any, **more: Any) -> pa.RecordBatchReader:
        found = scan(self, *given, **more).read_all()
        return pa.RecordBatchReader.from_batches(found.schema, found.to_batches(max_chunksize=3))

    cells = {"q": ["a"] * 8 + ["b"], "s": [str(number) for number in range(9)]}
    drawn = small({"q": {v: (v, "*") for v in "ab"}}, cells, models=(KAnonymity(3),), suppress=0.5)
    scan = Table.scan
    whole = [made(drawn, Datafly(), seed=seed) for seed in range(4)]
    together = [release.to_arrow() for release in whole if release is not None]
    monkeypatch.setattr(Table, "scan", in_threes)
    for seed, expected in enumerate(together):
        release = made(drawn, Datafly(), seed=seed)
        assert release is not None
        assert release.to_arrow().equals(expected)


@pytest.mark.parametrize("order", ["scramble", "keep"])
def test_rows_of_stars_join_a_class_that_reads_the_same(order: str) -> None:
    cells = {"q": ["*", "*", "b", "*"], "r": ["*", "*", "*", "*"]}
    ups = {"q": {"*": ("*", "x"), "b": ("b", "x")}, "r": {"*": ("*", "x")}}
    drawn = small(ups, cells, models=(KAnonymity(3),), suppress=0.5)
    release = made(drawn, Optimal(), suppressed_rows="keep", order=order)
    assert release is not None
    facts = release.facts()
    assert (facts["rows_suppressed"], facts["classes"], facts["smallest_class"]) == (1, 1, 4)
    check_promises(release, release.to_arrow(), drawn)


def test_nothing_is_said_of_rows_in_the_facts() -> None:
    """Values of the table are not in the facts of a release, which go into reports and logs."""
    secret = "only-in-the-rows"
    table = pa.table({"q": [secret, secret, "b", "b"], "s": ["1", "2", "1", secret]})
    policy = discreet.Policy(
        columns={"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        require=[{"k_anonymity": {"k": 2}}],
    )
    release = discreet.anonymize(table, policy)
    assert secret not in repr(list(chain.from_iterable(release.facts().items())))
    assert secret not in repr(release.solution)
