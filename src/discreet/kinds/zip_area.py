"""How many people live where ZIP codes begin with the same three digits.

This is the one table of ZIP areas: scrubbed texts, the technique zip3 and safe harbor all read it.
"""

from __future__ import annotations

import csv
from dataclasses import field
from functools import cache
from pathlib import Path

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.input_file import ZIP_TABLE, UnfitFileError, read_input

OWN = Path(__file__).parent / "data" / "zip3_2020.csv"
"""The table of the package; its first lines say where it is from."""
HEADS = ["zip3", "population"]
PEOPLE = 20_000
SMALL = "000"
"""The released value for areas of 20,000 or fewer people."""
CURRENT = (
    "The rule asks for the data that the Census Bureau makes publicly available now: use a newer "
    "table if there is one (zip_table)."
)
MARKS = ("source", "date")
_SHAPE = (
    "A table has '# source: ...' and '# date: ...' lines, then the line 'zip3,population', then "
    "lines such as 021,1414778, for all prefixes."
)


@dataclass(frozen=True)
class ZipTable:
    """People by three-digit ZIP prefix; a prefix that is not listed counts as a small area.

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i)(B). *Departures*: the rule speaks of ZIP codes, the Census
    Bureau counts people by ZIP code tabulation areas, which are near them ([HHS2012]_, on
    ZIP codes). *Cost*: a file of a thousand lines is read.

    >>> own = ZipTable.load()
    >>> own.keeps("021"), own.keeps("036"), own.keeps("099"), own.date
    (True, False, False, '2020-04-01')
    """

    file: str
    source: str
    date: str
    populations: dict[str, int] = field(repr=False)

    @classmethod
    def load(cls, path: Path | None = None) -> ZipTable:
        """Read a table: lines of ``zip3,population``, with ``# source:`` and ``# date:`` above."""
        return _load_own_table() if path is None else cls._read(path)

    @classmethod
    def _read(cls, path: Path) -> ZipTable:
        try:
            lines = read_input(path, ZIP_TABLE).decode("utf-8-sig").splitlines()
        except UnfitFileError as error:
            raise SourceError(path, error.what, _SHAPE) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
            raise SourceError(path, f"it cannot be read ({reason.lower()})", _SHAPE) from None
        told = _read_marks(path, [line for line in lines if line.startswith("#")])
        rows = list(csv.reader(line for line in lines if line.strip() and not line.startswith("#")))
        return cls(path.name, told["source"], told["date"], _read_populations(path, rows))

    def keeps(self, prefix: str) -> bool:
        """Whether the three digits may be released as they are."""
        return self.populations.get(prefix, 0) > PEOPLE

    @property
    def kept(self) -> list[str]:
        """All prefixes that may be released."""
        return [prefix for prefix in self.populations if self.keeps(prefix)]

    def describe_source(self) -> str:
        """Where the numbers are from, for every output."""
        return f"ZIP areas by {self.file} ({self.source}, {self.date}). {CURRENT}"

    def facts(self) -> dict[str, str | int]:
        """The table as plain data, without its lines."""
        small = sum(not self.keeps(prefix) for prefix in self.populations)
        return {
            "file": self.file,
            "source": self.source,
            "date": self.date,
            "prefixes": len(self.populations),
            "small": small,
        }


@cache
def _load_own_table() -> ZipTable:
    """The table of the package, which is read once."""
    return ZipTable._read(OWN)


def _read_marks(path: Path, comments: list[str]) -> dict[str, str]:
    """The source and date in the comments, without which nobody knows how old the table is."""
    found: dict[str, str] = {}
    for comment in comments:
        key, colon, text = comment.lstrip("# ").partition(":")
        if colon and key.strip().casefold() in MARKS and text.strip():
            found.setdefault(key.strip().casefold(), text.strip())
    lacking = [mark for mark in MARKS if mark not in found]
    if lacking:
        what = f"no line '# {lacking[0]}: ...' says where its numbers are from and of when"
        raise SourceError(path, what, _SHAPE)
    return found


def _read_populations(path: Path, rows: list[list[str]]) -> dict[str, int]:
    if not rows or [head.strip().casefold() for head in rows[0]] != HEADS:
        raise SourceError(path, "its first line without # is not 'zip3,population'", _SHAPE)
    found: dict[str, int] = {}
    for number, row in enumerate(rows[1:], start=2):
        cells = [cell.strip() for cell in row]
        right = (
            len(cells) == 2
            and len(cells[0]) == 3
            and all(cell.isascii() and cell.isdecimal() for cell in cells)
        )
        if not right or cells[0] in found or cells[0] == SMALL:
            what = (
                f"line {number} (not counting comments) is not a prefix of three digits with people"
            )
            raise SourceError(path, f"{what}, or one that was there before", _SHAPE)
        found[cells[0]] = int(cells[1])
    if not found:
        raise SourceError(path, "it lists no prefix, so every ZIP code would become 000", _SHAPE)
    return found
