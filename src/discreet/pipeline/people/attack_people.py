"""Attacks on a release that shows which rows are of one person: what is learned of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.attacks.coded_rows import (
    CodedRows,
    Grouped,
    ShownPeople,
    list_row_numbers,
    number_rows,
)
from discreet.attacks.earlier_release import EarlierRelease
from discreet.attacks.homogeneity import NO_SENSITIVE, note_different
from discreet.attacks.outcome import Outcome, make_not_applied, make_not_decided
from discreet.attacks.register_linking import RegisterFits
from discreet.errors import UnknownColumnError
from discreet.frequency.classes import Ints, Mask, add_up
from discreet.models.verdict import TOLERANCE
from discreet.pipeline.people.people_values import draw_chance
from discreet.policy.people import RecordRule

if TYPE_CHECKING:
    from discreet.policy.policy import Policy

PRIVATE = " (private)"
"""Ends the name that a column of the private table has where the release has other values."""
LIMIT = 0.2
"""People count as exposed in classes whose distance from the whole is above this."""


# What the values of a class give away.


def find_known_values(
    release: Any,
    policy: Policy,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    promised: Any = None,
) -> Outcome:
    """Values that every person of a class has, so that they are known of each.

    Notes
    -----
    [Machanavajjhala2007]_, sec. 1: the homogeneity attack, on whole records. *Departures*: a person
    has a value that is in any of their rows. *Cost*: one grouping of the release.
    """
    if not sensitive:
        return make_not_applied("homogeneity", NO_SENSITIVE)
    shown = _read(release, policy, quasi, sensitive)
    telling = [name for name in sensitive if len(shown.file.texts[name]) > 1]
    if not telling:
        return make_not_applied("homogeneity", NO_SENSITIVE)
    marks, people = {}, np.zeros(len(shown), dtype=np.bool_)
    for name in telling:
        owner, value, holders = shown.count_holders(name)
        values = len(shown.file.texts[name])
        known = owner * values + value
        known = known[holders == shown.classes.rows[owner]]
        own = shown.classes.of_row[shown.person] * values + shown.file.codes[name]
        marks[name] = np.isin(own, known)
        people[shown.person[marks[name]]] = True
    every = np.any(list(marks.values()), axis=0)
    rows = {name: int(mark.sum()) for name, mark in marks.items()}
    guarded = telling if promised is None else promised
    told = ", ".join(f"{name} ({number:,} rows)" for name, number in rows.items() if number)
    note = f"values that everybody in a class has: {told}" if told else "no class shares a value"
    return Outcome(
        "homogeneity",
        True,
        int(every.sum()),
        note,
        list_row_numbers(every),
        sum(rows.values()),
        people_exposed=int(people.sum()),
        counts=any(rows.get(name) for name in guarded),
        found={"columns": rows},
    )


def find_skewed_classes(
    release: Any,
    policy: Policy,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    promised: Mapping[str, float],
    original: Any = None,
) -> Outcome:
    """How much more is believed of a value once somebody's class is known.

    Notes
    -----
    [Li2007]_, sec. 3: the skewness attack. *Departures*: shares are of people who have a value in
    some row, compared with all people who have as many rows. *Cost*: one grouping a column.
    """
    if not sensitive:
        return make_not_applied("skewness", NO_SENSITIVE)
    shown = _read(release, policy, quasi, sensitive)
    column, rule = policy.people.column, policy.people.records
    private = None
    if original is not None:
        original = original.rename_columns({f"{column}{PRIVATE}": column})
        if {column, *sensitive} <= set(original.columns):
            private = ShownPeople.of(original, column, (), rule.counts, sensitive)
    apart = [name for name in sensitive if name not in promised and _is_key(shown, name)]
    sensitive = [name for name in sensitive if name not in apart]
    if not sensitive:
        return make_not_applied("skewness", note_different(apart))
    limits = dict.fromkeys(sensitive, LIMIT) | dict(promised)
    people, columns, beyond = np.zeros(len(shown), dtype=np.bool_), {}, False
    for name in sensitive:
        columns[name], far = _compare_column(shown, private, name, limits[name], rule)
        people |= far
        beyond |= name in promised and bool(far.any())
    marks = people[shown.person]
    told = [
        f"{name}: a value is up to {facts['largest_gain']:.2f} more likely in a class than among "
        f"all people; {facts['people_above']:,} people in classes further than {facts['limit']:g}"
        for name, facts in columns.items()
    ]
    return Outcome(
        "skewness",
        True,
        int(marks.sum()),
        "; ".join(filter(None, (*told, note_different(apart)))),
        list_row_numbers(marks),
        people_exposed=int(people.sum()),
        counts=beyond,
        found={"columns": columns},
    )


def _is_key(shown: ShownPeople, name: str) -> bool:
    """Whether every row has another value, so that none is more likely in one class than others."""
    return len(shown.file.texts[name]) == shown.file.rows > 1


def _compare_column(
    shown: ShownPeople, private: ShownPeople | None, name: str, limit: float, rule: RecordRule
) -> tuple[dict[str, Any], Mask]:
    """The facts of one sensitive column, and the people of classes that are too far."""
    kinds = shown.rows if rule.counts else np.zeros(len(shown), dtype=np.int64)
    kind_of = kinds[shown.classes.first]
    whole = shown if private is None else private
    prior = _measure_prior(whole, name, RecordRule() if private is None else rule, rule.counts)
    owner, value, holders = shown.count_holders(name)
    texts = shown.file.texts[name]
    share = holders / shown.classes.rows[owner]
    before = np.array(
        [prior.get((kind, texts[code]), 0.0) for kind, code in
         zip(kind_of[owner].tolist(), value.tolist(), strict=True)]
    )  # fmt: skip
    totals: dict[int, float] = {}
    for (kind, _), chance in prior.items():
        totals[kind] = totals.get(kind, 0.0) + chance
    every = np.array([totals.get(kind, 0.0) for kind in kind_of.tolist()])
    classes = len(shown.classes)
    common = add_up(owner, np.minimum(share, before), classes)
    distance = np.maximum(add_up(owner, share, classes), every) - common
    with np.errstate(divide="ignore"):
        ratio = np.where(before > 0, share / before, np.inf)
    far = (distance > limit + TOLERANCE)[shown.classes.of_row]
    facts = {
        "largest_distance": float(distance.max()),
        "largest_gain": float((share - before).max()),
        "largest_ratio": float(ratio.max()),
        "limit": limit,
        "rows_above": int(shown.rows[far].sum()),
        "people_above": int(far.sum()),
    }
    return facts, far


def _measure_prior(
    whole: ShownPeople, name: str, rule: RecordRule, counts: bool
) -> dict[tuple[int, str | None], float]:
    """The share of people with as many rows who have each value, as the rule on rows leaves it."""
    values = len(whole.file.texts[name])
    pairs, having = np.unique(whole.person * values + whole.file.codes[name], return_counts=True)
    kept = rule.limit_rows(whole.rows)
    kind = kept if counts else (kept > 0).astype(np.int64) - 1
    person = pairs // values
    chance = draw_chance(whole.rows[person], having.astype(np.int64), kept[person])
    found: dict[tuple[int, str | None], float] = {}
    members = dict(zip(*np.unique(kind[kept > 0], return_counts=True), strict=True))
    keys, where = np.unique(kind[person] * values + pairs % values, return_inverse=True)
    sums = add_up(where, chance, len(keys))
    for key, total in zip(keys.tolist(), sums.tolist(), strict=True):
        number, code = divmod(key, values)
        if number in members:
            found[number, whole.file.texts[name][code]] = total / int(members[number])
    return found


# Other files: what they tell of people whose rows are known to belong together.


def link_people(
    release: Any, register: Any, columns: Mapping[str, str], policy: Policy, k: int
) -> Outcome:
    """People who fit so few entries of a register that a name can be put to them.

    Notes
    -----
    [Sweeney2001]_, sec. 2.1 and 4.3. Somebody is taken for one of the entries that all of their
    rows fit, or of the people with the same record, if these are more: the register may lack some.
    *Departures*: whoever has a row that no entry fits together with the others gets no name.
    *Cost*: classes of rows by entries, of people with fewer than k like them alone.
    """
    own, rule = policy.people.column, policy.people.records
    fits = RegisterFits.of(release, register, columns, policy, np.zeros(0, dtype=np.int64))
    shown = ShownPeople.of(release, own, list(fits.pairs), rule.counts)
    few = shown.sizes < k
    exposed, named = np.zeros(len(shown), dtype=np.bool_), 0
    if few.any():
        asked = few[shown.person]
        fits = RegisterFits.of(release, register, columns, policy, asked)
        entries = _count_common_entries(shown, fits, few)
        exposed = few & (entries > 0) & (entries < k)
        named = int((few & (entries == 1)).sum())
    marks = exposed[shown.person]
    total = int(fits.people.sum())
    note = (
        f"{named:,} people fit one of {total:,} entries, and fewer than {k:,} people have their "
        "record"
    )
    return Outcome(
        "linking",
        True,
        int(marks.sum()),
        "; ".join([note, *fits.notes]),
        list_row_numbers(marks),
        people_exposed=int(exposed.sum()),
        found={
            "register_rows": total,
            "people_fitting_one_entry": named,
            "k": k,
            "columns_changed": dict(fits.changed),
            "columns_not_used": dict(fits.unusable),
            "notes": list(fits.notes),
        },
    )


def _count_common_entries(shown: ShownPeople, fits: RegisterFits, few: Mask) -> Ints:
    """How many entries all rows of each person fit, for some people."""
    kinds = len(fits.classes)
    pairs = np.unique(shown.person * kinds + fits.classes.of_row)
    person, kind = pairs // kinds, pairs % kinds
    wanted = few[person]
    person, kind = person[wanted], kind[wanted]
    different = np.bincount(person, minlength=len(shown))
    order = np.argsort(fits.kind, kind="stable")
    entry, start = fits.person[order], np.searchsorted(fits.kind[order], np.arange(kinds + 1))
    found = np.zeros(len(shown), dtype=np.int64)
    amount = start[kind + 1] - start[kind]
    owner = np.repeat(person, amount)
    places = np.repeat(start[kind], amount) + _count_within(amount)
    both, often = np.unique(owner * (len(fits.people) + 1) + entry[places], return_counts=True)
    owner, entry = both // (len(fits.people) + 1), both % (len(fits.people) + 1)
    whole = often == different[owner]
    np.add.at(found, owner[whole], fits.people[entry[whole]])
    return found


def _count_within(amounts: Ints) -> Ints:
    """0, 1, 2 ... anew for each of some stretches."""
    first = np.cumsum(amounts) - amounts
    return np.asarray(np.arange(int(amounts.sum())) - np.repeat(first, amounts), dtype=np.int64)


def join_earlier(
    release: Any, before: EarlierRelease, quasi: Sequence[str], policy: Policy, k: int
) -> Iterator[Outcome]:
    """People whom an earlier release with the same pseudonyms makes stand out.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2 and 5.5.3, where pseudonyms say which records go together: people are
    alike if both of their records are. *Departures*: releases without common pseudonyms are not
    joined, and it is not decided what they tell together. *Cost*: one grouping of both files.
    """
    own, rule = policy.people.column, policy.people.records
    earlier = before.rows
    known = [name for name in before.extend_quasi(quasi) if name in earlier.columns]
    second = ShownPeople.of(release, own, quasi, rule.counts)
    place: dict[str | None, int] = {}
    if own in earlier.columns and known:
        first = ShownPeople.of(earlier, own, known, rule.counts)
        place = {text: number for number, text in enumerate(first.file.texts[own])}
    where = np.array([place.get(text, -1) for text in second.file.texts[own]], dtype=np.int64)
    both = where >= 0
    if not both.any():
        why = f"{earlier.name} has none of the pseudonyms in {own}, so records are not joined"
        fix = (
            "What the two tell together is unknown: judge who holds both, or release with one key."
        )
        yield make_not_decided("complementary", why, fix)
        yield make_not_applied("temporal", "records are not joined")
        return
    then = np.where(both, first.classes.of_row[where], -1)
    joined = Grouped.by(number_rows([second.classes.of_row, then + 1], len(second)))
    alike = joined.rows[joined.of_row]
    exposed = both & (alike < np.minimum(k, second.sizes))
    marks = exposed[second.person]
    yield Outcome(
        "complementary",
        True,
        int(marks.sum()),
        f"{int(both.sum()):,} people have the same pseudonym in {earlier.name}; with both records "
        f"{int(exposed.sum()):,} have fewer than {k:,} like them",
        list_row_numbers(marks),
        people_exposed=int(exposed.sum()),
        found={"other": earlier.name, "people_in_both": int(both.sum()), "k": k},
    )
    yield make_not_applied("temporal", "pseudonyms join the records, see complementary")


def set_apart(earlier: CodedRows, release: CodedRows, policy: Policy) -> CodedRows:
    """An earlier release; its pseudonyms have another name if the release has none of them."""
    own = policy.people.column
    if own not in earlier.columns or set(earlier.texts[own]) & set(release.texts[own]):
        return earlier
    return earlier.rename_columns({own: f"{own}{PRIVATE}"})


def count_most_rows(policy: Policy, *files: CodedRows | None) -> int:
    """The most rows that a person has in any of these files."""
    column = policy.people.column
    most = 1
    for one in files:
        for name in (column, f"{column}{PRIVATE}"):
            if one is not None and name in one.columns:
                most = max(most, int(np.bincount(one.codes[name]).max(initial=1)))
    return most


def _read(
    release: Any, policy: Policy, quasi: Sequence[str], sensitive: Sequence[str]
) -> ShownPeople:
    people = policy.people
    return ShownPeople.of(release, people.column, quasi, people.records.counts, sensitive)


def require_people(release: CodedRows, policy: Policy) -> None:
    """Refuse a release without the column that tells people apart."""
    if policy.people.column not in release.columns:
        raise UnknownColumnError(release.name, policy.people.column, release.columns)
