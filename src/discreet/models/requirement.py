"""All promises of a policy together: which classes of a node would break one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.class_counter import ClassCounter, Groups
from discreet.frequency.classes import Classes, Mask
from discreet.hierarchy.lattice import Node
from discreet.models.model import ClassModel, Model, RegisterModel, TableModel
from discreet.models.verdict import Verdict
from discreet.models.wildcard import match_rows


@dataclass(frozen=True, eq=False)
class Judgement:
    """The rows a node must suppress to keep all promises, and a lower bound for finer nodes."""

    fails: Mask
    suppressed: int
    least_suppressed: int


@dataclass(frozen=True, eq=False)
class Quasi:
    """One quasi-identifier and the promises made for it."""

    places: tuple[int, ...]
    names: tuple[str, ...]
    class_models: tuple[ClassModel, ...]
    table_models: tuple[TableModel, ...]

    @cached_property
    def register_models(self) -> tuple[RegisterModel, ...]:
        """The promises that use a register."""
        return tuple(model for model in self.class_models if isinstance(model, RegisterModel))

    @cached_property
    def deep_models(self) -> tuple[ClassModel, ...]:
        """Those of the promises that enough rows alone do not keep."""
        models = self.class_models
        return tuple(m for m in models if m.sensitive is not None or hasattr(m, "tally"))

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return max((model.least_rows for model in self.class_models), default=0)

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that break a promise; classes without rows break none."""
        present = classes.rows > 0
        passing = present & (classes.rows >= self.least_rows)
        for model in self.deep_models:
            if passing.any():
                passing[passing] = ~model.fails(classes.select(passing))
        for table_model in self.table_models:
            if passing.any():
                passing &= classes.rows >= table_model.find_least_class(classes.rows[passing])
        return present & ~passing

    def count_keepable(self, classes: Classes) -> float:
        """At most this many rows can be released at any finer node."""
        enough = classes.rows >= max(1, self.least_rows)
        part = classes.select(enough)
        kept = part.rows.astype(np.float64)
        for model in self.deep_models:
            if len(part):
                kept = np.minimum(kept, model.count_keepable(part))
        kept[kept < self.least_rows - 1e-6] = 0.0
        total = float(kept.sum())
        if len(classes):
            present = classes.rows[classes.rows > 0]
            total = min([total, *(model.count_keepable(present) for model in self.table_models)])
        return total


class Requirement:
    """The promises of a policy, grouped by the quasi-identifier they hold for.

    A class that breaks a promise is suppressed as a whole. Where promises hold for different
    column sets, or for the table as a whole, suppressing for one can break another, so classes are
    counted again until nothing changes.

    With ``wildcard`` a missing value matches anything: a row's class is all rows that agree with it
    where neither is missing. Such classes overlap, so finer nodes are bounded only for promises of
    which every part of a failing class fails, and only where classes of finer nodes are parts
    (``nested``).

    A release may have to be at least as coarse as an earlier one: nodes below ``floor`` on any
    column are refused.
    """

    def __init__(
        self,
        models: Sequence[Model],
        columns: tuple[str, ...],
        wildcard: bool = False,
        nested: bool = True,
        floor: Node | None = None,
    ) -> None:
        self.models = tuple(models)
        self.floor = floor
        self.columns = columns
        self.wildcard = wildcard
        self.nested = nested
        by_columns: dict[tuple[str, ...], list[Model]] = {}
        for model in models:
            if not isinstance(model, ClassModel | TableModel):
                raise InternalError(f"nothing would hold a release to {type(model).__name__}")
            wanted = model.columns or columns
            names = tuple(name for name in columns if name in set(wanted))
            by_columns.setdefault(names, []).append(model)
        self.quasis = tuple(
            Quasi(
                tuple(columns.index(name) for name in names),
                names,
                tuple(m for m in members if isinstance(m, ClassModel)),
                tuple(m for m in members if isinstance(m, TableModel)),
            )
            for names, members in by_columns.items()
        )
        passed_on = all(isinstance(m, ClassModel) and m.hereditary for m in self.models)
        self.hereditary = passed_on and nested
        single = len(self.quasis) == 1 and not self.quasis[0].table_models
        self._once = single and not wildcard

    def judge(self, counter: ClassCounter, groups: Groups) -> Judgement:
        """Decide which classes of a node are suppressed."""
        if self.floor is not None and any(
            level < least for level, least in zip(groups.node, self.floor, strict=True)
        ):
            return Judgement(groups.rows > 0, counter.total + 1, counter.total + 1)
        fails = np.zeros(len(groups), dtype=np.bool_)
        keepable = float(counter.total)
        first = True
        while True:
            before = int(fails.sum())
            kept = None if first else ~fails
            for quasi in self.quasis:
                classes, inverse = self._project_classes(counter, groups, quasi, kept)
                fails |= quasi.fails(classes)[inverse]
                if first and not self.hereditary and not self.wildcard:
                    keepable = min(keepable, quasi.count_keepable(classes))
            if self._once or int(fails.sum()) == before:
                break
            first = False
        suppressed = int(groups.rows[fails].sum())
        least = suppressed if self.hereditary else counter.total - int(keepable + 1e-6)
        allowed, least = self._judge_left_out(counter, groups, fails, least)
        if not allowed:
            return Judgement(groups.rows > 0, counter.total + 1, least)
        return Judgement(fails, suppressed, least)

    def count_failing(self, counter: ClassCounter, groups: Groups) -> dict[tuple[int, ...], int]:
        """How many rows of a node each quasi-identifier by itself would have suppressed."""
        found = {}
        for quasi in self.quasis:
            classes, inverse = self._project_classes(counter, groups, quasi, None)
            found[quasi.places] = int(groups.rows[quasi.fails(classes)[inverse]].sum())
        return found

    def _judge_left_out(
        self, counter: ClassCounter, groups: Groups, fails: Mask, least: int
    ) -> tuple[bool, int]:
        """Whether leaving out these classes keeps the promises about people of a register."""
        allowed = True
        for quasi in self.quasis:
            for model in quasi.register_models:
                classes, _ = counter.project(groups, quasi.places)
                one = model.judge_left_out(classes, fails)
                allowed, least = allowed and one.allowed, max(least, one.least)
        return allowed, least

    def _project_classes(
        self, counter: ClassCounter, groups: Groups, quasi: Quasi, kept: Mask | None
    ) -> tuple[Classes, npt.NDArray[np.int32]]:
        """The classes of a quasi-identifier, and the class that each group belongs to."""
        if not self.wildcard:
            return counter.project(groups, quasi.places, kept)
        classes = match_rows(counter, groups, quasi.places, kept)
        return classes, np.arange(len(groups), dtype=np.int32)

    def _add_note(self, verdict: Verdict) -> Verdict:
        """The verdict, saying so where missing values match any value."""
        if not self.wildcard:
            return verdict
        note = "missing values match any value"
        return replace(verdict, note=f"{verdict.note}; {note}" if verdict.note else note)

    def list_verdicts(
        self, counter: ClassCounter, groups: Groups, kept: Mask
    ) -> tuple[Verdict, ...]:
        """Measure every promise on the classes that are released, in the policy's order."""
        found: dict[int, Verdict] = {}
        for quasi in self.quasis:
            classes, _ = self._project_classes(counter, groups, quasi, kept)
            classes = replace(classes, left_out=counter.total - int(groups.rows[kept].sum()))
            present = classes.select(classes.rows > 0)
            for model in (*quasi.class_models, *quasi.table_models):
                seen = classes if isinstance(model, RegisterModel) else present
                found[id(model)] = self._add_note(model.judge_classes(seen, quasi.names))
        return tuple(found[id(model)] for model in self.models)
