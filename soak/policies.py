"""Random policies over every model, measure, algorithm, technique and kind of hierarchy.

A policy is plain data, as its file has it. Numbers are chosen so that most policies can be kept by
a small table, and not by doing nothing.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from soak.ladders import read_number
from soak.tables import (
    COLUMN_NAMES,
    MARK,
    MISSING_WORDS,
    NAMES,
    ODD_KINDS,
    QUASI_KINDS,
    Cell,
    Column,
    pick_column,
    write_date,
)
from soak.technique_checks import Change

BY_CLASS = (
    *("k_anonymity", "l_diversity", "t_closeness", "delta_disclosure", "beta_likeness"),
    *("largest_risk", "average_risk", "sample_uniques"),
)
SIZES = ("k_anonymity", "largest_risk")
REGISTER = ("k_map", "delta_presence")
PROMISED: dict[str, tuple[str, ...]] = {
    "optimal": (*BY_CLASS, *REGISTER),
    "datafly": (*BY_CLASS, *REGISTER),
    "local": BY_CLASS,
    "exact": SIZES,
    "k-similar": SIZES,
    "mu-argus": SIZES,
    "suppress": SIZES,
    "mondrian": BY_CLASS,
    "probabilistic": ("probabilistic",),
    "spalm": (*REGISTER, "k_anonymity"),
    "mpalm": REGISTER,
    "fixed": (*REGISTER, "k_anonymity"),
}
"""What each algorithm is asked to promise."""

BY_COLUMN = ("optimal", "datafly", "spalm", "fixed")
MEASURES: tuple[Any, ...] = (
    *("loss", "granularity", "precision", "weighted_precision", "non_uniform_entropy"),
    *("discernibility", "average_class_size", {"weighted_precision": {"weights": "height"}}),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell starts that a spreadsheet may run."""
KEY = "people.key"
"""The key of pseudonyms, which whoever runs the case makes."""

DATE_LEVELS = (
    *(["month", "year", "decade"], ["day", "week"], ["day", "weekday"], ["quarter", "year"]),
    *(["2 months", "half", "year", "5 years"], ["month", "month of year", "quarter of year"]),
    *(["day", "month", "quarter", "half", "year", "century"], ["4 months", "24 months"]),
    *(["year", "2 years", "10 years", "100 years"], ["quarter", "quarter of year"]),
)
OF_MONTH = ("month", "quarter", "half", "2 months", "4 months", "month of year", "quarter of year")
OF_DAY = ("day", "week", "weekday")
SCENARIOS = ("plain",) * 12 + (
    "people",
    "people",
    "safe harbor",
    "profile",
    "profile",
    "part",
    "part",
)


@dataclass(eq=False)
class Draft:
    """A private table with a policy for it, and what else the release needs."""

    columns: dict[str, Column]
    policy: dict[str, Any]
    scenario: str = "plain"
    key: str | None = None
    """A released column whose values are all different, to find a row again."""
    where: Condition | None = None
    asked: list[str] | None = None
    techniques: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    """Techniques on columns that no promise is about."""

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())).cells)

    @property
    def cells(self) -> dict[str, list[Cell]]:
        return {name: column.cells for name, column in self.columns.items()}

    @property
    def wildcard(self) -> bool:
        """Whether a missing value may be any value."""
        said = self.policy.get("missing", "value")
        return (said.get("as") if isinstance(said, Mapping) else said) == "wildcard"

    @property
    def meant(self) -> dict[str, list[Cell]]:
        """The cells as the policy means them: its words for missing are missing."""
        said = self.policy.get("missing", "value")
        words = set(said["values"]) if isinstance(said, Mapping) else set()
        found = {}
        for name, cells in self.cells.items():
            own = words | set(self.policy["columns"].get(name, {}).get("missing", ()))
            found[name] = [
                None if cell is not None and cell.strip() in own else cell for cell in cells
            ]
        return found

    def with_role(self, *roles: str) -> list[str]:
        """The columns of these roles, in the order of the policy."""
        return [name for name, said in self.policy["columns"].items() if said["role"] in roles]

    @property
    def models(self) -> list[tuple[str, dict[str, Any]]]:
        """Names and parameters of what is required."""
        return [next(iter(one.items())) for one in self.policy.get("require", [])]

    @property
    def algorithm(self) -> str:
        return name_of(self.policy.get("algorithm", "optimal"))

    @property
    def measure(self) -> str:
        return name_of(self.policy.get("measure", "loss"))

    def names(self) -> Counter[str]:
        """What this case is about, for the counts."""
        found = Counter([f"algorithm {self.algorithm}", f"measure {self.measure}", self.scenario])
        found.update(f"model {name}" for name, _ in self.models)
        found.update(f"technique {name}" for name in self.techniques)
        found.update(
            f"hierarchy {hierarchy_kind(said)}" for said in self.policy["columns"].values()
        )
        return found


@dataclass(frozen=True)
class Condition:
    """A condition as it is written, and which rows meet it."""

    text: str
    column: str
    meets: Callable[[Cell], bool | None]
    """None where a cell is missing, which is neither true nor false."""


def name_of(said: Any) -> str:
    """The name of something with or without parameters."""
    return said if isinstance(said, str) else str(next(iter(said)))


def hierarchy_kind(said: Mapping[str, Any]) -> str:
    """The kind of a column's hierarchy."""
    if said["role"] != "quasi":
        return "none"
    spec = said.get("hierarchy") or {"flat": True}
    return next(key for key in spec if key != "top")


def make_draft(random: Random, folder: Path, scenarios: Sequence[str] = SCENARIOS) -> Draft:
    """A table and a policy for it; the folder gets the hierarchy files and registers it names."""
    scenario = random.choice(scenarios)
    if scenario == "safe harbor":
        return _safe_harbor(random)
    rows = random.choice((0, 1, 2, 5, 8, 12, 16, 20, 24, 30, 30, 40, 50, 60, 90))
    algorithm = random.choice([*PROMISED, "optimal", "optimal", "optimal"])
    if scenario != "plain":
        rows, algorithm = max(rows, 12), random.choice(("optimal", "optimal", "datafly", "local"))
    if scenario == "people":
        algorithm = random.choice(("optimal", "datafly"))
    if algorithm in ("exact", "k-similar"):
        rows = min(rows, 24)
    draft = Draft({}, {"columns": {}}, scenario)
    _add_quasi(random, draft, folder, rows, algorithm)
    _add_other(random, draft, rows)
    if scenario == "people":
        _add_people(random, draft, rows)
    _repeat_rows(random, draft)
    draft.policy["algorithm"] = _parameters(random, algorithm, draft)
    _add_models(random, draft, algorithm, folder)
    if any(name in REGISTER for name, _ in draft.models):
        _flatten_odd_columns(draft)
    _add_settings(random, draft, algorithm)
    if scenario == "profile":
        _add_profile(random, draft)
    elif scenario == "part":
        _ask_for_part(random, draft)
    elif random.random() < 0.35:
        _add_techniques(random, draft)
        if scenario == "plain" and random.random() < 0.3:
            _coarsen_quasi(random, draft)
    return draft


def _add_quasi(random: Random, draft: Draft, folder: Path, rows: int, algorithm: str) -> None:
    wide = algorithm in ("datafly", "local", "mondrian", "mu-argus") and random.random() < 0.05
    width = len(COLUMN_NAMES) if wide else random.choice((1, 2, 2, 3, 3, 4, 5))
    names = random.sample(COLUMN_NAMES, width)
    few = algorithm in ("exact", "k-similar")
    gaps = random.choice((0, 0, 0, 0.15))
    for place, name in enumerate(names[:3] if few else names):
        kind = random.choice(QUASI_KINDS)
        if algorithm == "mondrian" and place == 0:
            kind = "number"
        column = pick_column(random, kind, rows, gaps)
        draft.columns[name] = column
        said: dict[str, Any] = {"role": "quasi"}
        hierarchy = _hierarchy(random, name, column, folder)
        if hierarchy is not None:
            said["hierarchy"] = hierarchy
        if random.random() < 0.15:
            said["weight"] = random.choice((0.5, 2, 3, 0.1))
        draft.policy["columns"][name] = said


def _hierarchy(random: Random, name: str, column: Column, folder: Path) -> dict[str, Any] | None:
    drawn = random.random()
    if drawn < 0.04:
        return {"auto": True}
    kind = column.kind
    if drawn < 0.15:
        kind = random.choice(("flat", "file", "tree"))
    found = _KINDS.get(kind, _by_words)(random, name, column, folder)
    if found is not None and random.random() < 0.12:
        found["top"] = "*"
    return found


CUTS: tuple[Any, ...] = (
    [18, 25, 45, 65],
    [[0, 1, 20, 30, 40, 65], [1, 30, 65], [30]],
    [[-5, 0, 0.5, 20.25, 50], [0.5, 50]],
    {"levels": [[5, 10, 15, 20, 40], [10, 20]]},
)


def _by_numbers(random: Random, _: str, __: Column, ___: Path) -> dict[str, Any]:
    if random.random() < 0.25:
        return {"cuts": random.choice(CUTS)}
    widths = random.choice(([5], [5, 10], [2, 10, 20], [3, 9], [0.5, 5], [10, 20, 40], [1, 7]))
    if random.random() < 0.7:
        return {"intervals": widths}
    said: dict[str, Any] = {"widths": widths, "origin": random.choice((0, 1, 3, -2, 0.5))}
    if random.random() < 0.5:
        said["bottom"] = random.choice((5, 20, -3))
    if random.random() < 0.5:
        said["top"] = random.choice((40, 65, 25.5))
    return {"intervals": said}


def _by_open_ends(random: Random, _: str, __: Column, ___: Path) -> dict[str, Any]:
    widths = random.choice(([5], [5, 10], [2, 10, 20], [10, 20, 40], [20, 100], [0.5, 5]))
    said: dict[str, Any] = {"widths": widths, "others": "group"}
    if random.random() < 0.5:
        said["top"] = random.choice((40, 65, 41))
    if random.random() < 0.4:
        said["bottom"] = random.choice((5, 20, 6))
    if random.random() < 0.2:
        said["origin"] = random.choice((1, 5, -2))
    return {"intervals": said}


def _by_codes(random: Random, _: str, __: Column, ___: Path) -> dict[str, Any]:
    lengths = random.choice(([4, 3], [3], [4, 2, 1]))
    said: dict[str, Any] = {"lengths": lengths, "code": 5}
    if random.random() < 0.7:
        said["others"] = "group"
    return {"prefix": said}


def _by_mixed_dates(random: Random, _: str, __: Column, ___: Path) -> dict[str, Any]:
    levels = random.choice(
        (["month", "year", "5 years"], ["day", "month", "year"], ["year", "10 years"], ["quarter"])
    )
    return {"dates": {"levels": levels, "others": "group"}}


def _flatten_odd_columns(draft: Draft) -> None:
    """A register is not compared with ranges and words, which stand for more than one value."""
    for name in draft.with_role("quasi"):
        if draft.columns[name].kind in ODD_KINDS:
            draft.policy["columns"][name].pop("hierarchy", None)


def _by_prefix(random: Random, _: str, __: Column, ___: Path) -> dict[str, Any]:
    lengths = random.choice(([4, 3], [4, 2], [2], [3, 1], [5, 4, 3, 2, 1], [1]))
    if random.random() < 0.2:
        return {"prefix": {"lengths": lengths, "mask": random.choice("#*x")}}
    return {"prefix": lengths}


def _by_dates(random: Random, _: str, column: Column, __: Path) -> dict[str, Any]:
    form = column.settings["format"]
    coarse = [
        levels
        for levels in DATE_LEVELS
        if ("%d" in form or not any(one in OF_DAY for one in levels))
        and ("%m" in form or "%b" in form or not any(one in OF_MONTH for one in levels))
    ]
    return {"dates": {"levels": random.choice(coarse), "format": form}}


def _by_words(random: Random, name: str, column: Column, folder: Path) -> dict[str, Any] | None:
    kind = random.choice(("flat", "tree", "file"))
    return _KINDS[kind](random, name, column, folder)


def _flat(random: Random, _: str, __: Column, ___: Path) -> dict[str, Any] | None:
    return random.choice((None, {"flat": True}))


def _groups(random: Random, column: Column) -> dict[str, list[str]]:
    """Values in groups whose names are no values."""
    values = [value for value in column.domain if value is not None]
    names = [f"group {letter}" for letter in "ABC"[: random.randint(1, 3)]]
    found: dict[str, list[str]] = {}
    for value in values:
        found.setdefault(random.choice(names), []).append(value)
    return found


def _tree(random: Random, _: str, column: Column, __: Path) -> dict[str, Any]:
    groups: dict[str, Any] = dict(_groups(random, column))
    root = random.choice(("*", "everything", None))
    if root == "*" and "*" in column.domain:
        root = "everything"
    if random.random() < 0.3 and len(groups) > 1:
        first, *others = groups
        deep = {"inner": {first: groups[first]}}
        groups = {**deep, **{name: groups[name] for name in others}}
    return {"tree": groups if root is None else {root: groups}}


def _file(random: Random, name: str, column: Column, folder: Path) -> dict[str, Any]:
    """A hierarchy file, with lines for values that the table lacks, and labels that are values."""
    groups = _groups(random, column)
    path = folder / f"hierarchy {len(list(folder.iterdir()))}.csv"
    lines = []
    for group, values in groups.items():
        # A group may bear the name of one of its values.
        label = values[0] if random.random() < 0.2 else group
        lines += [[value, label, "*"] for value in values]
    lines += [[f"absent {n}", next(iter(groups)), "*"] for n in range(random.choice((0, 0, 2)))]
    labels = {line[1] for line in lines}
    own = {line[0]: line[1] for line in lines}
    if "*" in labels or any(own.get(label, label) != label for label in labels):
        lines = [[line[0], "one group", "*"] for line in lines]
    strays = random.random() < 0.2 and len(lines) > 1
    if strays:
        lines.pop()
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL).writerows(lines)
    del name
    return {"file": {"path": path.name, "uncovered": "root"} if strays else path.name}


_KINDS: dict[str, Callable[..., dict[str, Any] | None]] = {
    "number": _by_numbers,
    "code": _by_prefix,
    "date": _by_dates,
    "open": _by_open_ends,
    "suffix": _by_codes,
    "mixed": _by_mixed_dates,
    "flat": _flat,
    "tree": _tree,
    "file": _file,
}


def _add_other(random: Random, draft: Draft, rows: int) -> None:
    columns, said = draft.columns, draft.policy["columns"]
    if random.random() < 0.85:
        draft.key = "row key"
        columns["row key"] = Column("key", [f"r{number:03}" for number in range(rows)], [])
        said["row key"] = {"role": "other"}
    kind = random.choice(("word", "word", "number", "nasty"))
    columns["illness"] = pick_column(random, kind, rows, random.choice((0, 0, 0.1)))
    said["illness"] = {"role": "sensitive"}
    if random.random() < 0.3:
        columns["charge"] = pick_column(random, "amount", rows, 0)
        said["charge"] = {"role": random.choice(("other", "sensitive"))}
    if random.random() < 0.5:
        columns["name"] = Column("name", [random.choice(NAMES) for _ in range(rows)], [])
        if random.random() < 0.7:
            said["name"] = {"role": "identifier"}
            if random.random() < 0.4 and draft.scenario == "plain":
                said["name"]["replace"] = random.choice(
                    (
                        {"pseudonym": {"key": KEY, "format": "token"}},
                        {"pseudonym": {"key": KEY}},
                        {"encrypt": {"key": KEY}},
                    )
                )
    if random.random() < 0.15 and draft.scenario == "plain":
        _add_notes(random, draft, rows)
    if random.random() < 0.5:
        columns["secret column"] = Column("mark", [f"{MARK} {n}" for n in range(rows)], [])


ADDRESS = "marked.address@mail.example"
"""In every note; no scrubbed text may hold it."""
NOTE_END = "so much for that"


def _add_notes(random: Random, draft: Draft, rows: int) -> None:
    """A column of text, scrubbed if the policy says so, and else not released."""
    names = draft.columns["name"].cells if "name" in draft.columns else ["somebody"] * rows
    notes: list[Cell] = [
        f"{name} wrote from {ADDRESS}; {number} {NOTE_END}" for number, name in enumerate(names)
    ]
    draft.columns["note"] = Column("text", notes, [])
    said: dict[str, Any] = {"role": "text"}
    if random.random() < 0.8:
        style = random.choice(("tag", "blank", "remove", "pseudonym"))
        said["scrub"] = random.choice((True, {"style": style}, {"style": style, "threshold": 0.6}))
    draft.policy["columns"]["note"] = said


def _add_people(random: Random, draft: Draft, rows: int) -> None:
    draft.key = None
    for name in ("row key", "charge"):
        draft.columns.pop(name, None)
        draft.policy["columns"].pop(name, None)
    people = max(2, rows // random.choice((1, 2, 3)))
    cells: list[Cell] = [f"P{random.randrange(people):03}" for _ in range(rows)]
    draft.columns["person"] = Column("person", cells, [])
    records = random.choice(("keep", "keep", "ignore", {"cap": 2}, {"group": [1, 2, 4]}))
    draft.policy["people"] = {"column": "person", "records": records}


def _repeat_rows(random: Random, draft: Draft) -> None:
    """Some tables have rows that are alike already, all of them or a few."""
    drawn, rows = random.random(), draft.rows
    quasi = draft.with_role("quasi")
    if drawn < 0.05:
        for name in quasi:
            column = draft.columns[name].cells
            column[:] = column[:1] * rows
    elif drawn < 0.6 and rows > 3:
        copies = [random.randrange(rows) for _ in range(rows)]
        kinds = random.sample(range(rows), max(2, rows // 3))
        for row, other in enumerate(copies):
            source = kinds[other % len(kinds)]
            for name in quasi:
                column = draft.columns[name].cells
                column[row] = column[source]


def _parameters(random: Random, algorithm: str, draft: Draft) -> Any:
    quasi = draft.with_role("quasi")
    numbers = [n for n in quasi if draft.columns[n].kind == "number"]
    plain = [n for n in numbers if draft.columns[n].settings.get("style") in ("plain", "decimal")]
    said: dict[str, Any] = {}
    if algorithm == "datafly" and random.random() < 0.5:
        said = {"heuristic": random.choice(("distinct", "minimal"))}
    elif algorithm == "local" and random.random() < 0.4:
        said = {"consistent": True}
    elif algorithm == "k-similar" and random.random() < 0.4:
        said = {"variant": "exact"}
    elif algorithm == "mu-argus":
        said = _argus(random, quasi)
    elif algorithm == "suppress":
        said = {"helped": random.choice((True, True, False)), "exact": random.random() < 0.2}
        said["complementary"] = random.random() < 0.2
        if random.random() < 0.4:
            said["importance"] = random.sample(quasi, random.randint(1, len(quasi)))
    elif algorithm == "mondrian" and plain and random.random() < 0.7:
        said = {"ranges": plain, "kind": random.choice(("strict", "relaxed"))}
    elif algorithm == "mpalm":
        said = {"columns_by": random.choice(("next", "best"))}
        said["values_by"] = random.choice(("rows", "first", "values"))
        if numbers and random.random() < 0.6:
            said["ranges"] = numbers
    elif algorithm == "probabilistic":
        said = {"method": random.choice(("quantiles", "distances", "radius", "cellular"))}
        said["shown"] = random.choice(("ranges", "ranges", "centres"))
        if plain and random.random() < 0.7:
            said["ranges"] = plain
    elif algorithm == "fixed":  # the others are fully generalized
        said = {"levels": dict.fromkeys(random.sample(quasi, random.randint(0, len(quasi) - 1)), 0)}
    return {algorithm: said} if said else algorithm


def _argus(random: Random, quasi: list[str]) -> dict[str, Any]:
    variant = random.choice(("complete", "complete", "published", "actual"))
    said: dict[str, Any] = {"variant": variant}
    if variant != "complete":
        order = random.sample(quasi, len(quasi))
        rated = {"most": order[:1], "more": order[1:2], "identifying": order[2:]}
        said |= {name: columns for name, columns in rated.items() if columns}
    if random.random() < 0.3:
        said["generalize"] = [random.choice(quasi)]
    if random.random() < 0.2 and variant == "complete":
        said["complementary"] = True
    if random.random() < 0.2 and variant != "actual":
        said["suppression"] = "fewest"
    return said


def _add_models(random: Random, draft: Draft, algorithm: str, folder: Path) -> None:
    promised = PROMISED[algorithm]
    if draft.scenario == "people":
        promised = ("k_anonymity",)
    elif draft.scenario in ("profile", "part"):
        promised = BY_CLASS
    chosen = ["k_anonymity"] if random.random() < 0.6 and "k_anonymity" in promised else []
    chosen += random.sample(promised, min(len(promised), random.choice((1, 1, 1, 2))))
    require = []
    for name in dict.fromkeys(chosen):
        said = _MODELS[name](random, draft, folder)
        if said is None:
            continue
        own = name in BY_CLASS and algorithm in ("optimal", "datafly", "local", "mondrian")
        quasi = draft.with_role("quasi")
        if own and len(quasi) > 1 and random.random() < 0.15:
            said["columns"] = random.sample(quasi, random.randint(1, len(quasi)))
        require.append({name: said})
    if not require:
        require = [{"k_anonymity": {"k": 2}}]
    draft.policy["require"] = require


def _sensitive(draft: Draft) -> Column:
    return draft.columns["illness"]


def _k(random: Random, draft: Draft, _: Path) -> dict[str, Any]:
    return {"k": min(random.choice((2, 2, 2, 3, 3, 4, 5, 1)), max(1, draft.rows))}


def _ell(random: Random, draft: Draft, _: Path) -> dict[str, Any]:
    del draft
    kind = random.choice(("distinct", "entropy", "recursive"))
    said: dict[str, Any] = {"column": "illness", "ell": random.choice((2, 2, 3))}
    if kind == "entropy":
        said |= {"kind": kind, "ell": random.choice((1.2, 1.5, 1.8, 2))}
    elif kind == "recursive":
        said |= {"kind": kind, "c": random.choice((1.5, 2, 4, 8))}
    return said


def _t(random: Random, draft: Draft, folder: Path) -> dict[str, Any]:
    column = _sensitive(draft)
    distance = random.choice(("equal", "ordered", "hierarchical"))
    said: dict[str, Any] = {"column": "illness", "t": random.choice((0.2, 0.35, 0.5, 0.7))}
    if distance == "ordered":
        said["distance"] = "ordered"
        if column.kind != "number":
            order = [value for value in dict.fromkeys(column.domain) if value is not None]
            random.shuffle(order)
            said["order"] = order
    elif distance == "hierarchical":
        said["distance"] = "hierarchical"
        found = random.choice((_tree, _file))(random, "illness", column, folder)
        draft.policy["columns"]["illness"]["hierarchy"] = found
    return said


def _delta(random: Random, draft: Draft, _: Path) -> dict[str, Any] | None:
    _narrow(random, draft, 2)
    return {"column": "illness", "delta": random.choice((0.8, 1.5, 2.5))}


def _beta(random: Random, draft: Draft, _: Path) -> dict[str, Any]:
    if random.random() < 0.5:
        _narrow(random, draft, 3)
    said: dict[str, Any] = {"column": "illness", "beta": random.choice((1, 2, 4))}
    if random.random() < 0.5:
        said["kind"] = "enhanced"
    return said


def _narrow(random: Random, draft: Draft, most: int) -> None:
    """Leave few sensitive values, so that classes can have them all."""
    column = _sensitive(draft)
    few = list(dict.fromkeys(column.cells))[:most]
    column.cells[:] = [cell if cell in few else random.choice(few) for cell in column.cells]


def _largest(random: Random, draft: Draft, _: Path) -> dict[str, Any]:
    del draft
    return {"max": random.choice((0.5, 0.34, 0.25, 0.2))}


def _average(random: Random, draft: Draft, _: Path) -> dict[str, Any]:
    del draft
    return {"max": random.choice((0.6, 0.5, 0.3, 0.2))}


def _uniques(random: Random, draft: Draft, _: Path) -> dict[str, Any]:
    del draft
    return {"max": random.choice((0, 0.1, 0.3))}


def _register_file(random: Random, draft: Draft, folder: Path) -> dict[str, Any]:
    """A register: the people of the table and others of the same columns."""
    quasi = draft.with_role("quasi")
    more = random.choice((0.5, 1, 2)) * draft.rows
    people = list(zip(*(draft.columns[name].cells for name in quasi), strict=True))
    for _ in range(int(more)):
        people.append(tuple(random.choice(draft.columns[name].domain) for name in quasi))
    random.shuffle(people)
    names = {name: f"their {name}" for name in quasi if random.random() < 0.2}
    path = folder / "register.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        quoting = csv.QUOTE_ALL if len(quasi) == 1 else csv.QUOTE_MINIMAL
        writer = csv.writer(file, quoting=quoting)
        writer.writerow([names.get(name, name) for name in quasi])
        writer.writerows([["" if cell is None else cell for cell in row] for row in people])
    return {"names": names} if names else {}


def _k_map(random: Random, draft: Draft, folder: Path) -> dict[str, Any]:
    more = _register_file(random, draft, folder)
    return {"k": random.choice((2, 3, 5)), "register": "register.csv", **more}


def _presence(random: Random, draft: Draft, folder: Path) -> dict[str, Any]:
    more = _register_file(random, draft, folder)
    return {"public": "register.csv", "min": 0, "max": random.choice((0.7, 0.8, 0.95, 1)), **more}


def _crowd(random: Random, _: Draft, __: Path) -> dict[str, Any]:
    if random.random() < 0.1:
        return {"preset": "hipaa"}
    return {"population": random.choice((1000, 5000, 10**6)), "k": random.choice((20, 100))}


_MODELS: dict[str, Callable[[Random, Draft, Path], dict[str, Any] | None]] = {
    "k_anonymity": _k,
    "l_diversity": _ell,
    "t_closeness": _t,
    "delta_disclosure": _delta,
    "beta_likeness": _beta,
    "largest_risk": _largest,
    "average_risk": _average,
    "sample_uniques": _uniques,
    "k_map": _k_map,
    "delta_presence": _presence,
    "probabilistic": _crowd,
}


def _add_settings(random: Random, draft: Draft, algorithm: str) -> None:
    policy, names = draft.policy, [name for name, _ in draft.models]
    policy["suppress"] = random.choice((0, 0.05, 0.07, 0.1, 0.2, 0.29, 0.3, 0.3333, 0.5, 0.58, 1))
    policy["measure"] = random.choice(MEASURES)
    if random.random() < 0.8:
        policy["seed"] = random.randrange(10**6)
    if random.random() < 0.3:
        policy["prefer"] = random.sample(draft.with_role("quasi"), 1)
    rows_kept = draft.scenario != "people" and "delta_presence" not in names
    if rows_kept and random.random() < 0.15:
        policy["suppressed_rows"] = "keep"
    if random.random() < 0.1:
        policy["order"] = "keep"
    if random.random() < 0.1:
        policy["time_limit"] = 60
    if algorithm in BY_COLUMN and draft.scenario == "plain" and random.random() < 0.15:
        policy["choice"] = "blind"
    quasi = [cell or "" for n in draft.with_role("quasi") for cell in draft.columns[n].domain]
    runs = any(cell.lstrip("'")[:1] in FORMULA for cell in quasi if cell)
    if (
        not runs
        and draft.scenario == "plain"
        and not set(names) & set(REGISTER)
        and random.random() < 0.15
    ):
        policy["formulas"] = "quote"
    averaged = {"average_risk", "sample_uniques", "probabilistic", *REGISTER} & set(names)
    if not averaged and draft.scenario != "people" and random.random() < 0.2:
        policy["missing"] = "wildcard"
    if not set(names) & set(REGISTER):
        _add_missing_words(random, draft)
    if draft.scenario == "plain" and random.random() < 0.08 and algorithm in BY_COLUMN:
        weights: list[Cell] = [str(random.choice((1, 2, 0.5, 10))) for _ in range(draft.rows)]
        draft.columns["sampling weight"] = Column("weight", weights, [])
        policy["row_weight"] = "sampling weight"
    if draft.scenario == "plain" and names == ["k_anonymity"] and random.random() < 0.4:
        policy["require"] = []
        if random.random() < 0.5:
            policy["anonymity"] = random.choice((0, 0.2, 0.7, 1))
        else:
            policy["anonymity"] = {"level": random.choice((0.2, 0.5)), "k": {0.3: 2, 0.7: 3}}


def _add_missing_words(random: Random, draft: Draft) -> None:
    """Words that mean missing, in all columns or in one."""
    policy = draft.policy
    if random.random() < 0.2:
        words = random.sample(MISSING_WORDS, random.randint(1, 3))
        policy["missing"] = {"values": words, "as": policy.get("missing", "value")}
    if random.random() < 0.1:
        name = random.choice(draft.with_role("quasi"))
        policy["columns"][name]["missing"] = random.sample(MISSING_WORDS, 2)


def _add_profile(random: Random, draft: Draft) -> None:
    quasi = draft.with_role("quasi")
    likelihoods = {name: random.choice((0, 0.3, 0.5, 1, 1, 1)) for name in quasi}
    if not any(likelihoods.values()):
        likelihoods[quasi[0]] = 1
    for _, said in draft.models:
        said.pop("columns", None)
    draft.policy.pop("prefer", None)
    draft.policy["profiles"] = {"reader": {"likelihoods": likelihoods}}
    if random.random() < 0.3:  # says nothing new, as every column has its likelihood
        draft.policy["profiles"]["reader"]["preset"] = "researcher"
    draft.policy["profile"] = "reader"


def _ask_for_part(random: Random, draft: Draft) -> None:
    quasi = draft.with_role("quasi")
    for _, said in draft.models:
        said.pop("columns", None)
    if random.random() < 0.8:
        draft.where = _condition(random, draft)
    draft.policy.pop("prefer", None)
    if draft.where is None or random.random() < 0.4:
        keep = random.sample(quasi, random.randint(1, len(quasi)))
        draft.asked = [n for n in draft.with_role("quasi", "sensitive", "other") if n not in quasi]
        draft.asked += keep


def _condition(random: Random, draft: Draft) -> Condition:
    name = random.choice(draft.with_role("quasi"))
    column = draft.columns[name]
    if random.random() < 0.3:
        return _other_condition(random, name, column)
    quoted = '"' + name.replace('"', '""') + '"'
    values = [value for value in dict.fromkeys(column.cells) if value is not None]
    if not values or random.random() < 0.2:
        return Condition(f"{quoted} IS NOT NULL", name, lambda cell: cell is not None)
    some = random.sample(values, random.randint(1, len(values)))
    listed = ", ".join("'" + value.replace("'", "''") + "'" for value in some)
    if random.random() < 0.5:
        return Condition(
            f"{quoted} IN ({listed})", name, lambda cell: None if cell is None else cell in some
        )
    return Condition(
        f"NOT ({quoted} IN ({listed}))",
        name,
        lambda cell: None if cell is None else cell not in some,
    )


def _other_condition(random: Random, name: str, column: Column) -> Condition:
    """A number compared, or the beginning of a text."""
    quoted = '"' + name.replace('"', '""') + '"'
    if column.kind == "number":
        least = random.randint(-5, 40)
        return Condition(f"{quoted} >= {least}", name, lambda cell: _compare(cell, least))
    begin = random.choice(("a", "0", "02", "A", "x", "1"))

    def begins(cell: Cell) -> bool | None:
        return None if cell is None else cell.startswith(begin)

    return Condition(f"{quoted} LIKE '{begin}%'", name, begins)


def _compare(cell: Cell, least: int) -> bool | None:
    number = None if cell is None else read_number(cell)
    return None if number is None else number >= least


# Techniques

TECHNIQUES = (
    *("suppress_values", "substitute", "swap", "rank_swap", "shuffle", "pram", "noise", "perturb"),
    *("round_values", "top_code", "bottom_code", "zip3", "year", "outliers_to_median"),
    *("microaggregate", "shift_dates", "relative_dates", "sample_rows", "add_tuples", "scramble"),
)


def _add_techniques(random: Random, draft: Draft) -> None:
    """Techniques on columns that no promise is about, and about rows."""
    for name in random.sample(TECHNIQUES, random.choice((1, 1, 2))):
        if name in OF_ROWS:
            said = dict(OF_ROWS[name])
            if name == "sample_rows" and random.random() < 0.5:
                said["within"] = [_add_groups(random, draft)]
            draft.policy.setdefault("techniques", []).append({name: said} if said else name)
            draft.techniques.append(name)
        else:
            _add_change(random, name, draft)


OF_ROWS: dict[str, dict[str, Any]] = {
    "sample_rows": {"share": 0.7},
    "scramble": {},
    "add_tuples": {"share": 0.1},
}
OF_SEVERAL = ("swap", "perturb", "microaggregate", "shift_dates", "relative_dates", "noise")


def _add_change(random: Random, name: str, draft: Draft) -> None:
    """One technique on a new column, or on two together."""
    count = 2 if name in OF_SEVERAL and random.random() < 0.4 else 1
    columns = [f"other {len(draft.techniques)} {place}" for place in range(count)]
    gaps = random.choice((0, 0, 0.1))
    for column in columns:
        cells = _changed_cells(random, name, draft.rows)
        cells = [None if random.random() < gaps else cell for cell in cells]
        draft.columns[column] = Column(name, cells, [])
        draft.policy["columns"][column] = {"role": "other"}
    said = _SETTINGS[name](random, draft, columns)
    draft.techniques.append(name)
    draft.changes.append(Change(name, said, tuple(columns)))
    if count == 1 and random.random() < 0.7:
        draft.policy["columns"][columns[0]]["technique"] = {name: said} if said else name
    else:
        draft.policy.setdefault("techniques", []).append({name: {"columns": columns, **said}})


def _add_groups(random: Random, draft: Draft) -> str:
    """A column of few values that no technique changes."""
    cells: list[Cell] = [random.choice("xyz") for _ in range(draft.rows)]
    draft.columns.setdefault("stratum", Column("group", cells, []))
    draft.policy["columns"]["stratum"] = {"role": "other"}
    return "stratum"


def _add_entity(random: Random, draft: Draft) -> str:
    """A column that says whose row it is, with several rows per person."""
    people = max(1, draft.rows // 2)
    cells: list[Cell] = [f"e{random.randrange(people)}" for _ in range(draft.rows)]
    draft.columns.setdefault("whose", Column("person", cells, []))
    draft.policy["columns"]["whose"] = {"role": "other"}
    return "whose"


def _changed_cells(random: Random, name: str, rows: int) -> list[Cell]:
    if name in ("suppress_values", "substitute", "pram"):
        return [random.choice(("a", "a", "b", "c", "=d")) for _ in range(rows)]
    if name == "zip3":
        zips = ("02138", "10001", "03601", "75310", "02139-1234", "2138", "90210", "ABC 12")
        return [random.choice(zips) for _ in range(rows)]
    if name in ("year", "shift_dates", "relative_dates"):
        first = date(1930, 1, 1) if name == "year" else date(1990, 1, 1)
        return [(first + timedelta(random.randint(0, 30000))).isoformat() for _ in range(rows)]
    style = random.choice(("different", "different", "few", "decimal", "tail"))
    if style == "different":
        return [str(number) for number in random.sample(range(1, 3000), rows)]
    if style == "few":
        return [str(random.choice((3, 5, 7, 12, 40, 41))) for _ in range(rows)]
    if style == "decimal":
        return [f"{random.randint(1, 400)}.{random.choice((25, 5, 75))}" for _ in range(rows)]
    return [str(int(10 / (1 - random.random()))) for _ in range(rows)]


def _suppress_values(random: Random, _: Draft, __: list[str]) -> dict[str, Any]:
    return random.choice(({"share": 0.3}, {"share": 1}, {"rarer_than": 3}, {}))


def _substitute(random: Random, _: Draft, __: list[str]) -> dict[str, Any]:
    others = random.choice(("keep", "suppress"))
    if random.random() < 0.5:
        return {"replacements": {"a": "1", "b": "2"}, "others": others}
    return {"categories": {"a": "1", "b": "1", "c": "2"}, "others": others}


def _swap(random: Random, draft: Draft, _: list[str]) -> dict[str, Any]:
    said: dict[str, Any] = {"share": random.choice((0.5, 1))}
    if random.random() < 0.4:
        said["within"] = [_add_groups(random, draft)]
    if random.random() < 0.4:
        said["unit"] = False
    return said


def _pram(random: Random, _: Draft, __: list[str]) -> dict[str, Any]:
    matrix = {"a": {"b": 1.0}, "b": {"a": 0.5, "b": 0.5}, "c": {"c": 1.0}, "=d": {"=d": 1.0}}
    return random.choice(
        ({"share": 0.4}, {"share": 0.4, "invariant": False}, {"matrix": matrix},
         {"matrix": matrix, "invariant": False})
    )  # fmt: skip


def _noise(random: Random, _: Draft, columns: list[str]) -> dict[str, Any]:
    said: dict[str, Any] = {"amount": random.choice((0.1, 0.2, 1))}
    if len(columns) > 1:
        said["kind"] = random.choice(("independent", "correlated"))
    if random.random() < 0.5:
        domain = random.choice(([0, None], [1, 400], [None, 3000]))
        said |= {"domain": {columns[0]: domain}, "outside": random.choice(("clip", "refuse"))}
    return said


def _round_values(random: Random, draft: Draft, _: list[str]) -> dict[str, Any]:
    how = random.choice(("plain", "random", "controlled"))
    said = {"base": random.choice((10, 5, 7, 2.5)), "how": how}
    if how == "controlled" and random.random() < 0.5:
        said["within"] = [_add_groups(random, draft)]
    return said


def _cut(random: Random, _: Draft, __: list[str]) -> dict[str, Any]:
    where = random.choice(({"at": 100}, {"at": 40.5}, {"quantile": 0.2}, {"quantile": 0.8}))
    return {**where, "put": random.choice(("limit", "limit", "mean"))}


def _microaggregate(random: Random, _: Draft, columns: list[str]) -> dict[str, Any]:
    said: dict[str, Any] = {"k": random.choice((2, 3, 5))}
    if random.random() < 0.3:
        said["size"] = "fixed"
    if len(columns) > 1 and random.random() < 0.5:
        said["categories"] = columns[1:]
    return said


def _shift_dates(random: Random, draft: Draft, _: list[str]) -> dict[str, Any]:
    said: dict[str, Any] = {"entity": _add_entity(random, draft)}
    said["days"] = random.choice((30, 180, [-365, -1]))
    if random.random() < 0.3:
        said["weeks"] = True
    return said


_SETTINGS: dict[str, Callable[[Random, Draft, list[str]], dict[str, Any]]] = {
    "suppress_values": _suppress_values,
    "substitute": _substitute,
    "swap": _swap,
    "rank_swap": lambda random, _, __: {"p": random.choice((10, 30, 60))},
    "shuffle": lambda _, __, ___: {},
    "pram": _pram,
    "noise": _noise,
    "perturb": lambda random, _, __: {"similarity": random.choice((0, 0.5, 0.9))},
    "round_values": _round_values,
    "top_code": _cut,
    "bottom_code": _cut,
    "zip3": lambda _, __, ___: {},
    "year": lambda random, _, __: {"as_of": random.choice(("2026-11-16", "2020-01-01"))},
    "outliers_to_median": lambda random, _, __: {"fence": random.choice((1.5, 0.5, 3))},
    "microaggregate": _microaggregate,
    "shift_dates": _shift_dates,
    "relative_dates": lambda random, draft, _: {"entity": _add_entity(random, draft)},
}


COARSER: tuple[Any, ...] = (
    {"round_values": {"base": 10}},
    {"top_code": {"at": 30}},
    {"bottom_code": {"at": 5}},
    {"suppress_values": {"share": 0.2}},
    {"microaggregate": {"k": 2}},
)
"""Techniques that leave a quasi column true."""


def _coarsen_quasi(random: Random, draft: Draft) -> None:
    """Change a quasi column before rows are counted."""
    if any(name in REGISTER for name, _ in draft.models):
        return
    for name in draft.with_role("quasi"):
        column = draft.columns[name]
        if column.settings.get("style") == "plain":
            technique = random.choice(COARSER)
            draft.policy["columns"][name] |= {"technique": technique}
            draft.techniques.append(name_of(technique))
            return


def _safe_harbor(random: Random) -> Draft:
    """A table of patients whose ZIP codes and dates of birth are made to meet the rules."""
    rows = random.choice((12, 20, 30))
    zips = ("02138", "02139", "10001", "03601", "75310")
    first = date(1920, 1, 1)
    births = [write_date("%Y-%m-%d", first + timedelta(random.randint(0, 30000))) for _ in range(6)]
    cells: dict[str, list[Cell]] = {
        "zip": [random.choice(zips) for _ in range(rows)],
        "birth": [random.choice(births) for _ in range(rows)],
        "sex": [random.choice(("f", "m")) for _ in range(rows)],
        "code": [f"q{number:03}" for number in range(rows)],
        "illness": [random.choice(("flu", "gout", "rash")) for _ in range(rows)],
    }
    columns = {name: Column("plain", column, []) for name, column in cells.items()}
    policy = {
        "columns": {
            "zip": {"role": "quasi", "technique": "zip3"},
            "birth": {"role": "quasi", "technique": {"year": {"as_of": "2026-11-16"}}},
            "sex": {"role": "quasi"},
            "illness": {"role": "sensitive"},
            "code": {"role": "other"},
        },
        "require": [
            {"safe_harbor": {"as_of": "2026-11-16", "codes": ["code"]}},
            {"k_anonymity": {"k": 2}},
        ],
        "algorithm": random.choice(("optimal", "datafly", "local", "exact", "mondrian")),
        "suppress": random.choice((0, 0.3)),
        "seed": 1,
    }
    return Draft(columns, policy, "safe harbor", "code", techniques=["zip3", "year"])


def write_policy(path: Path, policy: Mapping[str, Any]) -> None:
    """Write a policy as YAML; JSON is YAML once no character needs two escapes."""
    text = json.dumps(policy, ensure_ascii=False, indent=1)
    path.write_text("".join(map(_escape, text)), encoding="ascii")


def _escape(sign: str) -> str:
    number = ord(sign)
    if number < 0x7F:
        return sign
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
