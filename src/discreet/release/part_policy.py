"""A policy with the columns only that somebody asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import PartError, did_you_mean
from discreet.hierarchy.propose import propose
from discreet.models import BY_REGISTER, KAnonymity
from discreet.release.auto import Auto
from discreet.release.technique_parts import steps
from discreet.table.role import Role

if TYPE_CHECKING:
    from discreet.release.part import Part
    from discreet.release.policy import ColumnPolicy, Policy


def part_policy(policy: Policy, part: Part) -> Policy:
    """The policy for a part of the table, or a refusal by name.

    Columns that were not asked for are not released; promises about all quasi columns are then
    about those that are left. A condition may name quasi columns and those that are released as
    they are.
    """
    refuse_policy(policy)
    _refuse_condition(policy, part)
    if not part.columns:
        return policy
    return _fewer(policy, part)


@dataclass(frozen=True)
class Proposed:
    """Quasi columns whose hierarchy is proposed from the data."""

    columns: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.columns)

    def built(self, policy: Policy, values: Mapping[str, Sequence[str | None]]) -> Policy:
        """The policy with what is proposed for the values of the whole table written down."""
        columns = dict(policy.columns)
        for name in self.columns:
            made = {"hierarchy": propose(name, values[name])}
            columns[name] = columns[name].model_copy(update=made)
        return policy.replace(columns=columns)


def proposed(policy: Policy) -> Proposed:
    """The quasi columns of a policy that leave their hierarchy to the data."""
    columns = policy.columns
    return Proposed(
        tuple(name for name in policy.quasi if isinstance(columns[name].hierarchy, Auto))
    )


def _refuse_condition(policy: Policy, part: Part) -> None:
    allowed = policy.with_role(Role.quasi, Role.other)
    changed = {name: step.technique.name for step in steps(policy) for name in step.columns}
    for name in part.condition_columns:
        if name in allowed and name in changed:
            what = f"the condition names '{name}', whose values {changed[name]} hides"
            raise PartError(f"{what}: it would tell them", "Leave out the condition or technique.")
        if name in allowed:
            continue
        if name in policy.sensitive:
            what = f"the condition names '{name}', which is sensitive: it would tell of every row"
            fix = "Release the rows without that condition; the recipient can choose among them."
            raise PartError(f"{what} what nobody may learn", fix)
        what = f"the condition names '{name}', which the policy does not release as it is"
        raise PartError(what, f"It would tell about it. {did_you_mean(name, allowed)}")


def refuse_policy(policy: Policy) -> None:
    """Refuse a policy about all rows of the table, or all rows of a person, for its parts."""
    for model in policy.require:
        if isinstance(model, BY_REGISTER):
            what = f"{model.name} counts all people of its register, and a part fits fewer of them"
            raise PartError(what, "Use k_anonymity, or a policy and a register of that part.")
    if policy.people is not None:
        what = "the policy has people with many rows, and a part may have some rows of a person"
        raise PartError(what, "Make a table of the part first, and release that.")
    for step in steps(policy):
        if not step.columns or set(step.columns) & set(policy.quasi):
            what = f"{step.technique.name} changes rows or quasi columns anew for every part"
            raise PartError(what, "Leave the technique out, or make a table of the part first.")


def _fewer(policy: Policy, part: Part) -> Policy:
    asked = part.columns
    for name in asked:
        if name not in policy.released:
            what = f"'{name}' is asked for, and the policy does not release it"
            raise PartError(what, did_you_mean(name, policy.released))
    if not set(asked) & set(policy.quasi):
        what = "no quasi column is among those asked for, so nothing would be protected"
        raise PartError(what, f"Ask for one of {', '.join(policy.quasi)} too.")
    return policy.replace(
        columns=_columns(policy, asked),
        require=_promises(policy, part),
        prefer=tuple(name for name in policy.prefer if name in asked),
        techniques=tuple(filter(None, (_technique(one, asked) for one in policy.techniques))),
    )


def _columns(policy: Policy, asked: Sequence[str]) -> dict[str, ColumnPolicy]:
    """The columns asked for, and identifiers, which are looked for in texts and not released."""
    kept = {}
    for name, column in policy.columns.items():
        if name in asked:
            kept[name] = column
        elif column.role is Role.identifier:
            kept[name] = column.model_copy(update={"replace": None})
    return kept


def _promises(policy: Policy, part: Part) -> tuple[Any, ...]:
    """The promises for the columns that are left.

    One of whose columns none is left is about all rows alike, which another may promise already.
    """
    found = [(model, _promise(model, part)) for model in policy.require]
    kept = tuple(made for _, made in found if made is not None)
    for model, made in found:
        if made is None and not any(_at_least(other, model) for other in kept):
            names = ", ".join(model.columns)
            what = f"{model.name} is about {names}, and none of that is asked for"
            raise PartError(what, "Ask for one of these too.")
    return kept


def _at_least(other: Any, model: Any) -> bool:
    """Whether a promise for other columns is as strong."""
    if isinstance(other, KAnonymity) and isinstance(model, KAnonymity):
        return other.k >= model.k
    return type(other) is type(model) and replace(other, columns=model.columns) == model


def _promise(model: Any, part: Part) -> Any:
    """A promise as it is for fewer columns; None where none of its columns is left."""
    asked = part.columns
    if model.sensitive is not None and model.sensitive not in asked:
        what = f"{model.name} is about '{model.sensitive}', which is not asked for"
        raise PartError(what, "Ask for it too, or use a policy without that promise.")
    if model.columns is None:
        return model
    kept = tuple(name for name in model.columns if name in asked)
    told = [name for name in model.columns if name in part.condition_columns]
    if told and not kept:
        what = f"{model.name} is about '{told[0]}', which the condition names and nobody asks for"
        raise PartError(what, "Ask for it too, so that the promise can be kept.")
    return replace(model, columns=kept) if kept else None


def _technique(technique: Any, asked: Sequence[str]) -> Any:
    """A technique, if its columns are asked for; None if none is."""
    lost = [name for name in technique.columns if name not in asked]
    if len(lost) == len(technique.columns):
        return None
    if lost:
        what = f"{technique.name} changes '{lost[0]}' together with others, and it is not asked for"
        raise PartError(what, "Ask for it too.")
    return technique
