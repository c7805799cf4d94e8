"""The synthetic tables of the net, made in plain Python: the same on every machine."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

from tests.messy_hospital import COLUMNS, make_messy_rows

Rows = list[list[str]]
"""A line of names, then the rows."""

FIRST = [
    "Anna",
    "Boris",
    "Clara",
    "David",
    "Emma",
    "Frank",
    "Greta",
    "Henry",
    "Irene",
    "James",
    "Karen",
    "Louis",
    "Maria",
    "Peter",
]
LAST = [
    "Abbott",
    "Barnes",
    "Carter",
    "Dalton",
    "Ellis",
    "Foster",
    "Grant",
    "Harris",
    "Irving",
    "Jensen",
    "Keller",
    "Lawson",
]
JOBS = ["nurse", "clerk", "cook", "judge", "driver", "teacher"]
SCHOOLS = ["none", "primary", "secondary", "college", "doctorate"]
DISEASES = ["flu", "asthma", "gout", "fever", "rash"]
CITIES = {"02138": "Cambridge", "02139": "Cambridge", "02141": "Boston", "10001": "New York"}
ZIPS = ["02138", "02139", "02141", "02142", "10001", "10003"]


class Draw:
    """Numbers from a seed, by `random.random` alone, which no version of Python changes."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return least + int(self._random.random() * (most - least + 1))

    def one(self, values: Sequence[str]) -> str:
        """One of some values; the first are drawn more often."""
        return values[int(self._random.random() ** 1.5 * len(values))]

    def day(self, first: date, days: int) -> date:
        """A day from the first on."""
        return first + timedelta(days=self.number(0, days))


def make_clinic(rows: int = 240, seed: int = 1) -> Rows:
    """One row per patient, with identifiers, quasi-identifiers, numbers, dates and notes."""
    draw = Draw(seed)
    table = [
        [
            "mrn",
            "name",
            "ssn",
            "phone",
            "age",
            "birth",
            "sex",
            "zip",
            "city",
            "school",
            "job",
            "pay",
            "seen",
            "disease",
            "note",
        ]
    ]
    for number in range(rows):
        first, last = draw.one(FIRST), draw.one(LAST)
        age = draw.number(18, 79)
        birth = draw.day(date(2025 - age, 1, 1), 364)
        place = draw.one(ZIPS)
        ssn = f"{draw.number(100, 665)}-{draw.number(10, 99)}-{draw.number(1000, 9999)}"
        phone = f"617-{draw.number(200, 998)}-{draw.number(1000, 9999)}"
        seen = draw.day(date(2025, 1, 1), 300)
        notes = (
            f"Seen on {seen:%B} {seen.day}, {seen.year}. {first} {last} feels better.",
            f"Mrs. {last} called from {phone} and asked for Dr. {draw.one(LAST)}.",
            "No change since the last visit.",
        )
        table.append(
            [
                f"M{10000 + number * 7}",
                f"{first} {last}",
                ssn,
                phone,
                str(age),
                str(birth),
                draw.one(["f", "m"]),
                place,
                CITIES.get(place, "Boston"),
                draw.one(SCHOOLS),
                draw.one(JOBS),
                str(draw.number(8, 90) * 1000),
                str(seen),
                draw.one(DISEASES),
                draw.one(notes),
            ]
        )
    return table


def make_register() -> Rows:
    """Everybody of the clinic, and four times as many others: a population."""
    clinic, others = make_clinic(), make_clinic(960, seed=2)
    names = ["mrn", "name", "age", "sex", "zip"]
    chosen = [clinic[0].index(name) for name in names]
    rows = [[row[number] for number in chosen] for row in clinic[1:]]
    for count, row in enumerate(others[1:]):
        rows.append([f"R{count}", *[row[number] for number in chosen[1:]]])
    rows.sort(key=lambda row: (row[1], row[0]))
    return [["mrn", "name", "age", "sex", "postcode"], *rows]


def make_gaps() -> Rows:
    """The clinic with missing cells."""
    table = make_clinic(160, seed=3)
    for number, row in enumerate(table[1:]):
        for column in (4, 7, 13):
            if (number * 7 + column) % 13 == 0:
                row[column] = ""
    return table


def make_small() -> Rows:
    """Few columns and rows, for algorithms that prove their answers."""
    draw = Draw(4)
    rows = [
        [str(draw.number(20, 45)), draw.one(["f", "m"]), draw.one(ZIPS[:4]), draw.one(DISEASES)]
        for _ in range(36)
    ]
    return [["age", "sex", "zip", "disease"], *rows]


def make_tiny() -> Rows:
    """The first rows of the small table, for searches whose time grows fast."""
    return make_small()[:17]


def make_visits() -> Rows:
    """Several rows per patient."""
    draw = Draw(5)
    table = [["patient", "sex", "zip", "seen", "problem", "cost"]]
    for number in range(70):
        sex, place = draw.one(["f", "m"]), draw.one(ZIPS[:4])
        start = draw.day(date(2024, 1, 1), 200)
        for visit in range(draw.number(1, 3)):
            seen = start + timedelta(days=visit * draw.number(7, 30))
            table.append(
                [
                    f"P{number:03d}",
                    sex,
                    place,
                    str(seen),
                    draw.one(DISEASES),
                    str(draw.number(1, 40) * 10),
                ]
            )
    return table


def make_persons() -> Rows:
    """One row per patient of `make_stays`."""
    draw = Draw(6)
    rows = [
        [f"P{number:03d}", draw.one(["f", "m"]), str(draw.number(1950, 1999))]
        for number in range(60)
    ]
    return [["patient", "sex", "born"], *rows]


def make_stays() -> Rows:
    """Several stays of the patients of `make_persons`."""
    draw = Draw(7)
    rows = [
        [f"P{number:03d}", draw.one(["North", "South"]), draw.one(DISEASES)]
        for number in range(60)
        for _ in range(draw.number(1, 2))
    ]
    return [["patient_id", "ward", "problem"], *rows]


def make_formulas() -> Rows:
    """Cells that a spreadsheet would run."""
    draw = Draw(8)
    said = ["=1+1", "none", "+49 30 1234", "-5", "@home", "'=x"]
    rows = [[draw.one(["A", "B", "=C"]), draw.one(said), draw.one(DISEASES)] for _ in range(60)]
    return [["ward", "remark", "disease"], *rows]


def make_codes() -> Rows:
    """A key of two columns, for the commands that look for what identifies people."""
    draw = Draw(9)
    rows = [
        [str(number // 10), str(number % 10), draw.one(["f", "m"]), str(draw.number(1, 60))]
        for number in range(200)
    ]
    return [["house", "flat", "sex", "age"], *rows]


def make_harbor() -> Rows:
    """Dates, ZIP codes and ages that safe harbor of HIPAA has rules about."""
    draw = Draw(10)
    table = [["mrn", "zip", "state", "birth_date", "admitted", "age", "sex", "diagnosis"]]
    for number in range(80):
        age = draw.number(20, 96)
        birth, seen = draw.day(date(2025 - age, 1, 1), 300), draw.day(date(2025, 1, 1), 300)
        place = draw.one(["02138", "02139", "03601", "60601", "60602"])
        state = {"0213": "MA", "0360": "NH", "6060": "IL"}[place[:4]]
        table.append(
            [
                f"M{10441 + number}",
                place,
                state,
                str(birth),
                str(seen),
                str(age),
                draw.one(["F", "M"]),
                draw.one(DISEASES),
            ]
        )
    return table


def make_frequencies() -> Rows:
    """A published table of frequencies."""
    draw = Draw(11)
    return [
        ["age", "people"],
        *[[str(age), str(draw.number(0, 900))] for age in range(20, 70)],
    ]


def make_summary() -> Rows:
    """Published counts of the small table."""
    small = make_small()
    rows: Rows = [["column", "value", "count"]]
    for column in (1, 2):
        values = [row[column] for row in small[1:]]
        rows += [[small[0][column], one, str(values.count(one))] for one in sorted({*values})]
    return rows


def make_messy() -> Rows:
    """Values as they come: several date formats, words for missing, open ends, lost zeros."""
    return [[*COLUMNS], *([row[name] for name in COLUMNS] for row in make_messy_rows(90))]


TABLES: dict[str, Callable[[], Rows]] = {
    "clinic": make_clinic,
    "clinic_before": lambda: make_clinic()[:161],
    "register": make_register,
    "gaps": make_gaps,
    "small": make_small,
    "tiny": make_tiny,
    "visits": make_visits,
    "persons": make_persons,
    "stays": make_stays,
    "formulas": make_formulas,
    "codes": make_codes,
    "harbor": make_harbor,
    "frequencies": make_frequencies,
    "summary": make_summary,
    "messy": make_messy,
}
FILES: dict[str, str] = {
    "schools.csv": (
        "none;low;*\nprimary;low;*\nsecondary;high;*\ncollege;high;*\ndoctorate;high;*\n"
    ),
    "some_schools.csv": "none;low;*\nprimary;low;*\nsecondary;high;*\n",
    "net.key": "0123456789abcdef" * 4 + "\n",
    "people.txt": "Anna Abbott\nBoris Barnes\n",
    "zip_table.csv": (
        "# source: the net\n# date: 2026-01-01\nzip3,population\n"
        "021,900000\n100,1500000\n036,12000\n606,2700000\n"
    ),
    "letter.txt": (
        "Dear Dr. Graves,\n\nMary Miller was seen on March 3, 1994. Mrs. Miller takes 5 mg of "
        "warfarin.\nShe lives at 12 Elm Street, Boston, MA 02138.\nPhone: 617-255-1423, "
        "mary@example.org\nSSN 219-09-9999\n"
    ),
    "letter.html": (
        "<html><body><p title='Mary Miller'>Mrs. <b>Mil</b>ler called on "
        "2024-05-06 from 617-255-1423.</p></body></html>\n"
    ),
    "mail.eml": (
        "From: Mary Miller <mary@example.org>\nTo: clinic@example.org\nSubject: Mary Miller\n\n"
        "I was born on 5 May 1961. Mary Miller\n"
    ),
    "notes.json": '{"notes": [{"text": "Mary Miller came on March 3, 1994.", "ward": 3}]}\n',
    "notes.jsonl": (
        '{"who": "1", "text": "Dr. Graves saw Mary Miller."}\n'
        '{"who": "1", "text": "Miller slept well."}\n'
    ),
    "notes.xml": "<notes><note by='Dr. Graves'>Mary Miller, 617-255-1423</note></notes>\n",
    "gold.jsonl": (
        '{"text": "Mary Miller came.", "spans": [{"start": 0, "end": 11, "label": "NAME"}]}\n'
        '{"text": "Call 617-255-1423.", "spans": [{"start": 5, "end": 17, "label": "PHONE"}]}\n'
    ),
    "brief.de.txt": "Sehr geehrte Frau Dr. Schmidt,\n\nHerr Karl Weber kam am 3. März 1994.\n",
}
"""Other files that entries name."""


def write_file(path: Path) -> None:
    """Make one file of the net by its name; the ending of a table says its format."""
    if path.name in FILES:
        path.write_text(FILES[path.name], encoding="utf-8")
        path.chmod(0o600)
        return
    stem, ending = path.name.split(".", 1)
    _WRITERS[ending](TABLES[stem](), path)


def can_make(name: str) -> bool:
    """Whether the net has such a file."""
    stem, _, ending = name.partition(".")
    return name in FILES or (stem in TABLES and ending in _WRITERS)


def _as_text(table: Rows, separator: str) -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(table)
    return text.getvalue().encode()


def _write_csv(table: Rows, path: Path) -> None:
    path.write_bytes(_as_text(table, ","))


def _write_semicolons(table: Rows, path: Path) -> None:
    path.write_bytes(_as_text(table, ";"))


def _write_tabs(table: Rows, path: Path) -> None:
    path.write_bytes(_as_text(table, "\t"))


def _write_gzip(table: Rows, path: Path) -> None:
    path.write_bytes(gzip.compress(_as_text(table, ","), mtime=0))


def _write_zstandard(table: Rows, path: Path) -> None:
    import pyarrow as pa

    with pa.output_stream(str(path), compression="zstd") as stream:
        stream.write(_as_text(table, ","))


def _write_parquet(table: Rows, path: Path) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(_typed(table), path)


def _write_arrow(table: Rows, path: Path) -> None:
    import pyarrow.feather

    pyarrow.feather.write_feather(_typed(table), path)


def _typed(table: Rows):  # type: ignore[no-untyped-def]
    """An Arrow table whose ages are numbers and whose days are dates."""
    import pyarrow as pa

    columns = {}
    for name, *values in zip(*table, strict=True):
        if name in ("age", "pay"):
            columns[name] = pa.array([int(value) if value else None for value in values])
        elif name in ("birth", "seen"):
            columns[name] = pa.array([date.fromisoformat(value) for value in values])
        else:
            columns[name] = pa.array([value or None for value in values])
    return pa.table(columns)


def _write_workbook(table: Rows, path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in table:
        book.active.append(row)
    book.save(path)


def _write_database(table: Rows, path: Path) -> None:
    names = ", ".join(f'"{name}"' for name in table[0])
    marks = ", ".join("?" for _ in table[0])
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"CREATE TABLE rows ({names})")
        connection.executemany(f"INSERT INTO rows VALUES ({marks})", table[1:])
    connection.close()


def _write_duckdb(table: Rows, path: Path) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.register("made", _typed(table))
        connection.execute("CREATE TABLE rows AS FROM made")


def _write_statistics(table: Rows, path: Path) -> None:
    import polars
    import pyreadstat

    write = pyreadstat.write_dta if path.suffix == ".dta" else pyreadstat.write_sav
    write(polars.from_arrow(_typed(table)), str(path))


def _write_json_lines(table: Rows, path: Path) -> None:
    rows = (dict(zip(table[0], row, strict=True)) for row in table[1:])
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


_WRITERS: dict[str, Callable[[Rows, Path], None]] = {
    "csv": _write_csv,
    "txt": _write_semicolons,
    "data": _write_semicolons,
    "tsv": _write_tabs,
    "tab": _write_tabs,
    "csv.gz": _write_gzip,
    "csv.zst": _write_zstandard,
    "parquet": _write_parquet,
    "pq": _write_parquet,
    "feather": _write_arrow,
    "arrow": _write_arrow,
    "ipc": _write_arrow,
    "xlsx": _write_workbook,
    "sqlite": _write_database,
    "sqlite3": _write_database,
    "db": _write_database,
    "duckdb": _write_duckdb,
    "dta": _write_statistics,
    "sav": _write_statistics,
    "jsonl": _write_json_lines,
}
