"""What a release promises, to whom, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from discreet.pipeline.people.people_notes import list_people_limits, state_people_promise

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


def state_promises(policy: Policy) -> str:
    """What holds, against someone who knows the quasi columns and nothing else."""
    if _is_harbor_alone(policy):
        return f"Promised: {'; '.join(state_promise(model, policy) for model in policy.require)}."
    clauses = "; ".join(_state_by_columns(policy))
    if policy.choice == "blind" and _list_protected(policy):
        names = _join_names(_list_protected(policy))
        clauses += f"; levels were chosen without looking at {names}, so knowing this program"
        clauses += " reveals nothing more"
    return f"Promised, {clauses}."


def _list_protected(policy: Policy) -> tuple[str, ...]:
    """The sensitive columns that some promise is about."""
    return tuple(dict.fromkeys(m.sensitive for m in policy.require if m.sensitive is not None))


def _list_choice_limits(policy: Policy) -> Iterator[str]:
    """What the choice of levels tells somebody who can make it again."""
    guarded = _list_protected(policy)
    if guarded and policy.choice != "blind":
        yield (
            "someone who knows this program, the policy and who is in the table may learn more "
            f"about {_join_names(guarded)} than the classes show (see attack minimality; choice: "
            "blind prevents it)"
        )


def _is_harbor_alone(policy: Policy) -> bool:
    """Whether nothing is promised but that the columns meet the rules of safe harbor."""
    return all(model.name == "safe_harbor" for model in policy.require)


def _list_harbor_limits(policy: Policy) -> Iterator[str]:
    """What safe harbor leaves open."""
    if not any(model.name == "safe_harbor" for model in policy.require):
        return
    if _is_harbor_alone(policy):
        yield "safe harbor promises no k, so a row may be unique in the release"
    yield (
        "safe harbor also requires that you have no actual knowledge that the remaining data could "
        "identify somebody"
    )


def _is_joint(model: Any, policy: Policy) -> bool:
    """Whether a promise holds for all quasi columns together."""
    return not model.columns or set(model.columns) == set(policy.quasi)


def _leaves_more_known(policy: Policy) -> bool:
    """Whether class sizes hold for some of the quasi columns, and for all together none does."""
    joint = [model for model in policy.require if _is_joint(model, policy)]
    parts = [model for model in policy.require if not _is_joint(model, policy)]
    sized = any(model.least_rows > 1 for model in joint)
    return not joint or (not sized and any(model.least_rows > 1 for model in parts))


def _state_by_columns(policy: Policy) -> Iterator[str]:
    """What holds for each quasi-identifier; a promise about some columns says nothing of more."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for model in policy.require:
        names = policy.quasi if _is_joint(model, policy) else tuple(model.columns)
        groups.setdefault(names, []).append(state_promise(model, policy))
    for names, clauses in groups.items():
        told = "; ".join(clauses) if len(groups) == 1 else " and ".join(clauses)
        yield f"against someone who knows only {_join_names(names)}: {told}"


def state_limits(policy: Policy) -> str:
    """What an intruder may still do."""
    clauses = [*list_limits(policy), OTHERS]
    return f"Not promised: {'; '.join(clauses)}."


OTHERS = (
    "someone who knows other released columns, or who has another release about the same people, "
    "may learn more"
)


def list_limits(policy: Policy) -> list[str]:
    """What an intruder may still do because of what this policy says, clause by clause."""
    guarded = {model.sensitive for model in policy.require}
    bare = [name for name in policy.sensitive if name not in guarded]
    found = []
    if bare:
        names = _join_names(bare, "or")
        found.append(f"a class whose rows share one value of {names} reveals that value")
    found.extend(_list_choice_limits(policy))
    if all(model.name in ("k_map", "delta_presence") for model in policy.require):
        found.append("someone who knows who is in the table may single out a row")
    if allows_single_rows(policy):
        found.append(
            "someone who looks for one particular person may find a row that is unique in the "
            "release"
        )
    if _leaves_more_known(policy):
        found.append(
            "someone who knows more quasi columns than one of these sets may single out a row"
        )
    if policy.people is not None:
        found.extend(list_people_limits(policy))
    if policy.scrubbed:
        found.append(
            f"the content of {_join_names(policy.scrubbed, 'or')} may single a person out, and "
            "scrubbing does not find everything"
        )
    found.extend([*_list_harbor_limits(policy), *_list_linked(policy)])
    if policy.order == "keep":
        found.append("rows are in the order of the private table")
    return found


def _list_linked(policy: Policy) -> Iterator[str]:
    """What pseudonyms tell; where rows are counted, not people, a class may be one person."""
    names = [name for name, column in policy.columns.items() if column.replace is not None]
    if not names:
        return
    same = "" if policy.people is not None else ", and all rows of a class may belong to one person"
    yield (
        f"{_join_names(names)} {'shows' if len(names) == 1 else 'show'} which rows belong to one "
        f"person, here and in all tables made with the same key{same}"
    )


def allows_single_rows(policy: Policy) -> bool:
    """Whether a row may be alone in the release: only crowds outside of it are promised."""
    names = {model.name for model in policy.require}
    return "probabilistic" in names and not any(_forbids_alone(m, policy) for m in policy.require)


def _forbids_alone(model: Any, policy: Policy) -> bool:
    """Whether every class of all quasi columns must have two rows."""
    if model.columns and not set(policy.quasi) <= set(model.columns):
        return False
    return bool(model.least_rows > 1)


def state_promise(model: Any, policy: Policy) -> str:
    """What one model promises, of rows or of people."""
    if policy.people is not None and model.name != "safe_harbor":
        return state_people_promise(model, policy)
    return str(model.promise)


def _join_names(names: Any, word: str = "and") -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else str(last)
