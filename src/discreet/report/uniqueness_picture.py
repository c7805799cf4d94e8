"""Uniqueness against group size: exact, approximate, and as if all values were equally likely."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.report.picture import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


LINES = (
    ("exact", "drawn one by one: exact", "C0", "-"),
    ("approximation", "drawn one by one: by kappa (Koot et al.)", "C1", "--"),
    ("formula_3", "drawn one by one: Poisson groups (formula 3)", "C2", ":"),
    ("uniform", "if all values were equally likely", "#7f8c8d", "-."),
    ("different_rows", "different rows of this table: exact", "C3", "-"),
)

LONGEST = 70
"""Letters of the columns' names that are drawn; else their number is."""


def draw(facts: Mapping[str, Any], path: Path, replace: bool = True) -> None:
    """Draw the curve into a file, whole or not at all."""
    save(figure(facts), path, replace)


def figure(facts: Mapping[str, Any]) -> Figure:
    """The curve of a column set: group size to the right, the chance that all differ upwards.

    ``facts`` is what ``discreet risk --json`` prints; its ``uniqueness`` has the curve.
    """
    from matplotlib.figure import Figure

    found = facts["uniqueness"]
    drawn = Figure(figsize=(9.0, 5.0), layout="constrained")
    axes = drawn.add_subplot()
    for key, label, colour, line in LINES:
        points = [(one["group"], one[key]) for one in found["curve"] if one[key] is not None]
        if points:
            groups, chances = zip(*points, strict=True)
            axes.plot(groups, chances, color=colour, linestyle=line, label=label)
    axes.axhline(found["level"], color="#bdc3c7", linewidth=0.8)
    axes.axvline(found["group_size"], color="#bdc3c7", linewidth=0.8)
    axes.set_ylim(-0.02, 1.05)
    axes.set_xlim(left=1)
    axes.set_xlabel("people in the group")
    axes.set_ylabel("chance that everybody in it differs")
    title = f"{_name(facts['columns'])}: kappa {found['kappa']:.4g}"
    axes.set_title(title, loc="left", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    drawn.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return drawn


def _name(columns: list[str]) -> str:
    name = ", ".join(columns)
    return name if len(name) <= LONGEST else f"{len(columns)} columns"
