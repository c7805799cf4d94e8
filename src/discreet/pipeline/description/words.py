"""Words for what a report lists: techniques, promises, attacks, intruders, what is not promised.

Names of techniques are those of ISO/IEC 20889:2018. Singling out, linkability and inference are the
criteria of the Article 29 Working Party, opinion 05/2014 (WP216).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from discreet.hierarchy import Flat
from discreet.pipeline.promise import list_limits
from discreet.policy.about import note_validity
from discreet.policy.techniques import list_steps
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.policy.policy import Policy

Criterion = Literal["singling out", "linkability", "inference"]

CRITERIA: dict[Criterion, str] = {
    "singling out": "Can somebody isolate the rows of one person in the release?",
    "linkability": "Can somebody connect rows about the same person, in this release or with other "
    "data?",
    "inference": "Can somebody deduce a value of a person from the other values, with a "
    "probability that matters?",
}
"""The three questions of WP216, section 2.2."""

ATTACKS: dict[str, tuple[str, Criterion]] = {
    "unsorted": ("rows matched by their order", "linkability"),
    "complementary": ("joined with an earlier release", "linkability"),
    "temporal": ("compared with an earlier release of a table that grew", "linkability"),
    "summary": ("published counts subtracted", "inference"),
    "linking": ("joined with a register of people", "linkability"),
    "membership": ("who of a register is in the table", "inference"),
    "homogeneity": ("classes that share a sensitive value", "inference"),
    "skewness": ("classes that differ from the whole table", "inference"),
    "minimality": ("what the choice of levels reveals", "inference"),
}
"""Title of each attack, and the criterion that it tests."""

WAYS_OUT = {
    "unsorted": "have the rows scrambled (order: scramble)",
    "complementary": "release through a ledger, which compares with earlier releases",
    "temporal": "release through a ledger, which compares with earlier releases",
    "summary": "do not publish the counts, or suppress no row (suppress: 0)",
    "linking": "promise a larger k, or k_map with that register",
    "membership": "promise delta_presence with that register",
    "homogeneity": "promise l_diversity for that column",
    "skewness": "promise t_closeness for that column",
    "minimality": "let nothing private choose the levels (choice: blind)",
}
"""What keeps each attack from getting more than the policy allows."""

MODELS: dict[str, tuple[str, str]] = {
    "k_anonymity": (
        "k-anonymity",
        "A class whose rows share a sensitive value reveals it, whatever the size of the class.",
    ),
    "l_diversity": (
        "l-diversity",
        "Different values may mean nearly the same, and some may be much likelier than others.",
    ),
    "t_closeness": (
        "t-closeness",
        "It limits what is learned about a class beyond the whole table. It does not hide who is "
        "in the class, and what the whole table shows is learned.",
    ),
    "delta_disclosure": (
        "delta-disclosure privacy",
        "It limits what is learned about a class beyond the whole table, and hides nobody in it.",
    ),
    "beta_likeness": (
        "beta-likeness",
        "It limits how much likelier a value becomes, not how unlikely. It hides nobody in a "
        "class.",
    ),
    "k_map": (
        "k-map",
        "It holds for the register that was counted. Somebody who knows that a person is in the "
        "table may single that person out.",
    ),
    "delta_presence": (
        "delta-presence",
        "It holds against somebody who has that public table and knows nothing else about the "
        "people in it.",
    ),
    "probabilistic": (
        "probabilistic anonymity",
        "It is about people in the population and assumes that combinations are about equally "
        "frequent. A row may be unique in the release.",
    ),
    "average_risk": ("average risk", "Single rows may have a risk far above the average."),
    "largest_risk": (
        "largest risk",
        "A class whose rows share a sensitive value reveals it, whatever the size of the class.",
    ),
    "sample_uniques": (
        "share of unique rows",
        "The rows that are unique can be found, and nothing is said of classes of two.",
    ),
    "safe_harbor": (
        "HIPAA safe harbor",
        "It is about columns. A row may be unique, and the holder must have no actual knowledge "
        "that somebody can be identified.",
    ),
    "released_columns": ("released columns", "It is about which columns the file has."),
}
"""Title of each promise, and what it does not promise."""

ADDRESSED: dict[str, tuple[Criterion, ...]] = {
    "k_anonymity": ("singling out",),
    "largest_risk": ("singling out",),
    "average_risk": ("singling out",),
    "sample_uniques": ("singling out",),
    "safe_harbor": ("singling out",),
    "probabilistic": ("singling out",),
    "k_map": ("singling out", "linkability"),
    "delta_presence": ("linkability", "inference"),
    "l_diversity": ("inference",),
    "t_closeness": ("inference",),
    "delta_disclosure": ("inference",),
    "beta_likeness": ("inference",),
}
"""The criteria that a promise limits; it excludes none of them beyond its own numbers."""

INTRUDERS: dict[str, tuple[str, str]] = {
    "prosecutor": (
        "Prosecutor",
        "Looks for one particular person and knows that this person is in the table. The largest "
        "chance of a right guess is 1 over the size of the smallest class in the release.",
    ),
    "journalist": (
        "Journalist",
        "Wants to identify anybody at all to show that it can be done, and does not know who is in "
        "the table. The chance depends on how many people of the population fit a row.",
    ),
    "marketer": (
        "Marketer",
        "Wants to identify as many people as possible and accepts mistakes. What counts is the "
        "average chance over all rows.",
    ),
    "motivated intruder": (
        "Motivated intruder",
        "somebody without prior knowledge who is reasonably competent, uses the internet, "
        "libraries and public documents and asks people who may know more, but has no special "
        "skills and commits no crime. This is the test of the UK Information Commissioner's "
        "Office.",
    ),
}
"""Title and description of whom a report reckons with."""


# What was done to columns and rows, in the words of ISO/IEC 20889.


GENERAL = "generalization"
MASKING = "masking (attribute removed)"
RECORDS = "record suppression"
CELLS = "local suppression"
PSEUDONYMS = "pseudonymization"
TEXT = "masking and pseudonymization in text (ISO/IEC 20889 is about structured data)"
NONE = "none (released as it is)"
_NO_NAME = "(no name in ISO/IEC 20889)"

TECHNIQUES: dict[str, str] = {
    "suppress_values": CELLS,
    "substitute": "randomization",
    "swap": "permutation",
    "rank_swap": "permutation",
    "shuffle": "permutation",
    "pram": "randomization",
    "noise": "noise addition",
    "perturb": "noise addition",
    "round_values": "rounding",
    "top_code": "top and bottom coding",
    "bottom_code": "top and bottom coding",
    "zip3": "generalization",
    "year": "generalization",
    "outliers_to_median": f"outliers set to the median {_NO_NAME}",
    "microaggregate": "microaggregation",
    "shift_dates": "noise addition",
    "relative_dates": f"dates counted from the first of a person {_NO_NAME}",
    "sample_rows": "sampling",
    "add_tuples": f"rows added {_NO_NAME}",
    "scramble": f"rows in random order {_NO_NAME}",
}
"""Each technique of a policy."""

ALGORITHMS: dict[str, tuple[str, ...]] = {
    "optimal": ("generalization", RECORDS),
    "datafly": ("generalization", RECORDS),
    "probabilistic": ("generalization", RECORDS),
    "mu-argus": ("generalization", CELLS),
    "k-similar": ("local generalization", CELLS),
    "local": ("local generalization", CELLS, RECORDS),
    "exact": ("local generalization", CELLS, RECORDS),
    "mondrian": ("local generalization",),
    "suppress": (CELLS,),
    "spalm": ("generalization",),
    "mpalm": ("local generalization",),
    "fixed": ("generalization",),
}
"""What each algorithm may do to rows and columns."""

REPLACEMENTS: dict[str, str] = {
    "pseudonym": PSEUDONYMS,
    "encrypt": f"{PSEUDONYMS} (deterministic encryption)",
}
"""Each replacement of identifiers."""


def describe_technique(
    policy: Policy, column: str, released: bool, level: int | None = None, stars: bool = False
) -> str:
    """What was done to a column, in the words of ISO/IEC 20889.

    ``level`` is that of a quasi column, None where cells differ or it is not known; ``stars`` says
    that some of its cells are suppressed.
    """
    if column not in policy.columns:
        return PSEUDONYMS
    settings = policy.columns[column]
    done = [TECHNIQUES[s.technique.name] for s in list_steps(policy) if column in s.columns]
    if settings.replace is not None:
        done.append(REPLACEMENTS[settings.replace.name])
    elif policy.people is not None and column == policy.people.column:
        done.append(PSEUDONYMS)
    elif not released:
        return MASKING
    if settings.scrub is not None:
        done.append(TEXT)
    if settings.role is Role.quasi:
        done.extend(_name_recoding(policy, settings.hierarchy, level, stars))
    return ", ".join(dict.fromkeys(done)) or NONE


def _name_recoding(policy: Policy, hierarchy: Any, level: int | None, stars: bool) -> Iterator[str]:
    flat = hierarchy is None or isinstance(hierarchy, Flat)
    if level != 0 and not flat:
        yield from (one for one in ALGORITHMS[policy.algorithm.name] if GENERAL in one)
    if stars or (flat and level):
        yield CELLS


# What is not promised, and when to look again.


NOT_COMPARED = (
    "Earlier and later releases about the same people were not compared: together they may reveal "
    "more."
)


def list_not_promised(policy: Policy, ledger: bool = False) -> list[str]:
    """What the release does not promise, sentence by sentence.

    ``ledger`` says that the release was compared with earlier ones.
    """
    clauses = [*list_limits(policy), *_list_more(policy)]
    found = [_make_sentence(clause, tuple(policy.columns)) for clause in clauses]
    return found if ledger else [*found, NOT_COMPARED]


def _list_more(policy: Policy) -> Iterator[str]:
    """What the columns and the surroundings of a release leave open."""
    if others := list(policy.with_role(Role.other)):
        names = _join_names(others)
        yield f"values of {names} are released: someone who knows them may find a row"
    drawn = [s.technique for s in list_steps(policy) if not s.technique.truthful]
    changed = dict.fromkeys(name for technique in drawn for name in technique.columns)
    if changed:
        names = _join_names(list(changed))
        yield f"values of {names} may not be those of their row: they were changed on purpose"
    if policy.row_weight is not None:
        yield (
            f"row weights ({policy.row_weight}) change what counts as loss; promises count rows, "
            "not the people whom a row stands for"
        )
    if policy.missing.wildcard:
        yield "a missing value counts as any value; someone who knows that it is missing knows more"
    if policy.suppress:
        yield "rows may have been left out; whoever looks for a person may notice that"
    if policy.about is not None and policy.about.environment not in (None, "public"):
        yield "nothing is promised if the data leave the environment that they are released for"
    yield (
        "someone who has exact counts of the private table, such as published totals, can subtract "
        "the release from them"
    )
    yield "someone who knows values of other released columns may learn more"
    yield "methods and data that nobody knows today are not reckoned with"


def list_reviews(policy: Policy) -> list[str]:
    """When to decide again about the release, sentence by sentence."""
    until = None if policy.about is None else policy.about.valid_until
    if until is None:
        first = "The policy names no day of review. Name one under about.valid_until."
    else:
        first = note_validity(policy) or f"At the latest on {until}."
    found = [
        first,
        "Before another release about the same people, in whole or in part.",
        "When a register, a leak or another source appears that has some of the quasi columns.",
    ]
    if policy.about is None or policy.about.environment == "public":
        found.append(
            "A file that is public cannot be recalled: later reviews only limit more copies."
        )
    else:
        found.append("When recipients, their contract or the controls change, or one is broken.")
    found.append("When somebody claims to have found a person, whether or not the claim is right.")
    return found


def _make_sentence(clause: str, columns: tuple[str, ...]) -> str:
    """A clause with a capital letter, unless it starts with the name of a column."""
    first = clause[:1] if clause.startswith(columns) else clause[:1].upper()
    return f"{first}{clause[1:]}."


def _join_names(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
