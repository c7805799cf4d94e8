"""What a policy says about safe harbor, and the refusal of a table that would break it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from discreet.errors import SafeHarborError
from discreet.models.safe_harbor import SafeHarbor

if TYPE_CHECKING:
    from discreet.release.policy import Policy
    from discreet.safe_harbor.checked import Checked, Question
    from discreet.table.table import Table

TOGETHER = 90
"""The age that stands for 90 or older."""
UNTOPPED = "its intervals would tell 90 or older as a span, such as 90-94"
TOPPED = "Write hierarchy: {intervals: {widths: [5, 10, 20], top: 90}}."


def in_safe_harbor(table: Table, policy: Policy) -> Table:
    """Refuse a prepared table whose released columns break a rule that the policy promises to keep.

    A notice names the released columns that a person must look at.
    """
    for model in policy.require:
        if isinstance(model, SafeHarbor):
            from discreet.safe_harbor.check import check_safe_harbor

            found = check_safe_harbor(table, question_of(policy, model))
            broken = [(one.column, one.rule or "", one.why, f"{one.fix}.") for one in found.broken]
            broken += [(name, "C", UNTOPPED, TOPPED) for name in _untopped(policy)]
            if broken:
                raise SafeHarborError(table.name, broken)
            table = replace(table, notices=(*table.notices, *_to_look_at(found)))
    return table


def _to_look_at(found: Checked) -> list[str]:
    """What the check cannot tell."""
    from discreet.safe_harbor.checked import Standing

    return [
        f"safe harbor: a person must look at '{one.column}', rule ({one.rule}): {one.why}."
        for one in found.standing(Standing.look)
    ]


def question_of(policy: Policy, model: SafeHarbor) -> Question:
    """What the check must know of the columns of a policy."""
    from discreet.safe_harbor.checked import Question

    columns = policy.columns
    return Question.on(
        model.as_of,
        model.zip_table,
        released=policy.released,
        scrubbed=policy.scrubbed,
        dated=tuple(name for name in policy.scrubbed if _keeps_months(columns[name].scrub)),
        replaced=(*(n for n in columns if columns[n].replace is not None), *_people(policy, model)),
        codes=tuple(name for name in model.codes if name in policy.released),
        capped=capped(policy),
    )


def _people(policy: Policy, model: SafeHarbor) -> tuple[str, ...]:
    """The column of people, which has pseudonyms in the release.

    Those of a key that nobody keeps are as good as drawn, so the data holder may call them codes.
    """
    people = policy.people
    if people is None or (people.key is None and people.column in model.codes):
        return ()
    return (people.column,)


def capped(policy: Policy) -> tuple[str, ...]:
    """The columns in which 90 stands for 90 or older, since a technique made it so."""
    single = [one for column in policy.columns.values() for one in column.technique]
    return tuple(name for one in (*single, *policy.techniques) for name in _top_coded(one))


def _keeps_months(scrub: Any) -> bool:
    """Whether scrubbed text tells more of a date than its year; tags and blanks tell nothing."""
    return bool(scrub.style == "pseudonym" and scrub.dates != "year")


def _untopped(policy: Policy) -> list[str]:
    """Columns of ages whose intervals go on above 90."""
    from discreet.hierarchy.intervals import Intervals
    from discreet.release.auto import Auto

    found = [(name, policy.columns[name].hierarchy) for name in dict.fromkeys(capped(policy))]
    return [
        name
        for name, builder in found
        if isinstance(builder, Auto) or (isinstance(builder, Intervals) and builder.top != TOGETHER)
    ]


def _top_coded(technique: Any) -> tuple[str, ...]:
    top = technique.name == "top_code" and technique.at == TOGETHER and technique.put == "limit"
    return tuple(technique.columns) if top else ()
