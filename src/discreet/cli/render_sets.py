"""What ``discreet identify`` found, for people: a table, and how sure it is."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from discreet.cli import output

SHOWN = 40
"""Sets that are printed; all are in the JSON."""
HEADS = ("size", "distinct ratio", "separation ratio", "unique rows", "columns")


def show(facts: dict[str, Any], name: str, picture: Path | None) -> None:
    """Print the sets as a table, then what they mean and how sure that is."""
    for text in facts["notes"]:
        output.note(text[:1].upper() + text[1:] + ".")
    sets = facts["sets"]
    removed = facts["duplicates_removed"]
    if removed:
        output.note("To count every row, give --keep-duplicates.")
    title = (
        f"{name}: {format_count(facts['rows'], 'row')}, {format_count(facts['columns'], 'column')}"
    )
    title += f", {format_count(removed, 'duplicate')} removed" if removed else ""
    rows = [_make_row(one, facts["rows"]) for one in sets[:SHOWN]]
    if rows and facts["weights"]:
        costs = [(one["weight"], *row) for one, row in zip(sets, rows, strict=False)]
        output.print_table(title, ("cost", *HEADS), costs)
    elif rows:
        output.print_table(title, HEADS, rows)
    else:
        output.write(title)
    if len(sets) > SHOWN:
        output.write(f"and {len(sets) - SHOWN:,} more; --json lists all.")
    output.write(_state_findings(facts))
    if picture is not None:
        output.write(f"Drawn to {picture}.")


def _make_row(one: dict[str, Any], rows: int) -> tuple[Any, ...]:
    return (
        len(one["columns"]),
        format_ratio(one["distinct_ratio"]),
        format_ratio(one["separation_ratio"]),
        "-"
        if one["uniques"] is None
        else f"{one['uniques']:,} ({format_ratio(one['uniques'] / rows)})",
        one["columns"] or "(none)",
    )


def format_ratio(ratio: float | None) -> str:
    """A ratio with as many digits as it takes to see that it is not 1.

    >>> format_ratio(0.99996), format_ratio(0.5), format_ratio(1.0)
    ('0.99996', '0.5000', '1')
    """
    if ratio is None:
        return "-"
    if ratio >= 1:
        return "1"
    if ratio < 0.01:
        return f"{ratio:.2g}"
    digits = max(4, math.ceil(-math.log10(1 - ratio) - 1e-9))
    return f"{math.floor(ratio * 10**digits + 1e-6) / 10**digits:.{digits}f}"


def _state_findings(facts: dict[str, Any]) -> str:
    """What was found, in a sentence, and how sure it is."""
    word, words = "key", "keys"
    ratio = f"a {facts['measure']} ratio of at least {facts['beta']:.15g}"
    if facts["promise"] is not None:
        ratio = "a key" if facts["beta"] == 1 else ratio
        word, words = f"candidate for {ratio}", f"candidates for {ratio}"
    elif facts["beta"] < 1:
        word, words = f"set with {ratio}", f"sets with {ratio}"
    count = len(facts["sets"])
    most = facts["max_size"]
    limit = "" if most is None else f" of at most {format_count(most, 'column')}"
    if facts["promise"] is not None and facts["promise"]["at_least"] is None:
        word, words = (f"{one} that parts all pairs that any does" for one in ("set", "sets"))
        words = words.replace("parts", "part")
    if facts["question"] == "minimum":
        least = "cheapest" if facts["weights"] else "fewest"
        said = f"The {least} columns that are a {word}." if count else f"No {word}{limit}."
    else:
        number = f"{count:,}" if count else "No"
        said = f"{number} minimal {word if count == 1 else words}{limit}."
    return f"{said} {_state_certainty(facts)}"


def _state_certainty(facts: dict[str, Any]) -> str:
    if facts["exact"]:
        return "Exact: counted on all rows."
    promise = facts["promise"]
    if promise is None:
        if facts["question"] == "minimum":
            fewer = "cheaper ones" if facts["weights"] else "fewer"
            return f"Counted on all rows; that {fewer} will not do is not proven."
        return "Counted on all rows; there may be more sets."
    return _state_promise(promise, facts)


def _state_promise(promise: dict[str, Any], facts: dict[str, Any]) -> str:
    counted = all(one["uniques"] is not None for one in facts["sets"])
    said = f"Found in a sample of {format_count(promise['sampled'], promise['of'][:-1])}"
    said += "; the ratios are exact." if counted else "; no ratio was counted on all rows."
    if promise["at_least"] is None:
        return said
    said += (
        f" With probability {1 - promise['delta']:g}, no set found in this way has a "
        f"{facts['measure']} ratio below {format_ratio(promise['at_least'])}"
    )
    if facts["question"] == "minimum" or not facts["complete"]:
        return f"{said}."
    return f"{said}, and every set that was asked for contains one that was found."


def format_count(count: int, noun: str) -> str:
    """So many of something: 1 row, 2 rows."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
