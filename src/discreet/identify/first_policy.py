"""Writes what an inspection found as a policy that runs, with the reasons as comments.

The file says how values are made coarser, never what the values are.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from discreet.identify.column_name import word_list
from discreet.identify.inspection import AUTO, Column, Inspection, Proposal
from discreet.identify.judge import percent
from discreet.identify.kind import Kind
from discreet.table.role import Role

WIDTH = 100
SUPPRESS = 0.02
TIME_LIMIT = 60
ALMOST_ALL = 0.8
"""Where this part of the rows has the same sensitive value, two values a class cost too much."""
OWN = 0.95
"""Where this part of the rows has a value of its own, classes hold several values anyway."""
PROMOTED = (
    "No column looks like a quasi-identifier, so every column without another role counts as one. "
    "Leave the role to those that others may know about a person."
)
NO_QUASI = (
    "No column looks like a quasi-identifier, and none is left to count as one: give role quasi to "
    "those that others may know about a person. Until then this policy does not run."
)

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_YAML_WORDS = word_list("y n yes no on off true false null")


def first_policy(found: Inspection) -> str:
    """The policy as commented YAML."""
    parts = [_head(found), _columns(found), _promises(found), _settings()]
    return "\n".join(parts)


def smallest_class(rows: int) -> int:
    """A k for a start: 5, less where the table is too small for it."""
    return next((k for k, below in ((2, 20), (3, 50), (4, 100)) if rows < below), 5)


def _head(found: Inspection) -> str:
    text = (
        f"A first policy for {_printable(found.name)} ({found.rows:,} rows), guessed from the "
        "names and values of its columns. You know the data: read every line, change what is "
        "wrong, then run `discreet anonymize`. Columns with role identifier or text, and columns "
        "that are not named here, are not released. quasi columns are made coarser until the "
        "promises below hold. sensitive and other columns are released as they are."
    )
    more = (
        "A quasi column without a hierarchy is released as it is or as *. Where that loses too "
        "much, write a file with lines such as value;group;* and name it: hierarchy: "
        "{file: groups.csv}."
    )
    return f"{_comment(text, '')}\n{_comment(more, '')}"


def _columns(found: Inspection) -> str:
    lines = ["", "columns:"]
    promoted = _promoted(found)
    if not found.with_role(Role.quasi):
        lines.append(_comment(PROMOTED if promoted else NO_QUASI))
    for column in found.columns:
        lines += [_comment(_why(column, column in promoted)), _entry(column, column in promoted)]
    return "\n".join(lines) + "\n"


def _promoted(found: Inspection) -> tuple[Column, ...]:
    """The columns that count as quasi because no other does."""
    if found.with_role(Role.quasi):
        return ()
    return tuple(one for one in found.with_role(Role.other) if one.kind is not Kind.empty)


def _why(column: Column, quasi: bool) -> str:
    parts = ["; ".join(column.reasons)]
    if column.item:
        parts.append(f"HIPAA {column.item.value}")
    if column.doubt:
        parts.append(f"In doubt: {column.doubt}")
    parts += column.hints
    if column.proposal is Proposal.withheld and column.role is Role.other and not quasi:
        parts.append("Not released unless you name it: take away the # in front")
    if column.role is Role.text:
        parts.append("Free text may hold names, so it is not released")
    return ". ".join(part[0].upper() + part[1:] for part in parts) + "."


def _entry(column: Column, quasi: bool) -> str:
    said: dict[str, Any] = {"role": (Role.quasi if quasi else column.role).value}
    if column.hierarchy is not None:
        said["hierarchy"] = column.hierarchy
    elif quasi and column.kind is not Kind.category:
        said["hierarchy"] = AUTO
    left_out = column.proposal is Proposal.withheld and column.role is Role.other and not quasi
    return f"  {'# ' if left_out else ''}{_yaml(column.name)}: {_yaml(said)}"


def _promises(found: Inspection) -> str:
    lines = ["require:", f"  - k_anonymity: {{k: {smallest_class(found.rows)}}}"]
    for column in found.with_role(Role.sensitive):
        promise = f"- l_diversity: {_yaml({'column': column.name, 'ell': 2})}"
        against = _against(column)
        lines += [_comment(against), f"  # {promise}"] if against else [f"  {promise}"]
    return "\n".join(lines) + "\n"


def _against(column: Column) -> str:
    """Why a sensitive column cannot well have two values in every class; empty when it can."""
    if column.distinct + bool(column.missing) < 2:
        return "The column holds one value only, so there is nothing to keep apart:"
    if column.unique is not None and column.unique >= OWN * column.rows:
        return "Nearly every row has a value of its own, so this promise adds little:"
    if column.most_common >= ALMOST_ALL:
        same = percent(column.most_common)
        return f"{same} of the rows have the same value, so this promise costs much detail:"
    return ""


def _settings() -> str:
    suppress = f"the largest share of rows that may be left out: {percent(SUPPRESS)}"
    limit = "seconds of search; then the best release found so far, with its bound"
    return f"suppress: {SUPPRESS}    # {suppress}\ntime_limit: {TIME_LIMIT}    # {limit}\n"


def _comment(text: str, indent: str = "  ") -> str:
    return textwrap.fill(
        _printable(text),
        WIDTH,
        initial_indent=f"{indent}# ",
        subsequent_indent=f"{indent}# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def _yaml(data: Any) -> str:
    """Plain data on one line, quoted wherever a reader of YAML could take it for something else."""
    match data:
        case dict():
            return f"{{{', '.join(f'{_yaml(key)}: {_yaml(data[key])}' for key in data)}}}"
        case list() | tuple():
            return f"[{', '.join(map(_yaml, data))}]"
        case str() if _PLAIN.fullmatch(data) and data.lower() not in _YAML_WORDS:
            return data
        case str() if re.fullmatch(r"[1-9][0-9]* [a-z]+", data):
            return data
    text = json.dumps(data, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in text)
