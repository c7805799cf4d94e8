"""What a certificate says: an in-toto statement with a predicate of our own.

The predicate keeps apart what anybody can count again from the released file (``counted``) and what
stays the word of whoever signs (``stated``). Neither holds an exact number of the private table.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from discreet.certificate.envelope import UnreadableError, parse_json
from discreet.errors import ArgumentError, CertificateError

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:discreet:release-certificate:v1"
SUPPORTED = (PREDICATE_TYPE,)
"""The predicates that this version can check."""

TIME = "%Y-%m-%dT%H:%M:%SZ"
Time = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    """A part of a certificate: nothing is guessed, and what is not known is refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, hide_input_in_errors=True
    )

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """What pydantic shows: nothing, since a policy may list values."""
        yield from ()


class Program(_Part):
    """The program that counted and signed."""

    name: Literal["discreet"] = "discreet"
    version: str


class CertifiedPolicy(_Part):
    """What was promised."""

    file: str = Field(description="The name of the policy, which is one of the subjects.")
    text: str = Field(
        description="The policy in YAML, without comments and without its seed. The digest of the "
        "subject is that of this text in UTF-8."
    )


class CertifiedVerdict(_Part):
    """A promise that held when the rows of the release were counted."""

    model: str
    holds: Literal[True]
    measured: float | None = Field(description="The worst value that was measured.")
    limit: float | None
    columns: list[str]
    note: str


class Counted(_Part):
    """What anybody can count again from the released files with the policy."""

    rows: Count
    people: Count | None = Field(description="Null unless the policy counts people.")
    missing: Literal["value", "wildcard"]
    verdicts: list[CertifiedVerdict]


class Search(_Part):
    """How the release was found, and what was lost."""

    algorithm: str
    measure: str = Field(description="The measure that was optimized.")
    levels: dict[str, int | None] = Field(
        description="The level of each quasi column; null where its cells differ."
    )
    heights: dict[str, int] = Field(description="The highest level of each quasi column.")
    measures: dict[str, float] = Field(
        description="Measures that are shares, rounded to two decimals: exact ones would tell how "
        "many rows the private table has."
    )
    proven: bool = Field(description="Whether no better release of its kind exists.")
    gap: float | None = Field(
        description="How far from the optimum it is at most, in the measure, rounded up; null if "
        "that is not known or the measure is not a share."
    )


class TriedAttack(_Part):
    """An attack that was tried on the release before it was signed."""

    attack: str
    applies: bool
    decided: bool
    succeeds: bool
    breaks: Literal[False] = Field(description="More was revealed than the policy allows.")


class ForRecipient(_Part):
    """The recipient whom the release was made for."""

    name: str
    preset: str | None
    quasi_identifiers: list[list[str]]


class LedgerNumber(_Part):
    """The release in the holder's ledger."""

    number: Count
    time: Time
    to: str


class PrivateTable(_Part):
    """A keyed hash of the private table; only the holder of the key can compare it."""

    method: Literal["hkdf-sha256, hmac-sha256"] = "hkdf-sha256, hmac-sha256"
    keyid: Digest
    salt: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    digest: Digest


class Stated(_Part):
    """What the released file does not show: the word of whoever signs."""

    search: Search | None
    attacks: list[TriedAttack] | None = Field(description="Null if none was tried.")
    profile: ForRecipient | None
    ledger: LedgerNumber | None
    private_table: PrivateTable | None


class Predicate(_Part):
    """What a certificate of a release says of its subjects."""

    issued: Time
    valid_until: Time | None
    program: Program
    release: Annotated[list[str], Field(min_length=1)] = Field(
        description="Names of the subjects that are the released files."
    )
    also: list[str] = Field(description="Names of further subjects, such as a report.")
    policy: CertifiedPolicy
    counted: Counted
    stated: Stated


class Sha256(_Part):
    """The digest of a subject."""

    sha256: Digest


class Subject(_Part):
    """A file that a certificate is about."""

    name: Annotated[str, Field(min_length=1)]
    digest: Sha256


class Statement(_Part):
    """An in-toto statement, version 1: subjects, and a predicate about them."""

    subject: Annotated[list[Subject], Field(min_length=2)]
    predicate: Predicate

    @property
    def digests(self) -> dict[str, str]:
        """The SHA-256 of each subject."""
        return {one.name: one.digest.sha256 for one in self.subject}

    def render(self) -> bytes:
        """The statement as the bytes that are signed, for people to read as well."""
        said = {
            "_type": STATEMENT_TYPE,
            "subject": [one.model_dump() for one in self.subject],
            "predicateType": PREDICATE_TYPE,
            "predicate": self.predicate.model_dump(),
        }
        return json.dumps(said, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def make_statement(
    predicate: Predicate, release: Mapping[str, str], also: Mapping[str, str]
) -> Statement:
    """The statement about files by their digests; the policy is a subject too."""
    digests = {**release, predicate.policy.file: hash_text(predicate.policy.text), **also}
    subjects = [
        Subject(name=name, digest=Sha256(sha256=digest)) for name, digest in digests.items()
    ]
    return Statement(subject=subjects, predicate=predicate)


def parse_statement(payload: bytes, where: Path | str) -> Statement:
    """The statement of a payload whose signature is checked; what is not understood is refused."""
    try:
        said = parse_json(payload)
    except UnreadableError as error:
        raise CertificateError(f"certificate {where}", str(error), "") from None
    kind = said.get("predicateType") if isinstance(said, dict) else None
    if not isinstance(said, dict) or said.get("_type") != STATEMENT_TYPE:
        what = "it does not hold an in-toto statement of version 1"
        raise CertificateError(f"certificate {where}", what, "")
    if kind not in SUPPORTED:
        shown = f"{kind[:80]!r}" if isinstance(kind, str) else "not named"
        what = f"its predicate type is {shown}; supported: {', '.join(SUPPORTED)}"
        fix = "Check it with the version of discreet that made it, or a later one."
        raise CertificateError(f"certificate {where}", what, fix)
    rest = {key: value for key, value in said.items() if key not in ("_type", "predicateType")}
    try:
        found = Statement.model_validate(rest)
    except ValidationError as error:
        place = ".".join(map(str, error.errors(include_input=False, include_url=False)[0]["loc"]))
        what = f"{error.error_count()} of its parts are not as its version says, first {place}"
        raise CertificateError(f"certificate {where}", what, "") from None
    _check_names(found, where)
    return found


def _check_names(statement: Statement, where: Path | str) -> None:
    """Refuse a statement whose subjects are not those that its predicate speaks of."""
    predicate = statement.predicate
    named = [*predicate.release, predicate.policy.file, *predicate.also]
    digest = hash_text(predicate.policy.text)
    if sorted(named) != sorted(one.name for one in statement.subject):
        what = "its predicate names other files than its subjects"
    elif statement.digests[predicate.policy.file] != digest:
        what = "its policy is not the one among its subjects"
    elif len(set(named)) < len(named):
        what = "two of its subjects have the same name"
    else:
        return
    raise CertificateError(f"certificate {where}", what, "")


def hash_text(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def certificate_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a certificate says: the predicate, version 1.

    >>> certificate_schema()["$id"]
    'urn:discreet:release-certificate:v1'
    """
    made = Predicate.model_json_schema()
    title = {"$id": PREDICATE_TYPE, "title": "discreet release certificate"}
    return {"$schema": GenerateJsonSchema.schema_dialect, **made, **title}


# Times: a certificate is valid through the day that is named, in UTC.


def read_now() -> datetime:
    """The time."""
    return datetime.now(UTC).replace(microsecond=0)


def parse_valid_until(text: str | None, now: datetime) -> str | None:
    """The last moment of validity: the end of a day, or a time with its offset from UTC."""
    if text is None:
        return None
    try:
        if len(text) == len("2030-12-31"):
            last = datetime.strptime(text + "T23:59:59Z", TIME).replace(tzinfo=UTC)
        else:
            last = datetime.fromisoformat(text)
        if last.tzinfo is None:
            raise ValueError
        last = last.astimezone(UTC)
    except (ValueError, OverflowError):
        what = "this is not a date"
        fix = "Give a day such as 2030-12-31, or a time such as 2030-12-31T12:00:00Z."
        raise ArgumentError("valid_until", what, fix) from None
    if last <= now:
        fix = "Give a later one, or none for a certificate that does not expire."
        raise ArgumentError("valid_until", "this date is past", fix)
    return last.strftime(TIME)


def is_expired(predicate: Predicate, now: datetime) -> bool:
    """Whether the last moment of validity is past."""
    last = predicate.valid_until
    return last is not None and now > datetime.strptime(last, TIME).replace(tzinfo=UTC)


def list_names(names: Sequence[str]) -> str:
    """Names in a sentence."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
