"""Writes a policy that keeps safe harbor for one table, with the reasons as comments."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import yaml

from discreet.identification.inspection import Column, Inspection, Proposal
from discreet.identification.kind import Kind
from discreet.safe_harbor.check import YEARS
from discreet.safe_harbor.checked import ACTUAL_KNOWLEDGE, NO_K, Checked, ColumnStanding, Standing
from discreet.table.table import Role

WIDTH = 100
NOTHING_LEFT = (
    "Every column breaks a rule or must be checked by you, so nothing is left to release: this "
    "policy does not run until you give role quasi to one."
)
AGES = {"intervals": {"widths": [5, 10, 20], "top": 90}}
"""Ages by five, ten and twenty years, and 90 or older together, if a promise requires it."""


def write_ready_policy(found: Inspection, checked: Checked, zip_table: Path | None = None) -> str:
    """The policy as commented YAML; ``zip_table`` is a path as the policy should write it.

    Identifiers and columns that a person must review are not released, ZIP codes become three
    digits, dates years, ages over 89 one group. The rest keeps the role that an inspection
    suggests.
    """
    standings = {one.column: one for one in checked.columns}
    pairs = [(column, standings[column.name]) for column in found.columns]
    entries = {c.name: _make_entry(c, one, checked, zip_table) for c, one in pairs}
    promoted = _find_promoted(entries, pairs)
    lines = [_write_comment(_write_head(checked), ""), "", "columns:"]
    if not promoted and all(said["role"] != "quasi" for said in entries.values()):
        lines.append(_write_comment(NOTHING_LEFT))
    for column, standing in pairs:
        said = {**entries[column.name], **({"role": "quasi"} if column.name in promoted else {})}
        out = _is_left_out(column, standing) and column.name not in promoted
        lines.append(_write_comment(_explain_entry(column, standing, said, out)))
        lines.append(f"  {'# ' if out else ''}{_write_flow(column.name)}: {_write_flow(said)}")
    return "\n".join([*lines, "", *_write_promises(checked, zip_table), ""])


def _make_entry(
    column: Column, standing: ColumnStanding, checked: Checked, zip_table: Path | None
) -> dict[str, Any]:
    """The policy entry of one column."""
    counts, cutoff = standing.counts, checked.question.cutoff
    if column.name in checked.question.codes and standing.standing is Standing.meets:
        return {"role": "other"}
    if standing.kind in YEARS and not counts.get("two-digit year") and counts.get("rows"):
        spread = _propose_year_intervals(counts, cutoff.year)
        if standing.standing is Standing.breaks and standing.rule == "C":
            how = {"year": {"as_of": cutoff.day.isoformat()}}
            return {"role": "quasi", "technique": how, **spread}
        if standing.standing is Standing.meets and column.role is Role.quasi:
            return {"role": "quasi", **spread}
    if standing.standing is Standing.breaks and standing.kind == "postal code":
        own = "zip3" if zip_table is None else {"zip3": {"zip_table": str(zip_table)}}
        return {"role": "quasi", "technique": own, "hierarchy": {"prefix": [2, 1]}}
    if standing.kind == "age" and counts.get("number") == counts.get("filled"):
        capped = (
            {} if standing.standing is Standing.meets else {"technique": {"top_code": {"at": 90}}}
        )
        return {"role": "quasi", **capped, "hierarchy": AGES}
    if standing.standing is not Standing.meets:
        text = column.role is Role.text or column.kind is Kind.free_text
        return {"role": "text" if text else "identifier"}
    hierarchy = {} if column.hierarchy is None else {"hierarchy": column.hierarchy}
    return {"role": column.role.value, **(hierarchy if column.role is Role.quasi else {})}


def _propose_year_intervals(counts: Any, oldest: int) -> dict[str, Any]:
    """Intervals for years, where all values are years and none is in the group of the oldest."""
    mixed = any(
        counts.get(name) for name in ("grouped", "group", "span", "other", "number", "two digits")
    )
    if mixed:
        return {}
    return {"hierarchy": {"intervals": {"widths": [5, 10, 20], "bottom": oldest + 1}}}


def _find_promoted(
    entries: dict[str, dict[str, Any]], pairs: list[tuple[Column, ColumnStanding]]
) -> set[str]:
    """Columns that count as quasi because no other does: a policy without any does not run."""
    filled = [column.name for column, _ in pairs if column.kind is not Kind.empty]
    by_role = {
        role: {name for name in filled if entries[name]["role"] == role}
        for role in ("quasi", "other", "sensitive")
    }
    return set() if by_role["quasi"] else by_role["other"] or by_role["sensitive"]


def _is_left_out(column: Column, standing: ColumnStanding) -> bool:
    withheld = column.proposal is Proposal.withheld and column.role is Role.other
    return withheld and standing.standing is Standing.meets


def _write_head(checked: Checked) -> str:
    question = checked.question
    return (
        f"A policy for {_make_printable(checked.name)} that keeps safe harbor of HIPAA, 45 CFR "
        f"164.514(b)(2), as of {question.cutoff.day}. It goes by the names and values of columns: "
        "you know the data, so read every line. Columns with role identifier or text are not "
        f"released. {question.zip_table.describe_source()} {ACTUAL_KNOWLEDGE}"
    )


def _explain_entry(
    column: Column, standing: ColumnStanding, said: dict[str, Any], out: bool
) -> str:
    rule = f"Rule ({standing.rule}), {standing.standing.value}: " if standing.rule else ""
    parts = [f"{rule}{standing.why}"]
    if standing.standing is Standing.look:
        parts.append("You must check it yourself, so it is not released")
    elif standing.kind in ("age", *YEARS) and said["role"] == "identifier":
        parts.append("It is written in ways that cannot all be read, so it is not released")
    if out:
        parts.append("It distinguishes many rows, so it is not released unless you remove the #")
    if standing.rule is None:
        parts.append("; ".join(column.reasons))
    return ". ".join(part[0].upper() + part[1:] for part in parts) + "."


def _write_promises(checked: Checked, zip_table: Path | None) -> list[str]:
    said: dict[str, Any] = {"as_of": checked.question.cutoff.day.isoformat()}
    if zip_table is not None:
        said["zip_table"] = str(zip_table)
    if checked.question.codes:
        said["codes"] = list(checked.question.codes)
    return [
        "require:",
        f"  - safe_harbor: {_write_flow(said)}",
        _write_comment(NO_K),
        "  # - k_anonymity: {k: 5}",
    ]


def _write_flow(data: Any) -> str:
    """Plain data on one line, as YAML reads it back."""
    broken = isinstance(data, str) and not data.isprintable()  # else it may take several lines
    text: str = yaml.safe_dump(
        data,
        default_flow_style=True,
        default_style='"' if broken else None,
        width=1_000_000,
        allow_unicode=not broken,
        sort_keys=False,
    )
    return text.removesuffix("\n").removesuffix("\n...").strip()


def _write_comment(text: str, indent: str = "  ") -> str:
    mark = f"{indent}# "
    return textwrap.fill(
        _make_printable(text),
        WIDTH,
        initial_indent=mark,
        subsequent_indent=mark,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _make_printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
