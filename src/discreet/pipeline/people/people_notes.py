"""What the data holder should know of a release about people, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.models.l_diversity import LDiversity
from discreet.models.t_closeness import TCloseness
from discreet.table.table import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from discreet.pipeline.people.people import PeopleAnswer
    from discreet.policy.policy import Policy


def write_people_notes(answer: PeopleAnswer) -> Iterator[str]:
    """What was done to people and rows, and what follows from it."""
    people, counted = answer.people_policy, answer.counted
    yield people.records.describe_consequence()
    if left := counted.left_out:
        who, were = ("1 person has", "was") if left == 1 else (f"{left:,} people have", "were")
        yield f"{who} fewer than {people.records.numbers[0]:,} rows and {were} left out"
    yield from _note_taken_apart(answer)
    if people.key is None and not replaces_people(answer.policy):
        yield (
            f"'{people.column}' has pseudonyms of a key drawn for this run: no other release has "
            "the same; name a key file under people.key if another should"
        )
    else:
        yield (
            f"'{people.column}' has pseudonyms of a key that you keep: releases with the same ones "
            "can be joined person by person, and the promise holds for each alone"
        )
    if answer.problem.cost is None:
        yield f"{answer.problem.measure.name} is of classes of people, not of rows"


def _note_taken_apart(answer: PeopleAnswer) -> Iterator[str]:
    """What looks as if one person were counted as two."""
    counted, column = answer.counted, answer.people_policy.column
    similar = 0 if replaces_people(answer.policy) else counted.lookalikes
    if similar:
        yield (
            f"identifiers in '{column}' that repeat others but for capitals, zeros in front or .0 "
            f"behind: {similar:,}; each counts as a person, so write those of one person in one way"
        )
    if counted.apart:
        yield (
            "nobody is in two of the tables: see whether their identifiers are written in one way"
        )


def replaces_people(policy: Policy) -> bool:
    """Whether the policy itself says what takes the place of the column of people."""
    named = policy.columns.get(policy.people.column)
    return named is not None and named.replace is not None


def state_people_promise(model: Any, policy: Policy) -> str:
    """What a model promises of people, in a clause."""
    if isinstance(model, LDiversity):
        return state_diversity(model)
    if isinstance(model, TCloseness):
        return state_closeness(model)
    k = model.k
    if k == 1:
        return "nothing (k is 1)"
    others = "1 other" if k == 2 else f"{k - 1:,} others"
    same = "whole record is the same"
    if not policy.people.records.counts:
        same = "whole record has the same different rows"
    return f"every person has at least {others} whose {same}"


def list_people_limits(policy: Policy) -> Iterator[str]:
    """What someone may still learn who sees which rows are of one person, clause by clause."""
    open_ = [*policy.with_role(Role.other, Role.sensitive), *policy.scrubbed]
    if open_:
        yield (
            f"anyone who knows some of a person's values of {', '.join(open_)} may find all rows "
            "of that person"
        )
    if not policy.people.records.counts:
        yield "anyone who knows how many rows a person has may single that person out"


def state_diversity(model: LDiversity) -> str:
    """What l-diversity promises of people, in a clause."""
    ell, column = f"{model.ell:g}", model.column
    if model.kind == "entropy":
        return f"every class has at least {ell} well-represented (entropy) values of {column}"
    if model.ell == 1 and model.c is None:
        return f"nothing about {column} (ell is 1)"
    if model.ell <= 2:
        said = f"for any value of {column}, every class has somebody who does not have it"
    else:
        chosen = f"for any {model.ell - 1:g} values of {column}"
        said = f"{chosen}, every class has somebody who has none of them"
    if model.c is None:
        return said
    few = f"fewer than {model.c:g} times as many people have the most frequent value as have none"
    return f"{said}, and {few}"


def state_closeness(model: TCloseness) -> str:
    """What t-closeness promises of people, in a clause."""
    return (
        f"the shares of people who have each value of {model.column} are in every class within "
        f"{model.t:g} of those of all people with as many rows"
    )
