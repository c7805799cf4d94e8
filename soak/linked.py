"""Several tables about the same people, released together, checked person by person."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from soak.ladders import STAR, build_ladder
from soak.oracle import exact
from soak.part import ProductError
from soak.policies import write_policy
from soak.tables import Cell, read_table, write_table

HIERARCHIES: dict[str, dict[str, Any]] = {
    "persons.sex": {"flat": True},
    "persons.born": {"intervals": [5, 10]},
    "stays.zip": {"prefix": [4, 3]},
    "stays.ward": {"flat": True},
}
"""The quasi columns of the two tables."""
Tables = Mapping[str, Mapping[str, Sequence[Cell]]]


def run_together(
    random: Random, folder: Path, run_app: Callable[[list[str]], tuple[int, str, str]]
) -> Counter[str]:
    """Two tables, one policy, one release of both; or a refusal, which is counted."""
    names = {"stays": "patient_id"} if random.random() < 0.4 else {}
    tables = _make_tables(random, names.get("stays", "patient"))
    policy = _make_policy(random, names)
    write_policy(folder / "policy.yaml", policy)
    for name, cells in tables.items():
        write_table(folder / f"{name}.csv", cells)
    target = folder / "released"
    asked = ["together", *(str(folder / f"{name}.csv") for name in tables)]
    asked += ["--policy", str(folder / "policy.yaml"), "-o", str(target), "--json"]
    code, printed, said = run_app(asked)
    if "Traceback" in said or "is a bug" in said or code not in (0, 2):
        raise ProductError(f"together: exit code {code}: {said[-1000:]}")
    if code == 2:
        if target.exists():
            raise ProductError("together: refused, and a release is there")
        return Counter({"refused": 1, "refused: together": 1})
    released = {name: read_table(target / f"{name}.csv") for name in tables}
    check_together(tables, released, policy, json.loads(printed))
    return Counter({"releases": 1, "together": 1})


def _make_tables(random: Random, second: str) -> Tables:
    people = [f"P{number:02}" for number in range(random.choice((6, 12, 25, 40)))]
    persons = [one for one in people if random.random() < 0.95]
    stays = random.choices(people, k=random.choice((0, 5, len(people), 2 * len(people))))
    return {
        "persons": {
            "patient": persons,
            "sex": [random.choice("fm") for _ in persons],
            "born": [str(random.choice((1961, 1963, 1968, 1972))) for _ in persons],
        },
        "stays": {
            second: stays,
            "zip": [random.choice(("02138", "02139", "10001")) for _ in stays],
            "ward": [random.choice(("North", "South")) for _ in stays],
            "problem": [random.choice(("flu", "rash", "=1")) for _ in stays],
        },
    }


def _make_policy(random: Random, names: Mapping[str, str]) -> dict[str, Any]:
    quasi = random.sample(list(HIERARCHIES), random.choice((2, 3, 4)))
    columns: dict[str, Any] = {
        name: {"role": "quasi", "hierarchy": HIERARCHIES[name]} for name in quasi
    }
    people: dict[str, Any] = {"column": "patient"}
    if names:
        people["names"] = dict(names)
    if random.random() < 0.5:
        people["records"] = random.choice(("keep", "ignore", {"cap": 2}))
    return {
        "people": people,
        "columns": {**columns, "stays.problem": {"role": "sensitive"}},
        "require": [{"k_anonymity": {"k": random.choice((2, 3))}}],
        "suppress": random.choice((0, 0.1, 0.3, 0.8)),
        "algorithm": random.choice(("optimal", "datafly")),
        "seed": random.randrange(1000),
    }


def check_together(
    tables: Tables, released: Tables, policy: Mapping[str, Any], facts: Mapping[str, Any]
) -> None:
    """Every person has k - 1 others with the same rows in all tables, and every row is true."""
    said = policy["people"]
    key = {name: said.get("names", {}).get(name, "patient") for name in tables}
    rule = said.get("records", "keep")
    records: dict[Cell, list[Any]] = defaultdict(list)
    truly = {cell for name in tables for cell in tables[name][key[name]]}
    for name, cells in released.items():
        quasi = [one.split(".")[1] for one in policy["columns"] if one.startswith(f"{name}.")]
        shown = [key[name], *quasi]
        if set(cells) != set(shown):
            raise ProductError(f"together: {name} has the columns {sorted(cells)}")
        kept = [one for one in quasi if one != "problem"]
        for row, person in enumerate(cells[key[name]]):
            records[person].append((name, *(cells[one][row] for one in kept)))
        _check_rows(name, tables[name], cells, policy)
    if truly & set(records):
        raise ProductError("together: a person's own identifier was released")
    k = policy["require"][0]["k_anonymity"]["k"]
    counts = Counter(
        tuple(sorted(set(rows) if rule == "ignore" else rows)) for rows in records.values()
    )
    fewest = min(counts.values(), default=k)
    if fewest < k:
        raise ProductError(f"together: {fewest} people have the same rows, k is {k}")
    if facts["people"] != len(truly) or facts["people_released"] != len(records):
        raise ProductError(
            f"together: {facts['people']} and {facts['people_released']} people said, "
            f"{len(truly)} and {len(records)} counted"
        )
    if len(truly) - len(records) > math.floor(exact(policy["suppress"]) * len(truly)):
        raise ProductError("together: more people were left out than the policy allows")


def _check_rows(
    name: str,
    private: Mapping[str, Sequence[Cell]],
    released: Mapping[str, Sequence[Cell]],
    policy: Mapping[str, Any],
) -> None:
    """No value is there more often than in the table, and each is one of its column's labels."""
    for column in released:
        said = policy["columns"].get(f"{name}.{column}")
        if said is None:
            continue
        if said["role"] == "sensitive":
            more = Counter(released[column]) - Counter(private[column])
            if more:
                raise ProductError(f"together: values of {name}.{column} that no row has")
            continue
        ladder = build_ladder(said["hierarchy"], list(private[column]), Path())
        levels = list(zip(*ladder.up.values(), strict=True))
        fitting = [labels for labels in levels if set(released[column]) <= {*labels, STAR}]
        if released[column] and not fitting:
            raise ProductError(f"together: {name}.{column} is not at one level")
