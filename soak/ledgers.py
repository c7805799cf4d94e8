"""Sequences of releases and parts through one ledger, put together by whoever holds them.

What is promised is on ``docs/explain/ledger.md``. The worst is assumed: a released key tells which
rows of two releases are the same. Two kinds of sequences are made: whole tables that grow, and
parts of a table that stays as it is.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from soak.ladders import Ladder, build_ladder
from soak.oracle import exact
from soak.part import Part, ProductError
from soak.policies import write_policy
from soak.releases import BUG, WAYS, run_app, run_shell
from soak.tables import Cell, read_table, write_table

Row = dict[str, str]
HIERARCHIES: dict[str, Any] = {
    "zip": {"prefix": [4, 3, 1], "top": "*"},
    "age": {"intervals": [5, 10, 20], "top": "*"},
    "sex": {"flat": True},
    "place": {
        "tree": {"*": {"north": ["Oslo", "Bergen"], "south": ["Rome", "Bari"], "Moon": None}}
    },
}
"""Each ends in ``*`` whatever the values are, so that a level is the same in every state."""

VALUES = {
    "zip": ("02138", "02139", "02141", "02142", "10001"),
    "age": ("21", "23", "27", "31", "38", "44"),
    "sex": ("f", "m"),
    "place": ("Oslo", "Bergen", "Rome", "Bari", "Moon"),
}
ILLNESSES = ("flu", "gout", "rash")
MEMBERS = {"registry": ("lab",), "council": ("registry",)}
"""Who is part of which audience: what the council gets the registry has, and so has the lab."""

AUDIENCES = ("public", "lab", "lab", "registry", "council", "clinic")


@dataclass(frozen=True, eq=False)
class Held:
    """A release as its readers have it: rows by key, the levels, and who met the condition."""

    to: str
    levels: Mapping[str, int]
    rows: Mapping[str, Mapping[str, Cell]]
    met: frozenset[str]
    """Keys of the rows of the table that met the condition, released or not."""


def run_case(random: Random, folder: Path) -> Counter[str]:
    """A sequence of releases; all that each reader holds is put together."""
    grows = random.random() < 0.5
    quasi = random.sample(list(VALUES), random.choice((2, 2, 3)))
    table = [_person(random, number) for number in range(random.randint(10, 40))]
    k, ell = random.choice((2, 2, 3, 4)), random.choice((0, 0, 2))
    members = random.random() < 0.3
    if members:
        _say_members(folder / "ledger")
    made: list[Held] = []
    counts = Counter({"tables that grow" if grows else "parts": 1})
    for number in range(random.choice((2, 3, 4))):
        if grows and number:
            more = random.choice((0, 1, 2, 5, 12))
            table += [_person(random, len(table) + place) for place in range(more)]
        step = _step(random, quasi, k, 0 if grows else ell, grows, members)
        held = _release(random, folder, table, step, number)
        if held is None:
            counts["refused"] += 1
        else:
            made.append(held)
            counts[f"release {len(made)}"] += 1
            counts[f"to {held.to}"] += 1
    for reader in set(AUDIENCES):
        known = [one for one in made if one.to in _sources(reader, members)]
        if len(known) > 1:
            counts["joined"] += 1
            counts["releases joined"] += len(known)
        if grows:
            check_growing(known, k)
        else:
            check_parts(known, table, k, ell)
    return counts


def _say_members(ledger: Path) -> None:
    """Say who is part of whom before anything is released."""
    from typer.testing import CliRunner

    import discreet
    from discreet.cli.main import app

    with discreet.Ledger.open(ledger):
        pass  # makes the file
    for whole, parts in MEMBERS.items():
        for one in parts:
            asked = ["ledger", "audience", str(ledger), whole, "--includes", one]
            answer = CliRunner().invoke(app, asked)
            if answer.exit_code != 0:
                raise ProductError(f"a membership was refused: {answer.stderr}")


def _sources(reader: str, members: bool) -> set[str]:
    """Whose releases a reader has: its own, the public ones, those of what it is part of."""
    found = {reader, "public"}
    for _ in MEMBERS if members else ():
        found |= {whole for whole, parts in MEMBERS.items() if found & set(parts) - {"public"}}
    return found


def _person(random: Random, number: int) -> Row:
    row = {name: random.choice(values) for name, values in VALUES.items()}
    if random.random() < 0.6:
        row |= {"zip": "02138", "age": random.choice(("21", "23")), "place": "Oslo"}
    return {"key": f"r{number:03}", **row, "illness": random.choice(ILLNESSES)}


@dataclass(frozen=True, eq=False)
class Step:
    """What is asked for next."""

    policy: dict[str, Any]
    to: str
    where: str | None
    meets: Callable[[Row], bool]
    columns: list[str] | None
    way: str


def _step(
    random: Random, quasi: Sequence[str], k: int, ell: int, grows: bool, members: bool
) -> Step:
    names = list(quasi)
    if grows and random.random() < 0.3:
        names = random.sample(list(VALUES), len(quasi))
    columns = {name: {"role": "quasi", "hierarchy": HIERARCHIES[name]} for name in names}
    policy: dict[str, Any] = {
        "columns": {**columns, "key": {"role": "other"}, "illness": {"role": "sensitive"}},
        "require": [{"k_anonymity": {"k": k}}],
        "suppress": random.choice((0, 0.1, 0.3, 0.6)),
        "algorithm": random.choice(("optimal", "optimal", "datafly", "spalm")),
        "measure": random.choice(("loss", "precision", "discernibility")),
    }
    if ell:
        policy["require"].append({"l_diversity": {"column": "illness", "ell": ell}})
    to = random.choice(AUDIENCES)
    if members and to in MEMBERS and random.random() < 0.5:
        policy["profiles"] = {to: {"audience": to, "includes": list(MEMBERS[to])}}
        policy["profile"] = to
    where, meets, asked = None, _everybody, None
    if not grows:
        where, meets = _condition(random, names)
        if random.random() < 0.3:
            asked = ["key", "illness", *random.sample(names, random.randint(1, len(names)))]
    return Step(policy, to, where, meets, asked, random.choice(WAYS))


def _everybody(_: Row) -> bool:
    return True


def _condition(random: Random, quasi: Sequence[str]) -> tuple[str | None, Callable[[Row], bool]]:
    """A condition on quasi columns or on the key, as text and as code."""
    kind = random.choice(("all", "in", "in", "not in", "range", "key", "both"))
    name = random.choice(list(quasi))
    some = random.sample(VALUES[name], random.randint(1, len(VALUES[name])))
    listed = ", ".join(f"'{value}'" for value in some)
    if kind == "in":
        return f"{name} IN ({listed})", lambda row: row[name] in some
    if kind == "not in":
        return f"NOT {name} IN ({listed})", lambda row: row[name] not in some
    if kind == "range" and "age" in quasi:
        least = random.choice((21, 23, 27, 31, 38))
        return f"age >= {least}", lambda row: int(row["age"]) >= least
    keys = {f"r{random.randrange(40):03}" for _ in range(random.choice((1, 2, 5)))}
    named = ", ".join(f"'{key}'" for key in sorted(keys))
    if kind == "key":
        return f"NOT key IN ({named})", lambda row: row["key"] not in keys
    if kind == "both":
        text = f"{name} IN ({listed}) OR key IN ({named})"
        return text, lambda row: row[name] in some or row["key"] in keys
    return None, _everybody


def _release(
    random: Random, folder: Path, table: Sequence[Row], step: Step, number: int
) -> Held | None:
    """Release through the ledger and read the file; None if that is refused."""
    policy, target = folder / f"policy {number}.yaml", folder / f"release {number}.csv"
    source = folder / f"private {number}.csv"
    write_policy(policy, step.policy)
    rows = random.sample(list(table), len(table))
    write_table(source, {name: [row[name] for row in rows] for name in rows[0]})
    run = _by_python if step.way == "python" else _by_command
    facts = run(folder / "ledger", source, policy, target, step)
    if facts is None:
        if target.exists():
            raise ProductError("refused, and a release is there")
        return None
    cells = read_table(target)
    shown = [name for name in cells if facts["levels"].get(name) is not None]
    keys = cells["key"]
    if len(set(keys)) != len(keys):
        raise ProductError("a row is released twice")
    found = {
        str(key): {name: cells[name][place] for name in shown} for place, key in enumerate(keys)
    }
    held = Held(
        step.to,
        {name: facts["levels"][name] for name in shown},
        found,
        frozenset(row["key"] for row in table if step.meets(row)),
    )
    _check_one(held, table, step)
    return held


def _by_python(
    ledger: Path, source: Path, policy: Path, target: Path, step: Step
) -> dict[str, Any] | None:
    import discreet
    from discreet.errors import DiscreetError, InternalError

    whole = step.where is None and step.columns is None
    try:
        part = None if whole else discreet.Part(where=step.where, columns=step.columns or ())
        loaded = discreet.Policy.load(policy)
        with discreet.Ledger.open(ledger) as opened:
            release = discreet.anonymize_again(source, loaded, opened, step.to, part=part)
            facts: dict[str, Any] = release.facts()
            release.write(target)
            return facts
    except InternalError as error:
        raise ProductError(f"an internal error: {error}") from error
    except DiscreetError:
        return None


def _by_command(
    ledger: Path, source: Path, policy: Path, target: Path, step: Step
) -> dict[str, Any] | None:
    asked = ["anonymize", str(source), "--policy", str(policy), "-o", str(target), "--json"]
    asked += ["--ledger", str(ledger), "--to", step.to]
    asked += [] if step.where is None else ["--where", step.where]
    asked += [] if step.columns is None else ["--columns", ",".join(step.columns)]
    code, printed, said = run_app(asked) if step.way == "command" else run_shell(asked)
    if "Traceback" in said or BUG in said or code not in (0, 2):
        raise ProductError(f"exit code {code}: {said[-1000:]}")
    if code == 2:
        return None
    facts: dict[str, Any] = json.loads(printed)
    return facts


def _ladders(table: Sequence[Row]) -> dict[str, Ladder]:
    return {
        name: build_ladder(HIERARCHIES[name], [row[name] for row in table], Path())
        for name in VALUES
    }


def _check_one(held: Held, table: Sequence[Row], step: Step) -> None:
    """The release by itself: true cells, asked rows only, k rows alike."""
    by_key, ladders = {row["key"]: row for row in table}, _ladders(table)
    if not set(held.rows) <= held.met:
        raise ProductError("a row was released that does not meet the condition")
    for key, cells in held.rows.items():
        for name, cell in cells.items():
            if cell != ladders[name].up[by_key[key][name]][held.levels[name]]:
                raise ProductError(f"{name}: a cell is not what its level says: {cell!r}")
    k = step.policy["require"][0]["k_anonymity"]["k"]
    sizes = Counter(tuple(sorted(cells.items())) for cells in held.rows.values())
    if min(sizes.values(), default=k) < k:
        raise ProductError("a release by itself is not k-anonymous")
    limit = int(exact(step.policy["suppress"]) * len(held.met))
    if len(held.met) - len(held.rows) > limit:
        raise ProductError("more rows were left out than the policy allows")


def check_growing(held: Sequence[Held], k: int) -> None:
    """Nobody is known among fewer than k, by the finest that any release says of each column."""
    known: dict[str, dict[str, tuple[int, Cell]]] = defaultdict(dict)
    for one in held:
        for key, cells in one.rows.items():
            for name, cell in cells.items():
                level = (one.levels[name], cell)
                known[key][name] = min(known[key].get(name, level), level, key=lambda c: c[0])
    told = {key: tuple(sorted(cells.items())) for key, cells in known.items()}
    for among in (told.keys(), *(one.rows.keys() for one in held)):
        groups = Counter(told[key] for key in among)
        if min(groups.values(), default=k) < k:
            raise ProductError(f"rows of several releases joined: {min(groups.values())} alike")
    for place, earlier in enumerate(held):
        for later in held[place + 1 :]:
            gone = Counter(
                tuple(sorted(cells.items()))
                for key, cells in earlier.rows.items()
                if key not in later.rows
            )
            if min(gone.values(), default=k) < k:
                raise ProductError("fewer than k rows of a class are left out later")


def check_parts(held: Sequence[Held], table: Sequence[Row], k: int, ell: int) -> None:
    """Everybody fits no row of the parts, or k of them with enough sensitive values.

    The intruder knows a person's quasi values and whether the conditions were met. A row may be
    the person's if every release shows it as it would show the person, or shows neither.
    """
    ladders, by_key = _ladders(table), {row["key"]: row for row in table}
    shown = {key for one in held for key in one.rows}
    for person in table:
        fits = set(shown)
        for one in held:
            mine = {n: ladders[n].up[person[n]][level] for n, level in one.levels.items()}
            if person["key"] not in one.met:
                fits = {key for key in fits if key not in one.rows}
                continue
            there = sum(
                row["key"] in one.met
                and all(ladders[n].up[row[n]][one.levels[n]] == c for n, c in mine.items())
                for row in table
            )
            here = sum(cells == mine for cells in one.rows.values())
            fits = {
                key for key in fits if (one.rows[key] == mine if key in one.rows else here < there)
            }
        if fits and len(fits) < k:
            raise ProductError(f"somebody fits {len(fits)} rows of the parts, k is {k}")
        if fits and ell and len({by_key[key]["illness"] for key in fits}) < ell:
            raise ProductError("somebody's sensitive value is known from the parts together")


PART = Part("ledgers", run_case, share=2)
