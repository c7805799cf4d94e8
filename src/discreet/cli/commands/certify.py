"""``discreet certify``: a signed statement about a release that anybody can check again."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import known_options, options, output
from discreet.cli.failure import FlagError
from discreet.cli.target import check_certificate_target

if TYPE_CHECKING:
    from discreet.certificate.certify import Certificate

Released = Annotated[Path | None, typer.Argument(metavar="FILE", readable=False, hidden=True)]
Keys = Annotated[
    list[Path] | None,
    typer.Option("--key", metavar="KEY", readable=False, help="The signing key; repeat for more."),
]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="OUT", readable=False, help="The certificate to write."),
]
Also = Annotated[
    list[Path] | None,
    typer.Option(
        "--also", metavar="FILE", readable=False, help="A further file, such as a report; repeat."
    ),
]
ValidUntil = Annotated[
    str | None,
    typer.Option("--valid-until", metavar="DATE", help="The last day of validity, in UTC."),
]
AddTo = Annotated[
    Path | None,
    typer.Option(
        "--add-to",
        metavar="C",
        readable=False,
        help="Add a signature to the certificate C, after checking FILE against it.",
    ),
]


def certify(
    file: Released = None,
    policy: options.PolicyFile = None,
    key: Keys = None,
    out: Out = None,
    profile: options.Profile = None,
    facts: known_options.Facts = None,
    also: Also = None,
    original: known_options.Original = None,
    ledger: known_options.Ledger = None,
    valid_until: ValidUntil = None,
    add_to: AddTo = None,
    force: options.Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Sign that a released FILE keeps its policy.

    FILE is the released table, or the folder of tables released together. Every promise is counted
    again before anything is signed; if one does not hold, nothing is, and the command ends with 1.
    The certificate shows the policy, without comments and seed. Make a key with discreet key
    --signing; recipients check with discreet verify --certificate.
    """
    if file is None or str(file) == "-":
        what = "a certificate is about a file" if file else "no file is named"
        raise FlagError("FILE", what, "Name the released file.")
    if not key:
        fix = "Give --key FILE; make one with discreet key --signing FILE."
        raise FlagError("--key", "no signing key is named", fix)
    read = (file, policy, original, ledger, *key, *(facts or ()), *(also or ()))
    if out is not None:
        check_certificate_target(out, read, force)
    open_table = partial(options.read_table, file, separator, encoding, sheet)
    from discreet.certificate.certify import NotSignedError, add_signature
    from discreet.certificate.certify import certify as sign

    try:
        if add_to is not None:
            given = {
                "--policy": policy,
                "--profile": profile,
                "--facts": facts,
                "--also": also,
                "--original": original,
                "--ledger": ledger,
                "--valid-until": valid_until,
            }
            _refuse_changes(given)
            made = add_signature(add_to, file, key=key, open_table=open_table)
        else:
            if policy is None:
                what = "a certificate says what was promised"
                raise FlagError("--policy", what, "Give --policy P.")
            chosen = options.choose_policy(policy, profile=profile)
            made = sign(
                file,
                chosen.policy,
                key=key,
                facts=facts or (),
                also=also or (),
                original=original,
                ledger=ledger,
                valid_until=valid_until,
                open_table=open_table,
            )
    except NotSignedError as error:
        _show_not_signed(error, json, quiet)
        raise typer.Exit(1) from None
    target = add_to if out is None else out
    if target is not None:
        made.write(target, replace=force or out is None)
    if quiet:
        return
    if json:
        output.print_json({**made.facts(), "file": None if target is None else str(target)})
    else:
        _show(made, target)


def _refuse_changes(given: dict[str, Any]) -> None:
    """A signature that is added changes nothing in what is signed."""
    if wrong := [flag for flag, value in given.items() if value]:
        what = "what a certificate says cannot be changed when a signature is added"
        raise FlagError(", ".join(wrong), what, "Leave it out, or make a new certificate.")


def _show_not_signed(error: Any, json: bool, quiet: bool) -> None:
    found = {} if error.found is None else error.found.facts()
    if json and not quiet:
        output.print_json({**found, "holds": False, "why": f"{error.subject}: {error.what}"})
    elif not quiet:
        if found:
            output.print_verdicts(found["verdicts"], found["unique_rows"])
        output.write(f"{error.subject}: {error.what}. NOT SIGNED.")


def _show(made: Certificate, target: Path | None) -> None:
    said = made.statement.predicate
    stated = said.stated
    output.print_verdicts([one.model_dump() | {"rows_at_risk": 0} for one in said.counted.verdicts])
    output.print_table(
        "Subjects", ("file", "sha256"), [list(one) for one in made.statement.digests.items()]
    )
    parts = {
        "the search": stated.search,
        f"{len(stated.attacks or ())} attacks": stated.attacks,
        "the recipient": stated.profile,
        "the ledger entry": stated.ledger,
        "a keyed hash of the private table": stated.private_table,
    }
    told = [name for name, part in parts.items() if part is not None]
    output.write(f"Stated, not countable from the file: {', '.join(told) or 'nothing'}.")
    output.write(f"Valid until: {said.valid_until or 'no end is set'}.")
    signers = made.envelope.signatures
    output.write(f"Signed by: {', '.join(one.keyid[:16] for one in signers)}.")
    if target is None:
        output.write("Without -o nothing is written.")
    else:
        output.write(
            f"The certificate is in {target}. It shows the policy: read it before you send it."
        )
