"""The smallest changes to a policy that keep most more of the data, each of them really tried."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce
from itertools import combinations, product
from pathlib import Path
from typing import Any

from discreet.algorithms.claims import UnreachableError
from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ArgumentError, DiscreetError, PolicyError, ReleaseError
from discreet.pipeline.advice.changes import Change, list_changes
from discreet.pipeline.advice.trials import (
    Kept,
    OutOfTimeError,
    Trials,
    measure_kept,
    read_search_clock,
)
from discreet.pipeline.anonymize import Release
from discreet.pipeline.progress import Progress
from discreet.policy.editable_text import PolicyText
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.policy_text import render_changed_keys

SECONDS = 30.0
"""How long changes are tried, after the policy itself."""

LEAST = 0.005
"""A change that keeps less than this much more detail is not worth making."""

COMBINED = 3
"""At most so many changes are made together."""

PARTNERS = 6
"""So many of the best changes are combined with the best one."""

SLOWER, SHORTEST = 4.0, 3.0
"""A try may take so many times as long as the policy itself, or so many seconds if that is more."""

PATIENCE = 0.4, 0.7
"""The share of the time left that a try of another algorithm may take, by itself and with less to
promise: it often gains most."""

HARMLESS = ("suppress", "algorithm", "hierarchy", "records")
"""Kinds of changes that leave every promise and every column as it is."""

OUT_OF_TIME = "the time was over"
INVALID = "it does not go with the rest of the policy"


@dataclass(frozen=True, eq=False)
class Suggestion:
    """One or several changes that were made together, and what the release keeps with them.

    ``detail`` is the granularity over the quasi columns of the policy as it was, of which columns
    that are left out keep nothing; ``gain`` is how much more that is than before.
    """

    changes: tuple[Change, ...]
    policy: Policy
    kept: Kept
    detail: float
    gain: float
    seconds: float
    lines: str = field(repr=False)

    @property
    def text(self) -> str:
        """The changes in words."""
        return "; ".join(change.text for change in self.changes)

    @property
    def policy_text(self) -> PolicyText:
        """The policy with these changes made, and the comments of the file that it is from."""
        return PolicyText.of(self.policy)

    @property
    def weakening(self) -> float:
        """How much of the promises is given up: 0 for nothing."""
        return sum(change.weakening for change in self.changes)

    @property
    def weakens(self) -> bool:
        """Whether something is promised no more, or less of it."""
        return self.weakening > 0

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "changes": [{"kind": one.kind, "text": one.text} for one in self.changes],
            "weakens": self.weakens,
            "weakening": self.weakening,
            "detail": self.detail,
            "gain": self.gain,
            "policy": self.lines,
            "after": self.kept.facts(),
            "seconds": self.seconds,
        }


@dataclass(frozen=True, eq=False)
class Advice:
    """What a policy keeps of a table, and the changes that keep more, best first.

    Changes that leave every promise as it is come first. ``before`` is None where the policy cannot
    be kept at all; ``refused`` says why. ``without_gain`` and ``not_tried`` have changes with the
    reasons; ``tried`` is everything that made a release, in the order of the tries.
    """

    name: str
    before: Kept | None
    refused: str | None
    suggestions: tuple[Suggestion, ...]
    without_gain: tuple[tuple[str, str], ...]
    not_tried: tuple[tuple[str, str], ...]
    seconds: float
    tried: tuple[Suggestion, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return f"Advice({self.name}: {format_count(len(self.suggestions), 'suggestion')})"

    def _repr_html_(self) -> str:
        heads = ("change", "weakens", "granularity", "rows left out", "gain")
        rows = [
            (one.text, one.weakens, one.kept.granularity, one.kept.rows_left_out, one.gain)
            for one in self.suggestions
        ]
        return render_html_table(repr(self), heads, rows)

    @property
    def best(self) -> Suggestion | None:
        """The first suggestion, if it leaves every promise as it is."""
        return next((one for one in self.suggestions if not one.weakens), None)

    def facts(self) -> dict[str, Any]:
        """The advice as plain data, as ``discreet advise --json`` shows it."""
        return {
            "format": "discreet-advise/1",
            "file": self.name,
            "before": None if self.before is None else self.before.facts(),
            "refused": self.refused,
            "suggestions": [one.facts() for one in self.suggestions],
            "without_gain": [{"change": text, "why": why} for text, why in self.without_gain],
            "not_tried": [{"change": text, "why": why} for text, why in self.not_tried],
            "seconds": self.seconds,
        }


def advise(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Advice:
    """Find the smallest changes to a policy that keep most more of a table.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises: a Policy, a dict or a policy file. It may
        be one that cannot be kept; the changes are then those that make it possible.
    seconds
        How long to try, after the policy itself was run, in seconds of computing. What there was
        no time for is reported as not tried.
    progress
        Called as :func:`anonymize` does.

    >>> import pyarrow as pa
    >>> ages = pa.table({"age": [str(20 + n // 2) for n in range(40)]})
    >>> flat = Policy(columns={"age": {"role": "quasi"}}, require=[{"k_anonymity": {"k": 3}}])
    >>> advise(ages, flat).best.changes[0].text
    'a hierarchy for age'

    Notes
    -----
    Every change is made to the policy and run through the stages of :func:`anonymize`, except that
    nothing is written: the figures are those of the release that the changed policy makes. First
    single changes are tried, then the best of them together with others, up to three. *Cost*: one
    search for each try; rows are counted anew only where a try looks at other columns.
    """
    if not seconds > 0:
        raise ArgumentError("seconds", "there must be some time to try", "Give a number above 0.")
    chosen = settle_policy(policy, table)
    return _Search(Trials(table, progress), chosen, seconds).run()


def advise_on(release: Release, policy: Policy, seconds: float, brief: bool = False) -> Advice:
    """Advice on a release that was just made under a policy; its table is not counted again.

    With ``brief`` only what leaves every promise and every column as it is.
    """
    return _Search(Trials.of_release(release), policy, seconds, release).run(brief)


class _Search:
    """Tries changes to one policy, and remembers what each came to."""

    def __init__(
        self, trials: Trials, policy: Policy, seconds: float, release: Release | None = None
    ) -> None:
        self.trials, self.policy = trials, policy
        self.started = time.perf_counter()
        self.before: Kept | None = None
        self.refused: str | None = None
        self.least_suppressed: int | None = None
        self.found: list[Suggestion] = []
        self.without_gain: list[tuple[str, str]] = []
        self.not_tried: list[tuple[str, str]] = []
        took = self._run_policy(release)
        plain = policy.for_recipient()
        self.weights = {name: plain.columns[name].weight for name in plain.quasi}
        self.each = max(SHORTEST, SLOWER * took)
        self.deadline = read_search_clock() + seconds

    def _run_policy(self, release: Release | None) -> float:
        """Run the policy as it is, unless that was done already; how long it took."""
        started = read_search_clock()
        made = release
        try:
            made = release or self.trials.run(self.policy)
            self.before = measure_kept(made)
        except ReleaseError as error:
            self.refused = str(error)
            if isinstance(error, UnreachableError):
                self.least_suppressed = error.least_suppressed
        return read_search_clock() - started if release is None else release.seconds

    def run(self, brief: bool = False) -> Advice:
        """Try single changes, then several together."""
        values, rows = self.trials.list_values()
        left = {} if self.before is None else {c.column: c.granularity for c in self.before.columns}
        changes = list_changes(self.policy, values, left, rows, self.least_suppressed)
        if brief:
            changes = [change for change in changes if change.kind in HARMLESS]
        for change in changes:
            if change.kind != "leave out":
                self.try_changes((change,), PATIENCE[0] if change.kind == "algorithm" else 0.0)
        self._weaken_for_algorithms(changes)
        for change in changes:  # these are many, and seldom gain
            if change.kind == "leave out":
                self.try_changes((change,))
        self._combine(changes)
        return Advice(
            self.trials.name,
            self.before,
            self.refused,
            tuple(self._rank()),
            tuple(self.without_gain),
            tuple(self.not_tried),
            time.perf_counter() - self.started,
            tuple(self.found),
        )

    def try_changes(self, changes: tuple[Change, ...], patience: float = 0.0) -> Suggestion | None:
        """Run the policy with these changes; None where that makes no release, or no time is left.

        Whether it keeps more than before is for the caller to see. ``patience`` is the share of the
        time that is left which this try may take, where that is more than others may.
        """
        text = "; ".join(change.text for change in changes)
        left = self.deadline - read_search_clock()
        if left <= 0:
            self.not_tried.append((text, OUT_OF_TIME))
            return None
        started = time.perf_counter()
        allowed = min(left, max(self.each, patience * left))
        try:
            policy = reduce(lambda one, change: change.edit(one), changes, self.policy)
            kept = measure_kept(self.trials.run(policy, allowed))
        except OutOfTimeError:
            took = f"it took longer than {allowed:.1f} s"
            self.not_tried.append((text, OUT_OF_TIME if allowed == left else took))
            return None
        except PolicyError:
            self.not_tried.append((text, INVALID))
            return None
        except DiscreetError as error:
            self.without_gain.append((text, str(error)))
            return None
        detail = self._measure_detail(kept)
        gain = detail - (0.0 if self.before is None else self._measure_detail(self.before))
        lines = render_changed_keys(self.policy, policy)
        took_now = time.perf_counter() - started
        found = Suggestion(changes, policy, kept, detail, gain, took_now, lines)
        self.found.append(found)
        return found

    def _measure_detail(self, kept: Kept) -> float:
        """The granularity over the columns of the policy as it was; what is left out keeps 0."""
        left = {one.column: one.granularity for one in kept.columns}
        whole = math.fsum(self.weights.values())
        sums = math.fsum(weight * left.get(name, 0.0) for name, weight in self.weights.items())
        return sums / whole if whole else 0.0

    def _combine(self, changes: Sequence[Change]) -> None:
        """Greedily add to the best change what helps most in addition, then weaken a promise."""
        singles = [one for one in self.found if not one.weakens]
        singles.sort(key=lambda one: -one.gain)
        partners = [one.changes[0] for one in singles if one.gain > 0][:PARTNERS]
        # These never lose detail, and may help only together: a hierarchy and some suppression.
        partners += [change for change in changes if change.kind in HARMLESS]
        partners = list(dict.fromkeys(partners))
        best = _choose(singles) or self._combine_two(partners)
        if best is None:
            return
        for _ in range(COMBINED - len(best.changes)):
            better = self._add(best, partners)
            if better is None:
                break
            best = better
        for one in self._find_best_weaker():
            chosen = (*best.changes[: COMBINED - 1], *one.changes)
            if {*chosen} not in ({*known.changes} for known in self.found):
                self.try_changes(chosen)

    def _weaken_for_algorithms(self, changes: Sequence[Change]) -> None:
        """Try algorithms with less to promise: one that keeps less as it is may then keep more."""
        for one, change in product(self._find_best_weaker(), changes):
            if change.kind == "algorithm":
                self.try_changes((change, *one.changes), PATIENCE[1])

    def _find_best_weaker(self) -> list[Suggestion]:
        """The single weaker promise that gains most for what it gives up, if any gains."""
        weaker = [one for one in self.found if one.weakens and one.gain >= LEAST]
        return sorted((o for o in weaker if len(o.changes) == 1), key=_per_weakening)[:1]

    def _combine_two(self, partners: Sequence[Change]) -> Suggestion | None:
        """The best two changes together, where no change alone gains anything."""
        pairs = [one for one in combinations(partners, 2) if one[0].about != one[1].about]
        # A hierarchy is what helps most where something is lacking; other algorithms take longest.
        kinds = {pair: {change.kind for change in pair} for pair in pairs}
        pairs.sort(key=lambda pair: ("hierarchy" not in kinds[pair], "algorithm" in kinds[pair]))
        tried = [self.try_changes(pair) for pair in pairs]
        return _choose([one for one in tried if one is not None])

    def _add(self, best: Suggestion, partners: Iterable[Change]) -> Suggestion | None:
        """The best of the changes in addition to others, if it gains enough."""
        taken = {change.about for change in best.changes}
        tried = [
            self.try_changes((*best.changes, change))
            for change in partners
            if change.about not in taken
        ]
        found = _choose([one for one in tried if one is not None])
        return found if found is not None and found.gain >= best.gain + LEAST else None

    def _rank(self) -> Iterator[Suggestion]:
        """What is worth making, best first; the rest is noted as tried without gain."""
        worth = []
        for one in self.found:
            own = set(one.changes)
            parts = [other.gain for other in self.found if set(other.changes) < own]
            if one.gain >= max(parts, default=0.0) + LEAST:
                worth.append(one)
            elif len(one.changes) == 1:
                self.without_gain.append((one.text, f"detail {one.gain:+.3f}"))
        yield from sorted(worth, key=lambda one: (one.weakens, _per_weakening(one)))


def _choose(found: Sequence[Suggestion]) -> Suggestion | None:
    """The first of those that gain about as much as the best: earlier ones change less."""
    most = max((one.gain for one in found), default=-math.inf)
    return next((one for one in found if one.gain > 0 and one.gain >= most - LEAST), None)


def _per_weakening(one: Suggestion) -> float:
    """Order by what is gained, for each part of a promise that is given up."""
    return -one.gain / (one.weakening if one.weakens else 1.0)
