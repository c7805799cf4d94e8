"""What the search prunes by is true: no node of a box scores or suppresses less than it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hypothesis import given

from discreet.algorithms.bounds import bound_for
from tests.properties.reference import Case, Node, Outcome, outcomes
from tests.properties.strategies import Drawn, cases, examples

NOISE = 1e-12


def below(one: Node, other: Node) -> bool:
    """Whether a node is at least as fine as another in every column."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def boxes(found: Mapping[Node, Outcome]) -> Iterator[tuple[Node, Node, list[Outcome]]]:
    """Every pair of a finer and a coarser node, with all that lies between."""
    for high in found:
        under = [node for node in found if below(node, high)]
        for low in under:
            yield low, high, [found[node] for node in under if below(low, node)]


def check_bounds(drawn: Drawn) -> None:
    case, problem = drawn.case, drawn.problem()
    found, bound = outcomes(case), bound_for(problem)
    attempts = {node: problem.attempt(node) for node in found}
    for low, high, inside in boxes(found):
        least = min((one.score for one in inside if one.allowed), default=None)
        if least is not None:
            assert bound(low, attempts[high]) <= least + NOISE * max(1, abs(least)), (low, high)


@examples(90)
@given(drawn=cases(most_nodes=24, most_columns=3))
def test_no_node_of_a_box_scores_below_its_bound(drawn: Drawn) -> None:
    check_bounds(drawn)


@examples(30)
@given(drawn=cases(most_nodes=16, most_columns=2, suppress=1, wildcard=False))
def test_bounds_hold_where_all_rows_may_be_suppressed(drawn: Drawn) -> None:
    check_bounds(drawn)


def check_least_suppressed(drawn: Drawn) -> None:
    case, problem = drawn.case, drawn.problem()
    found = outcomes(case)
    for high in found:
        attempt = problem.attempt(high)
        assert attempt.suppressed == found[high].suppressed, high
        finer = [one.suppressed for node, one in found.items() if below(node, high)]
        assert attempt.least_suppressed <= min(finer), high


@examples(120)
@given(drawn=cases(most_nodes=60))
def test_no_finer_node_suppresses_less_than_was_foretold(drawn: Drawn) -> None:
    check_least_suppressed(drawn)


@examples(90)
@given(drawn=cases(most_nodes=40, most_columns=2, most_models=1, about_sensitive=True))
def test_no_part_of_a_class_keeps_more_rows_than_a_single_model_says(drawn: Drawn) -> None:
    check_least_suppressed(drawn)


def test_bounds_are_not_empty_words() -> None:
    """On a plain table the bound of a box is above zero, and its least suppression too."""
    from discreet.measures import Loss
    from discreet.models import KAnonymity
    from tests.properties.reference import Ladder
    from tests.properties.strategies import Drawn, policy_of

    cells = {"q": ["a", "a", "b", "c"]}
    ladder = Ladder({v: (v, "*") for v in "abc"}, ("a", "b", "c"))
    case = Case(cells, {"q": ladder}, (KAnonymity(2),), Loss(), suppress=0.5)
    problem = Drawn(case, policy_of(case, {"q": (None, ladder)})).problem()
    ground = problem.attempt((0,))
    assert ground.least_suppressed == 2
    assert bound_for(problem)((0,), ground) == 0.5
