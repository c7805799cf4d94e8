"""Nergiz, Atzori and Clifton: tables 1 to 3, the deltas of section 4, and what does not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.algorithms import Mpalm, Optimal, Problem, Spalm
from discreet.models import DeltaPresence
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.search import count_for_policy
from discreet.policy.policy import Policy
from discreet.risks.delta import delta
from discreet.table.read import read

Row = tuple[str, str, str]
NAMES = ("zip", "age", "nationality")
P: dict[str, Row] = {
    "a": ("47906", "35", "USA"),
    "b": ("47903", "59", "Canada"),
    "c": ("47906", "42", "USA"),
    "d": ("47630", "18", "Brazil"),
    "e": ("47630", "22", "Brazil"),
    "f": ("47633", "63", "Peru"),
    "g": ("48973", "33", "Spain"),
    "h": ("48972", "47", "Bulgaria"),
    "i": ("48970", "52", "France"),
}
"""Table 1, the public; the private ones are T."""
T = [P[who] for who in "bcfhi"]
COUNTRIES = {
    "*": {
        "America": {
            "N. America": {"USA": None, "Canada": None},
            "S. America": {"Brazil": None, "Peru": None},
        },
        "Europe": {"Europe": {"Spain": None, "Bulgaria": None, "France": None}},
    }
}
AGES = {
    "*": {
        "<=40": dict.fromkeys(["35", "18", "22", "33"]),
        ">40": dict.fromkeys(["59", "42", "63", "47", "52"]),
    }
}
HIERARCHIES: dict[str, Any] = {
    "zip": {"prefix": [4, 2, 1]},
    "age": {"tree": AGES},
    "nationality": {"tree": COUNTRIES},
}
"""Figure 1, as the tables print it: Europe stands beside N. America, and beside America."""


def table(rows: Sequence[Row]) -> pa.Table:
    return pa.table(dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True)))


def asked(require: list[Any], rows: Sequence[Row], **more: Any) -> Problem:
    columns = {n: {"role": "quasi", "hierarchy": HIERARCHIES[n]} for n in NAMES}
    wanted = Policy(columns=columns, require=require, **more)
    return plan_problem(wanted, count_for_policy(read(table(rows)), wanted).frequency)


@pytest.fixture
def public(tmp_path: Path) -> Path:
    path = tmp_path / "public.csv"
    path.write_text("\n".join(map(",".join, [NAMES, *P.values()])) + "\n")
    return path


def levels(who: str, node: Sequence[int]) -> Row:
    """A person as printed at these levels of figure 1."""
    zip_code, age, country = P[who]
    america = country in ("USA", "Canada", "Brazil", "Peru")
    part = {
        "USA": "N. America",
        "Canada": "N. America",
        "Brazil": "S. America",
        "Peru": "S. America",
    }
    zips = (zip_code, zip_code[:4] + "*", zip_code[:2] + "*", zip_code[:1] + "*", "*")
    ages = (age, "<=40" if int(age) <= 40 else ">40", "*")
    places = (country, part.get(country, "Europe"), "America" if america else "Europe", "*")
    return zips[node[0]], ages[node[1]], places[node[2]]


def chances(node: Sequence[int]) -> dict[str, float]:
    """Everybody's chance to be in the table, by counting: definition 5 and equation 2."""
    boxes = {who: levels(who, node) for who in P}
    inside, people = Counter(boxes[who] for who in "bcfhi"), Counter(boxes.values())
    return {who: inside[box] / people[box] for who, box in boxes.items()}


TABLE_2, TABLE_3_P2, TABLE_3_T3 = (3, 1, 3), (1, 2, 1), (2, 2, 2)


def test_table_2_gives_everybody_away() -> None:
    assert levels("b", TABLE_2) == ("4*", ">40", "*")
    assert {who for who, chance in chances(TABLE_2).items() if chance == 1} == set("bcfhi")
    assert {who for who, chance in chances(TABLE_2).items() if chance == 0} == set("adeg")


def test_table_3_p2_makes_three_people_too_unlikely() -> None:
    assert levels("d", TABLE_3_P2) == ("4763*", "*", "S. America")
    found = chances(TABLE_3_P2)
    assert {who for who, chance in found.items() if chance < 1 / 2} == set("def")
    assert found["d"] == 1 / 3


def test_table_3_t3_meets_a_half_to_two_thirds() -> None:
    assert levels("b", TABLE_3_T3) == ("47*", "*", "America")
    found = chances(TABLE_3_T3)
    assert {who: found[who] for who in "abcdef"} == dict.fromkeys("abcdef", 1 / 2)
    assert {who: found[who] for who in "ghi"} == dict.fromkeys("ghi", 2 / 3)


@pytest.mark.parametrize(
    ("node", "holds", "measured"),
    [(TABLE_2, False, 0.0), (TABLE_3_P2, False, 1 / 3), (TABLE_3_T3, True, 2 / 3)],
    ids=["table 2, T1", "table 3, P2", "table 3, T3"],
)
def test_the_model_says_so_too(
    public: Path, node: tuple[int, ...], holds: bool, measured: float
) -> None:
    problem = asked([DeltaPresence(public, 1 / 2, 2 / 3)], T)
    groups = problem.counter.groups(node)
    verdict = problem.requirement.list_verdicts(problem.counter, groups, groups.rows >= 0)[0]
    assert (verdict.holds, verdict.measured) == (holds, pytest.approx(measured))


@pytest.mark.parametrize("algorithm", [Spalm(), Optimal()], ids=["spalm", "optimal"])
def test_spalm_finds_table_3_t3(public: Path, algorithm: Any) -> None:
    found = algorithm(asked([DeltaPresence(public, 1 / 2, 2 / 3)], T))
    assert found.node == TABLE_3_T3
    assert found.search.proven


def test_mpalm_meets_it_as_well(public: Path) -> None:
    found = Mpalm()(asked([DeltaPresence(public, 1 / 2, 2 / 3)], T))
    assert found.holds
    assert sorted(found.class_sizes.tolist()) == [2, 3]


@pytest.mark.parametrize(
    ("k", "node"), [(2, TABLE_3_P2), (3, TABLE_3_P2), (4, TABLE_2), (5, (3, 2, 3))]
)
def test_section_5_1_the_best_k_anonymous_public_tables_but_the_last_are_not_present(
    k: int, node: tuple[int, ...]
) -> None:
    for measure in ("granularity", "discernibility"):
        found = Optimal()(asked([{"k_anonymity": {"k": k}}], list(P.values()), measure=measure))
        assert found.node == node
    met = all(1 / 2 <= chance <= 2 / 3 for chance in chances(node).values())
    assert met == (k == 5)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_section_5_1_the_best_k_anonymous_private_table_tells_who_is_in_it(k: int) -> None:
    """Whatever k: the age is kept at >40 or finer, and all who are over 40 are inside."""
    found = Optimal()(asked([{"k_anonymity": {"k": k}}], T, measure="granularity"))
    assert found.node[1] <= 1
    assert max(chances(found.node).values()) == 1


def test_section_4_delta_max_is_about_five_hundredths() -> None:
    """|T| = 0.04 |P|, prior 0.07; 100 of 10,000 dollars."""
    found = delta(4_000, 100_000, 0.07, cost=100, damage=10_000)
    exact = (0.01 + (1 - 0.01 - 0.07) * 0.04) / (1 - 0.07)
    assert found.max == pytest.approx(exact, abs=1e-5)
    assert found.max == pytest.approx(0.05, abs=0.0005)
    assert found.belief(found.max) - 0.07 == pytest.approx(0.01, abs=1e-5)


def test_section_4_delta_min_is_about_two_hundredths() -> None:
    """200 of 10,000 dollars."""
    found = delta(4_000, 100_000, 0.07, misuse=0.01, misuse_absent=0.02)
    exact = (-0.02 + (1 + 0.02 - 0.07) * 0.04) / (1 - 0.07)
    assert found.min == pytest.approx(exact, abs=1e-5)
    assert found.min == pytest.approx(0.02, abs=0.001)
    assert 0.07 - found.belief(found.min) == pytest.approx(0.02, abs=1e-5)


def test_section_4_whoever_is_absent_has_it_with_0_031_not_0_032() -> None:
    found = delta(4_000, 100_000, 0.07, misuse=0.01)
    assert found.belief(0) == pytest.approx(0.03125)
    assert found.belief(0.04) == pytest.approx(0.07)
    assert found.belief(1) == 1


def test_section_7_the_printed_fractions_are_not_the_loss_metric_of_figure_1() -> None:
    """Iyengar: (leaves below the value - 1) / (leaves - 1); printed are 2/6 and 4/6."""
    hierarchy = asked([{"k_anonymity": {"k": 1}}], list(P.values())).lattice.hierarchies[2]
    canada = hierarchy.labels[0].index("Canada")
    found = []
    for level, name in ((1, "N. America"), (2, "America")):
        code = hierarchy.maps[level][canada]
        assert hierarchy.labels[level][code] == name
        found.append((int(hierarchy.leaves[level][code]) - 1) / (hierarchy.leaf_count - 1))
    assert found == [1 / 6, 3 / 6]
    assert found != [2 / 6, 4 / 6]
