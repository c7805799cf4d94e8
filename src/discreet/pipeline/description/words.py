"""Words for what a report lists: promises, attacks, and what was done to columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from discreet.hierarchy import Flat
from discreet.pipeline.promise import state_limits
from discreet.policy.techniques import list_steps
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.policy.policy import Policy

_BETWEEN = re.compile(r";(?![^(]*\))")
Criterion = Literal["singling out", "linkability", "inference"]

ATTACKS: dict[str, tuple[str, Criterion]] = {
    "unsorted": ("rows matched by their order", "linkability"),
    "complementary": ("joined with an earlier release", "linkability"),
    "temporal": ("compared with an earlier release over time", "linkability"),
    "summary": ("published counts subtracted", "inference"),
    "linking": ("joined with a register of people", "linkability"),
    "membership": ("who of a register is in the table", "inference"),
    "homogeneity": ("classes that share a sensitive value", "inference"),
    "skewness": ("classes that differ from the whole table", "inference"),
    "minimality": ("what the choice of levels reveals", "inference"),
}
"""Title of each attack, and the criterion of the Article 29 Working Party (opinion 05/2014)."""

MODELS: dict[str, tuple[str, str]] = {
    "k_anonymity": (
        "k-anonymity",
        "A class whose rows share a sensitive value still reveals it.",
    ),
    "l_diversity": (
        "l-diversity",
        "Different values may mean nearly the same, and some may be much likelier than others.",
    ),
    "t_closeness": (
        "t-closeness",
        "It limits what is learned about a group, and does not hide who belongs to it.",
    ),
    "delta_disclosure": (
        "delta-disclosure privacy",
        "It limits what is learned about a group, and does not hide who belongs to it.",
    ),
    "beta_likeness": (
        "beta-likeness",
        "It limits what is learned about a group, and does not hide who belongs to it.",
    ),
    "k_map": (
        "k-map",
        "It holds for the register that was counted; who knows that a person is in the table may "
        "single them out.",
    ),
    "delta_presence": (
        "delta-presence",
        "It holds against somebody who has that public table and nothing else.",
    ),
    "probabilistic": (
        "probabilistic anonymity",
        "It is about people in the population; a row may be unique in the release.",
    ),
    "average_risk": ("average risk", "Single rows may have a higher risk than the average."),
    "largest_risk": ("largest risk", "A class that shares a sensitive value still reveals it."),
    "sample_uniques": ("share of unique rows", "The rows that are unique can be found."),
    "safe_harbor": (
        "HIPAA safe harbor",
        "It is about columns: a row may be unique, and the holder must have no actual knowledge "
        "that somebody can be identified.",
    ),
    "released_columns": ("released columns", "It is about which columns the file has."),
}
"""Title of each promise, and what it does not promise."""


def describe_technique(
    policy: Policy, column: str, released: bool, level: int | None = None, stars: bool = False
) -> str:
    """What was done to a column, in the words of ISO/IEC 20889.

    ``level`` is that of a quasi column, None where cells differ or it is not known; ``stars`` says
    that some of its cells are suppressed.
    """
    if column not in policy.columns:
        return "pseudonymization"
    settings = policy.columns[column]
    done = [
        _name_technique(step.technique) for step in list_steps(policy) if column in step.columns
    ]
    if settings.replace is not None or (policy.people and column == policy.people.column):
        done.append("pseudonymization")
    elif not released:
        return "attribute suppression"
    if settings.scrub is not None:
        done.append("masking of identifiers in text")
    if settings.role is Role.quasi:
        flat = settings.hierarchy is None or isinstance(settings.hierarchy, Flat)
        if level != 0 and not flat:
            done.append("generalization")
        if stars:
            done.append("local suppression")
    return ", ".join(dict.fromkeys(done)) or "none"


FAMILIES = {
    "noise": "noise addition",
    "perturb": "noise addition",
    "microaggregate": "microaggregation",
    "round_values": "rounding",
    "top_code": "top and bottom coding",
    "bottom_code": "top and bottom coding",
    "sample_rows": "sampling",
    "swap": "permutation",
    "rank_swap": "permutation",
    "shuffle": "permutation",
    "scramble": "permutation",
    "suppress_values": "local suppression",
    "year": "generalization",
    "zip3": "generalization",
}


def _name_technique(technique: Any) -> str:
    name = str(technique.name)
    return FAMILIES.get(name, name.replace("_", " "))


def list_not_promised(policy: Policy) -> list[str]:
    """What the release does not promise, sentence by sentence."""
    text = state_limits(policy).removeprefix("Not promised:").strip()
    return [_make_sentence(clause) for clause in _split_clauses(text)]


def _split_clauses(text: str) -> Iterator[str]:
    """The clauses between semicolons, but for those in brackets."""
    yield from (clause.strip().removesuffix(".") for clause in _BETWEEN.split(text))


def _make_sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."
