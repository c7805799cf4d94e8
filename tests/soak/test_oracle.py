"""The checks of the soak see what is wrong with a release, and pass one that is right."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from soak.checking import Checker
from soak.ladders import build_ladder
from soak.oracle import Evidence, judge
from soak.part import ProductError
from soak.policies import Draft
from soak.tables import Column

AGES = ["21", "22", "23", "31", "32", "33", "34", "71"]
SEXES = ["f", "f", "f", "m", "m", "m", "m", "f"]
ILLNESSES = ["flu", "gout", "flu", "rash", "flu", "gout", "rash", "flu"]
DRAFT = Draft(
    {
        "age": Column("number", list(AGES), []),
        "sex": Column("word", list(SEXES), []),
        "illness": Column("word", list(ILLNESSES), []),
        "key": Column("key", [f"r{n}" for n in range(8)], []),
    },
    {
        "columns": {
            "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
            "sex": {"role": "quasi"},
            "illness": {"role": "sensitive"},
            "key": {"role": "other"},
        },
        "require": [{"k_anonymity": {"k": 3}}, {"l_diversity": {"column": "illness", "ell": 2}}],
        "suppress": 0.2,
        "algorithm": "optimal",
        "measure": "precision",
    },
    key="key",
)
RELEASED: dict[str, list[str | None]] = {
    "age": ["20-29"] * 3 + ["30-39"] * 4,
    "sex": ["f"] * 3 + ["m"] * 4,
    "illness": list(ILLNESSES[:7]),
    "key": [f"r{n}" for n in range(7)],
}


def _verdict(model: str, measured: float, limit: float) -> dict[str, Any]:
    said = {"model": model, "holds": True, "measured": measured, "limit": limit}
    return {**said, "rows_at_risk": 0, "columns": ["age", "sex"], "note": ""}


AGE_SHARE = ((3 * 3 + 4 * 4) / 8 + 1) / 8  # mean share of leaves: 3 of 8, 4 of 8, and all
SEX_SHARE = (7 / 2 + 1) / 8
AGE_LOST, SEX_LOST = (AGE_SHARE - 1 / 8) / (7 / 8), (SEX_SHARE - 1 / 2) / (1 / 2)
FACTS: dict[str, Any] = {
    "levels": {"age": 1, "sex": 0},
    "heights": {"age": 2, "sex": 1},
    "rows": 8,
    "rows_released": 7,
    "rows_suppressed": 1,
    "cells_suppressed": 0,
    "classes": 2,
    "smallest_class": 3,
    "anonymity": None,
    "measures": {
        "loss": (AGE_LOST + 1) ** 0.5 * (SEX_LOST + 1) ** 0.5 - 1,
        "granularity": 1 - (AGE_LOST + SEX_LOST) / 2,
        "precision": 1 - (7 / 2 + 1 + 1) / 16,
        "weighted_precision": 1 - (7 / 2 + 1 + 1) / 16,
        "discernibility": 9 + 16 + 8,
        "average_class_size": 3.5,
    },
    "verdicts": [_verdict("k_anonymity", 3, 3), _verdict("l_diversity", 2, 2)],
    "optimal": {"proven": True},
}


def _facts() -> dict[str, Any]:
    """The facts above, with what log2 gives for the entropy."""
    from math import log2

    facts = copy.deepcopy(FACTS)
    age = (3 * log2(3) + 4 * log2(4) + log2(8)) / (8 * log2(8))
    whole = 4 * log2(8 / 4) + 4 * log2(8 / 4)
    facts["measures"]["non_uniform_entropy"] = (age + log2(2) / whole) / 2
    return facts


def test_a_release_that_is_right_passes(tmp_path: Path) -> None:
    counts = Checker(DRAFT, _facts(), RELEASED, tmp_path).check()
    assert counts["cells true"] == 14
    assert counts["optima"] == 1


def _put(name: str, row: int, cell: str | None) -> Callable[[Any, Any], None]:
    def change(_: Any, released: Any) -> None:
        released[name][row] = cell

    return change


def _tell(*keys: Any, value: Any) -> Callable[[Any, Any], None]:
    def change(facts: Any, _: Any) -> None:
        for key in keys[:-1]:
            facts = facts[key]
        facts[keys[-1]] = value

    return change


def _add_column(_: Any, released: Any) -> None:
    released["name"] = ["x"] * 7


def _repeat_row(_: Any, released: Any) -> None:
    for column in released.values():
        column[1] = column[0]


def _remove_row(facts: Any, released: Any) -> None:
    for column in released.values():
        column.pop()
    facts |= {"rows_released": 6, "rows_suppressed": 2}


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (_put("age", 0, "30-39"), "'21' was released as '30-39'"),
        (_put("age", 0, "21"), "'21' was released as '21'"),
        (_put("sex", 3, "f"), "'m' was released as 'f'"),
        (_put("illness", 0, "rash"), "a cell released as it is has changed"),
        (_put("key", 0, "r99"), "a released row is of nobody asked for"),
        (_add_column, "columns"),
        (_repeat_row, "a row is released twice"),
        (_remove_row, "2 rows suppressed, 1 allowed"),
        (_tell("rows", value=9), "rows: 9 said"),
        (_tell("rows_suppressed", value=0), "rows_suppressed: 0 said"),
        (_tell("classes", value=3), "classes: 3 said"),
        (_tell("smallest_class", value=4), "smallest_class: 4 said"),
        (_tell("measures", "loss", value=0.1), "loss: 0.1 said"),
        (_tell("measures", "precision", value=0.9), "precision: 0.9 said"),
        (_tell("measures", "discernibility", value=34), "discernibility: 34 said"),
        (_tell("verdicts", 0, "measured", value=4), "k_anonymity measured: 4 said"),
        (_tell("verdicts", 1, "holds", value=False), "l_diversity"),
        (_tell("verdicts", value=[]), "verdicts on"),
        (_tell("levels", "age", value=0), "'21' was released as '20-29'"),
    ],
)
def test_what_is_wrong_is_seen(
    tmp_path: Path, change: Callable[[Any, Any], None], seen: str
) -> None:
    facts, released = _facts(), copy.deepcopy(RELEASED)
    change(facts, released)
    with pytest.raises(ProductError, match=seen):
        Checker(DRAFT, facts, released, tmp_path).check()


def test_a_release_that_is_not_the_best_is_seen(tmp_path: Path) -> None:
    """Both columns at their roots: true, safe, and worth nothing."""
    released = {**RELEASED, "age": ["*"] * 8, "sex": ["*"] * 8}
    released |= {"illness": list(ILLNESSES), "key": [f"r{n}" for n in range(8)]}
    facts = _facts() | {"levels": {"age": 2, "sex": 1}, "rows_released": 8, "rows_suppressed": 0}
    facts |= {"classes": 1, "smallest_class": 8}
    facts["measures"] = {
        **dict.fromkeys(("granularity", "precision", "weighted_precision"), 0.0),
        **dict.fromkeys(("loss", "non_uniform_entropy"), 1.0),
        "discernibility": 64,
        "average_class_size": 8,
    }
    facts["verdicts"] = [_verdict("k_anonymity", 8, 3), _verdict("l_diversity", 3, 2)]
    with pytest.raises(ProductError, match="the best precision"):
        Checker(DRAFT, facts, released, tmp_path).check()


ONE_CLASS = {"q": ["x"] * 4, "s": ["a", "a", "a", "b"]}
WHOLE = {"s": Counter({"a": 5, "b": 5})}


@pytest.mark.parametrize(
    ("name", "said", "measured", "holds"),
    [
        ("k_anonymity", {"k": 5}, 4, False),
        ("largest_risk", {"max": 0.25}, 0.25, True),
        ("l_diversity", {"ell": 2}, 2, True),
        ("l_diversity", {"ell": 2, "kind": "entropy"}, 1.7547653506033, False),
        ("l_diversity", {"ell": 2, "kind": "recursive", "c": 3}, 3, False),
        ("t_closeness", {"t": 0.25}, 0.25, True),
        ("t_closeness", {"t": 0.2, "distance": "ordered", "order": ["b", "a"]}, 0.25, False),
        ("delta_disclosure", {"delta": 0.7}, 0.6931471805599, True),
        ("beta_likeness", {"beta": 0.4}, 0.5, False),
        ("average_risk", {"max": 0.25}, 0.25, True),
        ("sample_uniques", {"max": 0}, 0, True),
        ("probabilistic", {"population": 100, "k": 50}, 1, True),
    ],
)
def test_a_promise_is_judged_as_its_page_defines_it(
    name: str, said: dict[str, Any], measured: float, holds: bool
) -> None:
    evidence = Evidence(ONE_CLASS, ["q"], whole=WHOLE)
    sensitive = name in ("l_diversity", "t_closeness", "delta_disclosure", "beta_likeness")
    found = judge(name, {**said, **({"column": "s"} if sensitive else {})}, evidence)
    assert found.holds is holds
    assert found.measured == pytest.approx(measured)


@pytest.mark.parametrize(
    ("spec", "value", "labels"),
    [
        ({"intervals": [5, 10]}, "23", ("23", "20-24", "20-29")),
        ({"intervals": {"widths": [10], "top": 20}}, "23", ("23", ">=20")),
        ({"cuts": [[20, 23, 24, 65], [20, 65]]}, "23", ("23", "23", "20-64")),
        ({"cuts": [[0.5, 20, 65], [20]]}, "23", ("23", "20 to <65", ">=20")),
        ({"cuts": [30, 65]}, "23", ("23", "<30")),
        ({"prefix": [4, 3]}, "02138", ("02138", "0213*", "021**")),
        (
            {"dates": {"levels": ["month", "year"], "format": "%d.%m.%Y"}},
            "20.09.1965",
            ("20.09.1965", "1965-09", "1965"),
        ),
        (
            {"tree": {"World": {"Europe": ["Oslo"]}}, "top": "*"},
            "Oslo",
            ("Oslo", "Europe", "World", "*"),
        ),
        (
            {"dates": {"levels": ["4 months", "24 months"], "format": "%Y-%m"}},
            "1965-09",
            ("1965-09", "1965-09 to 1965-12", "1964-1965"),
        ),
        ({"tree": {"Europe": ["Oslo"], "Asia": ["Kyoto"]}}, "Oslo", ("Oslo", "Europe", "*")),
        ({"flat": True}, None, (None, "*")),
    ],
)
def test_a_ladder_reads_as_the_guide_says(
    tmp_path: Path, spec: dict[str, Any], value: str | None, labels: tuple[str | None, ...]
) -> None:
    assert build_ladder(spec, [value], tmp_path).up[value] == labels
