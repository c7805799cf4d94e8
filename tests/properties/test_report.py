"""Every figure of a report counted a second time, in plain Python over the rows."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.errors import ReleaseError
from discreet.pipeline.description.facts import Column, Facts, Risks

Row = tuple[str, str | None, str]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["20", "21", "25", "33", "34", "47"]),
        st.sampled_from(["m", "f", None]),
        st.sampled_from(["1", "2.5", "40"]),
    ),
    min_size=4,
    max_size=30,
)
NAMES = ("age", "sex", "pay")
BINS = [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, None)]


def make_policy(algorithm: str) -> dict[str, Any]:
    return {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
            "sex": {"role": "quasi"},
            "pay": {"role": "sensitive"},
        },
        "require": [{"k_anonymity": {"k": 2}}],
        "suppress": 0.5,
        "algorithm": algorithm,
        "seed": 1,
    }


def make_table(rows: list[Row]) -> pa.Table:
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
    return pa.table(columns, names=list(NAMES))


def generalize(name: str, value: str | None, level: int) -> str | None:
    if level == 0:
        return value
    if name == "age" and level == 1:
        return f"{value[0]}0-{value[0]}9" if value else None
    return "*"


def covers(name: str, label: str | None, value: str | None) -> bool:
    return any(generalize(name, value, level) == label for level in range(3))


def find_label(name: str, value: str | None, labels: set[str | None], values: set[Any]) -> Any:
    """The smallest released label that covers a value; its own text before others."""
    fitting = [label for label in labels if covers(name, label, value)]
    size = {label: sum(covers(name, label, one) for one in values) for label in fitting}
    return min(fitting, key=lambda one: (size[one], one == "*", one != value), default="nothing")


def cramer(pairs: list[tuple[Any, Any]]) -> float | None:
    kept = [pair for pair in pairs if "*" not in pair]
    left, right, both = Counter(a for a, _ in kept), Counter(b for _, b in kept), Counter(kept)
    least = min(len(left), len(right))
    if least < 2:
        return None
    total = len(kept)
    square = 0.0
    for a in left:
        for b in right:
            expected = left[a] * right[b] / total
            square += (both[a, b] - expected) ** 2 / expected
    return math.sqrt(square / total / (least - 1))


def read_quantile(values: list[float], share: float) -> float:
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def check_classes(facts: dict[str, Any], tuples: list[Any]) -> None:
    sizes = Counter(tuples)
    assert facts["rows"] == len(tuples)
    assert facts["classes"] == len(sizes)
    assert facts["smallest"] == min(sizes.values(), default=None)
    assert facts["average"] == pytest.approx(len(tuples) / len(sizes))
    assert facts["unique_rows"] == sum(size == 1 for size in sizes.values())
    for one, (least, most) in zip(facts["bins"], BINS, strict=True):
        inside = [size for size in sizes.values() if least <= size <= (most or 10**9)]
        assert (one["least"], one["most"]) == (least, most)
        assert (one["rows"], one["classes"]) == (sum(inside), len(inside))


def check_risk(facts: dict[str, Any], tuples: list[Any], threshold: float) -> None:
    sizes = Counter(tuples)
    chances = [1 / sizes[one] for one in tuples]
    assert facts["prosecutor_highest"] == pytest.approx(max(chances))
    assert facts["prosecutor_average"] == pytest.approx(sum(chances) / len(chances))
    assert facts["journalist_highest"] == facts["prosecutor_highest"]  # no register, no population
    assert facts["population_uniques"] is None
    assert facts["marketer"] == pytest.approx(len(sizes) / len(tuples))
    assert facts["rows_above_threshold"] == sum(chance > threshold for chance in chances)


def check_column(
    column: dict[str, Any], cells: list[Any], before: list[Any], ground: list[Any]
) -> None:
    name = column["name"]
    listed = {one["label"]: (one["after"], one["before"]) for one in column["values"]}
    labels = {cell or "" for cell in (*cells, *before)} - {"nothing"}
    assert listed == {
        label: (
            sum((cell or "") == label for cell in cells),
            sum((cell or "") == label for cell in before),
        )
        for label in labels
    }
    assert column["distinct_before"] == len(set(ground))
    assert column["distinct_after"] == len(set(cells))
    assert column["suppressed_cells"] == cells.count("*") / len(cells)
    if column["role"] == "quasi":
        leaves = set(ground)
        shares = [sum(covers(name, cell, one) for one in leaves) / len(leaves) for cell in cells]
        mean, least = sum(shares) / len(shares), 1 / len(leaves)
        lost = 0.0 if len(leaves) == 1 else max(0.0, (mean - least) / (1 - least))
        assert column["loss"] == pytest.approx(lost)
        assert column["granularity"] == pytest.approx(1 - lost)
    else:
        for key, values in (("numbers_before", ground), ("numbers_after", cells)):
            numbers = sorted(float(value) for value in values)
            mean = sum(numbers) / len(numbers)
            spread = sum((one - mean) ** 2 for one in numbers) / len(numbers)
            assert column[key]["count"] == len(numbers)
            assert column[key]["ranges"] is False
            assert column[key]["mean"] == pytest.approx(mean)
            assert column[key]["deviation"] == pytest.approx(math.sqrt(spread))
            for share, value in column[key]["quantiles"].items():
                assert value == pytest.approx(read_quantile(numbers, float(share)))


@given(ROWS, st.sampled_from(["optimal", "local"]))
@settings(max_examples=20)
def test_every_fact_is_the_one_counted_row_by_row(rows: list[Row], algorithm: str) -> None:
    private, policy = make_table(rows), make_policy(algorithm)
    try:
        made = discreet.anonymize(private, policy)
    except ReleaseError:
        return
    released = made.to_arrow()
    cells = {name: released.column(name).cast(pa.string()).to_pylist() for name in NAMES}
    ground = dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))
    if not released.num_rows:
        return
    untried = {"rows": released.num_rows, "attacks": []}
    facts = discreet.report(released, policy, original=private, facts=[made, untried]).facts()

    before = dict(ground)
    for name in ("age", "sex"):
        level = made.levels[name]
        if level is None:
            labels = set(cells[name])
            before[name] = [
                find_label(name, one, labels, set(ground[name])) for one in ground[name]
            ]
        else:
            before[name] = [generalize(name, one, level) for one in ground[name]]
    assert (facts["rows_before"], facts["rows_after"]) == (len(rows), released.num_rows)
    check_classes(facts["classes_before"], list(zip(ground["age"], ground["sex"], strict=True)))
    check_classes(facts["classes_after"], list(zip(cells["age"], cells["sex"], strict=True)))
    threshold = facts["risks"]["threshold"]
    assert threshold == 0.5
    for key, table in (("before", ground), ("after", cells)):
        check_risk(
            facts["risks"][key], list(zip(table["age"], table["sex"], strict=True)), threshold
        )
    for column in facts["columns"]:
        name = column["name"]
        check_column(column, cells[name], before[name], ground[name])
        lost = Counter(before[name]) - Counter(cells[name])
        if name == "pay" or None not in made.levels.values():
            told = {one["label"]: one["suppressed"] for one in column["suppression"]}
            assert {label: n for label, n in told.items() if n} == {
                label or "": n for label, n in lost.items()
            }
    assert facts["suppression"]["allowed"] == policy["suppress"]
    assert facts["suppression"]["rows"] == len(rows) - released.num_rows
    assert facts["suppression"]["share"] == pytest.approx(1 - released.num_rows / len(rows))
    for one in facts["dependence"]:
        left, right = one["columns"]
        for key, table in (("before", before), ("after", cells)):
            told = [(a, b) for a, b in zip(table[left], table[right], strict=True)]
            told = [pair for pair in told if "nothing" not in pair]
            found = cramer(told)
            assert one[key] == (None if found is None else pytest.approx(found))


COUNTED_AGAIN = {
    *("rows_before", "rows_after", "suppression", "dependence"),
    *(f"classes_{when}" for when in ("before", "after")),
    *("risks.threshold", "risks.before", "risks.after"),
    *(f"columns.{name}" for name in ("values", "distinct_before", "distinct_after", "loss")),
    *(f"columns.{name}" for name in ("suppressed_cells", "granularity", "suppression")),
    *("columns.numbers_before", "columns.numbers_after"),
}
"""Counted row by row above."""
COUNTED_ELSEWHERE = {
    "people": "tests/pipeline/description/test_describe.py",
    "promises": "tests/models: each is counted again in SQL by verify",
    "holds": "tests/pipeline/test_verify.py",
    "attacks": "tests/attacks: on tables where the truth is planted",
    "alternatives": "tests/reporting/test_report_files.py",
    "cost_of_k": "tests/reporting/test_report_files.py",
    "text": "tests/pipeline/description/test_describe.py",
    "files": "tests/pipeline/description/test_describe.py",
    "earlier": "tests/cli/test_report.py",
    "columns.level": "below: the file alone gives the levels of the run",
    "columns.height": "below",
    "columns.hierarchy": "below",
    "search": "below: the search's own words, as anonymize says them",
}
"""Counted again by another test."""
NOT_COUNTED = {
    *("format", "edition", "version", "made", "sources", "about", "policy", "notes"),
    *("not_promised", "reviews", "risks.threshold_reason"),
    *(f"columns.{name}" for name in ("name", "role", "reason", "released", "released_as")),
    "columns.technique",
}
"""Words and settings."""


def list_fields() -> set[str]:
    """Every fact of a report, those of columns and risks one by one."""
    found = set(Facts.model_fields) - {"columns", "risks"}
    return (
        found
        | {f"columns.{one}" for one in Column.model_fields}
        | {f"risks.{one}" for one in Risks.model_fields}
    )


def test_every_fact_of_a_report_is_counted_a_second_time() -> None:
    parts = [COUNTED_AGAIN, set(COUNTED_ELSEWHERE), NOT_COUNTED]
    assert list_fields() - set.union(*parts) == set(), "counted only once"
    assert sum(map(len, parts)) == len(set.union(*parts)) == len(list_fields())


def test_levels_and_hierarchies_are_those_of_the_values() -> None:
    rows: list[Row] = [(age, sex, "1") for age in ("20", "21", "33", "34") for sex in "mf"] * 2
    made = discreet.anonymize(make_table(rows), {**make_policy("optimal"), "suppress": 0})
    released = made.to_arrow()
    untried = {"rows": released.num_rows, "attacks": []}
    facts = discreet.report(
        released, made.policy, original=make_table(rows), facts=[made, untried]
    ).facts()
    said = made.facts()
    assert facts["search"]["measures"] == said["measures"]
    assert (facts["search"]["value"], facts["search"]["seconds"]) == (
        said["measures"][said["measure"]],
        said["seconds"],
    )
    for column in facts["columns"][:2]:
        name = column["name"]
        place = NAMES.index(name)
        levels = range(3 if name == "age" else 2)
        at = next(
            level
            for level in levels
            if {generalize(name, row[place], level if name == "age" else 2 * level) for row in rows}
            == set(released.column(name).to_pylist())
        )
        assert (column["level"], column["height"]) == (at, levels[-1])
        for above, shown in zip(reversed(levels[at:]), column["hierarchy"], strict=True):
            step = above if name == "age" else 2 * above
            counts = Counter(generalize(name, row[place], step) for row in rows)
            assert {one["label"]: one["before"] for one in shown} == counts
            assert {one["label"]: one["after"] for one in shown} == counts  # none is suppressed
