"""Says what is wrong in a policy: which key, what there is, how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

from discreet.errors import MOST_COMPARED, PolicyError, PolicyProblem, did_you_mean
from discreet.policy.anonymity_level import find_level_problems
from discreet.policy.for_recipient import find_profile_problems
from discreet.policy.messages import describe_value, hint_unquoted, make_mistake, make_mistakes
from discreet.policy.people import find_people_problems
from discreet.policy.policy_file import Key, Source
from discreet.table.table import Role

if TYPE_CHECKING:
    from pydantic import ValidationError

    from discreet.policy.policy import ColumnPolicy, Policy


KEY_SYNONYMS = {
    "entity": "people",
    "person": "people",
    "recipients": "profiles",
    "recipient": "profile",
    "loss": "suppress",
    "pseudonym": "replace",
}
"""Words of the papers, and of people, for our keys."""

LEAST_WEIGHT, LARGEST_WEIGHT = 1e-6, 1e6
"""Weights of columns above 0; beyond these their sum would be infinite, or no number at all."""

MOST = 50
"""Mistakes of one sort that are named; more of them are likely the same one many times."""

WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "tuple_type": "a list",
    "bool_type": "true or false",
}

FIXES: dict[Key, str] = {
    ("columns",): "Name each column with its role: age: {role: quasi}.",
    ("require",): "Say what must hold: - k_anonymity: {k: 5}.",
    ("techniques",): "Write - noise: {columns: [a]}.",
}


def check_column(column: ColumnPolicy) -> None:
    """Refuse settings that would be without effect and may be taken for protection."""
    role = column.role.value
    if column.hierarchy is not None and column.role not in (Role.quasi, Role.sensitive):
        what = f"a column with role {role} is not generalized. Set role: quasi, or remove it."
        raise make_mistake(what, ("hierarchy",))
    if column.weight and not LEAST_WEIGHT <= column.weight <= LARGEST_WEIGHT:
        limits = f"from {LEAST_WEIGHT:g} to {LARGEST_WEIGHT:,.0f}"
        what = (
            f"is 0, or {limits}, there is {describe_value(column.weight)}. Only their ratio counts."
        )
        raise make_mistake(what, ("weight",))
    if column.weight != 1 and column.role is not Role.quasi:
        what = f"only quasi columns have a weight, this one is {role}. Remove it."
        raise make_mistake(what, ("weight",))
    if column.scrub is not None and column.role is not Role.text:
        what = f"only text columns are scrubbed, this one is {role}. Set role: text, or remove it."
        raise make_mistake(what, ("scrub",))
    if column.replace is not None and column.role is not Role.identifier:
        what = f"only identifiers are replaced, this column is {role}. Set role: identifier"
        raise make_mistake(f"{what}, or remove it.", ("replace",))


def check_policy(policy: Policy) -> None:
    """Refuse a policy whose parts contradict each other."""
    problems = [
        *_find_quasi_problems(policy),
        *_find_model_problems(policy),
        *islice(_find_preference_problems(policy), MOST),
        *_find_wildcard_problems(policy),
    ]
    problems.extend(find_level_problems(policy))
    problems.extend(_find_blind_problems(policy))
    if policy.profiles or policy.profile is not None:
        problems.extend(find_profile_problems(policy))
    if policy.techniques or any(column.technique for column in policy.columns.values()):
        from discreet.policy.techniques import find_technique_problems

        problems.extend(find_technique_problems(policy))
    if policy.people is not None:
        problems.extend(find_people_problems(policy))
    if problems:
        raise make_mistakes(problems)


def _find_quasi_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    if not policy.quasi:
        what = "no column has role quasi, so nothing would be protected. Set role: quasi"
        yield ("columns",), f"{what} for columns that others may know about a person."
    elif not any(policy.columns[name].weight for name in policy.quasi):
        yield ("columns",), "all weights are 0. Give at least one quasi column a weight above 0."


def _find_model_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    for number, model in enumerate(policy.require):
        here: Key = ("require", number, model.name)
        if model.sensitive is not None:
            yield from _find_role_problems(
                policy, (*here, "column"), model.sensitive, Role.sensitive
            )
        for name in model.columns or ():
            yield from _find_role_problems(policy, (*here, "columns"), name, Role.quasi)
        yield from _find_distance_problems(policy, here, model)
        yield from _find_register_problems(policy, here, model)


def _find_role_problems(
    policy: Policy, key: Key, name: str, role: Role
) -> Iterator[tuple[Key, str]]:
    """A column that a model names must be in the policy, with the role the model needs."""
    if name not in policy.columns:
        yield key, f"the policy has no column '{name}'. {did_you_mean(name, policy.columns)}"
    elif policy.columns[name].role is Role.sensitive and role is Role.quasi:
        what = f"column '{name}' is sensitive and cannot be quasi as well"
        yield key, f"{what}. Take it out of 'columns', or set columns.{name}.role: quasi."
    elif policy.columns[name].role is not role:
        there = policy.columns[name].role.value
        rest = ", ".join(policy.with_role(role)) or "none"
        yield (
            key,
            f"column '{name}' has role {there}, but {role.value} is needed here. "
            f"Set columns.{name}.role: {role.value}, or name another ({role.value}: {rest}).",
        )


def _find_distance_problems(policy: Policy, here: Key, model: Any) -> Iterator[tuple[Key, str]]:
    name = model.sensitive
    if getattr(model, "distance", None) != "hierarchical" or name not in policy.columns:
        return
    if policy.columns[name].hierarchy is None:
        what = f"needs a hierarchy for '{name}'. Add columns.{name}.hierarchy."
        yield (*here, "distance"), what


def _find_register_problems(policy: Policy, here: Key, model: Any) -> Iterator[tuple[Key, str]]:
    """A register is joined on all quasi columns, and a missing value in it is a value."""
    if not hasattr(model, "register"):
        return
    if model.columns is not None and set(model.columns) != set(policy.quasi):
        what = "a register is joined on all quasi columns. Remove 'columns'"
        yield (*here, "columns"), f"{what}, or give the others another role."
    for name in model.names or ():
        if name not in policy.quasi:
            what = f"'{name}' is not a quasi column. {did_you_mean(name, policy.quasi)}"
            yield (*here, "names"), what
    if policy.missing.wildcard:
        yield ("missing",), f"wildcard cannot be combined with {model.name}. Use missing: value."
    if policy.formulas == "quote":
        what = f"{model.name} compares quasi columns with a register, which has the values as found"
        yield ("formulas",), f"{what}. Use formulas: keep, and write .xlsx."
    if policy.suppressed_rows == "keep" and model.name == "delta_presence":
        what = "rows of * match everybody, so nobody's probability could be calculated"
        yield ("suppressed_rows",), f"{what}. Use suppressed_rows: drop with delta_presence."


def _find_preference_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    quasi, before = policy.quasi, set[str]()
    for number, name in enumerate(policy.prefer):
        if name not in quasi:
            what = f"'{name}' is not a quasi column. {did_you_mean(name, quasi)}"
            yield ("prefer", number), what
        elif name in before:
            yield ("prefer", number), f"'{name}' is named twice. Remove one."
        before.add(name)


def _find_wildcard_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    """Where missing values match anything, classes overlap and cannot be averaged over."""
    for model in policy.require:
        if policy.missing.wildcard and hasattr(model, "find_least_class"):
            what = f"wildcard cannot be combined with {model.name}, whose classes must not overlap"
            yield ("missing",), f"{what}. Use missing: value, or k_anonymity."


def _find_blind_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    """Refuse whatever could let sensitive values influence a blind choice."""
    from discreet.algorithms.blind_choice import BLIND

    if policy.choice != "blind" or not any(model.sensitive for model in policy.require):
        return
    here: Key = ("choice",)
    if not isinstance(policy.algorithm, BLIND):
        names = ", ".join(algorithm.name for algorithm in BLIND)
        what = f"the algorithm {policy.algorithm.name} cannot choose blindly"
        yield here, f"{what}. Use one of {names}, or choice: best."
    if policy.row_weight is not None:
        what = "row weights may depend on sensitive values, and would influence the choice"
        yield ("row_weight",), f"{what}. Remove it, or use choice: best."
    if policy.suppressed_rows == "keep":
        what = "whether rows of * may stay depends on their sensitive values"
        yield ("suppressed_rows",), f"{what}. Use drop with choice: blind."
    if policy.techniques:
        what = "techniques about several columns may carry sensitive values over to quasi columns"
        yield ("techniques",), f"{what}. Remove them, or use choice: best."


def find_lacking_columns(names: list[str], there: list[str], file: str) -> list[tuple[Key, str]]:
    """What to say of the columns that a table lacks.

    If it lacks them all, its first line may hold cells instead of names, so it is not quoted.
    """
    present = set(there)
    absent = [name for name in names if name not in present]
    if absent and len(absent) == len(names):
        some = there[:MOST_COMPARED]
        near = [match for name in absent[:MOST] for match in get_close_matches(name, some, n=1)]
        guess = f"Did you mean '{near[0]}'? " if near else ""
        what = f"no column '{names[0]}'" if len(names) == 1 else "none of the columns named here"
        fix = "Check its first line, which must name the columns, and the separator."
        return [(("columns",), f"{file} has {what}. {guess}{fix}")]
    return [
        (("columns", name), f"{file} has no column '{name}'. {did_you_mean(name, there)}")
        for name in absent[:MOST]
    ]


def make_policy_error(
    error: ValidationError, source: Source, keys: Iterable[str], column_keys: Iterable[str]
) -> PolicyError:
    """All that is wrong, in the words of the policy and with its lines.

    A key that is not known is compared with those of the policy, or with those of a column.
    """
    problems: list[PolicyProblem] = []
    errors = error.errors(include_url=False)
    for one in errors:
        key: Key = tuple(part for part in one["loc"] if part != "[key]")
        if one["type"] == "too_short" and any(_is_below(other, one) for other in errors):
            continue  # what is in it is wrong, and was left out of the count
        known = column_keys if key[:1] == ("columns",) and len(key) > 2 else keys
        below = one.get("ctx", {}).get("key", ())
        problems.append(source.make_problem((*key, *below), _explain(one, key, known)))
    return PolicyError(problems, source.file)


def _is_below(one: Any, other: Any) -> bool:
    """Whether a mistake is at a key below that of another."""
    here = other["loc"]
    return len(one["loc"]) > len(here) and one["loc"][: len(here)] == here


def _explain(one: Any, key: Key, known: Iterable[str]) -> str:
    kind, value, context = one["type"], one["input"], one.get("ctx", {})
    fix = FIXES.get(key, "")
    match kind:
        case "policy":
            return str(context["what"])
        case "extra_forbidden":
            meant = KEY_SYNONYMS.get(str(key[-1]).casefold(), key[-1])
            return f"is not a key here. {did_you_mean(meant, known)}"
        case "missing":
            return f"is missing. {fix or _write_example(key)}"
        case "literal_error":
            choices = context["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            return f"{describe_value(value)} is not understood. {did_you_mean(value, choices)}"
        case "greater_than" | "greater_than_equal":
            word = "above" if kind == "greater_than" else "at least"
            limit = context.get("gt", context.get("ge"))
            return f"must be {word} {limit:g}, there is {describe_value(value)}."
        case "too_short":
            return f"is empty. {fix}"
    wanted = WANTED.get(kind, one["msg"])
    number = hint_unquoted(value) if "number" in wanted else ""
    hint = f"{number} {fix or _write_example(key)}"
    return f"needs {wanted}, there is {describe_value(value)}.{hint}".strip()


def _write_example(key: Key) -> str:
    if key[0] == "columns" and (len(key) == 2 or key[2:] == ("role",)):
        roles = ", ".join(role.value for role in Role)
        return f"Write {key[1]}: {{role: quasi}}; roles are {roles}."
    return ""
