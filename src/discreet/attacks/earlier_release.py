"""Prepares an earlier release for comparison with this one, column by column.

A column that the policy changes may be in the earlier release as found, changed in the same way, or
drawn again. If it were compared as written, rows of the same person would seem to belong to two
people, and the attack would seem to fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows
from discreet.attacks.outcome import Outcome
from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.hierarchy.numbers import NumberReader
from discreet.hierarchy.ranges import read_span
from discreet.policy.changed_table import change_texts, explain_not_by_value, write_change_notes
from discreet.policy.techniques import list_steps

if TYPE_CHECKING:
    from discreet.policy.policy import Policy

SAME_PEOPLE = 0.5
"""If this share of the pseudonyms of one release is in the other, one key made both."""


@dataclass(frozen=True, eq=False)
class EarlierRelease:
    """An earlier release whose columns have the same meaning as those of the release.

    ``changed`` says what was done to columns before they are compared, ``unusable`` why others are
    not compared. ``rows`` also has changed columns as they were released, under another name: their
    detail is known about a person once rows are joined.
    """

    rows: CodedRows
    changed: Mapping[str, str]
    unusable: Mapping[str, str]

    def extend_quasi(self, quasi: Sequence[str]) -> tuple[str, ...]:
        """The columns that an intruder knows, and those of the earlier release with more detail."""
        other = [_rename(name) for name in quasi if name in (*self.changed, *self.unusable)]
        return (*quasi, *other)

    def add_notes(self, outcome: Outcome) -> Outcome:
        """The outcome of an attack, with notes on what was compared and what was not."""
        said = write_change_notes(self.changed, self.unusable)
        if not said:
            return outcome
        columns = {"columns_changed": dict(self.changed), "columns_not_used": dict(self.unusable)}
        return replace(
            outcome,
            note="; ".join(filter(None, (outcome.note, *said))),
            found={**outcome.found, **columns},
        )


def read_as_released(
    policy: Policy | None, earlier: CodedRows, release: CodedRows
) -> EarlierRelease:
    """Make the policy's changes to columns of an earlier release that lack them.

    Notes
    -----
    A change that depends only on the value is applied to texts that are not groups, unless all of
    them are texts of this release. Columns that were drawn at random, depend on the other rows or
    were scrubbed are compared only if every cell of the shorter release is in the other, as with
    the same seed. *Departures*: none. *Cost*: one pass over the different texts.
    """
    if policy is None:
        return EarlierRelease(earlier, {}, {})
    texts, codes = dict(earlier.texts), dict(earlier.codes)
    changed, unusable = dict[str, str](), dict[str, str]()
    for name in (name for name in earlier.columns if name in release.columns):
        why = explain_not_by_value(policy, name)
        if why:
            if not _is_drawn_alike(name, earlier, release, pseudonyms=why == "pseudonyms"):
                unusable[name] = why
            continue
        done = [step.technique for step in list_steps(policy) if name in step.columns]
        plain = [text for text in texts[name] if text is not None and _is_plain(text)]
        if not done or set(plain) <= set(release.texts[name]):
            continue
        told = ", ".join(one.done for one in done)
        try:
            new = dict(zip(plain, change_texts(name, plain, done), strict=True))
        except DiscreetError as error:
            unusable[name] = f"{told}, which cannot be applied to {earlier.name}: {error}".rstrip(
                "."
            )
            continue
        texts[name], codes[name] = _replace_texts(texts[name], codes[name], new)
        changed[name] = told
    for name in (*changed, *unusable):
        texts[_rename(name)], codes[_rename(name)] = earlier.texts[name], earlier.codes[name]
    for name in unusable:
        del texts[name], codes[name]
    found = replace(earlier, columns=tuple(texts), texts=texts, codes=codes)
    return EarlierRelease(found, changed, unusable)


def _rename(column: str) -> str:
    return f"{column} (earlier)"


def _is_plain(text: str) -> bool:
    """Whether a text is a value and no group of values."""
    return SUPPRESSED not in text and read_span(text, _NUMBERS) is None


_NUMBERS = NumberReader([])


def _is_drawn_alike(name: str, earlier: CodedRows, release: CodedRows, *, pseudonyms: bool) -> bool:
    """Whether two releases have the same draws: one key, or all cells of the shorter."""
    shorter, longer = sorted((earlier, release), key=lambda file: file.rows)
    if pseudonyms:
        own = set(shorter.texts[name]) - {None}
        return len(own & set(longer.texts[name])) >= max(1, SAME_PEOPLE * len(own))
    cells, others = (Counter(file.cells(name)) for file in (shorter, longer))
    return len(cells) > 1 and cells <= others


def _replace_texts(
    texts: Sequence[str | None], codes: Any, new: Mapping[str, str | None]
) -> tuple[tuple[str | None, ...], Any]:
    """Other texts for some codes; codes whose texts are alike by then are one."""
    made = [text if text is None else new.get(text) or text for text in texts]
    places: dict[str | None, int] = {}
    moved = np.array([places.setdefault(text, len(places)) for text in made], dtype=np.int64)
    return tuple(places), moved[codes]
