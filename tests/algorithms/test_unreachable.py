"""Where no release keeps the promises, the message says which one fails and for how many rows."""

from __future__ import annotations

import pytest

from discreet.algorithms import Datafly, Optimal
from discreet.algorithms.claims import UnreachableError
from discreet.models import KAnonymity, LDiversity, SampleUniques, TCloseness
from tests.algorithms.made import problem

ROWS = ["p s", "q s", "q s", "r s", "r s"]


@pytest.mark.parametrize("algorithm", [Optimal(), Datafly()], ids=lambda a: a.name)
def test_the_model_the_rows_and_the_limit_are_named(algorithm) -> None:
    models = [KAnonymity(2), LDiversity("b", 2)]
    tables = problem(ROWS, models, sensitive="b", suppress=0.2)
    with pytest.raises(UnreachableError) as caught:
        algorithm(tables)
    message = str(caught.value)
    assert "l_diversity fails for 5 of 5 rows" in message
    assert "allows 1 to be suppressed" in message
    assert "k_anonymity" not in message
    assert caught.value.failing == [("l_diversity", 5)]


def test_every_model_that_fails_is_named() -> None:
    models = [KAnonymity(6), LDiversity("b", 2), SampleUniques(0)]
    tables = problem(ROWS, models, sensitive="b")
    with pytest.raises(
        UnreachableError, match=r"k_anonymity fails .*, l_diversity fails"
    ) as caught:
        Optimal()(tables)
    assert [name for name, _ in caught.value.failing] == ["k_anonymity", "l_diversity"]


def test_no_cell_of_the_table_is_in_the_message() -> None:
    tables = problem(["secretzip ill", "otherzip ill"], [LDiversity("b", 2)], sensitive="b")
    with pytest.raises(UnreachableError) as caught:
        Optimal()(tables)
    assert not any(word in str(caught.value) for word in ("secretzip", "otherzip", "ill,"))


def test_a_table_that_is_like_itself_at_the_top_is_always_within_t() -> None:
    tables = problem(ROWS, [TCloseness("b", 0.001)], sensitive="b")
    assert Optimal()(tables).search.proven


def test_all_rows_may_be_suppressed_if_the_policy_says_so() -> None:
    tables = problem(ROWS, [LDiversity("b", 2)], sensitive="b", suppress=1)
    assert Optimal()(tables).suppressed == 5
