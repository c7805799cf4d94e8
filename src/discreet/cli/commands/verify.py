"""``discreet verify``: does this file keep this policy; nothing but the file is trusted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import known_options, options, output
from discreet.cli.failure import FlagError
from discreet.errors import PolicyError

if TYPE_CHECKING:
    from discreet.policy.policy import Policy
    from discreet.table.table import Table


CERTIFICATE = "A certificate"
BLIND = (
    "A file does not show whether levels were chosen without the sensitive values (choice: blind); "
    "you have to trust the maker of the release."
)


def verify(
    file: options.File,
    policy: options.PolicyFile = None,
    profile: options.Profile = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    anonymity: options.Anonymity = None,
    original: known_options.Original = None,
    rows: Annotated[
        int | None,
        typer.Option(
            "--rows",
            min=1,
            metavar="N",
            rich_help_panel="The private table",
            help="With an anonymity level: the rows of the private table, which give k.",
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="C",
            readable=False,
            rich_help_panel=CERTIFICATE,
            help="Check the signature of C, that it is about FILE, then the policy that it holds.",
        ),
    ] = None,
    key: Annotated[
        list[Path] | None,
        typer.Option(
            "--key",
            metavar="KEY",
            readable=False,
            rich_help_panel=CERTIFICATE,
            help="The public key of whoever must have signed C; repeat for more.",
        ),
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            "--also",
            metavar="FILE",
            readable=False,
            rich_help_panel=CERTIFICATE,
            help="A further file that C must be about, such as a report; repeat.",
        ),
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Check that a released FILE keeps its policy.

    Counts the rows again, from FILE alone: a table, - for one from standard input, or the folder of
    tables released together. Ends with 0 if every promise holds, 1 if one does not or the
    certificate is refused.
    """
    if certificate is not None:
        given = {
            "--policy": policy,
            "--profile": profile,
            "-q": quasi,
            "-s": sensitive,
            "-k": k,
            "--anonymity": anonymity,
            "--rows": rows,
            "--seed": seed,
        }
        _refuse_own_policy(given)
        facts = _check_certificate(
            file, certificate, key, also, original, separator, encoding, sheet
        )
        if json and not quiet:
            output.print_json(facts)
        elif not quiet:
            _show_certificate(facts, options.show_file(file))
        if not facts["holds"]:
            raise typer.Exit(1)
        return
    if key or also:
        flag = "--key" if key else "--also"
        raise FlagError(flag, "it is about a certificate", "Give --certificate C, or leave it out.")
    level = options.parse_share(anonymity)
    chosen = options.choose_policy(
        policy, quasi, sensitive, k, profile=profile, anonymity=level, seed=seed
    ).for_recipient()
    promised = chosen.policy if rows is None else _set_rows(chosen.policy, rows)
    if file.is_dir() and promised.people is not None:
        if not quiet:
            output.say_changes(chosen.changes)
        _verify_folder(file, promised, json, quiet)
        return
    own_sheet, other_sheet = _share_sheet(file, original, sheet)
    release = options.read_table(file, separator, encoding, own_sheet)
    private = None
    if original is not None:
        private = options.read_table(original, separator, encoding, other_sheet)
        private = _apply_techniques(private, promised)
    from discreet.pipeline.verify import verify as check

    result = check(release, promised, original=private)
    facts = result.facts()
    if not quiet:
        output.say_changes(chosen.changes)
        if json:
            output.print_json(facts)
        else:
            _show(facts, options.show_file(file))
            if promised.choice == "blind" and any(model.sensitive for model in promised.require):
                output.write(BLIND)
    if not result.holds:
        raise typer.Exit(1)


def _share_sheet(
    file: Path, original: Path | None, sheet: str | None
) -> tuple[str | None, str | None]:
    """Whose table --sheet names: the released one if it is in a database, else the private one."""
    return (sheet, None) if original is None or options.is_address(file) else (None, sheet)


def _refuse_own_policy(given: dict[str, Any]) -> None:
    if wrong := [flag for flag, value in given.items() if value]:
        what = "a certificate has its own policy"
        raise FlagError(", ".join(wrong), what, "Leave it out, or leave out --certificate.")


def _check_certificate(
    file: Path,
    certificate: Path,
    key: list[Path] | None,
    also: list[Path] | None,
    original: Path | None,
    separator: str | None,
    encoding: str | None,
    sheet: str | None,
) -> dict[str, Any]:
    """Check a certificate; tables are opened only when signature and bytes are right."""
    if str(file) == "-":
        raise FlagError("-", "a certificate is about a file", "Name the released file.")
    if not key:
        what = "a signature proves nothing without the key of whoever should have signed"
        fix = "Give --key FILE, a public key that you have from the signer."
        raise FlagError("--key", what, fix)
    from discreet.certificate.check import check_certificate
    from discreet.certificate.keys import load_key
    from discreet.certificate.released_files import ReleasedFiles

    own_sheet = None if original else sheet
    open_table = partial(options.read_table, file, separator, encoding, own_sheet)

    def open_original(policy: Policy) -> Table | None:
        if original is None:
            return None
        return _apply_techniques(options.read_table(original, separator, encoding, sheet), policy)

    return check_certificate(
        ReleasedFiles.find(file, open_table=open_table),
        certificate,
        [load_key(one) for one in key],
        also=also or [],
        open_original=open_original,
        original_file=original,
    ).facts()


def _show_certificate(facts: dict[str, Any], name: str) -> None:
    found = facts["certificate"]
    if facts["verdicts"]:
        output.print_verdicts(facts["verdicts"], facts.get("unique_rows"))
    if found["refused"] is not None:
        reason = found["refused"].replace("_", " ")
        output.write(f"{name}: the certificate is REFUSED ({reason}): {found['why']}.")
        return
    output.write(f"{name} ({facts['rows']:,} rows): the certificate and every promise hold.")
    until = found["valid_until"]
    ends = f", valid until {until}" if until else ", without an end"
    output.write(f"Signed {found['issued']}{ends}, by {', '.join(found['signed_by'])}.")
    if found["not_checked"]:
        others = len(found["not_checked"])
        output.write(f"Signatures of other keys, not checked: {others:,}.")
    if found["private_table"] is not None:
        output.write(f"The private table and its keyed hash: {found['private_table']}.")
    told = [part.replace("_", " ") for part, said in found["stated"].items() if said is not None]
    output.write(f"Stated by the signer, not counted: {', '.join(told) or 'nothing'}.")
    output.write(output.explain_missing_rule(facts.get("missing")))
    _say_outdated(facts)


def _verify_folder(folder: Path, policy: Policy, json: bool, quiet: bool) -> None:
    """Check a folder of tables about the same people."""
    from discreet.pipeline.people.together import verify_together

    result = verify_together(folder, policy)
    if json and not quiet:
        output.print_json(result.facts())
    elif not quiet:
        _show(result.facts(), folder.name)
    if not result.holds:
        raise typer.Exit(1)


def _set_rows(policy: Policy, rows: int) -> Policy:
    """The policy with the number of rows that its release was made from."""
    if policy.anonymity is None:
        what = "k does not depend on the number of rows: the policy has no anonymity level"
        raise FlagError("--rows", what, "Leave it out.")
    try:
        return policy.replace(anonymity=replace(policy.anonymity, rows=rows))
    except PolicyError as error:
        raise FlagError("--rows", error.problems[0].what.rstrip("."), "") from None


def _apply_techniques(private: Table, policy: Policy) -> Table:
    """The private table after the techniques of the policy: that is what promises are about."""
    if not policy.techniques and not any(one.technique for one in policy.columns.values()):
        return private
    from discreet.pipeline.prepare import prepare_table
    from discreet.policy.techniques import list_steps

    chance = [step.technique.name for step in list_steps(policy) if step.technique.by_chance]
    if chance and policy.seed is None:
        what = f"promises are about the table after {', '.join(chance)}, drawn without a seed"
        raise FlagError("--original", what, "Leave it out: the file is then compared with itself.")
    return prepare_table(private, policy)


def _show(facts: dict[str, Any], name: str) -> None:
    holds = facts["holds"]
    output.print_verdicts(facts["verdicts"], facts.get("unique_rows"))
    output.say_people(facts.get("several_rows_per_person"))
    people = f" of {facts['people']:,} people" if facts.get("people") is not None else ""
    rows = f" ({facts['rows']:,} rows{people})" if "rows" in facts else ""
    output.write(f"{name}{rows}: {'every promise holds' if holds else 'DOES NOT HOLD'}.")
    output.write(output.explain_missing_rule(facts.get("missing")))
    output.say_level(facts["anonymity"])
    output.say_profile(facts["profile"])
    _say_outdated(facts)


def _say_outdated(facts: dict[str, Any]) -> None:
    if facts.get("outdated"):
        output.write(facts["outdated"])
