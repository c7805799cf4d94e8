"""What the child does to compare releases: several algorithms and pinned levels, attacked each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discreet
from discreet.errors import ArgumentError
from discreet.web.child import Held
from discreet.web.lattice_work import find_lattice

MOST_VALUES = 10
"""Values of a column that are shown before and after; the others are added up."""


def compare_releases(
    held: Held,
    text: str,
    file: str,
    folder: str,
    algorithms: Sequence[str],
    pins: Sequence[Mapping[str, int]],
) -> dict[str, Any]:
    """Releases of the table by several algorithms and at pinned levels, with what attacks get.

    Nothing is written. An algorithm that the policy has with parameters is run with these.
    """
    policy = discreet.PolicyText(text, file, folder).policy
    asked: list[Any] = [
        policy.algorithm if name == policy.algorithm.name else name for name in algorithms
    ]
    if pins:
        heights = find_lattice(held, text, file, folder)[0].heights
        fixed = [dict(one) for one in pins if _fits(one, heights)]
        asked += [{"fixed": {"levels": levels}} for levels in fixed]
    if not asked:
        raise ArgumentError("algorithms", "none is chosen", "Choose one at least.")
    found = discreet.compare(held.open_table, policy, asked, progress=held.progress)
    held.found["comparison"] = found
    facts = found.facts()
    return {
        "measure": facts["measure"],
        "results": [_pick(one) for one in facts["results"]],
        "refused": facts["refused"],
    }


def _fits(levels: Mapping[str, int], heights: Mapping[str, int]) -> bool:
    return set(levels) == set(heights) and all(
        0 <= levels[name] <= heights[name] for name in heights
    )


def _pick(one: Mapping[str, Any]) -> dict[str, Any]:
    """What a page shows of a release; the risk is that of a guess about a released row."""
    keys = ("title", "algorithm", "holds", "classes", "smallest_class", "rows", "rows_released")
    more = ("rows_suppressed", "cells_suppressed", "seconds", "withstands", "levels")
    told = ("attack", "applies", "decided", "succeeds", "breaks", "rows_exposed", "note")
    smallest = one["smallest_class"]
    return {
        **{key: one[key] for key in (*keys, *more)},
        "score": one["measures"].get(one["measure"]),
        "proven": bool(one["optimal"] and one["optimal"]["proven"]),
        "detail": one["measures"]["granularity"],
        "average": one["classes"] / one["rows_released"] if one["rows_released"] else None,
        "highest": 1 / smallest if smallest else None,
        "attacks": [{key: each[key] for key in told} for each in one["attacks"]],
    }


def describe_columns(held: Held, title: str) -> dict[str, Any]:
    """The values of each released column before and after, of a release that was compared."""
    comparison = held.found.get("comparison")
    if comparison is None or title not in comparison.releases:
        raise ArgumentError("title", "this release is not held any more", "Compare again.")
    facts = discreet.report(comparison.releases[title]).facts()
    columns = [one for one in facts["columns"] if one["released"]]
    return {"title": title, "columns": [_pick_values(one) for one in columns]}


def _pick_values(column: Mapping[str, Any]) -> dict[str, Any]:
    """The most frequent values of a column with their shares; None is all others together."""
    named = [one for one in column["values"] if one["label"] is not None]
    named.sort(key=lambda one: -max(one["after"], one["before"] or 0))
    shown = [
        {"label": one["label"], "before": one["before"], "after": one["after"]}
        for one in named[:MOST_VALUES]
    ]
    rest = [*named[MOST_VALUES:], *(one for one in column["values"] if one["label"] is None)]
    if rest:
        before = [one["before"] for one in rest]
        total = None if None in before else sum(before)
        shown.append({"label": None, "before": total, "after": sum(one["after"] for one in rest)})
    sums = {key: sum(one[key] or 0 for one in shown) or 1 for key in ("before", "after")}
    keys = ("name", "role", "released_as", "distinct_before", "distinct_after")
    return {
        **{key: column[key] for key in keys},
        "values": [
            {
                "label": one["label"],
                "before": None if one["before"] is None else one["before"] / sums["before"],
                "after": one["after"] / sums["after"],
            }
            for one in shown
        ],
        "numbers": [column["numbers_before"], column["numbers_after"]],
    }
