"""Signs what is true of a release: its files, its policy, and promises that were counted anew."""

from __future__ import annotations

import json
import math
import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from discreet.certificate.envelope import Envelope, read_envelope
from discreet.certificate.keys import SigningKey, load_signing_key
from discreet.certificate.private_table import hash_private
from discreet.certificate.released_files import ReleasedFiles, describe_broken, hash_files
from discreet.certificate.statement import (
    TIME,
    CertifiedPolicy,
    CertifiedVerdict,
    Counted,
    ForRecipient,
    LedgerNumber,
    Predicate,
    PrivateTable,
    Program,
    Search,
    Stated,
    Statement,
    TriedAttack,
    is_expired,
    list_names,
    make_statement,
    parse_statement,
    parse_valid_until,
    read_now,
)
from discreet.display import dataclass
from discreet.errors import ArgumentError, CertificateError, WriteError
from discreet.input_file import FACTS, UnfitFileError, read_input, refuse_address
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release
from discreet.pipeline.attack import Attacked
from discreet.pipeline.people.together import ReleaseTogether, VerifiedTogether
from discreet.pipeline.verify import Verification
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.policy_text import write_shown_policy
from discreet.table.atomic import check_target, open_hidden_file
from discreet.table.table import Table
from discreet.version import read_version

Found = Verification | VerifiedTogether
SHARES = ("precision", "loss", "granularity", "non_uniform_entropy")
"""Measures from 0 to 1. The others are sums over rows, and tell how many were suppressed."""

_OTHER_RELEASE = "These facts are not of this file, or not of this policy."


class NotSignedError(CertificateError):
    """The release does not keep its policy, so nothing is signed; ``found`` has the verdicts."""

    def __init__(self, subject: object, what: str, found: Found | None = None) -> None:
        self.found = found
        super().__init__(subject, what, "Nothing was signed.")


@dataclass(frozen=True, repr=False)
class Certificate:
    """A signed statement about a release, ready to be written."""

    envelope: Envelope
    statement: Statement

    def __repr__(self) -> str:
        return f"Certificate({', '.join(self.statement.predicate.release)})"

    def facts(self) -> dict[str, Any]:
        """What the certificate says, as plain data; ``predicate`` is what its schema describes."""
        return {
            "signed_by": [one.keyid for one in self.envelope.signatures],
            "subjects": self.statement.digests,
            "predicate": self.statement.predicate.model_dump(),
        }

    def write(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the certificate, whole or not at all; another file is left alone if not said."""
        refuse_address(path, "certificate", written=True)
        target = Path(path)
        check_target(target.absolute(), replace)
        try:
            with open_hidden_file(target.absolute(), ".json", replace=replace) as hidden:
                hidden.write_bytes(self.envelope.render())
        except OSError as error:
            what = f"it cannot be written: {os.strerror(error.errno or 0)}"
            raise WriteError(target, what, "Check the space and the permissions.") from None


def certify(
    release: str | Path,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    key: str | Path | Sequence[str | Path],
    facts: Any = (),
    also: Sequence[str | Path] = (),
    original: str | Path | Sequence[str | Path] | None = None,
    ledger: str | Path | None = None,
    valid_until: str | None = None,
    reading: Mapping[str, Any] | None = None,
    open_table: Callable[[], Table] | None = None,
) -> Certificate:
    """Sign that a released file keeps its policy, after counting every promise anew.

    Parameters
    ----------
    release
        The path of the released file, or of the folder of tables that were released together.
    policy
        What is promised: a Policy, a dict or a policy file. The certificate shows it, without
        comments and without its seed.
    key
        The file of the signing key, made by ``discreet key --signing``; several sign together.
    facts
        What is known of how the release was made and attacked: a Release, the result of
        :func:`discreet.attack`, their facts, or files of these in JSON; one or several.
    also
        Further files that the certificate is about, such as a report.
    original
        The file of the private table, or several, for a keyed hash; nothing else is read of it.
        Of a table in a database, such as ``postgresql:///clinic#visits``, only hashes of its rows
        leave the server.
    ledger
        The ledger that remembers the release.
    valid_until
        The last day of validity, such as 2030-12-31, in UTC. Without it that of the policy's key
        ``about``, if it has one.
    reading, open_table
        Settings for :func:`discreet.read`, such as ``{"separator": ";"}``; or what opens the file.

    Notes
    -----
    What is counted is what a recipient counts: the file alone, with the policy as the certificate
    shows it. A promise that does not hold then is not signed. *Cost*: that of
    :func:`discreet.verify`, and two passes over the bytes of the files.
    """
    keys = [load_signing_key(one) for one in _list(key)]
    if not keys:
        raise ArgumentError("key", "no key is given", "Give the file of a signing key.")
    now = read_now()
    files = ReleasedFiles.find(release, reading, open_table)
    chosen = settle_policy(policy, release).for_recipient()
    if valid_until is None and chosen.about is not None:
        valid_until = chosen.about.valid_until
    until = parse_valid_until(valid_until, now)
    shown = make_shown_policy(chosen)
    found, digests = files.count(Policy.parse(shown.text, shown.file, chosen.source.folder))
    if not found.holds:
        raise NotSignedError(files.path, describe_broken(found), found)
    more = hash_files([Path(one) for one in also])
    _refuse_same_names([*digests, shown.file, *more])
    predicate = Predicate(
        issued=now.strftime(TIME),
        valid_until=until,
        program=Program(version=read_version()),
        release=list(digests),
        also=list(more),
        policy=shown,
        counted=_write_counted(found),
        stated=Stated(
            **_read_facts(_list_facts(facts), found, chosen),
            profile=_write_profile(chosen),
            ledger=None if ledger is None else _find_entry(Path(ledger), digests),
            private_table=None if original is None else _hash_private(keys[0], _list(original)),
        ),
    )
    statement = make_statement(predicate, digests, more)
    envelope = Envelope(statement.render())
    for one in keys:
        envelope = envelope.sign(one)
    parse_statement(envelope.payload, "made just now")
    return Certificate(envelope, statement)


def add_signature(
    certificate: str | Path,
    release: str | Path,
    *,
    key: str | Path | Sequence[str | Path],
    reading: Mapping[str, Any] | None = None,
    open_table: Callable[[], Table] | None = None,
) -> Certificate:
    """The certificate with one more signature, after its files and promises are checked anew.

    The signatures that it has are not checked: whoever adds one answers for what it says.
    """
    keys = [load_signing_key(one) for one in _list(key)]
    envelope = read_envelope(certificate)
    statement = parse_statement(envelope.payload, certificate)
    predicate = statement.predicate
    files = ReleasedFiles.find(release, reading, open_table)
    if is_expired(predicate, read_now()):
        what = f"it expired at {predicate.valid_until}"
        raise CertificateError(f"certificate {certificate}", what, "Make a new one.")
    if not files.are_certified(statement, files.hash()):
        what = f"it is about other files than {files.path}"
        fix = "Name the released file as it was certified."
        raise CertificateError(f"certificate {certificate}", what, fix)
    shown = predicate.policy
    found, digests = files.count(Policy.parse(shown.text, shown.file, Path(certificate).parent))
    if not files.are_certified(statement, digests):
        raise CertificateError(files.path, "the file changed while it was counted", "Run again.")
    if not found.holds:
        raise NotSignedError(files.path, describe_broken(found), found)
    for one in keys:
        envelope = envelope.sign(one)
    return Certificate(envelope, statement)


def _refuse_same_names(names: Sequence[str]) -> None:
    """Refuse two subjects of one name: a certificate names files without their folders."""
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CertificateError(list_names(twice), "two files have this name", "Rename one of them.")


def make_shown_policy(policy: Policy) -> CertifiedPolicy:
    """The policy as a certificate shows it, see :func:`write_shown_policy`."""
    file, text = write_shown_policy(policy)
    return CertifiedPolicy(file=file, text=text)


def _write_counted(found: Found) -> Counted:
    said = found.facts()
    return Counted(
        rows=said["rows"],
        people=said["people"],
        missing=said["missing"],
        verdicts=[
            CertifiedVerdict(
                model=one.model,
                holds=True,
                measured=_make_finite(one.measured),
                limit=_make_finite(one.limit),
                columns=list(one.columns),
                note=one.note,
            )
            for one in found.verdicts
        ],
    )


def _make_finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _write_profile(policy: Policy) -> ForRecipient | None:
    said = policy.recipient.facts()
    if said is None:
        return None
    return ForRecipient(**{key: said[key] for key in ForRecipient.model_fields})


def _find_entry(path: Path, digests: Mapping[str, str]) -> LedgerNumber:
    """The entry of a release in its ledger, found by the bytes of its file."""
    known = {one.file_hash: one for one in Ledger.read(path).releases()}
    entries = [known[digest] for digest in digests.values() if digest in known]
    if len(entries) != len(digests):
        what = "no release in it has the bytes of this file"
        fix = "Certify the file as it was released, or leave out the ledger."
        raise CertificateError(f"ledger {path}", what, fix)
    last = entries[-1]
    return LedgerNumber(number=last.number, time=last.time, to=last.to)


def _hash_private(key: SigningKey, tables: Sequence[str | Path]) -> PrivateTable:
    salt = secrets.token_bytes(16)
    return PrivateTable(keyid=key.keyid, salt=salt.hex(), digest=hash_private(key, tables, salt))


# What was told about how the release was made, as far as it may be told to recipients.


def _list(given: Any) -> list[Any]:
    return [given] if isinstance(given, str | os.PathLike) else list(given)


def _list_facts(given: Any) -> list[Mapping[str, Any]]:
    """Facts as plain data, whatever they were given as."""
    single = isinstance(given, str | os.PathLike | Mapping | Release | ReleaseTogether | Attacked)
    return [_load_facts(one) for one in ([given] if single else given)]


def _load_facts(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Release | ReleaseTogether | Attacked):
        return given.facts()
    if isinstance(given, Mapping):
        return given
    what = "this is not the JSON that anonymize or attack prints"
    try:
        found = json.loads(read_input(given, FACTS))
    except UnfitFileError as error:
        raise CertificateError(f"facts {given}", error.what, error.fix) from None
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise CertificateError(f"facts {given}", what, "Check the path.") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise CertificateError(f"facts {given}", what, "Save what they print as JSON.")
    return found


def _read_facts(given: Iterable[Mapping[str, Any]], found: Found, policy: Policy) -> dict[str, Any]:
    """How the release was made and what was tried, after comparing with what was counted."""
    told: dict[str, Any] = {"search": None, "attacks": None}
    try:
        for facts in given:
            parts = {
                "search": _read_search(facts, found, policy) if "measures" in facts else None,
                "attacks": _read_attacks(facts, found) if "attacks" in facts else None,
            }
            for name, part in parts.items():
                if part is not None and told[name] is not None:
                    what = f"{name} is told twice"
                    raise CertificateError("facts", what, "Give the facts of one run of each.")
                told[name] = told[name] if part is None else part
            if parts == dict.fromkeys(parts):
                what = "they are neither of a release nor of attacks"
                fix = "Give what anonymize or attack prints as JSON."
                raise CertificateError("facts", what, fix)
    except (KeyError, TypeError, ValueError, AttributeError, ValidationError):
        what = "they are not as anonymize or attack gives them"
        raise CertificateError("facts", what, "Give what they print as JSON, unchanged.") from None
    return told


def _read_search(facts: Mapping[str, Any], found: Found, policy: Policy) -> Search:
    tables = facts.get("tables")
    released = (
        facts["rows_released"]
        if tables is None
        else sum(one["rows_released"] for one in tables.values())
    )
    counted = found.facts()
    if released != counted["rows"]:
        what = f"they are of {released:,} released rows, and the file has {counted['rows']:,}"
        raise CertificateError("facts", what, _OTHER_RELEASE)
    if tables is None and {*facts["levels"]} != {*policy.quasi}:
        raise CertificateError("facts", "their quasi columns are others", _OTHER_RELEASE)
    if _list_class_sizes(facts) != _list_class_sizes(counted):
        raise CertificateError("facts", "their smallest classes differ", _OTHER_RELEASE)
    optimal, measure = facts["optimal"], facts["measure"]
    gap = optimal["gap"] if measure in SHARES else None
    return Search(
        algorithm=facts["algorithm"],
        measure=measure,
        levels=dict(facts["levels"]),
        heights=dict(facts["heights"]),
        measures={
            name: round(float(value), 2)
            for name, value in facts["measures"].items()
            if name in SHARES
        },
        proven=optimal["proven"],
        gap=None if gap is None else math.ceil(gap * 100 - 1e-9) / 100,
    )


def _list_class_sizes(facts: Mapping[str, Any]) -> list[Any]:
    """The smallest class of each promise of k-anonymity."""
    return [one["measured"] for one in facts["verdicts"] if one["model"] == "k_anonymity"]


def _read_attacks(facts: Mapping[str, Any], found: Found) -> list[TriedAttack]:
    rows = facts["rows_released"] if "measures" in facts else facts["rows"]
    if rows != found.facts()["rows"]:
        raise CertificateError("facts", "the attacked file has other rows", _OTHER_RELEASE)
    breaking = [one["attack"] for one in facts["attacks"] if one["breaks"]]
    if breaking:
        what = f"an attack reveals more than the policy allows: {list_names(breaking)}"
        raise NotSignedError("facts", what)
    keys = TriedAttack.model_fields
    return [TriedAttack(**{key: one[key] for key in keys}) for one in facts["attacks"]]
