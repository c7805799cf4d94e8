"""Made columns, one for each of the eighteen identifiers, and what the check says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from discreet.safe_harbor.check import check_safe_harbor
from discreet.safe_harbor.checked import ColumnStanding, Question

DAY = "2026-11-16"
ROWS = 30


def many(*values: str | None, rows: int = ROWS) -> list[str | None]:
    """The values over and over, so that the column has some rows."""
    return [values[n % len(values)] for n in range(rows)]


def numbered(form: str, start: int = 10_000, rows: int = ROWS) -> list[str]:
    """A value of its own for each row."""
    return [form.format(start + 37 * n) for n in range(rows)]


BROKEN: dict[str, tuple[str, Sequence[str | None]]] = {
    "A": ("name", many("Maria Smith", "Peter Brown", "Ann Clark")),
    "B": ("city", many("Cambridge", "Salem", "Lynn")),
    "C": ("admission_date", many("2020-01-31", "2021-02-03", "2022-03-04")),
    "D": ("phone", many("(617) 555-0100", "617-555-0199", "617.555.0123")),
    "E": ("fax_number", many("(617) 555-0100", "617-555-0199", "617.555.0123")),
    "F": ("email", numbered("p{}@example.org")),
    "G": ("ssn", [f"123-45-{6000 + n}" for n in range(ROWS)]),
    "H": ("medical_record_number", numbered("MR-{}")),
    "I": ("health_plan_number", numbered("HP{}")),
    "J": ("account_number", numbered("AC-{}")),
    "K": ("license_number", numbered("S{}")),
    "L": ("license_plate", numbered("ABC {:.4}".replace(":.4", ""), 1000)),
    "M": ("device_serial", numbered("SN-{}")),
    "N": ("url", numbered("https://example.org/p{}")),
    "O": ("ip_address", [f"192.0.2.{n + 1}" for n in range(ROWS)]),
    "P": ("fingerprint", numbered("A9F8E7D6{}")),
    "Q": ("photo", numbered("IMG_{}.JPG")),
    "R": ("study_code", numbered("X{}Q")),
}
"""A column that breaks each rule."""

MET: dict[str, tuple[str, Sequence[str | None]]] = {
    "A": ("has_name", many("yes", "no")),
    "B": ("zip", many("021", "606", "000")),
    "C": ("admission_date", many("2020", "2021", "2022")),
    "D": ("has_phone", many("yes", "no")),
    "E": ("fax", many("yes", "no")),
    "F": ("email_consent", many("yes", "no")),
    "G": ("ssn_known", many("yes", "no")),
    "H": ("record_complete", many("yes", "no")),
    "I": ("health_plan", many("yes", "no")),
    "J": ("account", many("yes", "no")),
    "K": ("license", many("yes", "no")),
    "L": ("vehicle_type", many("car", "bus", "none")),
    "M": ("pacemaker", many("yes", "no")),
    "N": ("website", many("yes", "no")),
    "O": ("ip_known", many("yes", "no")),
    "P": ("fingerprint", many("taken", "not taken")),
    "Q": ("photo", many("yes", "no")),
    "R": ("diagnosis", many("flu", "cough", "asthma")),
}
"""A column near each rule that it does not break."""


def standing(name: str, values: Sequence[str | None], **more: Any) -> ColumnStanding:
    """What the check says of one column, beside one that says nothing."""
    frame = pa.table({name: pa.array(values, pa.string()), "sex": many("F", "M", rows=len(values))})
    return check_safe_harbor(frame, Question.on(DAY, **more)).columns[0]
