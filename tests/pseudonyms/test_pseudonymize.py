"""Substitution in tables: rows of a person still belong together."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.errors import ParameterError, UnknownColumnError
from discreet.pseudonyms.formats import SocialSecurity
from discreet.pseudonyms.pseudonymize import Pseudonymize
from discreet.replacement_key import ReplacementKey
from discreet.table.read import read
from discreet.table.table import Table

KEY = ReplacementKey(bytes(range(32)))


def _rows(table: Table) -> dict[str, list[object]]:
    return table.scan(native=table.columns).read_all().to_pydict()


def test_two_tables_and_two_columns_agree() -> None:
    visits = read(pa.table({"ssn": ["123-45-6789", None, "223-45-6789"], "cost": [1, 2, 3]}))
    births = read(pa.table({"child": ["323456789", "423456789"], "mother": ["223456789"] * 2}))
    one = _rows(Pseudonymize(("ssn",), KEY, SocialSecurity())(visits))
    two = _rows(Pseudonymize(("child", "mother"), KEY, SocialSecurity())(births))
    assert one["ssn"][1] is None and one["cost"] == [1, 2, 3]
    assert two["mother"] == [str(one["ssn"][2]).replace("-", "")] * 2
    assert not set(two["child"]) & set(two["mother"])


def test_the_seed_changes_nothing_and_the_input_is_left() -> None:
    table = read(pa.table({"id": ["A1", "B2"]}))
    hide = Pseudonymize(("id",), KEY)
    assert _rows(hide(table, 1)) == _rows(hide(table, 2)) != _rows(table)
    assert _rows(table) == {"id": ["A1", "B2"]}


def test_what_the_data_holder_should_know_is_said() -> None:
    table = read(pa.table({"id": [f"{n:02d}" for n in range(30)] + ["--"]}))
    notices = Pseudonymize(("id",), KEY, unfit="missing")(table).notices
    assert "1 of 31" in notices[0] and "because of a collision" in notices[1]


def test_bad_requests_are_refused() -> None:
    with pytest.raises(UnknownColumnError, match="ssn"):
        Pseudonymize(("ssn",), KEY)(read(pa.table({"id": ["A1"]})))
    for columns in ((), ["id"], "id"):
        with pytest.raises(ParameterError, match="columns"):
            Pseudonymize(columns, KEY)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="load_key"):
        Pseudonymize(("id",), "secret")  # type: ignore[arg-type]
