"""What the child does for a release: makes and writes it, counts what was written, and reports.

The release appears at its path in one step, verified, or not at all. What goes with it, such as the
report for inside, is made in the folder in memory that the server named.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

import discreet
from discreet.errors import DiscreetError
from discreet.web.child import Held

TEXT = (".csv", ".tsv", ".tab", ".txt")
"""Endings of files that are read back with the separator of the private table."""
TOLD = (
    *("rows", "rows_released", "rows_suppressed", "people", "people_suppressed"),
    *("cells_suppressed", "classes", "smallest_class", "measure", "measures", "algorithm"),
    *("optimal", "released_as", "verdicts", "unique_rows", "several_rows_per_person", "notes"),
    *("seconds", "ledger"),
)
"""Facts of a release that the screen shows."""
PRIVATE = ("report_inside", "policy")
"""Files that stay in the house."""


def make_release(
    held: Held, text: str, file: str, folder: str, wanted: Mapping[str, Any]
) -> dict[str, Any]:
    """Make, attack if asked to, write and verify a release; gives its facts.

    ``wanted`` has ``path``, ``replace``, ``source`` (the path that was opened or None), ``attack``,
    ``undecided``, ``ledger``, ``to`` and ``removed``. What an attack breaks is not written.
    """
    policy = discreet.PolicyText(text, file, folder).policy
    target = Path(wanted["path"]).expanduser().absolute()
    ledger = Path(wanted["ledger"]).expanduser() if wanted["ledger"] else None
    _refuse_read(target, wanted["source"], Path(folder) / file, ledger)
    held.found.pop("released", None)
    attacked = None
    with ExitStack() as stack:
        make = partial(discreet.anonymize, held.open_table, policy)
        if ledger is not None:
            _require_recipient(policy, wanted["to"])
            book = stack.enter_context(discreet.Ledger.open(ledger))
            make = partial(
                discreet.anonymize_again,
                *(held.open_table, policy, book),
                to=wanted["to"] or None,
                removed=wanted["removed"],
            )
        release = make(progress=held.progress)
        safe = True
        if wanted["attack"] and release.rows:
            attacked = _attack(held, release)
            safe = bool(attacked.holds) or (wanted["undecided"] and not attacked.breaks)
        if safe:
            release.write(target, replace=wanted["replace"], progress=held.progress)
            held.found["released"] = (release, attacked, target, ledger)
    facts = release.facts()
    return {
        **{name: facts.get(name) for name in TOLD},
        "warnings": list(_list_warnings(release, target)),
        "assumes": list((facts["profile"] or {"assumes": ()})["assumes"]),
        "attacks": None if attacked is None else _list_attacks(attacked.facts()),
        "written": safe,
        "path": str(target),
        "size": measure_size(target) if safe else 0,
    }


def _refuse_read(target: Path, source: str | None, policy: Path, ledger: Path | None) -> None:
    """Refuse a target that would destroy what the release is made from."""
    place = Path(os.path.realpath(target))
    fix = "Name another file."
    for one in (policy, *(() if ledger is None else (ledger, Path(f"{ledger}.key")))):
        if place == Path(os.path.realpath(one)):
            raise DiscreetError(str(target), "this file is read or kept for this release", fix)
    if source is None or "://" in source:
        return
    private = Path(source).expanduser().absolute()
    real = Path(os.path.realpath(private))
    if place == real or (target.exists() and private.exists() and target.samefile(private)):
        raise DiscreetError(str(target), "this is the file that is read", fix)
    if real.is_dir() and place.is_relative_to(real):
        raise DiscreetError(str(target), "it lies in the folder that is read", fix)
    if not private.exists() and fnmatch(str(place), str(real)):
        what = "its name fits the pattern of files that are read"
        raise DiscreetError(str(target), what, fix)


def _require_recipient(policy: Any, to: str) -> None:
    """Refuse an entry for nobody before there is a new ledger."""
    if not to and policy.for_recipient().recipient.audience is None:
        fix = "Say who gets the release, or public if anybody may see it."
        raise DiscreetError("the ledger", "the recipient is missing", fix)


def _attack(held: Held, release: Any) -> Any:
    """What the attacks get that need no further file."""
    released = release.to_arrow(unprotected=True, progress=held.progress)
    held.progress("attacking")
    return discreet.attack(released, release.policy, original=release.table, made=release)


def _list_warnings(release: Any, target: Path) -> Iterator[str]:
    """What the command line warns of: what nobody promised, and keys next to the release."""
    yield from (f"{one.note}." for one in release.identifying_columns)
    for found in (release.unique_rows, release.several_rows):
        if found is not None and found.note:
            yield f"Not promised: {found.note}."
    policy = release.policy
    keys = {one.replace.key for one in policy.columns.values() if one.replace is not None}
    if policy.people is not None and policy.people.key is not None:
        keys.add(policy.people.key)
    for key in sorted(keys):
        if Path(os.path.realpath(key)).parent == Path(os.path.realpath(target)).parent:
            yield f"{key.name} is in the folder of the release: never hand it out."


def _list_attacks(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the attacks got, without the numbers of the rows."""
    names = ("attack", "applies", "decided", "succeeds", "breaks", "rows_exposed", "note")
    return {
        "holds": facts["holds"],
        "tried": [{name: one[name] for name in names} for one in facts["attacks"]],
        "undecided": [f"{one['why']}. {one['fix']}" for one in facts["undecided"]],
    }


def count_written(held: Held) -> list[dict[str, Any]]:
    """The verdicts as counted in the written file, by the check that recipients run."""
    release, _, target, _ = _find_released(held)
    found = discreet.verify(_open_written(target, release), release.policy, release.table)
    verdicts: list[dict[str, Any]] = found.facts()["verdicts"]
    return verdicts


def _open_written(target: Path, release: Any) -> Any:
    """The written file, read in the way in which it was written."""
    kind = next((one for one in target.suffixes if one.casefold() in TEXT), "").casefold()
    if not kind:
        return discreet.read(target, header=True)
    dialect = release.table.dialect
    separator = "," if dialect is None else dialect.separator
    if kind in (".tsv", ".tab"):
        separator = "\t"
    return discreet.read(target, separator=separator, header=True)


def _find_released(held: Held) -> tuple[Any, Any, Path, Path | None]:
    found: tuple[Any, Any, Path, Path | None] | None = held.found.get("released")
    if found is None:
        what = "it is not held any more, since its process was started again"
        raise DiscreetError("the release", what, "Make it again.")
    return found


def make_files(
    held: Held, text: str, file: str, folder: str, wanted: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Make what goes with a release in a private folder; all of it, or none.

    ``wanted`` has ``into`` (the folder), ``kinds`` (of inside, outside, metadata and certificate),
    ``key`` (the path of a signing key) and ``draw`` (whether to make that key).
    """
    release, attacked, target, ledger = _find_released(held)
    into, kinds = Path(wanted["into"]), wanted["kinds"]
    stem = target.name.partition(".")[0]
    if "certificate" in kinds:
        _prepare_key(wanted)
    made: list[tuple[str, Path]] = []
    if {"inside", "outside", "metadata"} & set(kinds):
        held.progress("reporting")
        facts = () if attacked is None else (attacked,)
        report = discreet.report(release, facts=facts, ledger=ledger, written=target)
        made += _write_reports(report, kinds, into, stem)
    if "certificate" in kinds:
        held.progress("signing")
        policy = discreet.PolicyText(text, file, folder).policy
        certificate = discreet.certify(
            target,
            policy,
            key=Path(wanted["key"]).expanduser(),
            facts=[one for one in (release, attacked) if one is not None],
            ledger=ledger,
            open_table=lambda: _open_written(target, release),
        )
        certificate.write(into / f"{stem}_certificate.json", replace=True)
        made.append(("certificate", into / f"{stem}_certificate.json"))
    return [describe_file(key, path) for key, path in made]


def _write_reports(report: Any, kinds: Any, into: Path, stem: str) -> Iterator[tuple[str, Path]]:
    """The two editions and the metadata, as far as they are wanted and allowed."""
    if "inside" in kinds:
        inside = into / f"{stem}_report_inside.html"
        report.write(inside, replace=True)
        inside.chmod(0o600)
        yield "report_inside", inside
    if "outside" in kinds:
        if report.outside is None:
            what = "an attack reveals more than the policy allows, so there is no outside edition"
            raise DiscreetError("the report", what, "Make the inside edition, or a safer release.")
        outside = into / f"{stem}_report.html"
        discreet.Report(report.outside, report.outside).write(outside, replace=True)
        yield "report_outside", outside
    if "metadata" in kinds:
        for path in report.write_metadata(into / "metadata", replace=True):
            yield "metadata", path


def _prepare_key(wanted: Mapping[str, Any]) -> None:
    """Draw the signing key where that is asked for; refuse none."""
    if not wanted["key"]:
        raise DiscreetError("the certificate", "no signing key is named", "Give its path.")
    if wanted["draw"]:
        discreet.SigningKey.create(Path(wanted["key"]).expanduser())


def describe_file(key: str, path: Path) -> dict[str, Any]:
    """A file of the release as the screen lists it."""
    return {
        "key": f"{key}:{path.name}",
        "kind": key,
        "name": path.name,
        "path": str(path),
        "size": measure_size(path),
        "private": key in PRIVATE,
    }


def measure_size(path: Path) -> int:
    """The bytes of a file, or of all files of a folder."""
    if not path.is_dir():
        return path.stat().st_size
    return sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
