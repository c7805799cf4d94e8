"""Checks a certificate from the released file itself: signature, files, then every promise."""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from discreet.certificate.envelope import read_envelope
from discreet.certificate.keys import PublicKey, SigningKey, load_key
from discreet.certificate.private_table import hash_private
from discreet.certificate.released_files import ReleasedFiles, describe_broken
from discreet.certificate.statement import (
    PrivateTable,
    Statement,
    is_expired,
    list_names,
    parse_statement,
    read_now,
)
from discreet.display import dataclass
from discreet.errors import ArgumentError, CertificateError
from discreet.input_file import hash_regular
from discreet.models.verdict import Verdict, count_promises
from discreet.pipeline.people.together import VerifiedTogether
from discreet.pipeline.verify import Verification
from discreet.pipeline.verify import verify as verify_policy
from discreet.policy.policy import Policy

WRONG_KEY, CHANGED, ANOTHER_FILE = "wrong_key", "changed", "another_file"
EXPIRED, BROKEN, ANOTHER_TABLE = "expired", "promise_broken", "another_private_table"
SAME, DIFFERENT, NOT_COMPARED = "same", "different", "not compared"


@dataclass(frozen=True, repr=False)
class CheckedCertificate:
    """Whether a certificate holds for a released file: if not, the first reason by its name.

    ``refused`` is ``wrong_key``, ``changed``, ``another_file``, ``another_private_table``,
    ``expired`` or ``promise_broken``. What a certificate says is known only once its signature has
    been checked, and verdicts only once its files have been.
    """

    certificate: str
    refused: str | None = None
    why: str = ""
    signed_by: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    statement: Statement | None = None
    private_table: str | None = None
    verification: Verification | VerifiedTogether | None = None

    def __repr__(self) -> str:
        said = self.refused or f"holds, {count_promises(self.verdicts)}"
        return f"CheckedCertificate({said})"

    @property
    def holds(self) -> bool:
        """Whether signature, files and all promises are as they should be."""
        return self.refused is None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, counted anew; none where it did not come to that."""
        return () if self.verification is None else self.verification.verdicts

    def facts(self) -> dict[str, Any]:
        """The check as plain data, as ``discreet verify --certificate --json`` shows it."""
        said, found = self.statement, self.verification
        predicate = None if said is None else said.predicate
        return {
            "format": "discreet-verify/1",
            **({"rows": None, "verdicts": []} if found is None else found.facts()),
            "holds": self.holds,
            "certificate": {
                "file": self.certificate,
                "refused": self.refused,
                "why": self.why or None,
                "signed_by": list(self.signed_by),
                "not_checked": list(self.not_checked),
                "issued": None if predicate is None else predicate.issued,
                "valid_until": None if predicate is None else predicate.valid_until,
                "subjects": None if said is None else said.digests,
                "private_table": self.private_table,
                "stated": None if predicate is None else predicate.stated.model_dump(),
            },
        }


@overload
def verify(
    release: Any, policy: Policy | Mapping[str, Any] | str | Path, original: Any = None
) -> Verification: ...


@overload
def verify(
    release: str | Path,
    policy: None = None,
    original: Any = None,
    *,
    certificate: str | Path,
    key: str | Path | Sequence[str | Path],
    also: Sequence[str | Path] = (),
    reading: Mapping[str, Any] | None = None,
) -> CheckedCertificate: ...


def verify(
    release: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    original: Any = None,
    *,
    certificate: str | Path | None = None,
    key: str | Path | Sequence[str | Path] = (),
    also: Sequence[str | Path] = (),
    reading: Mapping[str, Any] | None = None,
) -> Verification | CheckedCertificate:
    """Check that a released file keeps every promise, by counting its rows anew.

    Parameters
    ----------
    release
        The released file, a Table or a data frame; with a certificate the path of the file, or of
        the folder of tables that were released together.
    policy
        What was promised: a Policy, a dict or a policy file. A certificate has its own.
    original
        The private table, if at hand. Its sensitive columns are read for models that compare with
        the whole table; without it they compare with the released file itself. Columns that the
        policy replaces are read to see that none of their values is in the file.
    certificate
        The file of a certificate: its signature is checked, then that it is about these bytes, then
        every promise of the policy that it holds.
    key
        With a certificate: the public key of whoever should have signed it, from a source that you
        trust; of several, each must have signed. The signing key itself compares ``original`` with
        the keyed hash too.
    also
        With a certificate: further files that it must be about, such as a report.
    reading
        With a certificate: settings for :func:`discreet.read`, such as ``{"separator": ";"}``.

    Notes
    -----
    Shares no counting code with the search: values are read as text, grouped in SQL, and each
    formula is written out from its definition. *Cost*: one pass over the file (two if the classes
    do not fit into a first share of memory), two more over its bytes with a certificate; memory
    grows with the different rows, not with the rows. Nothing is written to disk.
    """
    if certificate is None:
        return _verify_plain(release, policy, original, key, also, reading)
    if policy is not None:
        what = "a certificate has its own policy"
        raise ArgumentError("policy", what, "Leave it out, or leave out the certificate.")
    paths = [key] if isinstance(key, str | os.PathLike) else list(key)
    if not paths:
        what = "a signature proves nothing without the key of whoever should have signed"
        fix = "Give the public key, which you have from the signer and not with the certificate."
        raise ArgumentError("key", what, fix)
    file = original if isinstance(original, str | os.PathLike) else None
    return check_certificate(
        ReleasedFiles.find(release, reading),
        Path(certificate),
        [load_key(one) for one in paths],
        also=[Path(one) for one in also],
        open_original=lambda _: original,
        original_file=file,
    )


def _verify_plain(
    release: Any, policy: Any, original: Any, key: Any, also: Any, reading: Any
) -> Verification:
    given = {"key": bool(key), "also": bool(also), "reading": reading is not None}
    if names := [name for name, is_given in given.items() if is_given]:
        what = "this is for a certificate, and none is given"
        raise ArgumentError(names, what, "Leave it out.")
    if policy is None:
        fix = "Give a policy, or a certificate, which has one."
        raise ArgumentError("policy", "it is needed to know what was promised", fix)
    return verify_policy(release, policy, original)


def check_certificate(
    files: ReleasedFiles,
    path: Path,
    keys: Sequence[PublicKey | SigningKey],
    *,
    also: Sequence[Path] = (),
    open_original: Callable[[Policy], Any] = lambda _: None,
    original_file: Any = None,
) -> CheckedCertificate:
    """Check the signatures of a certificate, then its files, then count its promises anew.

    Nothing that it says is used before every one of ``keys`` has been found to have signed it.
    ``open_original`` gives the private table for the policy; ``original_file`` is its file, or
    its address in a database.
    """
    envelope = read_envelope(path)
    public = [one.public for one in keys]
    if unsigned := envelope.find_unsigned(public):
        return CheckedCertificate(path.name, *_explain_signature(*unsigned[0]))
    signers = tuple(dict.fromkeys(one.keyid for one in public))
    statement = parse_statement(envelope.payload, path)
    shown, kept = statement.predicate.policy, statement.predicate.stated.private_table
    private = _compare_private(kept, keys, original_file)
    told: dict[str, Any] = {
        "signed_by": signers,
        "not_checked": tuple(one.keyid for one in envelope.signatures if one.keyid not in signers),
        "statement": statement,
        "private_table": private,
    }
    refused = _check_files(statement, files.hash(), files, also)
    if refused is None and private == DIFFERENT:
        refused = ANOTHER_TABLE, "the private table is not the one of its keyed hash"
    if refused is None and is_expired(statement.predicate, read_now()):
        refused = EXPIRED, f"it was valid until {statement.predicate.valid_until}"
    if refused is not None:
        return CheckedCertificate(path.name, *refused, **told)
    policy = Policy.parse(shown.text, shown.file, path.parent)
    found, digests = files.count(policy, open_original(policy))
    refused = _check_files(statement, digests, files, ())  # they may have been replaced meanwhile
    if refused is not None:
        return CheckedCertificate(path.name, *refused, **told)
    if not found.holds:
        refused = BROKEN, f"counted anew, {describe_broken(found)}"
    reason, why = refused or (None, "")
    return CheckedCertificate(path.name, reason, why, verification=found, **told)


def _explain_signature(key: PublicKey, claimed: bool) -> tuple[str, str]:
    if claimed:
        return CHANGED, f"the signature of key {key.keyid[:16]} does not fit what it holds"
    return WRONG_KEY, f"it is not signed by key {key.keyid[:16]}"


def _check_files(
    statement: Statement, digests: Mapping[str, str], files: ReleasedFiles, also: Sequence[Path]
) -> tuple[str, str] | None:
    """Why the files are not those that a certificate is about; None if they are."""
    predicate = statement.predicate
    if not files.are_certified(statement, digests):
        names = list_names(predicate.release)
        return ANOTHER_FILE, f"the bytes of {files.path.name} are not those of {names}"
    known = {statement.digests[name] for name in predicate.also}
    for one in also:
        if hash_regular(one, CertificateError) not in known:
            return ANOTHER_FILE, f"{one.name} is not one of the further files that it is about"
    return None


def _compare_private(
    kept: PrivateTable | None, keys: Sequence[PublicKey | SigningKey], file: Any
) -> str | None:
    """Whether the private table is the one of the keyed hash, which only the key can tell."""
    if file is None:
        return None
    for key in keys:
        if kept is not None and isinstance(key, SigningKey) and key.keyid == kept.keyid:
            found = hash_private(key, [file], bytes.fromhex(kept.salt))
            return SAME if hmac.compare_digest(found, kept.digest) else DIFFERENT
    return NOT_COMPARED
