"""What a policy says of people who have many rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import ParameterError, did_you_mean
from discreet.frequency.classes import Ints
from discreet.models.k_anonymity import KAnonymity
from discreet.models.l_diversity import LDiversity
from discreet.models.safe_harbor import SafeHarbor
from discreet.models.t_closeness import TCloseness
from discreet.number_range import NumberRange
from discreet.policy.messages import describe_value, make_mistake
from discreet.policy.policy_file import Key
from discreet.policy.replacement import resolve_key_path
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


# What happens to the number of rows per person, which alone can distinguish people.


Kind = Literal["keep", "ignore", "cap", "group"]
OWNER = "records"
ROWS = NumberRange(least=1, most=1_000_000_000, whole=True)
WANTED = "keep, ignore, {cap: 5} or {group: [1, 2, 5, 10]}"


@dataclass(frozen=True)
class RecordRule:
    """How many rows of each person are released, and whether that number counts as known.

    Parameters
    ----------
    kind
        ``keep`` releases all rows, and people are equal only if they have the same number.
        ``ignore`` releases all and assumes that their number is unknown. ``cap`` leaves out, at
        random, what is beyond a number; ``group`` what is beyond the next lower of some numbers.
    numbers
        The number of a cap; the numbers of groups, from low to high.

    Examples
    --------
    >>> RecordRule("group", (1, 2, 5)).limit_rows(np.array([1, 4, 5, 9])).tolist()
    [1, 2, 5, 5]
    >>> RecordRule("cap", (3,)).limit_rows(np.array([1, 4])).tolist()
    [1, 3]

    Notes
    -----
    [Sweeney2001]_, sec. 6.2: "the number of occurrences [...] can combine to reveal sensitive
    information". *Departures*: the thesis names the danger and no rule. *Cost*: one look-up per
    person.
    """

    kind: Kind = "keep"
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ParameterError(OWNER, OWNER, WANTED)
        rising = ROWS.wanted.replace("a whole number", "rising whole numbers")
        wanted = {"cap": ROWS.wanted, "group": rising}
        if self.kind in wanted and not self._has_right_numbers():
            raise ParameterError(OWNER, self.kind, wanted[self.kind])

    def _has_right_numbers(self) -> bool:
        whole = all(type(n) is int and ROWS.contains(n) for n in self.numbers)
        many = len(self.numbers) == 1 if self.kind == "cap" else len(self.numbers) >= 1
        return whole and many and all(np.diff(self.numbers) > 0)

    @property
    def counts(self) -> bool:
        """Whether people are equal only if they have the same number of rows."""
        return self.kind != "ignore"

    def limit_rows(self, rows: Ints) -> Ints:
        """How many rows each person may keep, of those there are; 0 where the rule leaves none."""
        if self.kind == "cap":
            return np.minimum(rows, self.numbers[0])
        if self.kind == "group":
            steps = np.array((0, *self.numbers), dtype=np.int64)
            found: Ints = steps[np.searchsorted(steps, rows, side="right") - 1]
            return found
        return rows

    def draw_rows(
        self, person: npt.NDArray[np.int32], people: int, random: np.random.Generator
    ) -> npt.NDArray[np.bool_]:
        """Which rows stay; ``person`` says whose each is, and chance decides between them."""
        rows = np.bincount(person, minlength=people).astype(np.int64)
        allowed = self.limit_rows(rows)
        if np.array_equal(allowed, rows):
            return np.ones(len(person), dtype=np.bool_)
        order = np.lexsort((random.random(len(person)), person))
        first = np.cumsum(rows) - rows
        place = np.arange(len(person)) - first[person[order]]
        stays = np.empty(len(person), dtype=np.bool_)
        stays[order] = place < allowed[person[order]]
        return stays

    def write_spec(self) -> Any:
        """What a policy file says of it."""
        if self.kind == "cap":
            return {"cap": self.numbers[0]}
        return {"group": list(self.numbers)} if self.kind == "group" else self.kind

    def describe_consequence(self) -> str:
        """What the rule means for those who get the release, and for those who are in it."""
        if self.kind == "keep":
            return (
                "the number of rows of a person is assumed to be known: all people of a class have "
                "the same number"
            )
        if self.kind == "ignore":
            return (
                "the number of rows of a person is assumed to be unknown: anyone who knows it can "
                "distinguish people who are equal here"
            )
        if self.kind == "cap":
            cap = self.numbers[0]
            return (
                f"nobody has more than {cap:,} row{'s'[: cap != 1]}; rows beyond that were left "
                "out at random, so sums and counts of rows are too low"
            )
        *most, last = (f"{n:,}" for n in self.numbers)
        listed = f"{', '.join(most)} or {last} rows" if most else f"{last} row{'s'[: last != '1']}"
        return (
            f"everybody has {listed}; rows beyond the next lower number were left out at random, "
            "so sums and counts of rows are too low"
        )


def parse_record_rule(value: Any) -> RecordRule:
    """The rule that a policy writes under ``records``."""
    if isinstance(value, RecordRule):
        return value
    if value in ("keep", "ignore"):
        return RecordRule(value)
    if isinstance(value, Mapping) and len(value) == 1:
        ((kind, numbers),) = value.items()
        if kind in ("cap", "group"):
            listed = isinstance(numbers, list | tuple)
            if listed == (kind == "group"):
                return RecordRule(kind, tuple(numbers) if listed else (numbers,))
            wanted = "a list of numbers" if kind == "group" else "one number"
            raise ParameterError(OWNER, kind, wanted)
    raise ParameterError(OWNER, OWNER, WANTED)


RECORDS_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"enum": ["keep", "ignore"]},
        {
            "type": "object",
            "properties": {
                "cap": {
                    "description": "The most rows that a person keeps; chance decides which.",
                    "type": "integer",
                    **ROWS.schema,
                },
                "group": {
                    "description": "Numbers of rows that a person may have, from low to high.",
                    "type": "array",
                    "items": {"type": "integer", **ROWS.schema},
                    "minItems": 1,
                },
            },
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        },
    ]
}
"""What a policy may say under ``records``; see :func:`parse_record_rule`."""

ALGORITHMS = ("optimal", "datafly", "fixed")
"""Those that search by whole columns, which is where people can be counted."""
MODELS = (KAnonymity.name, LDiversity.name, TCloseness.name, SafeHarbor.name)
"""What can be promised about people, and what is promised about columns."""
COUNTED = (KAnonymity, LDiversity, TCloseness)
"""Those of the models that count people."""
EXAMPLE = "Write people: {column: patient_id}."


@dataclass(frozen=True)
class PeoplePolicy:
    """Which person each row belongs to, and what happens to the number of rows per person.

    Parameters
    ----------
    column
        The column that tells people apart. It is released as a pseudonym.
    key
        The file of the key that pseudonyms are made with, so that they are the same in other
        releases. Without one a key is drawn for this run, and nobody keeps it.
    records
        What happens to the number of rows per person: ``keep``, ``ignore``, or rows beyond a
        ``cap`` or a ``group`` are left out.
    names
        What tables that are released together call the column, where it has another name there.

    Examples
    --------
    >>> PeoplePolicy("patient").write_spec(None)
    {'column': 'patient'}
    """

    column: str
    key: Path | None = None
    records: RecordRule = field(default_factory=RecordRule)
    names: Mapping[str, str] = field(default_factory=dict)

    def rename_for(self, table: str) -> PeoplePolicy:
        """The same for one of several tables, with the name that the column has there."""
        return replace(self, column=self.names.get(table, self.column), names={})

    def write_spec(self, folder: Path | None = None) -> dict[str, Any]:
        """What a policy file says of it; the path becomes relative to ``folder``."""
        told: dict[str, Any] = {"column": self.column}
        if self.key is not None:
            told["key"] = str(self.key) if folder is None else os.path.relpath(self.key, folder)
        if self.records != RecordRule():
            told["records"] = self.records.write_spec()
        if self.names:
            told["names"] = dict(self.names)
        return told


KEYS = tuple(part.name for part in fields(PeoplePolicy))


def parse_people(value: Any, folder: Path) -> PeoplePolicy:
    """What a policy writes under ``people``; paths are relative to ``folder``."""
    if isinstance(value, PeoplePolicy):
        return value
    if not isinstance(value, Mapping):
        raise make_mistake(
            f"needs the column of people, there is {describe_value(value)}. {EXAMPLE}"
        )
    for key in value:
        if key not in KEYS:
            raise make_mistake(f"is not a key here. {did_you_mean(key, KEYS)}", (str(key),))
    column, key = value.get("column"), value.get("key")
    if not isinstance(column, str) or not column:
        raise make_mistake(
            f"needs the name of a column, there is {describe_value(column)}.", ("column",)
        )
    try:
        rule = parse_record_rule(value.get("records", "keep"))
    except ParameterError as error:
        told = str(error).removeprefix(f"{error.owner}: '{error.key}' ")
        below = ("records",) if error.key == "records" else ("records", error.key)
        raise make_mistake(told, below) from None
    path = None if key is None else resolve_key_path(key, folder, "key", ("key",))
    return PeoplePolicy(column, path, rule, _parse_names(value.get("names")))


def _parse_names(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    texts = isinstance(value, Mapping) and all(isinstance(v, str) and v for v in value.values())
    if not texts:
        what = f"needs the column of each table, there is {describe_value(value)}"
        raise make_mistake(f"{what}. Write names: {{visits: patient_id}}.", ("names",))
    return {str(table): column for table, column in value.items()}


def find_people_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    """What does not go with ``people``, each with its key and what to do."""
    people: PeoplePolicy | None = policy.people
    if people is None:
        return
    named = policy.columns.get(people.column)
    if named is not None and named.role is not Role.identifier:
        what = f"'{people.column}' tells people apart (people.column), so it cannot be "
        fix = "Set role: identifier, or remove it: it is released as a pseudonym."
        yield ("columns", people.column, "role"), f"{what}{named.role.value}. {fix}"
    if policy.algorithm.name not in ALGORITHMS:
        what = f"{policy.algorithm.name} counts rows and cannot count people"
        yield ("algorithm",), f"{what}. With 'people' use {' or '.join(ALGORITHMS)}."
    for number, model in enumerate(policy.require):
        if told := _explain_refused_model(model, people.records):
            yield ("require", number, model.name), told
    if not any(isinstance(model, KAnonymity) for model in policy.require):
        what = "nothing is promised about people"
        yield (
            ("require",),
            f"{what}. With 'people', require a class size: - k_anonymity: {{k: 5}}.",
        )
    if policy.missing.wildcard:
        what = "records are compared as they are, so a missing value is a value of its own"
        yield ("missing",), f"{what}. With 'people' use missing: value."
    if policy.suppressed_rows != "drop":
        what = "rows of * with a pseudonym would show how many rows a suppressed person has"
        yield ("suppressed_rows",), f"{what}. With 'people' use suppressed_rows: drop."
    if policy.row_weight is not None:
        yield ("row_weight",), "row weights have no effect with 'people'. Remove it."
    if policy.anonymity is not None:
        what = "an anonymity level is calculated from the number of rows"
        yield ("anonymity",), f"{what}. With 'people' give k: require: - k_anonymity: {{k: 5}}."


def _explain_refused_model(model: Any, rule: RecordRule) -> str:
    """Why a promise cannot be made about people, and what can; empty if it can be made."""
    if model.name not in MODELS:
        instead = "k_anonymity" if model.sensitive is None else "l_diversity or t_closeness"
        what = f"{model.name} is about rows and cannot be promised for people"
        return f"{what}. With 'people' use {instead}."
    if isinstance(model, LDiversity) and model.kind == "entropy" and rule.numbers != (1,):
        what = "entropy is that of one value per person, and people may have several rows"
        return f"{what}. Use kind: distinct or recursive, or keep one row: records: {{cap: 1}}."
    if isinstance(model, TCloseness) and model.distance != "equal":
        what = f"the {model.distance} distance is between single values, and people have several"
        return f"{what}. With 'people' use distance: equal."
    return ""
