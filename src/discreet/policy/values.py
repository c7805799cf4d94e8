"""What the keys of a policy may hold, each turned into the object that means it.

The parts are loaded when a policy first names them.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from pydantic import ValidationInfo

from discreet.errors import DiscreetError, did_you_mean
from discreet.policy.parts import (
    OfColumn,
    build,
    describe_value,
    hint_percent,
    hint_unquoted,
    mistake,
)
from discreet.policy.problems import ROLE_SYNONYMS
from discreet.table.table import Role


def _folder(info: ValidationInfo) -> Path:
    folder: Path = (info.context or {}).get("folder", Path())
    return folder


def role_of(value: Any) -> Role:
    """The role that was named."""
    if isinstance(value, Role):
        return value
    roles = [role.value for role in Role]
    if isinstance(value, str) and value in roles:
        return Role(value)
    told = (
        f"'{value}' is not a role"
        if isinstance(value, str)
        else f"there is {describe_value(value)}"
    )
    meant = ROLE_SYNONYMS.get(str(value).casefold(), value)
    raise mistake(f"{told}. {did_you_mean(meant, roles)}")


def hierarchy_of(value: Any, info: ValidationInfo) -> Any:
    """A builder of a hierarchy, or what proposes one from the data."""
    if value is None or callable(getattr(value, "build", None)):
        return value
    from discreet.hierarchy.spec import make_builder
    from discreet.policy.auto import Auto

    if value in ("auto", {"auto": True}):
        return Auto()
    try:
        return make_builder(value, _folder(info))
    except DiscreetError as error:
        raise mistake(str(error)) from None


def model_of(value: Any, info: ValidationInfo) -> Any:
    """A promise."""
    from discreet import models
    from discreet.policy.at_level import parse_k_of_level

    found = parse_k_of_level(value, _folder(info))
    return build("model", models.ALL, value, _folder(info)) if found is None else found


def algorithm_of(value: Any) -> Any:
    """An algorithm with its parameters."""
    from discreet import algorithms

    return build("algorithm", algorithms.ALL, value)


def measure_of(value: Any) -> Any:
    """A measure with its parameters."""
    from discreet import measures

    return build("measure", measures.ALL, value)


def share_of(value: Any) -> Any:
    """A share of rows; people write percent, so say what the share would be."""
    number = value
    if isinstance(value, str):
        if not value.strip().endswith("%"):
            found = f"{describe_value(value)}.{hint_unquoted(value)}"
            raise mistake(f"needs a share from 0 to 1, there is {found}")
        try:
            number = float(value.strip().removesuffix("%"))
        except ValueError:
            number = math.nan
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise mistake(f"needs a share from 0 to 1, there is {describe_value(value)}.")
    if 0 <= number <= 1 and number is value:
        return float(number)
    what = f"is a share of the rows, from 0 to 1; there is {describe_value(value)}."
    raise mistake(f"{what}{hint_percent(number)}")


def scrub_of(value: Any, info: ValidationInfo) -> Any:
    """How texts are scrubbed; None if they are not."""
    if value is None or value is False:
        return None
    from discreet.policy.text_columns import parse_text_scrub

    try:
        return parse_text_scrub(value, _folder(info))
    except DiscreetError as error:
        raise mistake(str(error)) from None


def replacement_of(value: Any, info: ValidationInfo) -> Any:
    """What an identifier is replaced by."""
    if value is None:
        return None
    from discreet.policy.replacement import parse_replacement

    return parse_replacement(value, _folder(info))


def techniques_of(value: Any, info: ValidationInfo) -> Any:
    """The techniques of the table as a whole."""
    if value is None or value == ():
        return ()
    from discreet.policy.techniques import parse_techniques

    return parse_techniques(value, _folder(info))


def column_techniques_of(value: Any, info: ValidationInfo) -> Any:
    """The techniques of one column."""
    if value is None or value == ():
        return ()
    from discreet.policy.techniques import parse_column_techniques

    return parse_column_techniques(value, _folder(info))


def columns_named(columns: Any) -> Any:
    """Tell the technique of a column which column that is."""
    if not isinstance(columns, dict):
        return columns
    return {
        name: {**column, "technique": OfColumn(name, column["technique"])}
        if isinstance(column, dict) and column.get("technique") is not None
        else column
        for name, column in columns.items()
    }


def people_of(value: Any, info: ValidationInfo) -> Any:
    """People who have many rows."""
    if value is None:
        return None
    from discreet.policy.people import parse_people

    return parse_people(value, _folder(info))


def profiles_of(value: Any) -> Any:
    """The recipients, by name."""
    if not value:
        return {}
    from discreet.policy.profiles import parse_profiles

    return parse_profiles(value)


def anonymity_of(value: Any) -> Any:
    """The anonymity level."""
    if value is None:
        return None
    from discreet.policy.anonymity_level import parse_anonymity

    return parse_anonymity(value)
