"""The families of errors that discreet raises on purpose.

A message is built from its subject, what is wrong with it and what to do. It never holds a cell
value of private data: columns are named, rows and values are counted. A class of its own is for
whoever catches it; it stands in the module that raises it, or here if several packages do.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from discreet.display import hide_credentials, safe_repr

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

    Parameters
    ----------
    subject
        What the message is about, such as the name of a file. Without it, the column. A message
        that needs no such form is given here as a whole.
    what
        What is wrong with it, without a full stop.
    fix
        What to do, as sentences.
    column
        The column that is wrong, for programs that read errors as JSON.

    Notes
    -----
    A path in a message may be an address with a password in it: that is never shown. ``template``
    is the message with its arguments still marked, see :func:`argument`.

    >>> print(DiscreetError("a.csv", "the file is empty", "Give a table with rows."))
    a.csv: the file is empty. Give a table with rows.
    >>> print(DiscreetError(what="it has no value", column="age"))
    column 'age': it has no value.
    """

    def __init__(
        self, subject: object = "", what: str = "", fix: str = "", *, column: str | None = None
    ) -> None:
        if column is not None and not subject:
            subject = f"column '{column}'"
        self.subject, self.what, self.fix, self.column = str(subject), what, fix, column
        told = ": ".join(filter(None, (self.subject, f"{what}." if what else "")))
        self.template = hide_credentials(f"{told} {fix}".rstrip())
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


class ArgumentError(DiscreetError):
    """The arguments of a public function do not fit together, or one of them makes no sense.

    Parameters are named so that the command line can put its options in their place.

    >>> print(ArgumentError("distinct", "it is needed", f"Say {argument('distinct', '0.5')}."))
    distinct: it is needed. Say distinct=0.5.
    """

    def __init__(self, names: str | Sequence[str], what: str, fix: str, value: str = "") -> None:
        self.names = (names,) if isinstance(names, str) else tuple(names)
        super().__init__(", ".join(argument(name, value) for name in self.names), what, fix)


class MissingExtraError(DiscreetError):
    """A library is needed that is not part of a plain installation."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs libraries that are not installed. Install them: pip install "
            f"'discreet[{extra}]'."
        )


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


class HierarchyError(DiscreetError):
    """A hierarchy or an order cannot be built, or does not fit the column it is for."""


class SourceError(DiscreetError):
    """A table or another file cannot be read: which, what there is, what to do."""


class EmptyTableError(SourceError):
    """There is nothing in the table, not even rows to protect."""

    def __init__(self, name: object, what: str = "the file is empty") -> None:
        super().__init__(name, what, "Give a table with a line of column names and with rows.")


class UnknownColumnError(SourceError):
    """A column was asked for that the table does not have."""

    def __init__(self, name: object, column: str, columns: Sequence[str]) -> None:
        near = get_close_matches(column[:200], columns[:MOST_COMPARED], n=2)
        guess = f"Did you mean {' or '.join(repr(n) for n in near)}? " if near else ""
        super().__init__(
            name,
            f"there is no column {column!r} among its {len(columns)} "
            f"column{'' if len(columns) == 1 else 's'}",
            f"{guess}Names are case-sensitive; `discreet inspect` lists them.",
            column=column,
        )


class WriteError(DiscreetError):
    """The release could not be written; nothing was, unless ``left`` says so."""

    NOTHING = "Nothing was written."

    def __init__(self, name: object, what: str, fix: str, left: str = NOTHING) -> None:
        super().__init__(name, what, f"{fix} {left}")
        self.fix, self.left = fix, left


class ReleaseError(DiscreetError):
    """No release can be made, or handed out, that keeps what was asked for."""


class TooFewRowsError(ReleaseError):
    """k is larger than the table."""

    def __init__(self, table: str, rows: int, k: int) -> None:
        super().__init__(
            f"{table} has {rows:,} row{'' if rows == 1 else 's'}, fewer than k = {k:,}, so no "
            "release can be k-anonymous. "
            "Ask for a smaller k, or release together with other tables."
        )


class PartError(ReleaseError):
    """A part of a table was asked for that its policy does not let go."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__("part of the table", what, fix)


class EarlierReleaseError(ReleaseError):
    """A release would give away more, together with an earlier one, than its policy promises."""

    def __init__(self, numbers: Sequence[int], what: str, fix: str) -> None:
        self.numbers = tuple(numbers)
        plural = "" if len(self.numbers) == 1 else "s"
        which = " and ".join(map(str, self.numbers))
        super().__init__(f"earlier release{plural} {which}", what, fix)


class TogetherError(ReleaseError):
    """Tables cannot be released together as they were given."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__("", what, fix)


class TooLargeError(DiscreetError):
    """A table is too large for what was asked: it has ``size`` of something, ``most`` can be."""

    def __init__(
        self, subject: object, what: str = "", fix: str = "", *, size: int = 0, most: int = 0
    ) -> None:
        self.size, self.most = size, most
        super().__init__(subject, what, fix)

    @classmethod
    def for_algorithm(
        cls, algorithm: str, what: str, size: int, most: int, instead: str
    ) -> TooLargeError:
        """For an algorithm that tries very many combinations, and one that does not."""
        return cls(
            f"the table is too large for the algorithm {algorithm}",
            f"it has {size:,} {what}, and {algorithm} can do {f'{most:,}' if most else 'none'}",
            f"Use the algorithm {instead}.",
            size=size,
            most=most,
        )


class ColumnSetError(DiscreetError):
    """No set of columns is what was asked for, or the sample is of the wrong size to say so."""


class RegisterError(DiscreetError):
    """A register or public table does not fit the table, or the promise about it."""


class AttackError(DiscreetError):
    """An attack cannot be tried on what was given; that is no sign of safety."""


class LedgerError(DiscreetError):
    """A ledger of releases, its key or its audiences cannot be used; a path names the ledger."""

    def __init__(self, subject: Path | str, what: str, fix: str) -> None:
        super().__init__(f"ledger {subject}" if isinstance(subject, Path) else subject, what, fix)


class TechniqueError(DiscreetError):
    """A technique was asked to change a column that it cannot change."""

    column: str

    def __init__(self, technique: str, column: str, what: str, fix: str) -> None:
        super().__init__(technique, f"column '{column}' {what}", fix, column=column)


class PseudonymError(DiscreetError):
    """Pseudonyms cannot be made or turned back as asked, or their key cannot be used."""


class CertificateError(DiscreetError):
    """A signing key or a certificate cannot be used, or none can be made of what was given."""


class ScrubError(DiscreetError):
    """Text, marked text, a template or a file for scrubbing text cannot be used."""


def name_positions(noun: str, numbers: Sequence[int]) -> str:
    """Name places by number, for a message.

    >>> name_positions("line", [3, 8])
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


def describe_failure(error: BaseException) -> str:
    """The message for an error that nobody raised on purpose, without its text.

    >>> describe_failure(FileNotFoundError(2, "No such file or directory", "a.csv"))
    'a.csv: no such file or directory. Check the path, its permissions and the disk.'
    """
    match error:
        case MemoryError():
            return "not enough memory; nothing was released."
        case OSError(filename=str() as file, strerror=str() as reason):
            return f"{file}: {reason.lower()}. Check the path, its permissions and the disk."
        case OSError(strerror=str() as reason):
            return f"the result cannot be shown: {reason.lower()}; nothing was released."
    return str(InternalError(f"unexpected {locate_error(error)}"))


def locate_error(error: BaseException) -> str:
    """Kind and place of an error; its text is left out, for it may quote a cell."""
    ours = Path(__file__).parent
    place = "an unknown place"
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        if file.is_relative_to(ours):
            place = f"{file.relative_to(ours.parent).as_posix()}, line {frame.lineno}"
    return f"{type(error).__name__} at {place}"
