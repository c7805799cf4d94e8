"""What a policy says of people who have many rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import ParameterError, did_you_mean
from discreet.models.k_anonymity import KAnonymity
from discreet.models.safe_harbor import SafeHarbor
from discreet.people.record_rule import RecordRule, record_rule
from discreet.release.parts import mistake, shown
from discreet.release.policy_file import Key
from discreet.release.replacement import key_path
from discreet.table.role import Role

if TYPE_CHECKING:
    from discreet.release.policy import Policy

KEYS = ("column", "key", "records", "names")
ALGORITHMS = ("optimal", "datafly")
"""Those that search by whole columns, which is where people can be counted."""
MODELS = (KAnonymity.name, SafeHarbor.name)
"""What can be promised of people, and what is promised of columns."""
EXAMPLE = "Write people: {column: patient_id}."


@dataclass(frozen=True)
class PeoplePolicy:
    """Whose row each row is, and what becomes of the number of rows a person has.

    Parameters
    ----------
    column
        The column that tells people apart. It is released as a pseudonym.
    key
        The file of the key that pseudonyms are made with, so that they are the same in other
        releases. Without one a key is drawn for this run, and nobody keeps it.
    records
        What becomes of the number of rows a person has.
    names
        What tables that are released together call the column, where it is something else.

    Examples
    --------
    >>> PeoplePolicy("patient").spec(None)
    {'column': 'patient'}
    """

    column: str
    key: Path | None = None
    records: RecordRule = field(default_factory=RecordRule)
    names: Mapping[str, str] = field(default_factory=dict)

    def of_table(self, table: str) -> PeoplePolicy:
        """The same for one of several tables, with the name that the column has there."""
        return replace(self, column=self.names.get(table, self.column), names={})

    def spec(self, folder: Path | None = None) -> dict[str, Any]:
        """What a policy file says of it; the path becomes relative to ``folder``."""
        told: dict[str, Any] = {"column": self.column}
        if self.key is not None:
            told["key"] = str(self.key) if folder is None else os.path.relpath(self.key, folder)
        if self.records != RecordRule():
            told["records"] = self.records.spec()
        if self.names:
            told["names"] = dict(self.names)
        return told


def people_policy(value: Any, folder: Path) -> PeoplePolicy:
    """What a policy writes under ``people``; paths are relative to ``folder``."""
    if isinstance(value, PeoplePolicy):
        return value
    if not isinstance(value, Mapping):
        raise mistake(f"needs the column of people, there is {shown(value)}. {EXAMPLE}")
    for key in value:
        if key not in KEYS:
            raise mistake(f"is not a key here. {did_you_mean(key, KEYS)}", (str(key),))
    column, key = value.get("column"), value.get("key")
    if not isinstance(column, str) or not column:
        raise mistake(f"needs the name of a column, there is {shown(column)}.", ("column",))
    try:
        rule = record_rule(value.get("records", "keep"))
    except ParameterError as error:
        told = str(error).removeprefix(f"{error.owner}: '{error.key}' ")
        below = ("records",) if error.key == "records" else ("records", error.key)
        raise mistake(told, below) from None
    path = None if key is None else key_path(key, folder, ("key",))
    return PeoplePolicy(column, path, rule, _names(value.get("names")))


def _names(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    texts = isinstance(value, Mapping) and all(isinstance(v, str) and v for v in value.values())
    if not texts:
        what = f"needs the column of each table, there is {shown(value)}"
        raise mistake(f"{what}. Write names: {{visits: patient_id}}.", ("names",))
    return {str(table): column for table, column in value.items()}


def people_problems(policy: Policy) -> Iterator[tuple[Key, str]]:
    """What does not go with ``people``, each with its key and what to do."""
    people: PeoplePolicy | None = policy.people
    if people is None:
        return
    named = policy.columns.get(people.column)
    if named is not None and named.role is not Role.identifier:
        what = f"'{people.column}' tells people apart (people.column), so it cannot be "
        fix = "Set role: identifier, or take it out: it is released as a pseudonym."
        yield ("columns", people.column, "role"), f"{what}{named.role.value}. {fix}"
    if policy.algorithm.name not in ALGORITHMS:
        what = f"{policy.algorithm.name} counts rows and cannot count people"
        yield ("algorithm",), f"{what}. With 'people' use {' or '.join(ALGORITHMS)}."
    for number, model in enumerate(policy.require):
        if model.name not in MODELS:
            what = f"{model.name} is about rows and cannot be promised of people"
            yield ("require", number, model.name), f"{what}. With 'people' use k_anonymity."
    if not any(isinstance(model, KAnonymity) for model in policy.require):
        what = "nothing is promised of people"
        yield (
            ("require",),
            f"{what}. With 'people' say how many must be alike: - k_anonymity: {{k: 5}}.",
        )
    if policy.missing != "value":
        what = "records are compared as they are, a missing value is a value"
        yield ("missing",), f"{what}. With 'people' use missing: value."
    if policy.suppressed_rows != "drop":
        what = "rows of * with a pseudonym would tell how many rows a suppressed person has"
        yield ("suppressed_rows",), f"{what}. With 'people' use suppressed_rows: drop."
    if policy.row_weight is not None:
        yield ("row_weight",), "rows are weighed by nothing with 'people'. Remove it."
    if policy.anonymity is not None:
        what = "an anonymity level is worked out from rows"
        yield ("anonymity",), f"{what}. With 'people' give k: require: - k_anonymity: {{k: 5}}."
