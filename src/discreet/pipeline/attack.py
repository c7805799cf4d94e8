"""Every attack that applies to a release, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows, number_rows
from discreet.attacks.complementary import Complementary, Temporal
from discreet.attacks.earlier_release import EarlierRelease, read_as_released
from discreet.attacks.homogeneity import Homogeneity
from discreet.attacks.linking.columns import UnusableColumnsError, ensure_table
from discreet.attacks.membership import Membership
from discreet.attacks.minimality import BLIND, NO_SENSITIVE, UNKNOWN, Minimality
from discreet.attacks.outcome import Outcome, make_not_applied, make_not_decided
from discreet.attacks.published_counts import SummaryCounts
from discreet.attacks.register_linking import Linking
from discreet.attacks.row_order import Unsorted
from discreet.attacks.skewness import Skewness
from discreet.attacks.summary import Summary
from discreet.display import dataclass, format_count, render_html_table
from discreet.engines.address import find_scheme
from discreet.engines.held_rows import hold_counted_rows, is_held
from discreet.engines.read import read
from discreet.errors import (
    ArgumentError,
    DiscreetError,
    UnknownColumnError,
    did_you_mean,
)
from discreet.hierarchy.proposals import RowCodes
from discreet.input_file import check_column_count
from discreet.models import RegisterModel
from discreet.pipeline.anonymize import Release, anonymize
from discreet.pipeline.attack_limits import Limits
from discreet.pipeline.auto_hierarchies import list_auto, settle_auto, write_hierarchies
from discreet.pipeline.people import attack_people as attacked
from discreet.pipeline.people.people import People
from discreet.pipeline.prepare import prepare
from discreet.policy.changed_table import change_private_as_released
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.techniques import list_steps
from discreet.table.table import Table

NO_ORDER = (
    "rows of a table in a database have no order; to compare the order in which it is stored, "
    "export the tables to files"
)
AS_WRITTEN = (
    "no policy was given, so released values are compared as they are written: if a technique "
    "changed a column, rows may match more people than counted"
)


@dataclass(frozen=True)
class Attacked:
    """What every attack got, and the limits that it was held against.

    >>> Attacked(Limits(("zip",), ("ill",), 2), 4, ()).holds
    True
    """

    limits: Limits
    rows: int
    outcomes: tuple[Outcome, ...]
    assumes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        breaking = sum(outcome.breaks for outcome in self.outcomes)
        attacks = format_count(len(self.outcomes), "attack")
        unknown = f", {len(self.undecided)} undecided" if self.undecided else ""
        beyond = f"{breaking} beyond the promises{unknown}"
        return f"Attacked({format_count(self.rows, 'row')}, {attacks}, {beyond})"

    def _repr_html_(self) -> str:
        heads = ("attack", "applies", "rows exposed", "people exposed", "beyond the promises")
        rows = [
            (one.attack, one.applies, one.rows_exposed, one.people_exposed, one.breaks)
            for one in self.outcomes
        ]
        return render_html_table(repr(self), heads, rows)

    @property
    def holds(self) -> bool | None:
        """Whether no attack gets more than the policy allows; None if that could not be decided."""
        return None if self.undecided and not self.breaks else not self.breaks

    @property
    def breaks(self) -> bool:
        """Whether some attack is known to get more than the policy allows."""
        return any(outcome.breaks for outcome in self.outcomes)

    @property
    def undecided(self) -> tuple[Outcome, ...]:
        """Attacks of which it could not be found out what they give away."""
        return tuple(outcome for outcome in self.outcomes if not outcome.decided)

    def facts(self) -> dict[str, Any]:
        """The outcomes as plain data, as ``discreet attack --json`` shows them."""
        found = self.list_findings()
        return {
            "format": "discreet-attack/1",
            "holds": found["withstands"],
            "undecided": found["undecided"],
            "rows": self.rows,
            "k": self.limits.k,
            "quasi": list(self.limits.quasi),
            "sensitive": list(self.limits.sensitive),
            "assumes": list(self.assumes),
            "attacks": found["attacks"],
        }

    def list_findings(self) -> dict[str, Any]:
        """What is said of the attacks next to other facts of a release."""
        return {
            "withstands": self.holds,
            "undecided": [
                {"attack": one.attack, "why": one.note, "fix": one.fix} for one in self.undecided
            ],
            "attacks": [outcome.facts() for outcome in self.outcomes],
        }


@dataclass(frozen=True)
class _Files:
    source: Any
    release: CodedRows
    registers: tuple[tuple[Table, Mapping[str, str]], ...]
    earlier: tuple[EarlierRelease, ...]
    summary: Any
    original: CodedRows | None
    unordered: bool = False


def attack(
    release: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    quasi: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    k: int | None = None,
    register: Any = None,
    earlier: Sequence[Any] = (),
    summary: Any = None,
    original: Any = None,
    mapping: Mapping[str, str] | None = None,
    made: Any = None,
    trust_order: bool = False,
) -> Attacked:
    """Run every attack that the files at hand allow, before somebody else does.

    Parameters
    ----------
    release
        The release: a Table, or anything that :func:`discreet.read` takes.
    policy
        What was promised; decides what goes too far, and what released values mean.
    quasi, sensitive, k
        In the place of the policy's. Without a policy k is 2 if not given: rows that are unique.
    register
        A register of people, for linking and membership; those of the policy's promises if not
        given.
    earlier
        Earlier releases about the same people.
    summary
        Published counts of the private table; :class:`SummaryCounts` are taken for counts of values
        as the policy changes them, others are changed so first.
    original
        The private table, for its row order, and for what is right.
    mapping
        The register's names of columns, where they are others.
    made
        The :class:`~discreet.pipeline.anonymize.Release` that this is, if at hand. Otherwise, with
        a policy and the private table, it is made again, to see what its choice reveals.
    trust_order
        Whether a release whose policy scrambles the rows is taken for scrambled, so that its order
        is not compared with that of the private table.

    Notes
    -----
    *Cost*: each file is read a few times; the release is held in memory as codes, only the columns
    with a role where no other file is joined. A table in a database is counted once, by the columns
    that are compared; its rows have no order and no numbers.
    """
    if policy is not None:
        policy = settle_policy(policy, release)
    private = None
    if policy is not None:
        policy = policy.for_recipient()
    joined = original is not None or summary is not None or bool(earlier)
    release, register, original, summary = map(_open, (release, register, original, summary))
    release = _hold_release(release, policy, quasi, sensitive, joined)
    shown = _read_release(release, policy, quasi, sensitive, joined)
    registers = _choose_registers(register, mapping or {}, policy)
    if original is not None:
        # Only a register may be about columns that neither the release nor the policy has.
        known = None if registers or policy is None else {*policy.columns, *shown.columns}
        original = ensure_table(original)
        original = hold_counted_rows(original, original.columns if known is None else [*known])
        private = _read_private(original, policy, known)
    if policy is not None:
        policy = policy.for_release(shown.rows, None if private is None else private.rows)
        policy = _settle_hierarchies(policy, original, private, made)
    limits = Limits.of(shown, policy, quasi, sensitive, k)
    compared_to = [_hold_compared(_open(one), shown.columns) for one in earlier]
    files = _Files(
        release,
        shown,
        registers,
        tuple(read_as_released(policy, _read_all(one), shown) for one in compared_to),
        summary,
        private,
        unordered=any(is_held(one) for one in (release, original, *compared_to)),
    )
    if policy is not None and policy.people is not None:
        outcomes = tuple(_attack_people(limits, files, policy, original, made, trust_order))
    else:
        outcomes = (
            *_attack_row_order(limits, files, policy, trust_order),
            *_attack_with_earlier(limits, files, policy),
            _attack_with_summary(limits, files, policy),
            *_attack_with_register(limits, files, policy),
            *_attack_sensitive(limits, files),
            _attack_choice(files, policy, original, made),
        )
    if is_held(release):
        outcomes = tuple(replace(one, rows=(), earlier_rows=()) for one in outcomes)
    elif files.unordered:
        outcomes = tuple(replace(one, earlier_rows=()) for one in outcomes)
    compared = bool(files.registers) or private is not None
    assumes = (AS_WRITTEN,) if policy is None and compared else ()
    return Attacked(limits, shown.rows, outcomes, assumes)


def _attack_people(
    limits: Limits,
    files: _Files,
    policy: Policy,
    original: Any,
    made: Any,
    trust_order: bool,
) -> Iterator[Outcome]:
    """Every attack on a release that shows which rows are of one person."""
    attacked.require_people(files.release, policy)
    rows = limits.k * attacked.count_most_rows(policy, files.release, files.original)
    apart = (
        replace(one, rows=attacked.set_apart(one.rows, files.release, policy))
        for one in files.earlier
    )
    in_order = replace(files, earlier=tuple(apart))
    yield from _attack_row_order(replace(limits, k=rows), in_order, policy, trust_order)
    if not files.earlier:
        yield from _attack_with_earlier(limits, files, policy)
    for earlier in files.earlier:
        for one in attacked.join_earlier(files.release, earlier, limits.quasi, policy, limits.k):
            yield earlier.add_notes(limits.counted(one))
    told = _attack_with_summary(replace(limits, k=rows), files, policy)
    yield replace(told, counts=told.succeeds)  # of how many people the rows are is not known
    if not files.registers:
        yield from _attack_with_register(limits, files, policy)
    for found, mapping in files.registers:
        columns = _name_register_columns(limits, mapping)
        register = hold_counted_rows(found, [*columns.values()])
        try:
            named = attacked.link_people(files.source, register, columns, policy, limits.k)
            yield limits.counted(named)
        except UnusableColumnsError as error:
            yield _make_unusable("linking", error)
        yield make_not_applied("membership", "chances are of rows, and people have several")
    sensitive = limits.sensitive
    yield attacked.find_known_values(files.release, policy, limits.quasi, sensitive, limits.diverse)
    yield attacked.find_skewed_classes(
        files.release, policy, limits.quasi, sensitive, limits.close, files.original
    )
    yield _attack_choice_for_people(policy, original, made)


def _attack_choice_for_people(policy: Policy, original: Any, made: Any) -> Outcome:
    """What the choice of levels reveals, which is not worked out for people."""
    if not any(model.sensitive for model in policy.require):
        return make_not_applied("minimality", NO_SENSITIVE)
    if original is None and made is None:
        return make_not_applied("minimality", "no private table is given")
    if policy.choice == "blind":
        return Outcome("minimality", True, 0, BLIND, found={"method": "blind", "columns": {}})
    why = "the choice is not made again for other values of people, who may have several"
    fix = f"{UNKNOWN} Use choice: blind in the policy, whose choice reveals nothing."
    return make_not_decided("minimality", why, fix)


def _settle_hierarchies(
    policy: Policy, original: Any, private: CodedRows | None, made: Any
) -> Policy:
    """The policy with the hierarchies that were proposed from the data, where that is at hand."""
    open_columns = list_auto(policy)
    if made is not None and open_columns:
        known = made.policy.columns
        return write_hierarchies(policy, {name: known[name].hierarchy for name in open_columns})
    if private is None or not open_columns:
        return policy
    if policy.people is not None:  # learnt from people, as for the release
        unit, source = People.of(policy), prepare(original, policy)
        return unit.settle(policy, unit.count(source))
    quasi = [name for name in policy.quasi if name in private.columns]
    codes = {name: private.codes[name] for name in quasi}
    rows = np.ones(private.rows, dtype=np.int64)
    return settle_auto(policy, RowCodes(codes, private.texts, rows))


def _open(source: Any) -> Any:
    """The table at an address of a database; anything else as it is."""
    return source if find_scheme(source) is None else read(source)


def _hold_release(
    release: Any,
    policy: Policy | None,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    joined: bool,
) -> Any:
    """A release that is in a database as it is held here; any other as it is."""
    if not isinstance(release, Table):
        return release
    columns = release.columns if joined else _list_roles(release, policy, quasi, sensitive)
    return hold_counted_rows(release, columns)


def _hold_compared(file: Any, columns: Sequence[str]) -> Any:
    """Another release with the columns that both have."""
    if not isinstance(file, Table):
        return file
    return hold_counted_rows(file, [n for n in file.columns if n in columns] or file.columns)


def _read_release(
    release: Any,
    policy: Policy | None,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    joined: bool,
) -> CodedRows:
    """The release: all columns if it is joined with another file, else those with a role."""
    if joined or isinstance(release, CodedRows):
        return _read_all(release)
    table = ensure_table(release)
    return CodedRows.of(release, _list_roles(table, policy, quasi, sensitive))


def _list_roles(
    table: Table, policy: Policy | None, quasi: Sequence[str], sensitive: Sequence[str]
) -> Sequence[str]:
    """The columns with a role; the first if none has one."""
    for name in (*quasi, *sensitive):
        if name not in table.columns:
            raise UnknownColumnError(table.name, name, table.columns)
    roles = {*quasi, *sensitive}
    if policy is not None:
        roles |= {*policy.quasi, *policy.sensitive}
        roles |= {policy.people.column} if policy.people else set()
    return [name for name in table.columns if name in roles] or table.columns[:1]


def _read_all(file: Any) -> CodedRows:
    """All columns: two files are joined on every column that both have."""
    if isinstance(file, CodedRows):
        return file
    _check_width(ensure_table(file))
    return CodedRows.of(file)


def _check_width(table: Table) -> None:
    fix = "Give files with the columns that both have and those of the policy."
    check_column_count(table.name, len(table.columns), "compared with another file", fix)


def _read_private(
    original: Table, policy: Policy | None, known: Collection[str] | None
) -> CodedRows:
    """The private table with the changes that the policy makes to columns; all or those known.

    What it holds instead of pseudonyms, scrubbed texts and values drawn by chance has another name:
    it is not what the release has there. A table that techniques changed already is left alone.
    """
    if policy is None:
        return _read_all(original)
    if known is None:
        _check_width(original)
    found = change_private_as_released(policy, original)
    hidden = [*found.unusable, *([policy.people.column] if policy.people else [])]
    other = {name: f"{name}{attacked.PRIVATE}" for name in hidden}
    columns = [name for name in found.table.columns if known is None or name in known]
    return CodedRows.of(found.table, columns).rename_columns(other)


def _attack_row_order(
    limits: Limits, files: _Files, policy: Any, trust_order: bool
) -> Iterator[Outcome]:
    if not files.earlier and files.original is None:
        yield make_not_applied("unsorted", "no earlier release and no private table is given")
    elif files.unordered:
        yield make_not_applied("unsorted", NO_ORDER)
        return
    for earlier in files.earlier:
        yield _join_earlier("unsorted", Unsorted, limits, files.release, earlier, policy)
    if files.original is not None and trust_order and policy.order == "scramble":
        yield Outcome("unsorted", True, 0, "the policy scrambles the rows")
    elif files.original is not None:
        attack = Unsorted(limits.quasi, limits.k, policy)
        yield limits.counted(attack(files.release, files.original, original=True))


def _attack_with_earlier(limits: Limits, files: _Files, policy: Any) -> Iterator[Outcome]:
    if not files.earlier:
        for name in ("complementary", "temporal"):
            yield make_not_applied(name, "no earlier release is given")
    for earlier in files.earlier:
        for name, kind in (("complementary", Complementary), ("temporal", Temporal)):
            yield _join_earlier(name, kind, limits, files.release, earlier, policy)


def _join_earlier(
    name: str,
    kind: type[Unsorted | Complementary | Temporal],
    limits: Limits,
    release: CodedRows,
    earlier: EarlierRelease,
    policy: Any,
) -> Outcome:
    """An attack with an earlier release on the columns that can be compared, if there are any."""
    if earlier.unusable and not set(earlier.rows.columns) & set(release.columns):
        return make_not_applied(
            name, f"no column can be compared: {_list_columns(earlier.unusable)}"
        )
    attack = kind(earlier.extend_quasi(limits.quasi), limits.k, policy)
    return earlier.add_notes(limits.counted(attack(release, earlier.rows)))


def _attack_with_summary(limits: Limits, files: _Files, policy: Any) -> Outcome:
    if files.summary is None:
        return make_not_applied("summary", "no published counts are given")
    counts, unusable = files.summary, dict[str, str]()
    if policy is not None and not isinstance(counts, SummaryCounts):
        counts, unusable = SummaryCounts.of(counts).as_released(policy)
        if not counts.tables:
            return make_not_applied(
                "summary", f"no counts can be compared: {_list_columns(unusable)}"
            )
    found = limits.counted(Summary(limits.quasi, limits.k, policy)(files.release, counts))
    if not unusable:
        return found
    note = f"{found.note}; NOT compared: {_list_columns(unusable)}"
    return replace(found, note=note, found={**found.found, "columns_not_used": unusable})


def _list_columns(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({why})" for name, why in columns.items())


def _choose_registers(
    register: Any, mapping: Mapping[str, str], policy: Any
) -> tuple[tuple[Table, Mapping[str, str]], ...]:
    """The register that was given, or those that the policy's promises are about."""
    if register is not None:
        return ((ensure_table(register), mapping),)
    models = () if policy is None else policy.require
    files = {
        model.register: model.names or {} for model in models if isinstance(model, RegisterModel)
    }
    return tuple((ensure_table(file), names) for file, names in files.items())


def _attack_with_register(limits: Limits, files: _Files, policy: Any) -> Iterator[Outcome]:
    if not files.registers:
        for name in ("linking", "membership"):
            yield make_not_applied(name, "no register is given")
    for found, mapping in files.registers:
        columns = _name_register_columns(limits, mapping)
        register = hold_counted_rows(found, [*columns.values()])
        naming = Linking(columns, limits.k, limits.k_map, policy)
        try:
            named = naming(files.source, register, files.original)
            yield named if limits.k_map else limits.counted(named)
            yield Membership(columns, *limits.presence, policy)(files.source, register)
        except UnusableColumnsError as error:
            for name in ("linking", "membership"):
                yield _make_unusable(name, error)


def _name_register_columns(limits: Limits, mapping: Mapping[str, str]) -> dict[str, str]:
    """What the register calls each quasi column."""
    for name in mapping:
        if name not in limits.quasi:
            what = f"'{name}' is not a quasi column of the release"
            raise ArgumentError("mapping", what, did_you_mean(name, limits.quasi))
    return {name: mapping.get(name, name) for name in limits.quasi}


def _make_unusable(attack: str, error: UnusableColumnsError) -> Outcome:
    """An attack for which no column of the register can be compared."""
    found = {"columns_changed": {}, "columns_not_used": error.unusable}
    return replace(make_not_applied(attack, str(error)), found=found)


def _attack_sensitive(limits: Limits, files: _Files) -> Iterator[Outcome]:
    yield Homogeneity(limits.quasi, limits.sensitive, limits.diverse)(files.release)
    skewness = Skewness(limits.quasi, limits.sensitive, promised=limits.close)
    yield skewness(files.release, files.original)


def _release_again(policy: Policy, table: Any) -> Release | None:
    """What a policy makes of a private table; None if that is nothing, or left to chance."""
    if policy.seed is None and any(step.technique.by_chance for step in list_steps(policy)):
        return None
    try:
        made = anonymize(table, policy)
    except DiscreetError:
        return None
    return made if made.holds else None


def _attack_choice(files: _Files, policy: Policy | None, original: Any, made: Any) -> Outcome:
    """What the choice of levels reveals; the choice is repeated to find out."""
    if policy is None or not any(model.sensitive for model in policy.require):
        return make_not_applied("minimality", NO_SENSITIVE)
    if made is None:
        if original is None:
            return make_not_applied("minimality", "no private table is given")
        made = _release_again(policy, original)
        columns = policy.quasi if files.unordered else (*policy.quasi, *policy.sensitive)
        if made is None or not _has_same_rows(files.release, made, columns):
            why = "the policy does not make this release of the private table"
            return make_not_applied("minimality", why)
    return Minimality()(made)


def _has_same_rows(release: CodedRows, again: Release, names: Sequence[str]) -> bool:
    """Whether two releases have the same rows, in whatever order, but for what is drawn anew.

    Which rows of a class are left out is decided otherwise in a database than here, so that there
    only their number can be the same, and not their sensitive values.
    """
    if any(name not in release.columns for name in names) or again.rows != release.rows:
        return False
    other = CodedRows.of(again.recode_in_place(names))
    columns = []
    for name in names:
        code = {text: number for number, text in enumerate(release.texts[name])}
        meant = [code.get(text, len(code)) for text in other.texts[name]]
        columns.append(
            np.concatenate(
                [release.codes[name], np.array(meant, dtype=np.int64)[other.codes[name]]]
            )
        )
    number = number_rows(columns, 2 * release.rows)
    counts = [np.bincount(half, minlength=number.max() + 1) for half in np.split(number, 2)]
    return bool((counts[0] == counts[1]).all())
