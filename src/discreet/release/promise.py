"""What a release promises, to whom, and what it does not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.release.policy import Policy

KINDS = {
    "distinct": "different",
    "entropy": "well-spread (entropy)",
    "recursive": "well-spread (recursive)",
}

PROMISES: dict[str, Callable[[Any], str]] = {
    "k_anonymity": lambda m: (
        f"every row has at least {m.k - 1} like it" if m.k > 1 else "nothing (k is 1)"
    ),
    "l_diversity": lambda m: f"every class has {m.ell:g} {KINDS[m.kind]} values of {m.column}",
    "t_closeness": lambda m: f"{m.column} in every class is within {m.t:g} of the whole table",
    "delta_disclosure": lambda m: (
        f"no value of {m.column} is {math.exp(m.delta):.3g} times as frequent, or as rare, in a "
        "class as in the whole table"
    ),
    "beta_likeness": lambda m: (
        f"no value of {m.column} is over {1 + m.beta:g} times as frequent in a class as in the "
        "whole table"
    ),
    "largest_risk": lambda m: f"nobody is found with a chance above {m.max:g}",
    "average_risk": lambda m: f"people are found with a chance of at most {m.max:g} on average",
    "sample_uniques": lambda m: f"at most {m.max:g} of the rows are unique",
    "safe_harbor": lambda m: (
        f"no column shows one of the eighteen identifiers of HIPAA, as of {m.as_of}, as far as "
        "names and values of columns tell"
    ),
    "k_map": lambda m: f"every row fits at least {m.k:,} people of {m.register.name}",
    "delta_presence": lambda m: (
        f"whoever is in {m.public.name} is in the table with a chance from {m.min:g} to {m.max:g}"
    ),
    "probabilistic": lambda m: (
        f"each combination of values fits at least {m.k:,} of {m.population:,} people with a "
        f"chance of {1 - m.beta:g}, if combinations are about equally frequent"
    ),
}
"""Each model's promise in a clause, by its name."""


def promised(policy: Policy) -> str:
    """What holds, against someone who knows the quasi columns and nothing else."""
    if _harbor_alone(policy):
        return f"Promised: {'; '.join(_clause(model, policy) for model in policy.require)}."
    if not _jointly(policy):
        return f"Promised, {'; '.join(_by_columns(policy))}."
    clauses = "; ".join(_clause(model, policy) for model in policy.require)
    if policy.choice == "blind" and _about_sensitive(policy):
        names = _listed(_about_sensitive(policy))
        clauses += f"; levels were chosen without a look at {names}, so that knowing this program"
        clauses += " tells nothing more"
    return f"Promised, against someone who knows only {_listed(policy.quasi)}: {clauses}."


def _about_sensitive(policy: Policy) -> tuple[str, ...]:
    """The sensitive columns that some promise is about."""
    return tuple(dict.fromkeys(m.sensitive for m in policy.require if m.sensitive is not None))


def _chosen(policy: Policy) -> str:
    """What the choice of levels tells somebody who can make it again."""
    guarded = _about_sensitive(policy)
    if not guarded or policy.choice == "blind":
        return ""
    return (
        f" someone who knows this program, the policy and who is in the table may learn more of "
        f"{_listed(guarded)} than the classes show (attack minimality, choice: blind);"
    )


def _harbor_alone(policy: Policy) -> bool:
    """Whether nothing is promised but that the columns meet the rules of safe harbor."""
    return all(model.name == "safe_harbor" for model in policy.require)


def _harbor(policy: Policy) -> str:
    """What safe harbor leaves open."""
    if not any(model.name == "safe_harbor" for model in policy.require):
        return ""
    alone = " safe harbor promises no k, so a row may be alone in the release;"
    known = " safe harbor needs that you have no actual knowledge that the rest could identify"
    return f"{alone if _harbor_alone(policy) else ''}{known} somebody;"


def _jointly(policy: Policy) -> bool:
    """Whether some promise holds for all quasi columns together."""
    return any(
        not model.columns or set(model.columns) == set(policy.quasi) for model in policy.require
    )


def _by_columns(policy: Policy) -> Iterator[str]:
    """What holds for each quasi-identifier, where none has all quasi columns."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for model in policy.require:
        clause = _promise(model, policy)
        groups.setdefault(tuple(model.columns), []).append(clause)
    for names, clauses in groups.items():
        yield f"against someone who knows only {_listed(names)}: {' and '.join(clauses)}"


def not_promised(policy: Policy) -> str:
    """What an intruder may still do."""
    guarded = {model.sensitive for model in policy.require}
    bare = [name for name in policy.sensitive if name not in guarded]
    gives = (
        f" a class whose rows share one value of {_listed(bare, 'or')} gives that value away;"
        if bare
        else ""
    )
    beyond = (
        " someone who knows who is in the table may tell a row from others;"
        if all(model.name in ("k_map", "delta_presence") for model in policy.require)
        else ""
    )
    alone = (
        " someone who looks for one particular person may find a row that is alone in the release;"
        if alone_allowed(policy)
        else ""
    )
    text = (
        f" what {_listed(policy.scrubbed, 'or')} tells of a person may single that person out, and "
        "scrubbing does not find all;"
        if policy.scrubbed
        else ""
    )
    joined = (
        " someone who knows more of the quasi columns at once may tell a row from all others;"
        if not _jointly(policy)
        else ""
    )
    people = ""
    if policy.people is not None:
        from discreet.people.people_notes import not_promised as of_people

        people = of_people(policy)
    linked = f"{_harbor(policy)}{_linked(policy)}"
    order = " rows stand as in the private table;" if policy.order == "keep" else ""
    gives = f"{gives}{_chosen(policy)}"
    return (
        f"Not promised:{gives}{beyond}{alone}{joined}{people}{text}{linked}{order} someone who "
        "knows other released columns, or who has another release about the same people, may learn "
        "more."
    )


def _linked(policy: Policy) -> str:
    """What pseudonyms tell; where rows are counted, not people, a class may be one person."""
    names = [name for name, column in policy.columns.items() if column.replace is not None]
    if not names:
        return ""
    same = "" if policy.people is not None else ", and the rows of a class may be one person's"
    return (
        f" {_listed(names)} {'shows' if len(names) == 1 else 'show'} which rows belong to one "
        f"person, here and in all tables of the same key{same};"
    )


def alone_allowed(policy: Policy) -> bool:
    """Whether a row may be alone in the release: only crowds outside of it are promised."""
    names = {model.name for model in policy.require}
    return "probabilistic" in names and not any(_forbids_alone(m, policy) for m in policy.require)


def _forbids_alone(model: Any, policy: Policy) -> bool:
    """Whether every class must have two rows: k, a risk below 1, or two values of a column."""
    if model.columns and not set(policy.quasi) <= set(model.columns):
        return False
    return bool(
        (model.name == "k_anonymity" and model.k > 1)
        or (model.name == "largest_risk" and model.max < 1)
        or (model.name == "sample_uniques" and model.max == 0)
        or (model.name == "l_diversity" and model.ell > 1)
    )


def _promise(model: Any, policy: Policy) -> str:
    if policy.people is not None and model.name == "k_anonymity":
        from discreet.people.people_notes import whole_record

        return whole_record(model.k, policy)
    return PROMISES[model.name](model) if model.name in PROMISES else str(model.name)


def _clause(model: Any, policy: Policy) -> str:
    clause = _promise(model, policy)
    own = model.columns and set(model.columns) != set(policy.quasi)
    return f"{clause} (on {_listed(model.columns)})" if own else clause


def _listed(names: Any, word: str = "and") -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else str(last)
