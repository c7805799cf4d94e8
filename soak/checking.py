"""Holds a written release against its private table and policy; shares nothing with the product."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from soak.ladders import STAR, Ladder, build_ladder, read_number
from soak.oracle import HIGHER_IS_BETTER, Evidence, Lost, Search, exact, figures, judge
from soak.part import ProductError
from soak.policies import ADDRESS, BY_COLUMN, FORMULA, NOTE_END, Draft
from soak.tables import MARK, Cell, read_table
from soak.technique_checks import Changed, check_change

RANGE = re.compile(r"(-?\d+(?:\.\d+)?)(?:-| to )(-?\d+(?:\.\d+)?)")
MOST_NODES = 150
SENSITIVE_MODELS = ("l_diversity", "t_closeness", "delta_disclosure", "beta_likeness")
COMPARED = ("t_closeness", "delta_disclosure", "beta_likeness")
Levels = list[list[int]] | None


def require(holds: bool, what: str) -> None:
    """Say that the product is wrong unless something holds."""
    if not holds:
        raise ProductError(what)


def quote_formula(cell: Cell) -> Cell:
    """A cell as it is in a release in which formulas are quoted."""
    text = (cell or "").lstrip("'")
    if not text.startswith((*FORMULA, *"＝＋－＠")) or _is_harmless(text):
        return cell
    return f"'{cell}"


def _is_harmless(text: str) -> bool:
    """Whether a text is a number, a range of two numbers or nothing but signs."""
    cuts = [place for place in range(1, len(text)) if text[place] == "-"]
    ranges = [(text[:place], text[place + 1 :]) for place in cuts]
    for word in (" to <", " to "):
        first, found, last = text.partition(word)
        ranges += [(first, last)] if found else []
    is_range = any(_is_number(first) and _is_number(last) for first, last in ranges)
    return is_range or _is_number(text) or not text.strip("+-")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return set(text) <= set("0123456789.+-eE")


@dataclass(eq=False)
class Checker:
    """A draft, what the product said of its release, and the cells that it wrote."""

    draft: Draft
    facts: Mapping[str, Any]
    released: Mapping[str, Sequence[Cell]]
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)

    def check(self) -> Counter[str]:
        """Check all that can be said of the release."""
        if self.draft.policy.get("formulas") == "quote":
            self._remove_quotes()
        self._check_columns()
        if self.draft.scenario == "people":
            self._check_people()
            return self.counts
        self._check_rows()
        if self.draft.scenario == "safe harbor":
            self._check_safe_harbor()
        else:
            self._check_truth()
        self._check_classes()
        self._check_promises()
        if self.draft.scenario not in ("safe harbor", "profile"):
            self._check_figures()
            self._check_optimum()
        self._check_techniques()
        self._check_pseudonyms()
        self._check_notes()
        return self.counts

    # What the private table is, as far as this release is concerned

    @cached_property
    def algorithm(self) -> str:
        return self.draft.algorithm

    @cached_property
    def quasi(self) -> list[str]:
        """The columns that promises are about: under a profile, those that are linked on."""
        names = self.draft.with_role("quasi")
        if self.draft.asked is not None:
            names = [name for name in names if name in self.draft.asked]
        return [name for name in names if self.likelihoods.get(name, 1) > 0]

    @cached_property
    def likelihoods(self) -> dict[str, float]:
        profile = self.draft.policy.get("profiles", {}).get("reader", {})
        found: dict[str, float] = profile.get("likelihoods", {})
        return found

    @cached_property
    def private(self) -> dict[str, list[Cell]]:
        """The rows that were asked for."""
        cells, where = self.draft.meant, self.draft.where
        if where is None:
            return cells
        met = [where.meets(cell) is True for cell in cells[where.column]]
        return {
            n: [c for c, m in zip(column, met, strict=True) if m] for n, column in cells.items()
        }

    @cached_property
    def rows(self) -> int:
        return len(next(iter(self.private.values())))

    @cached_property
    def shown(self) -> int:
        return len(next(iter(self.released.values()), ()))

    @property
    def replaced(self) -> bool:
        """Whether names are released as pseudonyms."""
        return "replace" in self.draft.policy["columns"].get("name", {})

    @property
    def sampled(self) -> bool:
        return "sample_rows" in self.draft.techniques

    @property
    def changed(self) -> bool:
        """Whether a technique changed quasi columns, so that their cells are not the table's."""
        return self.draft.scenario == "safe harbor"

    @cached_property
    def register(self) -> dict[str, list[Cell]]:
        """The people of the register, under the names of the table."""
        for name, said in self.draft.models:
            if name in ("k_map", "delta_presence"):
                cells = read_table(self.folder / "register.csv")
                names = said.get("names", {})
                return {column: cells[names.get(column, column)] for column in self.quasi}
        return {}

    @cached_property
    def ladders(self) -> dict[str, Ladder]:
        """The ladders of quasi columns that are known.

        They are not where the product proposed the hierarchy, or a technique changed the values.
        """
        found = {}
        for name in self.quasi:
            said = self.draft.policy["columns"][name]
            spec = said.get("hierarchy")
            if "technique" not in said and (spec is None or "auto" not in spec):
                values = [*self.private[name], *self.register.get(name, ())]
                found[name] = build_ladder(spec, values, self.folder)
        return found

    @cached_property
    def ranges(self) -> list[str]:
        said = self.draft.policy.get("algorithm")
        inner = next(iter(said.values())) if isinstance(said, Mapping) else {}
        return list(inner.get("ranges", ())) if isinstance(inner, Mapping) else []

    @cached_property
    def centres(self) -> bool:
        said = self.draft.policy.get("algorithm")
        return isinstance(said, Mapping) and next(iter(said.values())).get("shown") == "centres"

    @cached_property
    def expected(self) -> list[tuple[str, dict[str, Any]]]:
        """The promises with their columns, as the policy, its level or its profile says."""
        require, level = self.draft.models, self.facts.get("anonymity")
        if level is not None:
            k = self._level_k()
            require = [("k_anonymity", {"k": k}), *require]
            if k is not None:
                self._agree("k of the level", level["k"], k)
        sets = self._quasi_identifiers()
        found: list[tuple[str, dict[str, Any]]] = []
        for name, said in require:
            for columns in sets if sets and not said.get("columns") else [said.get("columns")]:
                one = {**said, "columns": columns} if columns else dict(said)
                if (name, one) not in found:
                    found.append((name, one))
        return found

    def _quasi_identifiers(self) -> list[list[str]]:
        """Under a profile: columns at 1 together, those between by themselves."""
        if not self.likelihoods:
            return []
        certain = [name for name in self.quasi if self.likelihoods[name] == 1]
        alone = [[name] for name in self.quasi if self.likelihoods[name] < 1]
        return [*([certain] if certain else []), *alone]

    def _level_k(self) -> int | None:
        said = self.draft.policy["anonymity"]
        level = said["level"] if isinstance(said, Mapping) else said
        if isinstance(said, Mapping):
            above = [k for at, k in sorted(said["k"].items()) if float(at) >= level]
            return above[0]
        if level == 0:
            return 1
        return None if level == 1 else max(2, math.floor(exact(level) * self.rows / 100))

    # The checks

    def _remove_quotes(self) -> None:
        """No cell starts like a formula; without the apostrophes it is what it was."""
        for name, column in self.released.items():
            runs = [cell for cell in column if cell and cell[0] in ("=", "@")]
            require(not runs, f"column {name!r}: {len(runs)} cells are formulas")
        self.released = {
            name: [
                cell[1:] if cell and cell[0] == "'" and cell.lstrip("'")[:1] in FORMULA else cell
                for cell in column
            ]
            for name, column in self.released.items()
        }
        self.counts["formulas quoted"] += 1

    def _agree(self, what: str, told: Any, counted: Any) -> None:
        self.counts["figures"] += 1
        if told is None or counted is None:
            require(told is None and counted is None, f"{what}: {told} said, {counted} counted")
            return
        require(
            math.isclose(float(told), float(counted), rel_tol=1e-7, abs_tol=1e-9),
            f"{what}: {told} said, {counted} counted",
        )

    def _within(self, what: str, told: float, ends: tuple[float, float]) -> None:
        self.counts["figures"] += 1
        slack = 1e-9 * max(1.0, abs(ends[0]), abs(ends[1]))
        require(ends[0] - slack <= told <= ends[1] + slack, f"{what}: {told} said, {ends} counted")

    def _check_columns(self) -> None:
        names = self.draft.with_role("quasi", "sensitive", "other")
        if self.draft.asked is not None:
            names = [name for name in names if name in self.draft.asked]
        if self.draft.scenario == "people":
            names.append("person")
        if self.replaced:
            names.append("name")
        if "scrub" in self.draft.policy["columns"].get("note", {}):
            names.append("note")
        require(
            set(self.released) == set(names),
            f"columns {sorted(self.released)} released, {sorted(names)} expected",
        )
        every = set(chain.from_iterable(self.released.values()))
        leaks = [cell for cell in every if cell and (MARK in cell or "Marker" in cell)]
        require(not leaks, f"values of columns that are not released came out: {leaks[:3]}")
        self.counts["columns checked"] += 1

    @property
    def starred(self) -> bool:
        """Whether suppressed rows are in the file as rows of ``*``."""
        return bool(self.facts["rows_suppressed"]) and self.shown == self.facts["rows"]

    def _check_rows(self) -> None:
        facts = self.facts
        if self.sampled:
            require(facts["rows"] <= self.rows, "more rows in the sample than in the table")
        else:
            self._agree("rows", facts["rows"], self.rows)
        self._agree("rows_released", facts["rows_released"], self.shown)
        keeps = self.draft.policy.get("suppressed_rows") == "keep"
        if self.starred:
            require(keeps, "suppressed rows are in the file although nobody asked for them")
        else:
            self._agree("rows_suppressed", facts["rows_suppressed"], facts["rows"] - self.shown)
        limit = math.floor(exact(self.draft.policy.get("suppress", 0)) * facts["rows"])
        require(
            facts["rows_suppressed"] <= limit,
            f"{facts['rows_suppressed']} rows suppressed, {limit} allowed",
        )
        self.counts["suppression checked"] += 1

    def _labels(self, name: str, value: Cell) -> Callable[[Cell], bool]:
        """Whether a released cell is true of a value of the private table."""
        ladder = self.ladders.get(name)
        blank = self.draft.wildcard

        def is_true(cell: Cell) -> bool:
            if cell == STAR or (cell is None and blank) or ladder is None:
                return True
            return cell in ladder.up[value] or (name in self.ranges and self._covers(cell, value))

        return is_true

    def _covers(self, cell: Cell, value: Cell) -> bool:
        if cell is None or value is None:
            return cell == value
        if self.centres:
            return True
        number = read_number(value)
        if (same := read_number(cell)) is not None and same == number:
            return True
        found = RANGE.fullmatch(cell)
        if found is None or number is None:
            return False
        return Fraction(found[1]) <= number <= Fraction(found[2])

    @property
    def known_levels(self) -> dict[str, int]:
        """The level of each column that has one."""
        said = self.facts["levels"]
        return {name: said[name] for name in self.quasi if said.get(name) is not None}

    def _fits(self, name: str, value: Cell, cell: Cell, starred: bool) -> bool:
        level, ladder = self.known_levels.get(name), self.ladders.get(name)
        if starred and cell == STAR:
            return True
        if level is not None and ladder is not None and self.algorithm in BY_COLUMN:
            return cell == ladder.up[value][level]
        return self._labels(name, value)(cell)

    def _check_truth(self) -> None:
        """Every released row is true of a row of the table, and no row is released twice."""
        if self.draft.key is not None and self.draft.key in self.released:
            self._check_truth_by_key(self.draft.key)
        else:
            self._check_truth_by_matching()

    @property
    def plain(self) -> list[str]:
        """Columns that are released as they are."""
        said = self.draft.policy["columns"]
        kept = [
            name
            for name in self.released
            if name in said and name not in self.quasi and name != "note"
        ]
        changed = {name for change in self.draft.changes for name in change.columns}
        return [
            n
            for n in kept
            if n not in changed and "technique" not in said[n] and "replace" not in said[n]
        ]

    @cached_property
    def places(self) -> list[int]:
        """The private row of each released row, by the key."""
        assert self.draft.key is not None
        place = {cell: row for row, cell in enumerate(self.private[self.draft.key])}
        return [place[cell] for cell in self.released[self.draft.key]]

    def _check_truth_by_key(self, key: str) -> None:
        known = set(self.private[key])
        require(set(self.released[key]) <= known, "a released row is of nobody asked for")
        require(len(set(self.places)) == len(self.places), "a row is released twice")
        for at, row in enumerate(self.places):
            for name in self.plain:
                same = self.released[name][at] == self.private[name][row]
                require(same, f"column {name!r}: a cell released as it is has changed")
            for name in self.quasi:
                cell, value = self.released[name][at], self.private[name][row]
                require(
                    self._fits(name, value, cell, self.starred),
                    f"column {name!r}: {value!r} was released as {cell!r}",
                )
                self.counts["cells true"] += 1

    def _check_notes(self) -> None:
        """Scrubbed text has no address and no name of its row, and keeps what tells nothing."""
        for cell in self.released.get("note", ()):
            require(
                cell is not None and ADDRESS not in cell, "a scrubbed note has the marked address"
            )
            require(str(cell).endswith(NOTE_END), f"a scrubbed note ends otherwise: {cell!r}")
            self.counts["notes scrubbed"] += 1

    def _check_truth_by_matching(self) -> None:
        """Released and private rows can be paired so that every cell is true."""
        names = [*self.plain, *self.quasi]
        private = list(zip(*(self.private[n] for n in names), strict=True)) if names else []
        released = list(zip(*(self.released[n] for n in names), strict=True)) if names else []
        by_plain: dict[Any, list[int]] = defaultdict(list)
        split = len(self.plain)
        for row, cells in enumerate(private):
            by_plain[cells[:split]].append(row)
        fits = [
            [
                row
                for row in by_plain[cells[:split]]
                if all(
                    self._fits(n, value, cell, self.starred)
                    for n, value, cell in zip(
                        self.quasi, private[row][split:], cells[split:], strict=True
                    )
                )
            ]
            for cells in released
        ]
        require(_can_be_matched(fits), "the released rows are not true of different private rows")
        self.counts["tables matched"] += 1

    def _check_classes(self) -> None:
        quasi = [name for name in self.quasi if name in self.released]
        sizes = Counter(zip(*(self.released[name] for name in quasi), strict=True))
        if not self.draft.wildcard and self.draft.scenario != "profile":
            self._agree("classes", self.facts["classes"], len(sizes))
            if sizes:
                self._agree("smallest_class", self.facts["smallest_class"], min(sizes.values()))
        self._check_cells_suppressed()

    def _check_cells_suppressed(self) -> None:
        if self.algorithm in BY_COLUMN or self.starred or self.draft.key is None or self.sampled:
            return
        if any(name not in self.ladders for name in self.quasi) or self.changed or self.ranges:
            return
        blank = self.draft.wildcard
        total = 0
        for name in self.quasi:
            if STAR in self.private[name] or (blank and None in self.private[name]):
                return
            cells, ladder = self.released[name], self.ladders[name]
            if any(STAR in path[:-1] for path in ladder.up.values()):
                return  # uncovered: root gives * at levels below the top, which is generalization
            root = next(iter(ladder.up.values()))[-1] == STAR
            whole = root and self.known_levels.get(name) == ladder.height
            if not whole:
                total += sum(cell == STAR or (blank and cell is None) for cell in cells)
        self._agree("cells_suppressed", self.facts["cells_suppressed"], total)

    @cached_property
    def evidence(self) -> Evidence:
        """The released cells, with the private table's shares and the register."""
        whole, trees = {}, {}
        for name, said in self.draft.models:
            column = said.get("column")
            if name in SENSITIVE_MODELS and column is not None:
                whole[column] = Counter(self.private[column])
                spec = self.draft.policy["columns"][column].get("hierarchy")
                if spec is not None:
                    trees[column] = build_ladder(spec, self.private[column], self.folder)
        wildcard = self.draft.wildcard
        return Evidence(
            self.released,
            self.quasi,
            wildcard,
            whole,
            trees,
            self.register,
            self._fits_person,
            self.rows - self.shown,
        )

    def _fits_person(self, name: str, cell: Cell, value: Cell) -> bool:
        return self._fits(name, value, cell, self.starred)

    def _check_promises(self) -> None:
        told = self.facts["verdicts"]
        if self.draft.policy.get("anonymity") == 1:
            tops = self.facts["levels"] == self.facts["heights"]
            require(tops and self.shown == self.rows, "anonymity 1 is not the most general release")
        expected = [one for one in self.expected if one[1].get("k", 1) is not None]
        kinds = Counter(name for name, _ in expected)
        found = Counter(one["model"] for one in told if one["model"] in kinds)
        if self.facts.get("anonymity") is None:
            require(found == kinds, f"verdicts on {found}, promises {kinds}")
        for name, said in expected:
            if name == "safe_harbor":
                continue
            if self.sampled and name in (*COMPARED, "delta_presence"):
                continue  # the table after sampling is not known here
            if name in ("k_map", "delta_presence") and len(self.ladders) < len(self.quasi):
                continue  # who fits a value of a proposed hierarchy is not known here
            columns = set(said.get("columns") or self.quasi)
            verdict = self._verdict(told, name, said, columns)
            judged = judge(name, {**said, "columns": sorted(columns)}, self.evidence)
            require(
                verdict["holds"] == judged.holds,
                f"{name} {said}: said to hold: {verdict['holds']}, counted: {judged}",
            )
            require(judged.holds or self._may_fail(), f"{name} {said} does not hold: {judged}")
            if self.shown:
                self._measured(name, verdict, judged.measured)
                self._agree(f"{name} rows_at_risk", verdict["rows_at_risk"], judged.rows_at_risk)
            self.counts[f"{name} holds" if judged.holds else f"{name} fails as said"] += 1

    def _verdict(self, told: Any, name: str, said: Mapping[str, Any], columns: set[str]) -> Any:
        limits = [said.get(key) for key in ("k", "ell", "t", "delta", "beta", "max", "c")]
        fitting = [
            one
            for one in told
            if one["model"] == name
            and set(one["columns"]) == columns
            and (name not in ("k_anonymity", "largest_risk") or one["limit"] in limits)
        ]
        require(bool(fitting), f"no verdict on {name} for {sorted(columns)}")
        return fitting[0]

    def _measured(self, name: str, verdict: Mapping[str, Any], counted: float | None) -> None:
        told = verdict["measured"]
        if counted is not None and math.isinf(counted):
            counted = None
        if told is not None and math.isinf(told):
            told = None
        self._agree(f"{name} measured", told, counted)

    def _may_fail(self) -> bool:
        """Only the historic variants of mu-Argus may give what breaks the policy."""
        said = self.draft.policy.get("algorithm")
        inner = said.get("mu-argus", {}) if isinstance(said, Mapping) else {}
        return inner.get("variant") in ("published", "actual")

    # Measures

    def _lost(self) -> Lost | None:
        """What became of every cell; None where that cannot be told from outside."""
        unknown = self.draft.key is None or self.draft.key not in self.released
        if unknown or self.sampled or self.ranges or set(self.ladders) != set(self.quasi):
            return None
        levels: list[Levels] = [None] * self.rows
        kept = []
        for at, row in enumerate(self.places):
            cells = [self.released[name][at] for name in self.quasi]
            if self.starred and all(cell == STAR for cell in cells):
                continue
            levels[row] = [
                self._levels_of(name, self.private[name][row], cell)
                for name, cell in zip(self.quasi, cells, strict=True)
            ]
            kept.append(tuple(cells))
        if self.starred and levels.count(None) != self.facts["rows_suppressed"]:
            return None
        weight = self.draft.policy.get("row_weight")
        weights = (
            [float(cell or 0) for cell in self.private[weight]] if weight else [1.0] * self.rows
        )
        said = self.draft.policy["columns"]
        return Lost(
            self.quasi,
            self.private,
            self.ladders,
            levels,
            list(Counter(kept).values()),
            {name: float(said[name].get("weight", 1)) for name in self.quasi},
            weights,
        )

    def _levels_of(self, name: str, value: Cell, cell: Cell) -> list[int]:
        level, ladder = self.known_levels.get(name), self.ladders[name]
        if self.algorithm in BY_COLUMN and level is not None:
            return [level]
        found = ladder.levels_of(value, cell)
        if cell == STAR or (cell is None and value is not None and not found):
            found.append(-1)
        return found or [-1]

    def _check_figures(self) -> None:
        lost = self._lost()
        if lost is None or not self.rows:
            return
        by_height = isinstance(self.draft.policy.get("measure"), Mapping)
        for name, ends in figures(lost, by_height).items():
            told = self.facts["measures"][name]
            if self.draft.wildcard and name in (
                "discernibility",
                "average_class_size",
            ):
                continue
            self._within(name, told, ends)
        for name in self.quasi:
            self._agree(
                f"height of {name!r}", self.facts["heights"][name], self.ladders[name].height
            )

    # The optimum

    def _check_optimum(self) -> None:
        lost = self._lost()
        names = {name for name, _ in self.expected}
        by_table = {"average_risk", "sample_uniques"} & names
        if (
            self.algorithm != "optimal"
            or lost is None
            or not self.facts["optimal"]["proven"]
            or names & {"k_map", "delta_presence", "safe_harbor"}
            or (by_table and len(self.expected) > 1)
            or self.draft.policy.get("anonymity") is not None
            or self.draft.policy.get("choice") == "blind"
            or math.prod(ladder.height + 1 for ladder in self.ladders.values()) > MOST_NODES
        ):
            return
        measure = self.draft.measure
        search = Search(
            self.quasi,
            self.private,
            self.ladders,
            self.expected,
            measure,
            isinstance(self.draft.policy.get("measure"), Mapping),
            math.floor(exact(self.draft.policy.get("suppress", 0)) * self.rows),
            self.draft.wildcard,
            lost.weights,
            lost.row_weights,
            self.evidence.whole,
            self.evidence.trees,
        )
        wildcard_sizes = search.wildcard and measure in ("discernibility", "average_class_size")
        if wildcard_sizes:
            return
        node = [self.facts["levels"][name] for name in self.quasi]
        kept = search.suppress(node)
        require(
            kept.count(False) == self.facts["rows_suppressed"],
            f"{self.facts['rows_suppressed']} rows left out at {node}, {kept.count(False)} needed",
        )
        best = search.best()
        told = self.facts["measures"][measure]
        told = 1 - told if measure in HIGHER_IS_BETTER else told
        if best is not None and not (measure == "average_class_size" and not self.shown):
            self._agree(f"the best {measure}", told, best)
            self.counts["optima"] += 1

    # Other scenarios

    def _check_people(self) -> None:
        """Every released person has k - 1 others with the same record."""
        rule = self.draft.policy["people"]["records"]
        cells = list(zip(*(self.released[name] for name in self.quasi), strict=True))
        records: dict[Cell, list[Any]] = defaultdict(list)
        for person, key in zip(self.released["person"], cells, strict=True):
            records[person].append(key)
        require(None not in records, "a released row has no person")
        truly = set(self.draft.columns["person"].cells)
        require(not truly & set(records), "a person's own identifier was released")
        if isinstance(rule, Mapping):
            allowed = rule.get("group") or range(1, rule.get("cap", 0) + 1)
            require(
                all(len(one) in allowed for one in records.values()), "a record of wrong length"
            )
        for name, said in self.draft.models:
            columns = said.get("columns") or self.quasi
            picked = [self.quasi.index(one) for one in columns]
            kinds = Counter(
                self._record([tuple(key[p] for p in picked) for key in record], rule)
                for record in records.values()
            )
            fewest = min(kinds.values(), default=said["k"])
            require(fewest >= said["k"], f"{fewest} people have the same record, k is {said['k']}")
            self.counts[f"{name} of people holds"] += 1
            if set(columns) == set(self.quasi) and kinds:
                self._agree("classes", self.facts["classes"], len(kinds))
                self._agree("smallest_class", self.facts["smallest_class"], fewest)
        told = self.facts
        self._agree("people_released", told["people_released"], len(records))
        people = told["people"] if self.sampled else len(truly)
        require(people <= len(truly), "more people in the sample than in the table")
        self._agree("people", told["people"], people)
        limit = math.floor(exact(self.draft.policy["suppress"]) * people)
        require(told["people_suppressed"] <= limit, "more people suppressed than allowed")
        if rule in ("keep", "ignore"):
            self._check_truth_by_matching()

    @staticmethod
    def _record(rows: list[Any], rule: Any) -> Any:
        key = lambda row: tuple((cell is None, cell or "") for cell in row)  # noqa: E731
        return tuple(sorted(set(rows) if rule == "ignore" else rows, key=key))

    def _check_safe_harbor(self) -> None:
        for name, allowed in (
            ("zip", r"\d{3}(00|\*\*)?|000|\*"),
            ("birth", r"\d{4}|\D*\d{4}\D*|\*"),
        ):
            for cell in self.released[name]:
                require(
                    cell is None or re.fullmatch(allowed, cell) is not None,
                    f"column {name}: {cell!r} is released under safe harbor",
                )
        for cell in self.released["zip"]:
            require(not str(cell).startswith(("036", "753")), f"a restricted ZIP: {cell!r}")
        self.counts["safe harbor checked"] += 1

    def _check_pseudonyms(self) -> None:
        """One pseudonym a name, one name a pseudonym, and none that is a name."""
        if not self.replaced or self.draft.key is None:
            return
        pairs = {
            (self.private["name"][row], self.released["name"][at])
            for at, row in enumerate(self.places)
        }
        for side in (0, 1):
            require(len({pair[side] for pair in pairs}) == len(pairs), "pseudonyms do not agree")
        require(not set(self.private["name"]) & set(self.released["name"]), "a name was released")
        self.counts["pseudonyms checked"] += 1

    # Techniques

    def _check_techniques(self) -> None:
        if self.draft.key is None or self.draft.scenario == "safe harbor":
            return
        before = {n: [cells[row] for row in self.places] for n, cells in self.private.items()}
        whole = self.shown == self.facts["rows"]
        private = None if self.sampled else self.private
        if self.sampled:
            self._check_sample(before)
        for change in self.draft.changes:
            if all(name in self.released for name in change.columns):
                check_change(Changed(change, before, self.released, whole, private))
                self.counts[f"{change.name} checked"] += 1

    def _check_sample(self, before: Mapping[str, Sequence[Cell]]) -> None:
        """As many rows as were asked for, and of each stratum its share, to within one row."""
        for one in self.draft.policy["techniques"]:
            said = one.get("sample_rows") if isinstance(one, Mapping) else None
            if said is None:
                continue
            require(
                abs(self.facts["rows"] - said["share"] * self.rows) <= 0.5 + 1e-9,
                f"{self.facts['rows']} rows in a sample of {said['share']} of {self.rows}",
            )
            if self.shown == self.facts["rows"] and "within" in said:
                there = Counter(self.private[said["within"][0]])
                here = Counter(before[said["within"][0]])
                near = all(abs(here[g] - said["share"] * n) <= 1 + 1e-9 for g, n in there.items())
                require(near, f"strata of {dict(there)} gave {dict(here)}")
            self.counts["samples checked"] += 1


def _can_be_matched(fits: Sequence[Sequence[int]]) -> bool:
    """Whether every released row can have a private row of its own, by augmenting paths."""
    taken: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for other in fits[row]:
            if other not in tried:
                tried.add(other)
                if other not in taken or place(taken[other], tried):
                    taken[other] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(fits)))
