"""Protection against detail: one point an algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.report.picture import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BROKEN, BOUND = "#c0392b", "#7f8c8d"
MARKERS = "osD^vP*Xph<>"


def draw(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw a comparison into a file, whole or not at all."""
    save(figure(facts), path, replace)


def figure(facts: Mapping[str, Any]) -> Figure:
    """A comparison: detail to the right, protection upwards; broken promises in red.

    ``facts`` is what :meth:`discreet.release.compare.Comparison.facts` gives.
    """
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(9.0, 5.0), layout="constrained")
    axes = drawn.add_subplot()
    for place, one in enumerate(facts["results"]):
        _point(axes, one, place)
    _bound(axes, facts)
    _asked_for(axes, facts)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.margins(x=0.08, y=0.15)
    axes.set_ylim(bottom=0.8)
    axes.set_xlabel("detail: granularity (1 = untouched)")
    axes.set_ylabel("protection: rows in the smallest class")
    axes.spines[["top", "right"]].set_visible(False)
    if facts["results"]:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return drawn


def _point(axes: Any, one: Mapping[str, Any], place: int) -> None:
    """A filled point if the policy is kept, an empty red one if not."""
    holds = one["holds"]
    axes.plot(
        one["measures"]["granularity"],
        one["smallest_class"] or 1,
        MARKERS[place % len(MARKERS)],
        markersize=9,
        color=f"C{place % 10}" if holds else BROKEN,
        markerfacecolor=f"C{place % 10}" if holds else "none",
        linestyle="none",
        label=one["title"] if holds else f"{one['title']}: policy broken",
    )


def _bound(axes: Any, facts: Mapping[str, Any]) -> None:
    """The most detail that any cell-level release can keep, where the measure says so."""
    if facts["measure"] != "granularity":
        return
    bounds = [one["optimal"]["bound"] for one in facts["results"] if _by_cell(one)]
    known = [bound for bound in bounds if bound is not None]
    if known:
        axes.axvline(min(known), color=BOUND, linestyle="--", label="bound on cell level")


def _asked_for(axes: Any, facts: Mapping[str, Any]) -> None:
    """The smallest class that the policy allows."""
    verdicts = [verdict for one in facts["results"][:1] for verdict in one["verdicts"]]
    sizes = [v["limit"] for v in verdicts if v["model"] == "k_anonymity"]
    if sizes:
        label = f"k = {max(sizes):g} is asked for"
        axes.axhline(max(sizes), color=BOUND, linestyle=":", zorder=0, label=label)


def _by_cell(one: Mapping[str, Any]) -> bool:
    return None in one["levels"].values() and bool(one["holds"])
