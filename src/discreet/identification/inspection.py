"""The result of an inspection: the columns, their likely roles, and why."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any

from discreet.display import dataclass, format_count, render_html_table
from discreet.hierarchy.proposals import Proposal as HierarchyProposal
from discreet.identification.coarsening import Coarsening
from discreet.identification.combinations import Choice, Combination
from discreet.identification.judge import format_percent
from discreet.identification.kind import Kind
from discreet.identification.rows_of_people import PeopleProposal
from discreet.kinds.catalogue import Item, Special
from discreet.kinds.column_name import split_words
from discreet.table.missing import propose_words
from discreet.table.table import Role

AUTO = {"auto": True}
"""A hierarchy that is proposed again from all values when the release is made."""


class Proposal(StrEnum):
    """What a first policy would do with a column."""

    withheld = "withheld"
    recoded = "recoded"
    coarsened = "coarsened"
    as_found = "as found"


@dataclass(frozen=True)
class Column:
    """One column: its counts, its likely role, and the reasons in words.

    Shows no value of the table: `shapes` are only the forms of values (9 for a digit, A and a for
    letters), and `proposed`, whose tree may hold values, is not in the facts. `doubt` gives reasons
    against the role, if any. `special` is the GDPR category of the data, `coarsening` how a
    sensitive number that is unique in nearly every row is coarsened, and `choice` what a quasi
    column adds to the others.
    """

    name: str
    kind: Kind
    rows: int
    missing: int
    distinct: int
    distinct_exact: bool
    unique: int | None
    most_common: float
    role: Role
    reasons: tuple[str, ...]
    recognized: str | None = None
    item: Item | None = None
    doubt: str | None = None
    hints: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    proposal: Proposal = Proposal.as_found
    hierarchy: Any = None
    missing_words: Mapping[str, int] = field(default_factory=dict)
    """Words that seem to mean missing, with the number of rows of each."""
    lost_zeros: int = 0
    """Distinct ZIP codes that seem to have lost leading zeros."""
    special: Special | None = None
    coarsening: Coarsening | None = None
    choice: Choice | None = None
    proposed: HierarchyProposal | None = field(default=None, repr=False)

    @property
    def missing_share(self) -> float:
        """The share of rows without a value here."""
        return self.missing / self.rows if self.rows else 0.0

    @property
    def unique_share(self) -> float | None:
        """The share of rows with a unique value; None if there are too many values to count."""
        if self.unique is None:
            return None
        return self.unique / self.rows if self.rows else 0.0

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "name": self.name,
            "kind": self.kind.value,
            "missing": self.missing,
            "missing_share": self.missing_share,
            "distinct": self.distinct,
            "distinct_exact": self.distinct_exact,
            "unique": self.unique,
            "unique_share": self.unique_share,
            "role": self.role.value,
            "reasons": list(self.reasons),
            "recognized": self.recognized,
            "identifier_kind": self.recognized if self.item else None,
            "hipaa": self.item.value if self.item else None,
            "doubt": self.doubt,
            "hints": list(self.hints),
            "shapes": list(self.shapes),
            "proposal": self.proposal.value,
            "hierarchy": self.hierarchy,
            "missing_words": dict(self.missing_words),
            "lost_zeros": self.lost_zeros,
            "special": self.special.value if self.special else None,
            "coarsening": self.coarsening.facts() if self.coarsening else None,
            "choice": self.choice.facts() if self.choice else None,
            **_tell_proposal(self.proposed),
        }


def _tell_proposal(proposed: HierarchyProposal | None) -> dict[str, Any]:
    """Why a hierarchy was proposed, and which kinds were tried before it and rejected."""
    if proposed is None:
        return {"hierarchy_reason": None, "given_up": []}
    facts = proposed.facts()
    return {"hierarchy_reason": facts["reason"], "given_up": facts["given_up"]}


@dataclass(frozen=True)
class Settings:
    """Settings of a first policy next to columns and promises, with the reasons in words."""

    suppress: float = 0.02
    algorithm: Any = "optimal"
    reasons: tuple[str, ...] = ()
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    """Hierarchies that replace those proposed, in the form of a policy."""
    people: bool = True
    """Whether people are counted where the inspection proposes it."""
    diverse: bool = True
    """Whether sensitive values are promised to differ among people, where people are counted."""


@dataclass(frozen=True)
class Inspection:
    """What identifies people in a table, as far as names and values of its columns show.

    A suspicion, not a verdict: the data holder knows what the columns mean, and decides.
    `combinations` are small sets of columns that single out more than a few percent of the rows;
    `people` says how people are counted where one has several rows.
    """

    name: str
    rows: int
    columns: tuple[Column, ...]
    notices: tuple[str, ...] = ()
    combinations: tuple[Combination, ...] = ()
    people: PeopleProposal | None = None

    def __repr__(self) -> str:
        rows, columns = format_count(self.rows, "row"), format_count(len(self.columns), "column")
        return f"Inspection({self.name}: {rows}, {columns})"

    def _repr_html_(self) -> str:
        heads = ("column", "kind", "different", "missing", "role")
        rows = [
            (one.name, one.kind.value, one.distinct, one.missing, one.role.value)
            for one in self.columns
        ]
        return render_html_table(repr(self), heads, rows)

    def facts(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        return {
            "format": "discreet-inspect/1",
            "file": self.name,
            "rows": self.rows,
            "columns": [column.facts() for column in self.columns],
            "notices": list(self.notices),
            "combinations": [one.facts() for one in self.combinations],
            "people": self.people.facts() if self.people else None,
        }

    def policy_text(self, settings: Settings | None = None) -> str:
        """A first policy in YAML, with the reasons as comments, to be read and edited.

        ``settings`` are those that were tried, see :func:`discreet.first_policy`.
        """
        return write_first_policy(self, settings or Settings())

    def with_role(self, role: Role) -> tuple[Column, ...]:
        """The columns that seem to have a role, in the order of the table."""
        return tuple(column for column in self.columns if column.role is role)


# Writes the result of an inspection as a policy that runs, with the reasons as comments.
#
# The file says how values are generalized, never what the values are.


WIDTH = 100
TIME_LIMIT = 60
ALMOST_ALL = 0.8
"""If this share of rows has the same sensitive value, two values per class cost too much."""
NOT_DIVERSE = "No release was possible with this promise about the values of people:"
MOST_SETS = 5
"""Most sets of columns that single people out that are written into a policy."""
OWN = 0.95
"""If this share of rows has a unique value, classes hold several values anyway."""
PROMOTED = (
    "No column looks like a quasi-identifier, so every column without another role counts as one. "
    "Leave the role to those that others may know about a person."
)
NO_QUASI = (
    "No column looks like a quasi-identifier, and none is left to count as one: give role quasi to "
    "those that others may know about a person. Until then this policy does not run."
)

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_YAML_WORDS = split_words("y n yes no on off true false null")


def write_first_policy(found: Inspection, settings: Settings) -> str:
    """The policy as commented YAML."""
    parts = [
        _write_head(found),
        _write_people(found, settings),
        _write_columns(found, settings),
        _write_promises(found, settings.diverse or not _counts_people(found, settings)),
        _write_settings(settings, "people" if _counts_people(found, settings) else "rows"),
    ]
    return "\n".join(filter(None, parts))


def _counts_people(found: Inspection, settings: Settings) -> bool:
    """Whether people are counted; not if only names identify them, which people may share."""
    if found.people is None or not settings.people:
        return False
    named = [one for one in found.columns if one.name == found.people.column]
    return not any(one.item is Item.NAMES for one in named)


def propose_k(rows: int) -> int:
    """A first value for k: 5, or less if the table is too small."""
    return next((k for k, below in ((2, 20), (3, 50), (4, 100)) if rows < below), 5)


def _write_head(found: Inspection) -> str:
    text = (
        f"A first policy for {_make_printable(found.name)} ({found.rows:,} rows), guessed from the "
        "names and values of its columns. You know the data: read every line, change what is "
        "wrong, then run `discreet anonymize`. Columns with role identifier or text, and columns "
        "that are not named here, are not released. quasi columns are made coarser until the "
        "promises below hold. sensitive and other columns are released as they are, but for the "
        "techniques and words for missing that are named."
    )
    more = (
        "A quasi column without a hierarchy is released as it is or as *. Where that loses too "
        "much, write a file with lines such as value;group;* and name it: hierarchy: "
        "{file: groups.csv}."
    )
    sets = [
        f"{', '.join(one.columns)} ({format_percent(one.singled_out_share)})"
        for one in found.combinations[:MOST_SETS]
    ]
    told = [text, more]
    if sets:
        told.append(f"Columns that single people out together, with the share: {'; '.join(sets)}.")
    return "\n".join(_write_comment(one, "") for one in told)


def _write_people(found: Inspection, settings: Settings) -> str:
    """The entry for people with several rows."""
    people = found.people
    if people is None:
        return ""
    about = "" if people.exact else "about "
    reason = (
        f"{people.reason}: {people.rows:,} rows of {about}{people.people:,} {people.unit}, up to "
        f"{people.most_rows:,} each. With this line promises count people, not rows."
    )
    line = f"people: {_write_yaml(people.spec)}"
    counts = _counts_people(found, settings)
    if not counts:
        why = "Different people may share a name" if settings.people else "No release was possible"
        reason += f" {why}, so rows are counted until the # is taken away:"
    text = _write_comment(reason[0].upper() + reason[1:], "")
    return f"\n{text}\n{line if counts else f'# {line}'}"


def _write_columns(found: Inspection, settings: Settings) -> str:
    lines = ["", "columns:"]
    promoted = _list_promoted(found)
    if not found.with_role(Role.quasi):
        lines.append(_write_comment(PROMOTED if promoted else NO_QUASI))
    for column in found.columns:
        said, marked = settings.hierarchies.get(column.name), _mark_people(found, settings, column)
        lines += [
            _write_comment(_explain_column(marked, column in promoted)),
            _write_entry(marked, column in promoted, said),
        ]
    return "\n".join(lines) + "\n"


def _mark_people(found: Inspection, settings: Settings, column: Column) -> Column:
    """The column of people is an identifier, whatever its guessed role."""
    people = found.people if _counts_people(found, settings) else None
    if people is None or column.name != people.column:
        return column
    told = "released as pseudonyms, one per person"
    return replace(
        column, role=Role.identifier, hierarchy=None, proposal=Proposal.withheld, hints=(told,)
    )


def _list_promoted(found: Inspection) -> tuple[Column, ...]:
    """The columns that count as quasi because no other column does."""
    if found.with_role(Role.quasi):
        return ()
    return tuple(one for one in found.with_role(Role.other) if one.kind is not Kind.empty)


def _explain_column(column: Column, quasi: bool) -> str:
    parts = ["; ".join(column.reasons)]
    if column.item:
        parts.append(f"HIPAA {column.item.value}")
    if column.special:
        parts.append(f"{column.special.article}: {column.special.value}")
    if column.doubt:
        parts.append(f"In doubt: {column.doubt}")
    parts += column.hints
    if column.proposal is Proposal.withheld and column.role is Role.other and not quasi:
        parts.append("Not released unless you name it: take away the # in front")
    if column.role is Role.text:
        parts.append("Free text may hold names, so it is not released")
    return ". ".join(part[0].upper() + part[1:] for part in parts) + "."


def _write_entry(column: Column, quasi: bool, hierarchy: Any = None) -> str:
    said: dict[str, Any] = {"role": (Role.quasi if quasi else column.role).value}
    if hierarchy is not None:
        said["hierarchy"] = hierarchy
    elif column.hierarchy is not None:
        said["hierarchy"] = column.hierarchy
    elif quasi and column.kind is not Kind.category:
        said["hierarchy"] = AUTO
    if column.missing_words:
        said["missing"] = list(propose_words(column.missing_words))
    if column.lost_zeros:
        said["repair"] = "lost_zeros"
    if column.coarsening is not None:
        said |= column.coarsening.spec
    left_out = column.proposal is Proposal.withheld and column.role is Role.other and not quasi
    return f"  {'# ' if left_out else ''}{_write_yaml(column.name)}: {_write_yaml(said)}"


def _write_promises(found: Inspection, diverse: bool) -> str:
    lines = ["require:", f"  - k_anonymity: {{k: {propose_k(found.rows)}}}"]
    for column in found.with_role(Role.sensitive):
        promise = f"- l_diversity: {_write_yaml({'column': column.name, 'ell': 2})}"
        against = _explain_no_diversity(column) or ("" if diverse else NOT_DIVERSE)
        lines += [_write_comment(against), f"  # {promise}"] if against else [f"  {promise}"]
    return "\n".join(lines) + "\n"


def _explain_no_diversity(column: Column) -> str:
    """Why two values per class make no sense for a sensitive column; empty if they do."""
    if column.distinct + bool(column.missing) < 2:
        return "The column holds one value only, so there is nothing to keep apart:"
    if column.unique is not None and column.unique >= OWN * column.rows:
        if column.coarsening is not None:
            return "Left out since nearly every row has a value of its own before it is coarsened:"
        return "Nearly every row has a value of its own, so this promise adds little:"
    if column.most_common >= ALMOST_ALL:
        same = format_percent(column.most_common)
        return f"{same} of the rows have the same value, so this promise costs much detail:"
    return ""


def _write_settings(settings: Settings, unit: str) -> str:
    share = format_percent(settings.suppress) if settings.suppress else "none"
    algorithm = "levels per cell, since levels per column lose too much"
    lines = [_write_comment(f"{reason}.", "") for reason in settings.reasons]
    lines.append(
        f"suppress: {settings.suppress:g}    # the largest share of {unit} that may be left out: "
        f"{share}"
    )
    if settings.algorithm != "optimal":
        lines.append(f"algorithm: {_write_yaml(settings.algorithm)}    # {algorithm}")
    else:
        limit = "seconds of search; then the best release found so far, with its bound"
        lines.append(f"time_limit: {TIME_LIMIT}    # {limit}")
    return "\n".join(lines) + "\n"


def _write_comment(text: str, indent: str = "  ") -> str:
    return textwrap.fill(
        _make_printable(text),
        WIDTH,
        initial_indent=f"{indent}# ",
        subsequent_indent=f"{indent}# ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _make_printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)


def _write_yaml(data: Any) -> str:
    """Plain data on one line, quoted wherever YAML could read something else."""
    match data:
        case dict():
            return (
                f"{{{', '.join(f'{_write_yaml(key)}: {_write_yaml(data[key])}' for key in data)}}}"
            )
        case list() | tuple():
            return f"[{', '.join(map(_write_yaml, data))}]"
        case str() if _PLAIN.fullmatch(data) and data.lower() not in _YAML_WORDS:
            return data
        case str() if re.fullmatch(r"[1-9][0-9]* [a-z]+", data):
            return data
    text = json.dumps(data, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in text)
