"""Every exception that discreet raises on purpose.

Each builds its own message from fields: what is wrong, what there is, what to do. No message ever
holds a cell value of private data: columns are named, rows and values are counted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from discreet.display import address_kind, hide_credentials, safe_repr

if TYPE_CHECKING:
    from pathlib import Path


MOST_NAMED = 50
"""Mistakes of a policy that one message names."""

MOST_COMPARED = 2_000
"""Names among which a similar one is looked for; among more that would take minutes."""


def argument(name: str, value: str = "") -> str:
    """A parameter of the public functions, to be named in a message.

    Python users read the name, with ``value`` as an example; the command line puts its own option
    there. The marks around it are noncharacters of Unicode, which no text holds.

    >>> str(DiscreetError(f"Give {argument('k', '5')}."))
    'Give k=5.'
    """
    return f"\ufdd0{name} {value}\ufdd1"


_ARGUMENT = re.compile("\ufdd0([^ ]+) (.*?)\ufdd1")


def name_arguments(text: str, name_one: Callable[[str, str], str] | None = None) -> str:
    """The text with each :func:`argument` as its reader knows it; as in Python if not said."""
    return _ARGUMENT.sub(lambda m: (name_one or _name_parameter)(m[1], m[2]), text)


def _name_parameter(name: str, value: str) -> str:
    return f"{name}={value}" if value else name


class DiscreetError(Exception):
    """Something the data holder can fix; the command line shows it and exits with code 2.

    A path in a message may be an address with a password in it: that is never shown. ``template``
    is the message with its arguments still marked, see :func:`argument`.
    """

    def __init__(self, message: str = "") -> None:
        self.template = hide_credentials(message)
        super().__init__(name_arguments(self.template))


class InternalError(DiscreetError):
    """discreet broke one of its own promises; nothing was released."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"internal error: {what}. This is a bug in discreet, not in your data; nothing was "
            "released. Please report it with the policy and the version, without any data."
        )


class ParameterError(DiscreetError):
    """A model, measure or algorithm was given a parameter that makes no sense."""

    def __init__(self, owner: str, key: str, wanted: str) -> None:
        self.owner, self.key = owner, key
        super().__init__(f"{owner}: '{key}' must be {wanted}.")


@safe_repr
class PolicyProblem(NamedTuple):
    """One mistake in a policy: the key it is at, what is wrong and how to fix it, the line."""

    key: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        return f"{line}{self.key}: {self.what}" if self.key else f"{line}{self.what}"


class PolicyError(DiscreetError):
    """The policy says something that is not understood or cannot be done."""

    def __init__(self, problems: Sequence[PolicyProblem], file: str = "policy") -> None:
        self.problems, self.file = tuple(problems), file
        if len(self.problems) == 1:
            separator = ", " if self.problems[0].line else ": "
            super().__init__(f"{file}{separator}{self.problems[0]}")
        else:
            lines = "".join(f"\n  {problem}" for problem in self.problems[:MOST_NAMED])
            if len(self.problems) > MOST_NAMED:
                lines += f"\n  and {len(self.problems) - MOST_NAMED:,} more"
            super().__init__(f"{file} has {len(self.problems)} mistakes:{lines}")


class PolicyFileError(PolicyError):
    """The policy file cannot be read at all, or is no policy."""

    def __init__(self, file: str, what: str, line: int | None = None) -> None:
        super().__init__([PolicyProblem("", what, line)], file)


class PolicyTargetError(DiscreetError):
    """A first policy cannot be written where it was asked for; an older file is as it was."""

    def __init__(self, path: object, what: str, fix: str) -> None:
        self.path = path
        super().__init__(
            f"{argument('write_policy', str(path))}: {what}. {fix} No policy was written."
        )


class ArgumentError(DiscreetError):
    """The arguments of a public function do not fit together, or one of them makes no sense.

    Parameters are named so that the command line can put its options in their place.

    >>> print(ArgumentError("distinct", "it is needed", f"Say {argument('distinct', '0.5')}."))
    distinct: it is needed. Say distinct=0.5.
    """

    def __init__(self, names: str | Sequence[str], what: str, fix: str, value: str = "") -> None:
        self.names = (names,) if isinstance(names, str) else tuple(names)
        named = ", ".join(argument(name, value) for name in self.names)
        super().__init__(f"{named}: {what}. {fix}".rstrip())


class FlagError(DiscreetError):
    """The options of a command do not fit together."""

    def __init__(self, flag: str, what: str, fix: str) -> None:
        self.flag = flag
        super().__init__(f"{flag}: {what}. {fix}".rstrip())


class HierarchyError(DiscreetError):
    """A hierarchy cannot be built, or does not fit the column it is for."""


class AmbiguousDatesError(HierarchyError):
    """The dates of a column can be read in more than one way, and the ways disagree."""

    def __init__(self, column: str, dates: int, formats: Sequence[str]) -> None:
        self.column, self.dates, self.formats = column, dates, tuple(formats)
        super().__init__(
            f"column '{column}': its {dates} different dates fit {' and '.join(formats)}, which "
            f"disagree on day and month. Say which it is: dates: {{levels: [...], format: "
            f"'{formats[0]}'}}."
        )


class HierarchyFileError(HierarchyError):
    """A hierarchy file cannot be read, or a line of it is wrong."""

    def __init__(self, path: object, what: str, fix: str) -> None:
        self.path = path
        super().__init__(f"hierarchy file '{path}': {what}. {fix}")


class HierarchySpecError(HierarchyError):
    """What a policy says of a hierarchy is not understood."""

    def __init__(self, key: str, what: str, fix: str) -> None:
        self.key, self.what, self.fix = key, what, fix
        super().__init__(f"hierarchy, key '{key}': {what}. {fix}")


class NotNestedError(HierarchyError):
    """One level does not follow from the level below it, so values would have two parents."""

    def __init__(self, builder: str, finer: object, coarser: object, reason: str) -> None:
        self.builder, self.finer, self.coarser = builder, finer, coarser
        super().__init__(
            f"{builder}: level '{coarser}' cannot stand above level '{finer}': {reason}. Leave "
            "one of the two out, or change it so that each value of the lower level lies wholly "
            "in one value of the upper level."
        )


class SeveralParentsError(HierarchyError):
    """The hierarchy is not a tree: a label has more than one parent."""

    def __init__(self, column: str, level: int, labels: int, where: str = "") -> None:
        self.column, self.level, self.labels = column, level, labels
        detail = f", {where}" if where else ""
        super().__init__(
            f"column '{column}': the hierarchy is not a tree. {labels} of the labels of level "
            f"{level} have more than one parent at level {level + 1}{detail}. Give each label "
            "one parent; where two groups share a name, give them two names."
        )


class SeveralRootsError(HierarchyError):
    """The hierarchy ends in more than one value, and * is only one of them."""

    def __init__(self, column: str, level: int, roots: int, where: str = "") -> None:
        self.column, self.level, self.roots = column, level, roots
        detail = f" ({where})" if where else ""
        super().__init__(
            f"column '{column}': the hierarchy has {roots} roots: its last level, {level}, holds "
            f"'*' beside other labels{detail}. End every line or branch in the same root."
        )


class GroundLabelError(HierarchyError):
    """A value is released as another value of the column, which is a false statement."""

    def __init__(self, column: str, level: int, labels: int, where: str = "") -> None:
        self.column, self.level, self.labels = column, level, labels
        detail = f" ({where})" if where else ""
        super().__init__(
            f"column '{column}': at level {level} of the hierarchy {labels} "
            f"label{' is' if labels == 1 else 's are'} also a value that does not belong to "
            f"{'it' if labels == 1 else 'them'}{detail}, so a released cell would be read as that "
            "value. Give groups names that are not values of the column."
        )


class UncoveredValuesError(HierarchyError):
    """The data holds values that the hierarchy says nothing about."""

    def __init__(self, column: str, source: str, uncovered: int, total: int, fix: str) -> None:
        self.column, self.source, self.uncovered, self.total = column, source, uncovered, total
        super().__init__(
            f"column '{column}': {uncovered} of its {total} different values are missing from "
            f"{source}. {fix}"
        )


class UnreadableValuesError(HierarchyError):
    """Values of the data are not what the hierarchy takes them for, such as numbers or dates."""

    def __init__(self, column: str, wanted: str, unreadable: int, total: int, fix: str) -> None:
        self.column, self.wanted = column, wanted
        self.unreadable, self.total = unreadable, total
        super().__init__(
            f"column '{column}': {unreadable} of its {total} different values are not {wanted}. "
            f"{fix}"
        )


class SourceError(DiscreetError):
    """A table cannot be read: which file, what there is, what to do."""

    def __init__(self, name: object, what: str, fix: str) -> None:
        self.name, self.what, self.fix = str(name), what, fix
        super().__init__(f"{name}: {what}. {fix}")


class TooWideError(SourceError):
    """A table has more columns than can be looked at, tried or written in time."""


class AddressError(SourceError):
    """An address was given where a file is wanted; nothing of the address is shown."""

    def __init__(self, name: str, kind: str) -> None:
        if kind == "database":
            what = "this is the address of a database, not a file; databases are not supported yet"
            fix = "Export the table to a file such as people.csv, and name that file."
        else:
            what = "this is a web address, not a file"
            fix = "Download it first, and name the file."
        super().__init__(name, what, fix)


def refuse_address(path: object, name: str = "the path") -> None:
    """Stop at an address of a database or on the web where the path of a file is wanted."""
    kind = address_kind(path)
    if kind is not None and not os.path.lexists(str(path)):
        raise AddressError(name, kind)


class UnfitFileError(SourceError):
    """A file that was named is not a regular one, or too large for what it is read as."""


class ColumnNamesError(SourceError):
    """Columns have no name, or share one, so a policy cannot tell them apart."""

    def __init__(self, name: object, unnamed: Sequence[int], shared: Sequence[int]) -> None:
        self.unnamed, self.shared = tuple(unnamed), tuple(shared)
        parts = []
        if unnamed:
            parts.append(f"{positions('column', unnamed)} without a name")
        if shared:
            parts.append(f"{positions('column', shared)} with the name of another column")
        super().__init__(
            name,
            f"the first line must name every column once, but it has {' and '.join(parts)}",
            "Fix the first line, or put one there if the file starts with data.",
        )


class EmptyTableError(SourceError):
    """There is nothing in the table, not even rows to protect."""

    def __init__(self, name: object, what: str = "the file is empty") -> None:
        super().__init__(name, what, "Give a table with a line of column names and with rows.")


class OneRowError(SourceError):
    """Pairs of rows were asked for where there is one row."""

    def __init__(self, name: object) -> None:
        what = "it has one row, so there are no pairs of rows"
        super().__init__(
            name, what, "Give at least two rows; no column is needed to tell one apart."
        )


class EncodingError(SourceError):
    """The bytes of a file are not text in the encoding that was named or found."""

    def __init__(self, name: object, encoding: str, line: int | None, assumed: bool) -> None:
        self.encoding, self.line, self.assumed = encoding, line, assumed
        where = f"line {line}" if line else "the file"
        tried = "neither UTF-8 nor Windows-1252 text" if assumed else f"not {encoding} text"
        super().__init__(
            name,
            f"{where} is {tried}",
            f"Name the {argument('encoding')} it was saved in, such as iso-8859-15 or cp437.",
        )


class MissingFileError(SourceError):
    """There is no such file."""

    def __init__(self, path: object, folder: str, near: Sequence[str]) -> None:
        self.near = tuple(near)
        guess = f"Did you mean {' or '.join(repr(n) for n in near)}? " if near else ""
        super().__init__(path, "there is no such file", f"{guess}Looked in {folder}.")


class QuoteError(SourceError):
    """A quoted field does not end, or goes on after its closing quote."""

    def __init__(self, name: object, line: int, unclosed: bool, quote: str) -> None:
        self.line, self.unclosed = line, unclosed
        what = "is opened but never closed" if unclosed else "is closed, but the field goes on"
        super().__init__(
            name,
            f"line {line}: a quote ({quote}) {what}",
            "Close the quote, or double it where it belongs to the text; if quotes mean nothing "
            "in this file, name another quote character.",
        )


class RaggedRowsError(SourceError):
    """Rows have more or fewer fields than the first line has names."""

    def __init__(self, name: object, columns: int, lines: Sequence[int], rows: int) -> None:
        self.columns, self.lines, self.rows = columns, tuple(lines), rows
        more = f" and {rows - len(lines)} more" if rows > len(lines) else ""
        verb = "does" if rows == 1 else "do"
        super().__init__(
            name,
            f"{positions('line', lines)}{more} {verb} not have the {columns} fields that the "
            f"first line names ({rows} row{'' if rows == 1 else 's'} in all)",
            "Fix these lines: often a separator inside a field is not quoted. If the columns "
            "look wrong, name the separator.",
        )


class UnknownColumnError(SourceError):
    """A column was asked for that the table does not have."""

    def __init__(self, name: object, column: str, columns: Sequence[str]) -> None:
        self.column = column
        near = get_close_matches(column[:200], columns[:MOST_COMPARED], n=2)
        guess = f"Did you mean {' or '.join(repr(n) for n in near)}? " if near else ""
        super().__init__(
            name,
            f"there is no column {column!r} among its {len(columns)} "
            f"column{'' if len(columns) == 1 else 's'}",
            f"{guess}Names are case-sensitive; `discreet inspect` lists them.",
        )


class UnknownKindError(SourceError):
    """The ending of a file says nothing of how to read or write it."""

    def __init__(self, name: object, ending: str, known: Sequence[str]) -> None:
        self.ending, self.known = ending, tuple(known)
        what = f"the ending {ending!r} is not known" if ending else "the name has no ending"
        super().__init__(name, what, f"Known are {', '.join(known)}.")


class WriteError(DiscreetError):
    """The release could not be written; nothing was, unless ``left`` says so."""

    NOTHING = "Nothing was written."

    def __init__(self, name: object, what: str, fix: str, left: str = NOTHING) -> None:
        self.name, self.what, self.fix, self.left = str(name), what, fix, left
        super().__init__(f"{name}: {what}. {fix} {left}")


class NameTakenError(WriteError):
    """There is a file or folder of that name which must not be replaced."""

    def __init__(self, name: object) -> None:
        what = "this appeared meanwhile, written by another program, and is not replaced"
        super().__init__(name, what, "Look at it, then name another one.")


def positions(noun: str, numbers: Sequence[int]) -> str:
    """Name places by number, for a message.

    >>> positions("line", [3, 8])
    'lines 3, 8'
    """
    return f"{noun}{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """End a message about an unknown name: the nearest known one, then what there is.

    >>> did_you_mean("quasy", ["quasi", "sensitive"])
    "Did you mean 'quasi'? There is: quasi, sensitive."
    """
    names = list(known)
    some = [name for name in names[:MOST_COMPARED] if len(name) < 200]
    alike = {name.casefold().replace("-", "_").replace(" ", "_"): name for name in some}
    wanted = str(word)[:200].casefold().replace("-", "_").replace(" ", "_")
    near = get_close_matches(wanted, alike, n=1, cutoff=0.6)
    guess = f"Did you mean '{alike[near[0]]}'? " if near else ""
    more = f", ... ({len(names)} in all)" if len(names) > 30 else ""
    return f"{guess}There is: {', '.join(names[:30]) or 'none'}{more}."


class TooManyClassesError(DiscreetError):
    """A released file has more different rows than this machine's memory can count."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name}: too many different rows to count in this machine's memory, so nothing can be "
            "said about it. A released file has few; check that this is the release, or verify it "
            "on a machine with more memory."
        )


class UnreachableError(DiscreetError):
    """No release keeps the promises, however general."""

    def __init__(
        self, failing: list[tuple[str, int]], rows: int, limit: int, unit: str = "rows"
    ) -> None:
        self.failing = failing
        named = ", ".join(f"{name} fails for {n:,} of {rows:,} {unit}" for name, n in failing)
        super().__init__(
            "no release meets this policy, even with every quasi column fully generalized: "
            f"{named or f'the requirements together leave too few {unit}'}; the policy allows "
            f"{limit:,} to be suppressed. Ask for less, or allow more {unit} to be suppressed."
            f"{' Numbers of rows tell people apart: see people.records.' * (unit == 'people')}"
        )


class BlindChoiceError(DiscreetError):
    """Levels that were chosen without the sensitive values do not keep a promise about them."""

    def __init__(self, failing: list[str], size: int | None = None) -> None:
        self.failing = failing
        self.size = size
        if size is None:
            fix = (
                "Ask for less (a smaller ell, a larger t, beta or delta): not even classes of "
                "nearly the whole table would keep it."
            )
        else:
            fix = (
                f"Require k_anonymity with k well above {size:,}: in classes of {size:,} rows it "
                "would hold if the sensitive values did not go with the quasi columns. That "
                "number follows from the counts of the whole column, not from who has which value."
            )
        super().__init__(
            "the levels that were chosen by sizes of classes alone (choice: blind) do not keep "
            f"{', '.join(dict.fromkeys(failing))}. Nothing was released. {fix} Keep this refusal "
            "to yourself, and try once: whoever knows that a k failed learns from it, as without "
            "choice: blind."
        )


class MissingExtraError(DiscreetError):
    """A library is needed that is not part of a plain installation."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs libraries that are not installed. Install them: pip install "
            f"'discreet[{extra}]'."
        )


class UnprotectedError(DiscreetError):
    """A release that does not keep its promises was about to be handed out."""

    def __init__(self, algorithm: str, failing: list[tuple[str, int]]) -> None:
        self.failing = failing
        named = ", ".join(f"{name} fails for {count:,} rows" for name, count in failing)
        super().__init__(
            f"the release that {algorithm} made does not keep the policy: {named}. Nothing was "
            "written. Choose another algorithm or variant, or insist with "
            f"{argument('unprotected')}."
        )


class NoComparisonError(DiscreetError):
    """None of the algorithms to compare could make a release."""

    def __init__(self, refused: dict[str, str]) -> None:
        told = " ".join(f"{title}: {why}" for title, why in refused.items())
        super().__init__(f"no algorithm made a release, so there is nothing to compare. {told}")


class UnclaimedModelError(DiscreetError):
    """An algorithm was asked for a promise that it cannot keep."""

    def __init__(self, algorithm: str, model: str, why: str, instead: str | None = None) -> None:
        super().__init__(
            f"the algorithm {algorithm} cannot promise {model}: {why}. Use "
            f"{'another algorithm' if instead is None else f'the algorithm {instead}'}, or another "
            "requirement."
        )


class WeightError(DiscreetError):
    """A column of row weights holds something that is no weight."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"column '{column}' is to weigh rows, but not all of its values are numbers of 0 or "
            "more, or none is above 0; a weight above 0 lies between 1e-15 and 1e15. Fix the "
            "column, or do not use it as a weight."
        )


class NoOrderError(DiscreetError):
    """The ordered distance was asked for, but the values have no known order."""

    def __init__(self, column: str, count: int, listed: bool) -> None:
        lack = "are not in its 'order'" if listed else "are not numbers"
        super().__init__(
            f"t_closeness with the ordered distance: {count:,} of the values of '{column}' {lack}. "
            "List all values from low to high under 'order', or use another distance."
        )


class SensitiveHierarchyError(DiscreetError):
    """The hierarchical distance was asked for without a hierarchy to measure it on."""

    def __init__(self, column: str) -> None:
        super().__init__(
            f"t_closeness with the hierarchical distance needs a hierarchy of '{column}'. Give the "
            "column one in the policy, or use another distance."
        )


class ChangedTableError(DiscreetError):
    """The private table is not the same in the second pass as it was in the first."""

    def __init__(self, table: str) -> None:
        super().__init__(
            f"{table} changed while it was being read; nothing was released. Work on a copy that "
            "nobody writes to, and run again."
        )


class TooFewRowsError(DiscreetError):
    """k is larger than the table."""

    def __init__(self, table: str, rows: int, k: int) -> None:
        self.k = k
        super().__init__(
            f"{table} has {rows:,} row{'' if rows == 1 else 's'}, fewer than k = {k:,}, so no "
            "release can be k-anonymous. "
            "Ask for a smaller k, or release together with other tables."
        )


class WhereError(DiscreetError):
    """A condition is not understood: where, and what was expected there."""

    def __init__(self, what: str, fix: str, place: int | None = None) -> None:
        self.place = place
        super().__init__(f"condition: {what}. {fix}".rstrip())


class PartError(DiscreetError):
    """A part of a table was asked for that its policy does not let go."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(f"part of the table: {what}. {fix}")


class SmallPartError(PartError):
    """Too few rows meet the condition; how few is not said, since the asker may read this."""

    def __init__(self, least: int) -> None:
        what = f"fewer than {least:,} rows meet the condition" if least > 1 else "no row meets it"
        super().__init__(what, "Ask for more.")


class UnreachablePartError(PartError):
    """No release of the part keeps the promises; of how many rows is not said."""

    def __init__(self, failing: Sequence[str]) -> None:
        named = f"{', '.join(failing)} fails" if failing else "the promises leave too few rows"
        what = "no release of it meets this policy, even with every quasi column fully generalized"
        super().__init__(f"{what}: {named}", "Ask for more, or allow more suppressed rows.")


class RegisterSizeError(DiscreetError):
    """No release of this table can keep a promise about this register."""

    def __init__(self, register: Path, what: str) -> None:
        self.register = register
        super().__init__(f"the register '{register.name}' {what}.")


class RegisterColumnsError(DiscreetError):
    """A register lacks columns that it is to be joined on."""

    def __init__(
        self, register: Path, model: str, lacking: Mapping[str, str], there: Sequence[str]
    ) -> None:
        self.register, self.lacking = register, tuple(lacking)
        alike = {name.casefold(): name for name in there}
        pairs = []
        for name, wanted in lacking.items():
            near = get_close_matches(wanted.casefold(), alike, n=1, cutoff=0.4)
            pairs.append(f"{name}: {alike[near[0]] if near else '...'}")
        super().__init__(
            f"the register '{register.name}' has no column {', '.join(lacking.values())}. Say what "
            f"it is called there: names: {{{', '.join(pairs)}}} in {model}."
        )


class RegisterKeyError(DiscreetError):
    """A key column does not tell whose row it is."""

    def __init__(self, table: str, model: str, key: str, what: str) -> None:
        self.key = key
        super().__init__(
            f"{model}: key '{key}' {what} in '{table}'. A key tells whose row it is: it must be a "
            "column of both tables, under one name, with a value of its own in every row. Leave "
            "'key' out to match rows by the quasi columns."
        )


class NotAPartError(DiscreetError):
    """A private table has rows that the public table lacks."""

    def __init__(self, register: Path, model: str, rows: int, of: int, by: str) -> None:
        self.register, self.rows = register, rows
        super().__init__(
            f"{model}: {rows:,} of {of:,} rows are not in the public table '{register.name}' (by "
            f"{by}), and the private table must be a part of it. Write the values of both in the "
            "same way, or add the missing people to the public table."
        )


class OutOfTimeError(DiscreetError):
    """Time ran out before any release was found; there may still be one."""

    def __init__(self) -> None:
        super().__init__(
            "time ran out before a release was found that meets the policy; there may be one. "
            "Allow more time (time_limit), ask for less, or allow more rows to be suppressed."
        )


class HeuristicError(DiscreetError):
    """A heuristic ended without a release; another algorithm may find one."""

    def __init__(self, algorithm: str) -> None:
        super().__init__(
            f"{algorithm} found no release that meets the policy, but there may be one: it does "
            "not try every node. Use algorithm: optimal, which does."
        )


class UnclaimedMeasureError(DiscreetError):
    """An algorithm was asked for the best value of a measure that it cannot optimize."""

    def __init__(self, algorithm: str, measure: str, known: Sequence[str]) -> None:
        self.algorithm, self.measure, self.known = algorithm, measure, tuple(known)
        super().__init__(
            f"the algorithm {algorithm} cannot optimize {measure}, which counts classes and not "
            f"cells. It can do: {', '.join(known)}. Choose one of these, or the algorithm local."
        )


class TooLargeError(DiscreetError):
    """A table is too large for an algorithm that tries very many combinations."""

    def __init__(self, algorithm: str, what: str, size: int, most: int, instead: str) -> None:
        self.algorithm, self.size, self.most = algorithm, size, most
        super().__init__(
            f"the table is too large for the algorithm {algorithm}: it has {size:,} {what}, and "
            f"{algorithm} can do {f'{most:,}' if most else 'none'}. Use the algorithm {instead}."
        )


class DuplicateRowsError(DiscreetError):
    """A key was asked for where rows repeat in all columns."""

    def __init__(self, table: str, duplicates: int, sampled: bool = False) -> None:
        self.duplicates = duplicates
        one = duplicates == 1
        where = " of the sample" if sampled else ""
        super().__init__(
            f"{table}: {duplicates:,} row{'' if one else 's'}{where} repeat{'s' if one else ''} "
            "another in all columns, so no set of columns is a key. Remove the duplicates "
            f"({argument('drop_duplicates')}), or ask for a ratio below 1."
        )


def _beside(ratio: float, limit: float) -> str:
    """A ratio with as many digits as it takes to see on which side of the limit it is."""
    for digits in range(6, 18):
        text = f"{ratio:.{digits}g}"
        if (float(text) < limit, float(text) > limit) == (ratio < limit, ratio > limit):
            return text
    return repr(ratio)


class NoSuchSetError(DiscreetError):
    """All columns together do not reach the ratio that was asked for."""

    def __init__(self, table: str, measure: str, beta: float, most: float) -> None:
        self.most = most
        told = _beside(most, beta) if most < beta else "a trace less"
        super().__init__(
            f"{table}: all columns together have a {measure} ratio of {told}, below {beta:.15g}, "
            "so no set of columns reaches that. Ask for a smaller ratio."
        )


class SampleTooSmallError(DiscreetError):
    """A sample is too small to promise anything."""

    def __init__(self, sample: int, least: int) -> None:
        self.sample, self.least = sample, least
        super().__init__(
            f"a sample of {sample:,} is too small to promise anything for this many columns; "
            f"it takes at least {least:,}. Draw a larger sample, or look at all rows."
        )


class SampleTooLargeError(DiscreetError):
    """More pairs of rows were asked for than can be held."""

    def __init__(self, pairs: int, most: int) -> None:
        self.pairs, self.most = pairs, most
        super().__init__(
            f"a sample of {pairs:,} pairs of rows is too large; at most {most:,} are drawn. Draw "
            "fewer, allow a larger epsilon, or look at all rows (neither sample nor epsilon)."
        )


class TooIdentifyingError(DiscreetError):
    """Columns that must be published already tell too much apart."""

    def __init__(
        self,
        columns: Sequence[str],
        measure: str,
        ratio: float,
        beta: float,
        strict: bool = False,
    ) -> None:
        self.columns, self.ratio = tuple(columns), ratio
        one = len(self.columns) == 1
        which = "column that must be published" if one else "columns that must be published"
        super().__init__(
            f"the {which} ({', '.join(columns)}) {'has' if one else 'have'} a {measure} ratio of "
            f"{_beside(ratio, beta)}, {'not below' if strict else 'above'} {beta:.15g}. Publish "
            f"{'another' if one else 'fewer of them'}, or allow a larger ratio."
        )


class TooManyColumnsError(DiscreetError):
    """A search over sets of columns was asked for more columns than it can hold."""

    def __init__(self, what: str, columns: int, most: int) -> None:
        self.columns, self.most = columns, most
        super().__init__(
            f"{what}: there are {columns:,} columns, and sets of at most {most:,} can be searched. "
            "Name the quasi columns, those that somebody could know of a person."
        )


class UnmatchedRegisterError(DiscreetError):
    """No row of the table fits anybody in a register."""

    def __init__(self, values: Mapping[str, tuple[int, int]]) -> None:
        self.values = dict(values)
        told = ", ".join(f"{name} {met:,} of {of:,}" for name, (met, of) in values.items())
        super().__init__(
            "register: no row of the table fits anybody in it. Values of the table that it has: "
            f"{told}. Write the values of both in the same way, or name quasi columns that "
            "both have as found: a register of raw values does not fit generalized rows."
        )


class UnusableColumnsError(DiscreetError):
    """No column of a release can be compared with another file."""

    def __init__(self, register: str, unusable: Mapping[str, str]) -> None:
        self.unusable = dict(unusable)
        told = ", ".join(f"{name} ({why})" for name, why in unusable.items())
        super().__init__(
            f"no column can be compared with {register}: {told}. That is no sign of safety. Name "
            "other quasi columns, which the register has."
        )


class TooManyPairsError(DiscreetError):
    """Two files go together in more ways than can be held."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"the rows of the two files fit each other in more than {most:,} ways, too many to "
            "tell what an intruder gets. Name fewer columns, or attack a part of the release."
        )


class UnmatchedReleaseError(DiscreetError):
    """Two files that should be about the same people have nothing in common."""

    def __init__(self, name: str, other: str, columns: Sequence[str]) -> None:
        self.columns = tuple(columns)
        if columns:
            what = (
                f"no value of {' or of '.join(repr(c) for c in columns)} in {name} can mean the "
                f"same as one in {other}"
            )
            fix = (
                "That is no sign of safety: they may be written in another way. Give a policy "
                f"with the hierarchies ({argument('policy')}), or write both in the same way."
            )
        else:
            what = f"{name} and {other} have no column in common"
            fix = "Name columns in both files alike."
        super().__init__(f"{what}. {fix}")


class SummaryError(DiscreetError):
    """Summary counts cannot be read, or cannot be those of the released table."""

    def __init__(self, name: str, what: str, fix: str) -> None:
        super().__init__(f"{name}: {what}. {fix}")


class LedgerError(DiscreetError):
    """A ledger of releases cannot be used."""

    def __init__(self, path: object, what: str, fix: str) -> None:
        self.path = path
        super().__init__(f"ledger {path}: {what}. {fix}")


class LedgerLockedError(LedgerError):
    """Another run holds the ledger."""

    def __init__(self, path: object) -> None:
        super().__init__(
            path, "another run of discreet is using it", "Wait until that has ended, and run again."
        )


class LedgerKeyError(LedgerError):
    """The key of a ledger is missing, or not secret."""


class LedgerBrokenError(LedgerError):
    """A ledger is not as it was written."""

    def __init__(self, path: object, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        fix = "Put ledger and key back from a copy; nothing is released beside a broken ledger"
        super().__init__(path, "; ".join(problems), f"{fix}.")


class EarlierReleaseError(DiscreetError):
    """A release would give away more, together with an earlier one, than its policy promises."""

    def __init__(self, numbers: Sequence[int], what: str, fix: str) -> None:
        self.numbers = tuple(numbers)
        one = len(self.numbers) == 1
        which = " and ".join(map(str, self.numbers))
        super().__init__(f"earlier release{'' if one else 's'} {which}: {what}. {fix}")


class AudienceError(DiscreetError):
    """Audiences cannot be part of each other in this way."""

    def __init__(self, name: str, includes: Sequence[str], what: str, fix: str) -> None:
        self.name, self.includes = name, tuple(includes)
        super().__init__(f"audience '{name}' with {', '.join(includes)} in it: {what}. {fix}")


class LinkColumnsError(DiscreetError):
    """A register does not have the columns to link by, or calls them otherwise."""

    def __init__(self, register: str, lacking: Sequence[str], columns: Sequence[str]) -> None:
        self.lacking, self.columns = tuple(lacking), tuple(columns)
        alike = {name.casefold(): name for name in columns}
        near = {
            name: alike[found[0]]
            for name in lacking
            if (found := get_close_matches(name.casefold(), alike, n=1, cutoff=0.5))
        }
        guess = ", ".join(f"{name}={theirs}" for name, theirs in near.items())
        few = ", ".join(columns[:30]) + (", ..." if len(columns) > 30 else "")
        super().__init__(
            f"{register}: it has no column {', '.join(repr(name) for name in lacking)}. "
            f"Say which of its columns is meant{f' (perhaps {guess})' if guess else ''}, or name "
            f"only the columns that it has. It has: {few or 'none'}."
        )


class UnmatchedColumnError(DiscreetError):
    """No value of a column is found in a register: it is written in another way."""

    def __init__(self, columns: Mapping[str, int], register: str) -> None:
        self.columns = dict(columns)
        told = ", ".join(f"'{name}' (0 of {count:,})" for name, count in columns.items())
        super().__init__(
            f"{register}: no value of the release is found there in {told}. That is no sign of "
            "safety: dates, codes or numbers are likely written in another way, or the wrong "
            "columns are compared. Write both alike, name the right columns, or give the policy "
            "that the release was made with."
        )


class TruthError(DiscreetError):
    """Who the released rows are about cannot be told from what was given."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(f"truth: {what}. {fix}")


class TemplateError(DiscreetError):
    """A template of scrub, or a word list it names, cannot be understood."""

    def __init__(self, what: str, fix: str = "", where: str = "") -> None:
        self.what, self.where = what, where
        place = f"{where}: " if where else "template: "
        super().__init__(f"{place}'{what}' is not understood. {fix}".rstrip())


class GoldError(DiscreetError):
    """Marked text to evaluate against cannot be used."""

    def __init__(self, file: str, what: str) -> None:
        self.file = file
        super().__init__(
            f"{file}: {what}. A line of GOLD.jsonl is "
            '{"text": ..., "spans": [{"start": 0, "end": 4, "label": "NAME"}]}; brat (.ann beside '
            ".txt) and the usual JSON shapes are read too."
        )


class FinderError(DiscreetError):
    """A finder that is evaluated gave something that is not a stretch of the text."""

    def __init__(self, document: str, count: int) -> None:
        super().__init__(
            f"the finder gave {count:,} findings outside of {document}. A finding is (start, end, "
            "kind) with 0 <= start < end <= length of the text."
        )


class ReplacementKeyError(DiscreetError):
    """The key that replacements in text are drawn with cannot be used."""

    def __init__(self, where: object, what: str, fix: str = "") -> None:
        super().__init__(f"replacement key {where}: {what}. {fix}".rstrip())


class ScrubInputError(DiscreetError):
    """Documents to scrub cannot be used."""

    def __init__(self, name: object, what: str, fix: str) -> None:
        super().__init__(f"{name}: {what}. {fix}")


class UnclearTextError(DiscreetError):
    """A text of a hierarchy stands for different values, so nobody can say whom it fits."""

    def __init__(self, column: str, model: str) -> None:
        self.column = column
        super().__init__(
            f"column '{column}': its hierarchy has a text that stands for a value and for a group, "
            f"for two groups, or for a number or date that is written in several ways, so {model} "
            "cannot be checked. Give the groups other names, and write each number or date in one "
            "way; a code with the mask in it reads like a group of codes, so choose another mask "
            "(prefix: {lengths: [...], mask: '#'})."
        )


class LikelihoodsError(DiscreetError):
    """A file of trained likelihoods cannot be used."""

    def __init__(self, file: object, what: str, fix: str = "Make it by training.") -> None:
        super().__init__(f"{file}: {what}. {fix}")


class TechniqueColumnError(DiscreetError):
    """A technique was asked to change a column that it cannot change."""

    def __init__(self, technique: str, column: str, what: str, fix: str) -> None:
        self.technique, self.column = technique, column
        super().__init__(f"{technique}: column '{column}' {what}. {fix}")


class OutsideDomainError(TechniqueColumnError):
    """A technique would give values that cannot be, such as ages below zero."""

    def __init__(self, technique: str, column: str, outside: int, of: int, domain: str) -> None:
        self.outside, self.of = outside, of
        super().__init__(
            technique,
            column,
            f"would get {outside:,} of {of:,} values that are not {domain}",
            "Let them be clipped (outside: clip), or change the values less.",
        )


class BelowZeroError(TechniqueColumnError):
    """Noise would make numbers negative in a column that has none, and nobody said it may."""

    def __init__(self, technique: str, column: str, below: int, of: int) -> None:
        self.below, self.of = below, of
        super().__init__(
            technique,
            column,
            f"has no number below zero, and {below:,} of {of:,} would be",
            "Say what it can be: domain: [0, null] with outside: clip; or [null, null] if it may "
            "be negative.",
        )


class SampledBelowError(DiscreetError):
    """A technique leaves fewer rows than a class must have."""

    def __init__(self, technique: str, rows: int, of: int, least: int) -> None:
        self.rows, self.of, self.least = rows, of, least
        share = f"Take a share above {least / of:.3g}" if least < of else "Leave it out"
        super().__init__(
            f"{technique}: {rows:,} of {of:,} rows are in the sample, and a class must have "
            f"{least:,}. {share}."
        )


class PseudonymKeyError(DiscreetError):
    """The key that pseudonyms are made with cannot be used."""

    def __init__(self, what: object) -> None:
        super().__init__(str(what))


class PseudonymKindError(DiscreetError):
    """A column cannot have pseudonyms, or not of the format that was asked for."""

    def __init__(self, column: str, what: str, fix: str) -> None:
        self.column = column
        super().__init__(f"column '{column}': {what}. {fix}")


class PseudonymRoomError(DiscreetError):
    """There are too few pseudonyms of a format for the values of a column."""

    def __init__(self, column: str, without: int, of: int, fix: str) -> None:
        self.column, self.without = column, without
        super().__init__(
            f"column '{column}': {without:,} of its {of:,} different values get no pseudonym of "
            f"their own, since their format has too few. {fix}"
        )


class PseudonymRestoreError(DiscreetError):
    """Pseudonyms cannot be turned back."""

    def __init__(self, column: str, foreign: int, of: int) -> None:
        self.column, self.foreign = column, foreign
        super().__init__(
            f"column '{column}': {foreign:,} of its {of:,} different pseudonyms were not made with "
            "this key and domain, or were changed since. Give the key and the domain that they "
            "were made with."
        )


class EntityMissingError(DiscreetError):
    """Some rows do not say whose they are."""

    def __init__(self, table: str, column: str, rows: int) -> None:
        self.column, self.rows = column, rows
        has = "1 row has" if rows == 1 else f"{rows:,} rows have"
        super().__init__(
            f"{table}: {has} no value in '{column}', the column of people, so nobody can tell "
            "whose they are. Give each row an identifier, or leave these rows out."
        )


class TooFewPeopleError(DiscreetError):
    """k is larger than the number of people."""

    def __init__(self, table: str, people: int, k: int) -> None:
        self.people = people
        super().__init__(
            f"{table} has rows of {people:,} {'person' if people == 1 else 'people'}, fewer than "
            f"k = {k:,}, so no release can be k-anonymous. Ask for a smaller k."
        )


class TooFewRecordsError(DiscreetError):
    """The rule on numbers of rows leaves out more people than may be suppressed."""

    def __init__(self, least: int, below: int, people: int, limit: int) -> None:
        self.below = below
        some = f"; the policy allows {limit:,}. List a smaller number first, or raise 'suppress'."
        everybody = ", and nobody would be left. List a smaller number first."
        super().__init__(
            f"people.records: {below:,} of {people:,} people have fewer than {least:,} rows and "
            f"would be left out{everybody if below == people else some}"
        )


class PeopleError(DiscreetError):
    """Something was asked of a policy about people that is done for rows only."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(f"policy, people: {what}. {fix}")


class TogetherError(DiscreetError):
    """Tables cannot be released together as they were given."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(f"{what}. {fix}")


class ZipTableError(DiscreetError):
    """A table of people by three-digit ZIP prefix cannot be used."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            f"{path}: {what}. A table has '# source: ...' and '# date: ...' lines, then the line "
            "'zip3,population', then lines such as 021,1414778, for all prefixes."
        )


class SafeHarborError(DiscreetError):
    """Columns that a policy releases break rules of safe harbor."""

    def __init__(self, table: str, broken: Sequence[tuple[str, str, str, str]]) -> None:
        self.broken = tuple(broken)
        lines = "".join(
            f"\n  {column}, rule ({letter}): {why}. {fix}" for column, letter, why, fix in broken
        )
        super().__init__(
            f"{table}: safe harbor (45 CFR 164.514(b)(2)) is not kept by what the policy "
            f"releases:{lines}"
        )
