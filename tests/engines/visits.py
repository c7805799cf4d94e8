"""A small table with all that is odd in real ones, and policies of every kind, for all engines."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from discreet.pseudonyms.key import create_key

ROWS = 240
ZIPS = ["02138", "02139", "02141", "2138 ", "02138 ", "9 0210", "ab", "AB", "Ab", "", None]
TOWNS = ["Zürich", "zürich", "O'Fallon", 'a "b"', "back\\slash", "100%", "{x}", "Ω", "", None]
DISEASES = ["flu", "Flu", "cold", "angina", "?", "=1+1", None, ""]


def make_visits() -> pa.Table:
    """Rows with missing and empty values, odd letters, zeros, blanks, dates and numbers."""
    draw = random.Random(7)
    rows = []
    for number in range(ROWS):
        rows.append(
            {
                "age": None if number % 41 == 0 else draw.randrange(20, 60),
                "zip": draw.choice(ZIPS),
                "town": draw.choice(TOWNS),
                "born": datetime.date(1960 + draw.randrange(40), 1 + draw.randrange(12), 1),
                "member": draw.choice([True, False, None]),
                "pay": draw.choice([0.5, 1e20, -3.25, 2.0, None]),
                "disease": draw.choice(DISEASES),
                "id": number,
            }
        )
    kinds = {"age": pa.int32(), "born": pa.date32(), "member": pa.bool_(), "pay": pa.float64()}
    names = ["age", "zip", "town", "born", "member", "pay", "disease", "id"]
    kinds["id"] = pa.int64()
    return pa.table(
        {
            name: pa.array([row[name] for row in rows], kinds.get(name, pa.string()))
            for name in names
        }
    )


def write_register(folder: Path) -> Path:
    """A register of more people than the table has, for k-map."""
    visits = make_visits().select(["age", "zip"])
    path = folder / "register.parquet"
    pq.write_table(pa.concat_tables([visits, visits, visits]), path)
    return path


AGE = {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}}
ZIP = {"role": "quasi", "hierarchy": {"prefix": [3, 1]}}
BORN = {"role": "quasi", "hierarchy": {"dates": ["year", "10 years"]}}
ILL = {"role": "sensitive"}
K3 = {"k_anonymity": {"k": 3}}


def write_key(folder: Path) -> Path:
    """A key for pseudonyms, drawn once."""
    path = folder / "people.key"
    if not path.exists():
        create_key(path)
    return path


def list_policies(register: Path) -> dict[str, dict[str, Any]]:
    """A policy for each thing that a release can be made of."""
    key = str(register.parent / "people.key")
    token = {"pseudonym": {"key": key, "format": "token"}}
    plain = {"age": AGE, "zip": ZIP, "member": {"role": "quasi"}, "pay": {"role": "other"}}
    return {
        "levels": {"columns": plain, "require": [K3]},
        "suppression": {
            "columns": {**plain, "disease": ILL},
            "require": [{"k_anonymity": {"k": 5}}],
            "suppress": 0.1,
        },
        "rows of *": {
            "columns": {"age": AGE, "zip": ZIP},
            "require": [K3],
            "suppress": 0.2,
            "suppressed_rows": "keep",
        },
        "cells": {"columns": {"age": AGE, "town": {"role": "quasi"}, "disease": ILL},
                  "require": [K3], "algorithm": "local"},
        "ranges": {"columns": {"age": AGE, "born": BORN}, "require": [K3], "algorithm": "mondrian"},
        "cells suppressed": {"columns": {"age": AGE, "member": {"role": "quasi"}},
                             "require": [K3], "algorithm": "suppress"},
        "diversity": {
            "columns": {"age": AGE, "member": {"role": "quasi"}, "disease": ILL},
            "require": [K3, {"l_diversity": {"column": "disease", "ell": 2}},
                        {"t_closeness": {"column": "disease", "t": 0.4}}],
            "suppress": 0.1,
        },
        "several": {
            "columns": {"age": AGE, "zip": ZIP, "born": BORN},
            "require": [{"k_anonymity": {"k": 4, "columns": ["age", "zip"]}},
                        {"k_anonymity": {"k": 3, "columns": ["born"]}}],
            "suppress": 0.05,
        },
        "weights": {
            "columns": {"age": AGE, "member": {"role": "quasi"}},
            "require": [K3],
            "row_weight": "id",
        },
        "register": {
            "columns": {"age": AGE, "zip": ZIP, "disease": ILL},
            "require": [{"k_map": {"k": 6, "register": str(register)}}],
        },
        "words and formulas": {
            "columns": {"age": AGE, "town": {"role": "quasi"}, "zip": {"role": "other"},
                        "disease": ILL},
            "require": [{"k_anonymity": {"k": 2}}],
            "suppress": 0.3,
            "missing": {"values": ["?", "ab"]},
            "formulas": "quote",
        },
        "values mapped": {
            "columns": {
                "age": {**AGE, "technique": {"top_code": {"at": 50}}},
                "born": {"role": "quasi", "technique": {"year": {"as_of": "2026-11-16"}}},
                "zip": {"role": "other", "technique": "zip3"},
                "pay": {"role": "other", "technique": [{"bottom_code": {"at": 0}}]},
                "disease": {"role": "sensitive", "technique": {"substitute": {
                    "replacements": {"flu": "cold", "Flu": "cold"}, "others": "keep"}}},
                "id": {"role": "identifier", "replace": token},
                "town": {"role": "identifier", "replace": {"encrypt": {"key": key}}},
            },
            "require": [K3],
            "suppress": 0.3,
            "missing": {"values": ["?"]},
            "formulas": "quote",
        },
    }  # fmt: skip


SAME = (
    "algorithm", "levels", "rows", "rows_released", "rows_suppressed", "cells_suppressed",
    "classes", "smallest_class", "unique_rows", "identifying_columns", "released_as",
)  # fmt: skip
"""Facts that do not depend on where the rows are."""


def count_rows(table: pa.Table, columns: list[str] | None = None) -> Counter[tuple[str, ...]]:
    """The rows of a release as a multiset of texts."""
    names = sorted(columns or table.column_names)
    cells = [[_write(cell) for cell in table.column(name).to_pylist()] for name in names]
    return Counter(zip(*cells, strict=True))


def _write(cell: Any) -> str:
    return "(missing)" if cell is None else str(cell)
