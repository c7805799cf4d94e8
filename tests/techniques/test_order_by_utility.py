"""Techniques in order of what they cost on one table."""

from __future__ import annotations

import json

import pytest

from discreet.errors import ParameterError
from discreet.techniques.change_rows import Scramble
from discreet.techniques.substitute import Pram
from discreet.techniques.suggested import order_by_utility
from discreet.techniques.suppress_values import SuppressValues
from discreet.techniques.swap import RankSwap, Swap
from tests.techniques.made_table import people

TABLE = people()


def test_order_runs_from_nothing_lost_to_all_lost() -> None:
    everything = SuppressValues(TABLE.columns)
    cells = SuppressValues(TABLE.columns, share=0.1)
    found = order_by_utility(TABLE, [everything, Swap(("zip", "age")), cells, Scramble()], 1)
    assert found[0].technique == Scramble()
    assert found[-1].technique == everything
    assert found[-1].utility.distortion > 0.9
    costs = [part.utility.distortion for part in found]
    assert costs == sorted(costs)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (SuppressValues(("zip",), share=0.1), SuppressValues(("zip",))),
        (Swap(("zip", "age")), Swap(("zip", "age"), unit=False)),
        (Swap(("age",), share=0.1), Swap(("age",))),
        (Swap(("zip",), within=("region",)), Swap(("zip",))),
        (RankSwap(("age",), 2), RankSwap(("age",), 100)),
        (Pram(("zip",), share=0.05), Pram(("zip",), share=0.9)),
    ],
)
def test_more_of_the_same_costs_more(less: object, more: object) -> None:
    found = order_by_utility(TABLE, [more, less], 1)  # type: ignore[list-item]
    assert [part.technique for part in found] == [less, more]


def test_facts_say_what_each_keeps() -> None:
    fact = order_by_utility(TABLE, [Scramble()], 1)[0].facts()
    assert json.loads(json.dumps(fact)) == {
        "technique": "scramble",
        "protection": "null-map",
        "truthful": True,
        "keeps": Scramble.keeps,
        "distortion": 0.0,
    }


def test_no_techniques_have_no_order() -> None:
    with pytest.raises(ParameterError, match="at least one"):
        order_by_utility(TABLE, [], 1)
