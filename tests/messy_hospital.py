"""A made hospital file as they come: several hands, several programs, several visits per patient.

Everything is drawn from a seed; nobody in it exists. ``write_messy_hospital`` writes the CSV file,
``POLICY`` says what its values mean, so that it can be released without being edited.
"""

from __future__ import annotations

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("mrn", "name", "birth_date", "age", "sex", "zip", "admitted", "diagnosis", "charge"),
    *("length_of_stay", "note"),
)
DIAGNOSES = ("I10", "E11.9", "J45.909", "F32.9", "K21.9", "M54.5", "N39.0", "S72.001A")
GIVEN = ("Ann", "Bob", "Cora", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim", "Lou")
SURNAMES = ("Abbott", "Baker", "Clark", "Dixon", "Ellis", "Foster", "Grant", "Hayes", "Irwin")
LAST_DAY = date(2023, 12, 31)

POLICY = """\
missing: {values: [NA, "?", unknown, ""]}
columns:
  mrn: {role: identifier}
  name: {role: identifier}
  birth_date:
    role: quasi
    missing: ["00/00/0000"]
    hierarchy: {dates: {levels: [year, 5 years, 10 years, 20 years], others: group}}
  age:
    role: quasi
    hierarchy: {intervals: {widths: [5, 10, 20, 40], top: 90, others: group}}
  sex: {role: quasi}
  zip:
    role: quasi
    repair: lost_zeros
    hierarchy: {prefix: {lengths: [4, 3, 2], code: 5, others: group}}
  admitted:
    role: quasi
    hierarchy: {dates: {levels: [month, quarter, year, 5 years]}}
  diagnosis: {role: sensitive}
  charge:
    role: quasi
    hierarchy: {intervals: {widths: [1000, 5000, 20000, 100000], others: group}}
  length_of_stay:
    role: quasi
    hierarchy: {intervals: {widths: [2, 10, 50], others: group}}
  note: {role: text}
require:
  - k_anonymity: {k: 5}
suppress: 0.05
algorithm: local
seed: 5
"""
"""A policy that releases the file as it is."""


def make_messy_rows(patients: int = 300, seed: int = 1) -> list[dict[str, str]]:
    """The rows of the file: one to five visits for each patient, in the order of the visits."""
    random = Random(seed)
    rows = [row for number in range(patients) for row in _make_visits(random, number)]
    random.shuffle(rows)
    return rows


def write_messy_hospital(path: Path, patients: int = 300, seed: int = 1) -> list[dict[str, str]]:
    """Write the file as CSV and give its rows."""
    rows = make_messy_rows(patients, seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return rows


def _make_visits(random: Random, number: int) -> list[dict[str, str]]:
    birth = date(1925, 1, 1) + timedelta(random.randrange(365 * 90))
    name = f"{random.choice(GIVEN)} {random.choice(SURNAMES)}"
    sex = random.choice(("F", "M", "F", "M", "F", "M", "unknown"))
    home = f"{random.choice((2138, 2139, 2140, 2141, 10001, 10002, 60614)):05}"
    visits = random.choice((1, 1, 1, 2, 2, 3, 5))
    days = sorted(LAST_DAY - timedelta(random.randrange(365 * 3)) for _ in range(visits))
    return [
        {
            "mrn": f"MRN{number:06}",
            "name": name,
            "birth_date": _write_birth(random, birth),
            "age": _write_age(random, (day - birth).days // 365),
            "sex": sex,
            "zip": _write_zip(random, home),
            "admitted": _write_admitted(random, day),
            "diagnosis": random.choice((*DIAGNOSES, *DIAGNOSES, "NA")),
            "charge": _write_charge(random),
            "length_of_stay": random.choice(("1", "2", "3", "5", "8", "14", "<1", "30+", "NA")),
            "note": f"{name} seen on {day:%d %B}; no complaints." if random.random() < 0.3 else "",
        }
        for day in days
    ]


def _write_birth(random: Random, day: date) -> str:
    """ISO from one program, American from another; some only the year, some nothing."""
    chance = random.random()
    if chance < 0.6:
        return day.isoformat()
    if chance < 0.9:
        return f"{day:%m/%d/%Y}"
    return random.choice((f"{day.year}", "00/00/0000", "unknown", ""))


def _write_age(random: Random, age: int) -> str:
    if age >= 90:
        return random.choice(("90+", "90 and over", "90+"))
    if random.random() < 0.05:
        return random.choice(("NA", "?", "", f"{age // 10 * 10}-{age // 10 * 10 + 9}", "adult"))
    return str(age)


def _write_zip(random: Random, home: str) -> str:
    """A spreadsheet dropped zeros, a form asked for ZIP+4."""
    chance = random.random()
    if chance < 0.3:
        return str(int(home))
    if chance < 0.4:
        return f"{home}-{random.randrange(1000, 9999)}"
    return random.choice(("NA", "homeless")) if chance > 0.97 else home


def _write_admitted(random: Random, day: date) -> str:
    return (
        f"{day:%Y-%m-%d} 08:{random.randrange(60):02}"
        if random.random() < 0.5
        else (f"{day:%d-%b-%Y}")
    )


def _write_charge(random: Random) -> str:
    amount = random.choice((120, 480, 950, 1200, 2750, 12165, 45000)) + random.randrange(100) / 100
    chance = random.random()
    if chance < 0.6:
        return f"${amount:,.2f}"
    if chance < 0.9:
        return f"{amount:.2f}"
    return random.choice(("NA", "waived", f"${amount:,.0f}"))
