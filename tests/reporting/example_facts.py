"""Facts of a release that never was: every part is filled, and labels try to harm the page."""

from __future__ import annotations

import random
from typing import Any

from discreet.pipeline.description.facts import Facts

HARMFUL = '<script>alert("1")</script>&amp;'


def make_facts(columns: int = 6, seed: int = 1, **changed: Any) -> Facts:
    """The inside edition of a release with so many columns."""
    draw = random.Random(seed)
    names = [*("age", "zip", "sex", HARMFUL, "diagnosis", "free text that has a long name")]
    names += [f"column {number}" for number in range(len(names), columns)]
    names = names[:columns]
    found = {
        "edition": "inside",
        "version": "0.1.0",
        "made": "2026-11-18T16:00:00Z",
        "sources": {"original": True, "register_of_people": True, "ledger": True, "run": True},
        "about": {
            "title": "Hospital visits, 2025",
            "purpose": "Research into asthma",
            "recipient": "University of Nowhere",
            "environment": "recipients under contract",
            "controls": ["no onward sharing", "no linking to other data"],
            "reviewed_by": ["Data protection officer", "Ethics board"],
            "valid_until": "2030-12-31",
        },
        "files": [{"name": "release.csv", "sha256": "ab" * 32, "bytes": 481516}],
        "policy": "columns:\n  age: {role: quasi, hierarchy: {intervals: [5, 10]}}\n",
        "rows_before": 12345,
        "rows_after": 12111,
        "holds": True,
        "promises": [
            _promise("k_anonymity", "k-anonymity", 7.0, 5.0),
            _promise("l_diversity", "l-diversity", 3.0, 3.0),
        ],
        "search": {
            "algorithm": "optimal",
            "measure": "loss",
            "value": 0.3127,
            "proven": False,
            "bound": 0.2951,
            "gap": 0.0176,
            "sentence": "The best that exists is at most 0.0176 better.",
            "measures": {"loss": 0.3127, "granularity": 0.6873, "average_class_size": 36.41},
            "seconds": 1.53,
        },
        "columns": [_column(draw, name, place) for place, name in enumerate(names)],
        "classes_before": _classes(12345, 1, [(1, 1, 8211), (2, 4, 3023), (5, 9, 1111)]),
        "classes_after": _classes(12111, 7, [(5, 9, 1204), (10, 19, 3907), (20, None, 7000)]),
        "risks": {
            "threshold": 0.2,
            "threshold_reason": "k of 5, common for research under contract",
            "before": _risk(1.0, 0.7134, 0.5, 0.7134, 8211, 214.6),
            "after": _risk(0.142857, 0.0287, 0.0909, 0.0287, 0, 3.2),
        },
        "suppression": {"allowed": 0.02, "rows": 234, "share": 234 / 12345},
        "dependence": [
            {"columns": (a, b), "before": draw.random(), "after": draw.random()}
            for place, a in enumerate(names)
            for b in names[place + 1 :]
        ],
        "attacks": [
            _attack("linking", "linkability", succeeds=False),
            _attack("homogeneity", "inference", succeeds=True),
            _attack("unsorted", "linkability", applies=False),
            _attack("membership", "singling out", decided=False),
        ],
        "alternatives": [
            _alternative("optimal", True, 0.6873, 7),
            _alternative("mondrian", True, 0.8121, 5),
            _alternative("datafly", True, 0.4127, 19),
            _alternative("suppress", False, 0.9312, 2),
        ],
        "cost_of_k": [
            {"k": k, "measure": "loss", "value": value, "chosen": k == 5}
            for k, value in ((2, 0.2213), (5, 0.3127), (11, 0.4018), (20, 0.5226), (50, None))
        ],
        "earlier": [
            {"number": 1, "time": "2026-01-15", "to": "registry", "columns": ["age", "zip"]}
        ],
        "text": [{"column": names[-1], "findings": {"name": 412, "date": 77}}],
        "notes": [f"a remark with {HARMFUL}"],
        "not_promised": ["What the recipient knows beyond the named columns"],
        "reviews": ["At the latest on 2030-12-31."],
    }
    return Facts.model_validate({**found, **changed})


def make_poor_facts() -> Facts:
    """Facts of a file and its policy alone, in the edition for outside the house."""
    rich = make_facts().model_dump()
    for column in rich["columns"]:
        for key in ("distinct_before", "loss", "granularity", "numbers_before"):
            column[key] = None
        column |= {"suppression": [], "hierarchy": []}
        column["values"] = [{**one, "before": None} for one in column["values"]]
    missing = {
        "edition": "outside",
        "about": {},
        "rows_before": None,
        "search": None,
        "files": [],
        "classes_before": None,
        "dependence": [],
        "attacks": [],
        "alternatives": [],
        "cost_of_k": [],
        "earlier": [],
        "text": [],
        "notes": [],
        "not_promised": [],
        "reviews": [],
        "sources": dict.fromkeys(rich["sources"], False),
        "suppression": {"allowed": 0.02, "rows": None, "share": None},
        "risks": {**rich["risks"], "before": None},
    }
    return Facts.model_validate({**rich, **missing})


def _promise(model: str, title: str, measured: float, limit: float) -> dict[str, Any]:
    return {
        "model": model,
        "title": title,
        "holds": True,
        "measured": measured,
        "limit": limit,
        "sentence": f"Each person is hidden among at least {limit:g} by {title}.",
        "limits": "it says nothing about what a class has in common",
        "rows_at_risk": 0,
        "columns": ["age", "zip", "sex"],
    }


def _classes(rows: int, smallest: int, bins: list[tuple[int, int | None, int]]) -> dict[str, Any]:
    return {
        "rows": rows,
        "classes": 333,
        "smallest": smallest,
        "average": rows / 333,
        "unique_rows": 8211 if smallest == 1 else 0,
        "bins": [{"least": low, "most": high, "rows": count} for low, high, count in bins],
    }


def _risk(
    highest: float, average: float, journalist: float, marketer: float, above: int, unique: float
) -> dict[str, Any]:
    return {
        "prosecutor_highest": highest,
        "prosecutor_average": average,
        "journalist_highest": journalist,
        "journalist_method": "counted in the register",
        "marketer": marketer,
        "rows_above_threshold": above,
        "population_uniques": unique,
    }


def _column(draw: random.Random, name: str, place: int) -> dict[str, Any]:
    labels: list[str | None] = [f"{name} {number}" for number in range(draw.randint(2, 15))]
    labels += [
        ("paracetamol", "Wimmern am See", "high blood pressure")[place % 3],
        None,
        HARMFUL,
    ]
    counts = sorted((draw.randint(50, 4000) for _ in labels), reverse=True)
    values = [
        {"label": label, "after": count, "before": count + draw.randint(-40, 90)}
        for label, count in zip(labels, counts, strict=True)
    ]
    role = ("quasi", "quasi", "quasi", "sensitive", "sensitive", "other")[place % 6]
    found: dict[str, Any] = {
        "name": name,
        "role": role,
        "reason": "named like it",
        "released": place != 5,
        "released_as": "level 2 of 4 (10 years)",
        "technique": "generalization: rounding",
        "level": 2,
        "height": 4,
        "distinct_before": 97,
        "distinct_after": 11,
        "suppressed_cells": draw.random() / 10,
        "loss": draw.random(),
        "granularity": 0.4,
        "values": values,
        "suppression": [
            {"label": one["label"], "rows": one["after"], "suppressed": draw.randint(1, 40)}
            for one in values
        ],
        "hierarchy": [
            [{"label": "*", "after": sum(counts)}],
            [
                {"label": "first", "after": sum(counts[:2])},
                {"label": "later", "after": sum(counts[2:])},
            ],
            [{"label": one["label"], "after": one["after"]} for one in values],
        ],
    }
    if place == 0:
        summary = {"count": 12111, "mean": 41.27, "deviation": 17.93}
        summary["quantiles"] = {"0.25": 27.5, "0.5": 40.5, "0.75": 55.25}  # type: ignore[assignment]
        found |= {"numbers_before": {**summary, "mean": 41.19}, "numbers_after": summary}
    return found


def _attack(
    name: str,
    criterion: str,
    applies: bool = True,
    decided: bool = True,
    succeeds: bool = False,
) -> dict[str, Any]:
    return {
        "attack": name,
        "title": name.capitalize(),
        "criterion": criterion,
        "applies": applies,
        "decided": decided,
        "succeeds": succeeds,
        "breaks": False,
        "note": "as expected",
        "rows_exposed": 13 if succeeds else 0,
    }


def _alternative(title: str, holds: bool, granularity: float, smallest: int) -> dict[str, Any]:
    return {
        "title": title,
        "chosen": title == "optimal",
        "holds": holds,
        "granularity": granularity,
        "smallest_class": smallest,
        "rows_suppressed": 234,
        "seconds": 0.61,
    }
