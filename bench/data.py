"""The tables with known figures: adult and cup, with the hierarchies beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.case import Skip

if TYPE_CHECKING:
    from discreet.policy.policy import Policy

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILES = {"adult": "adult/adult_arx.csv", "cup": "cup/cup.csv"}


def file_of(table: str) -> Path:
    """The rows of a table, or a skip that says what is missing."""
    path = DATA / FILES[table]
    if not path.is_file():
        raise Skip(f"there is no ../shared/data/{FILES[table]}")
    return path


def columns_of(table: str) -> list[str]:
    """The columns of a table, in the order of the file."""
    with file_of(table).open() as file:
        return file.readline().strip().split(";")


def hierarchy_files(table: str) -> dict[str, Path]:
    """The hierarchy file of each column."""
    folder = file_of(table).parent / "hierarchies"
    return {column: folder / f"{column}.csv" for column in columns_of(table)}


def policy_facts(
    table: str, suppress: float, models: list[Any], sensitive: str | None = None
) -> dict[str, Any]:
    """A policy as a policy file would say it: all columns quasi but one."""
    columns: dict[str, Any] = {
        column: {"role": "quasi", "hierarchy": {"file": str(file)}}
        for column, file in hierarchy_files(table).items()
    }
    if sensitive is not None:
        columns[sensitive] = {"role": "sensitive"}
    return {"columns": columns, "require": models, "suppress": suppress, "seed": 1}


def policy_of(
    table: str, suppress: float, models: list[Any], sensitive: str | None = None
) -> Policy:
    """The same as a Policy."""
    from discreet.policy.policy import Policy

    return Policy(**policy_facts(table, suppress, models, sensitive))
