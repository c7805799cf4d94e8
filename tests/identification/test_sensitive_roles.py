"""Which columns are sensitive: by name, by values, and never in tables about things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from discreet.identification.inspection import Column, Inspection
from discreet.table.table import Role
from tests.identification.header_tables import (
    DEVELOPED,
    HELD_OUT,
    TUNED,
    guess_roles,
    make_values,
    measure,
)

Look = Callable[..., Column]
LookAtTable = Callable[..., Inspection]

ROWS = 60
UNKNOWN = {"MIMIC-III": {"valuenum"}}
"""Sensitive headers of the tuned tables that no name gives away."""


@pytest.mark.parametrize("table", TUNED)
def test_every_sensitive_header_of_the_tuned_tables_is_found(table: str) -> None:
    missed = {
        one.name
        for one, role in guess_roles(TUNED[table])
        if one.role == "sensitive" and role != "sensitive"
    }
    assert missed == UNKNOWN.get(table, set())


def test_what_was_learnt_from_the_developed_tables_stays_learnt() -> None:
    found = measure(DEVELOPED)
    assert found.precision >= 0.97
    assert found.recall >= 0.88


def test_headers_that_were_held_out_are_found_as_often_as_was_measured() -> None:
    """``python -m tests.identification.header_tables`` prints the figures.

    Recall is low where names are answers to questions or codes of a survey; what is said to be
    sensitive is.
    """
    found = measure(HELD_OUT)
    assert found.headers >= 90
    assert found.precision >= 0.95
    assert found.recall >= 0.45


@pytest.mark.parametrize(
    ("values", "kind", "special"),
    [
        (["Christian", "Muslim", "no religion", "Hindu"], "religion", "religious or philos"),
        (["evangelisch", "römisch-katholisch", "konfessionslos"], "religion", "religious or"),
        (["Democrat", "Republican", "other"], "politics", "political opinions"),
        (["CDU/CSU", "SPD", "Grüne", "AfD"], "politics", "political opinions"),
        (["heterosexual", "gay", "bisexual"], "sexuality", "sex life or sexual orientation"),
        (["diabetes", "asthma", "hypertension", "flu"], "illness", "data concerning health"),
        (["Bluthochdruck", "Asthma", "Grippe"], "illness", "data concerning health"),
        (["E11.9", "I10.0", "J45.2"], "diagnosis", "data concerning health"),
    ],
)
def test_values_tell_under_a_name_that_does_not(
    look: Look, values: list[str], kind: str, special: str
) -> None:
    column = look("x1", (values * ROWS)[:ROWS])
    assert (column.role, column.recognized) == ("sensitive", kind)
    assert column.facts()["special"].startswith(special)
    assert column.doubt == "only the values say so, not its name"


def test_positive_and_negative_are_findings_next_to_a_patient_only(
    look_at_table: LookAtTable,
) -> None:
    polarity = ["positive", "negative"] * (ROWS // 2)
    people = look_at_table({"patient_id": _codes(), "x1": polarity})
    assert people.columns[1].role == "sensitive"
    sensors = look_at_table({"sensor": ["a", "b"] * (ROWS // 2), "x1": polarity})
    assert sensors.columns[1].role == "other"


OTHERS: dict[str, dict[str, str]] = {
    "readings of an instrument": {
        "sample_id": "k", "instrument": "c", "wavelength_nm": "n", "absorbance": "m",
        "concentration": "m", "result": "m", "glucose": "m", "dilution": "n", "plasma": "m",
        "run_date": "d", "test_result": "c", "grade": "c", "alcohol": "m", "serum": "m",
        "drug": "c", "dose": "n", "treatment": "c",
    },
    "products": {
        "sku": "k", "category": "c", "price": "m", "cost": "m", "tax": "m", "rating": "n",
        "score": "m", "condition": "c", "benefits": "c", "charge": "n", "balance": "n",
        "stage": "c", "performance": "n", "customer_rating": "n", "orientation": "c",
        "Fettgehalt": "m", "Zeugnis": "c",
    },
    "sensors": {
        "device": "c", "timestamp": "d", "temperature": "m", "humidity": "m", "pressure": "m",
        "pulse": "n", "charge": "n", "stroke": "n", "status": "c", "problem": "c",
        "violation": "f", "default": "n", "bp": "m", "vl": "m", "Störung": "f",
    },
    "orders of parts": {
        "order_no": "k", "part": "c", "quantity": "n", "union": "c", "party": "c", "credit": "n",
        "vote": "n", "claim": "f", "sentence": "c", "outcome": "c", "earnings": "n",
    },
}  # fmt: skip


@pytest.mark.parametrize("table", OTHERS)
def test_a_table_about_things_has_no_sensitive_column(
    look_at_table: LookAtTable, table: str
) -> None:
    found = look_at_table({name: make_values(kind) for name, kind in OTHERS[table].items()})
    assert [column.name for column in found.with_role(Role.sensitive)] == []


def test_a_vague_name_that_was_not_believed_raises_doubt(look_at_table: LookAtTable) -> None:
    found = look_at_table({"part": ["a", "b"] * 30, "condition": ["new", "used"] * 30})
    said = "its name says 'diagnosis', but nothing else here is about people"
    assert found.columns[1].doubt == said
    found = look_at_table({"age": list(range(60)), "condition": ["new", "used"] * 30})
    assert (found.columns[1].role, found.columns[1].doubt) == ("sensitive", None)


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("diagnosis_day", "d", "quasi"),
        ("tax_id", "k", "identifier"),
        ("insurance_nr", "k", "identifier"),
        ("age_at_diagnosis", "g", "quasi"),
    ],
)
def test_dates_ages_and_numbers_under_a_sensitive_word_are_what_they_are(
    look_at_table: LookAtTable, name: str, values: str, role: str
) -> None:
    table: dict[str, Any] = {"sex": ["M", "F"] * 30, name: make_values(values)}
    assert look_at_table(table).columns[1].role == role


def _codes() -> list[str]:
    return [f"{n * 7919 % 99991:05d}" for n in range(1, ROWS + 1)]
