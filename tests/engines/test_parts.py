"""Part of a class suppressed in the engine: as many rows as asked for, by a key."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from discreet.engines.release import EngineRecoding, Parts, write_release
from tests.engines.visits import make_visits

HELD = Counter(make_visits().column("member").to_pylist())


def recode(starred: bool) -> EngineRecoding:
    """Five rows of the members, all others who are none, and nobody of whom that is not known."""
    members, others = HELD[True], HELD[False]
    names = {True: "true", False: "false"}
    kept = [(0, 1, 5, False), (1, 0, 0, False)]
    kept += [(0, 6, members, True), (2, 0, 0, True)] if starred else []
    codes, low, high, out = (np.array(one) for one in zip(*kept, strict=True))
    return EngineRecoding(
        {"member": (names[True], names[False], None)},
        {"member": pa.array(["yes", "no", None])},
        {"member": np.arange(3)},
        frozenset(),
        Parts((codes,), low.astype(np.int64), high.astype(np.int64), {}, out.astype(np.bool_)),
        starred,
        240,
        240 if starred else 5 + others,
    )


def write(place: Any, key: bytes, starred: bool = False) -> Counter[tuple[Any, ...]]:
    table = place.read()
    write_release(
        table, ["member", "id"], recode(starred), "out",
        replace=True, key=key, scrambled=True, check=lambda _: None,
    )  # fmt: skip
    table.source.engine.close()
    written = place.fetch("out")
    return Counter(zip(written["member"].to_pylist(), written["id"].to_pylist(), strict=True))


@pytest.fixture(params=["duckdb_place", "postgresql"])
def place(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def test_as_many_rows_of_a_class_are_released_as_asked_for(place: Any) -> None:
    first = write(place, b"a" * 16)
    assert Counter(label for label, _ in first) == {"yes": 5, "no": HELD[False]}
    assert write(place, b"a" * 16) == first
    assert write(place, b"b" * 16) != first


def test_the_rows_that_are_suppressed_can_stay_as_stars(place: Any) -> None:
    found = Counter(label for label, _ in write(place, b"a" * 16, starred=True))
    assert found == {"yes": 5, "no": HELD[False], "*": 240 - 5 - HELD[False]}
