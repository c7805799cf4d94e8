"""Whether the first line of a file names the columns, or is a row about somebody already.

Files without a line of names are common. Their first row would be taken for names, and names of
columns are shown everywhere: it must not be somebody's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from discreet.table.table import Table

from discreet.kinds.common_names import GIVEN, SURNAMES

MOST_ROWS, MOST_COLUMNS = 1000, 100
"""Rows and columns that are compared with the first line."""

WORD = re.compile(r"[^\W\d_]+")
NUMBERED = re.compile(r"([^\W\d_][^\d]*?)([0-9]{1,6})")
PLAIN = re.compile(r"[+-]?\d[\d.,]*")
YEAR = re.compile(r"(?:19|20)\d\d")
CAPITALS, LETTERS = re.compile(r"[A-ZÀ-ÖØ-Þ]+"), re.compile(r"[^\W\d_A-Z]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
UNKNOWN = ("na", "n/a", "#n/a", "nan", "null", "none", "nil", "unknown", "missing", "?", "-", ".")

_CALLED = """
    account address addr admission agent author clinician contact father guardian holder kin manager
    mother nurse owner parent physician rep representative spouse student teacher therapist
    worker admitted adresse age alter amount area benefit birth birthday bmi
    born category charge charges city class client code column comment comments company condition
    cost count country county created customer date datum day degree department dept description
    diagnoses diagnosis diagnose disease discharge district doctor dob donor drug edad education
    email employee employer end ethnic ethnicity fax field file first firstname flag forename gender
    geburtsdatum geschlecht geslacht given group height hospital hours house household icd id
    identifier ill illness income index insurance ip item job key kind label language last lastname
    lat latitude leeftijd license location login lon longitude mail marital medication member mobile
    month mrn naam nachname name names nationality native nom nombre note notes nr number nummer
    occupation origin ort outcome patient pay person phone place plz postal postcode postleitzahl
    prenom pressure price procedure profession provider pulse quantity race record region relation
    relationship religion remark remarks result role row salary school score sex sexe sexo source
    ssn start state status stadt strasse street subject surname target tel telephone temperature
    text time timestamp title total town treatment type unit updated url user username value values
    variable vendor version ville visit vorname voornaam wage ward website weight woonplaats work
    workclass year zip zipcode
"""
COLUMN_WORDS = frozenset(_CALLED.split())
"""Words that a column is called by, and that are rarely what is in one."""


def looks_like_row(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> bool:
    """Whether the first line is rather a row of the table than the names of its columns.

    Every column has a say: its name is like its values (a number above numbers, a value that comes
    again, a person's name above names), or it is not (a word above numbers, a word that columns
    are called by). In doubt the line holds names.

    >>> rows = [["Bob Jones", "41", "m"], ["Ann Brown", "29", "f"], ["Tom Clark", "33", "m"]]
    >>> looks_like_row(["Mary Miller", "34", "f"], rows), looks_like_row(["who", "age", "x"], rows)
    (True, False)
    """
    if _counts_up(names):
        return False
    body = [row for row in rows[:MOST_ROWS] if len(row) == len(names)]
    if len(names) > 1:  # files put together may have the line of names again
        body = [row for row in body if list(row) != list(names)]
    for_row = for_names = 0
    series = _find_series(names[: MOST_COLUMNS + 1])
    for place, name in enumerate(names[:MOST_COLUMNS]):
        values = [value.strip() for row in body if (value := row[place]) and value.strip()]
        said = False if place in series else _is_like_values(name.strip(), values)
        for_row += 3 if said and _is_full_name(name) else said is True
        for_names += said is False
    return for_row > 2 * for_names


def _counts_up(names: Sequence[str]) -> bool:
    """Columns numbered 0, 1, 2 by the program that wrote the file."""
    if len(names) < 2 or not all(name.isascii() and name.isdigit() for name in names):
        return False
    return all(int(later) - int(name) == 1 for name, later in pairwise(names))


def _find_series(names: Sequence[str]) -> set[int]:
    """Places of columns that are numbered side by side, as Q1, Q2, Q3."""
    found = set()
    for place, (name, later) in enumerate(pairwise(names)):
        one, next_one = NUMBERED.fullmatch(name.strip()), NUMBERED.fullmatch(later.strip())
        if one and next_one and one[1] == next_one[1] and int(next_one[2]) - int(one[2]) == 1:
            found |= {place, place + 1}
    return found


def _is_like_values(name: str, values: Sequence[str]) -> bool | None:
    """True if a name is like the values below it, False if it is a column's name, None: unclear."""
    if not name or name.casefold() in UNKNOWN:
        return None
    if name in values:
        return True if len(set(values)) > 1 else None  # a box that is ticked says its own name
    words = _split_words(name)
    if _is_full_name(name) and not _are_enough(values, lambda value: not _split_words(value), 0.8):
        return True
    if name[0].isdigit() and words and _is_alike(name, values):
        return True  # 12 Oak Street above 3 Elm Road
    if _is_called(words) and not _are_enough(
        values, lambda one: bool(words & _split_words(one)), 0.2
    ):
        return False
    bare = not words and any(letter.isdigit() for letter in name)
    if not values:
        return True if bare else None
    if _are_enough(values, lambda value: not _split_words(value), 0.8):
        return _is_number_like(name, values) if bare else False if words else None
    if "@" in name or _is_alike(name, values):
        return True
    return False if _is_written_otherwise(name, values) else None


def _is_number_like(name: str, values: Sequence[str]) -> bool | None:
    """A number above numbers, a date above dates; not a year, day or range above other numbers."""
    if YEAR.fullmatch(name):
        return True if _are_enough(values, lambda value: bool(YEAR.fullmatch(value)), 0.1) else None
    if PLAIN.fullmatch(name):
        return True
    shape = _describe_shape(name)
    return True if _are_enough(values, lambda value: _describe_shape(value) == shape, 0.1) else None


def _is_full_name(text: str) -> bool:
    """Whether it can only be a person: a common given name with a common surname."""
    words = WORD.findall(text)
    if not 2 <= len(words) <= 4 or any(letter.isdigit() for letter in text):
        return False
    folded = [word.casefold() for word in words]
    return any(
        one in GIVEN and other in SURNAMES
        for place, one in enumerate(folded)
        for other in (*folded[:place], *folded[place + 1 :])
    )


def _is_called(words: set[str]) -> bool:
    """Whether columns are called so; Mary Ward and May Price are people."""
    return bool(words & COLUMN_WORDS) and not words & GIVEN


def _is_alike(name: str, values: Sequence[str]) -> bool:
    """A code above codes, somebody's name above names, a sentence above sentences."""
    if any(letter.isdigit() for letter in name):
        shape = _describe_shape(name)
        return _are_enough(values, lambda value: _describe_shape(value) == shape, 0.5)
    if len(name.split()) > 5 and not name.endswith("?"):
        return _are_enough(values, lambda value: len(value.split()) > 5, 0.5)
    people = GIVEN | SURNAMES
    if not _split_words(name) & people:
        return _is_rare_name(name, values, people)
    return _are_enough(values, lambda value: bool(_split_words(value) & people), 0.3)


def _is_rare_name(name: str, values: Sequence[str], people: frozenset[str]) -> bool:
    """Somebody whose names are not common, above people most of whom have common ones."""
    form = LETTERS.sub("a", CAPITALS.sub("A", name))
    return form.count("A") > 1 and _are_enough(
        values,
        lambda value: (
            bool(_split_words(value) & people)
            and LETTERS.sub("a", CAPITALS.sub("A", value)) == form
        ),
        0.5,
    )


def _is_written_otherwise(name: str, values: Sequence[str]) -> bool:
    """Small letters or _ above values that have none."""
    small = name == name.lower()
    if small and not _are_enough(values, lambda value: value == value.lower(), 0.2):
        return True
    return "_" in name and not _are_enough(values, lambda value: "_" in value, 0.2)


def _split_words(text: str) -> set[str]:
    parts = CAMEL.sub(" ", text)
    return {word.casefold() for word in (*WORD.findall(text), *WORD.findall(parts))}


def _describe_shape(text: str) -> str:
    return WORD.sub("a", re.sub(r"\d+", "9", text))


def _are_enough(values: Sequence[str], holds: Callable[[str], bool], least: float) -> bool:
    """Whether at least a share of the values has a property; of no values none has it."""
    return bool(values) and sum(map(holds, values)) >= least * len(values)


def number_names(columns: int) -> tuple[str, ...]:
    """Names for columns that have none.

    >>> number_names(2)
    ('column 1', 'column 2')
    """
    return tuple(f"column {number}" for number in range(1, columns + 1))


def settle_names(table: Table, named: Iterable[str]) -> Table:
    """The table with the names of a first line in doubt, if all columns asked for are in it.

    Somebody who names columns by what is in the line takes it for a line of names.
    """
    named = set(named)
    doubtful = table.first_line and table.columns == number_names(len(table.first_line))
    if not doubtful or not named or not named <= set(table.first_line):
        return table
    notices = tuple(one for one in table.notices if one != write_header_notice(table.name))
    return replace(table, columns=table.first_line, notices=notices, first_line=())


def write_header_notice(name: str) -> str:
    """What is said of a file whose first line is in doubt."""
    return (
        f"The first line of {name} looks like a row and not like names of columns. It is not shown "
        "and not counted, and the columns are called column 1, column 2 and so on. If it is a row, "
        "put a line of names above it; if it does hold names, say so (option header)."
    )
