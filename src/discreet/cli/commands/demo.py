"""``discreet demo``: a complete example on a synthetic town; link, anonymize, link again."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from textwrap import fill
from typing import Annotated, Any

import typer

from discreet.cli import options, output
from discreet.hierarchy.spec import name_level

FIGURES = {
    "birth": "birth date",
    "birth_sex": "birth date and sex",
    "birth_zip": "birth date and 5-digit ZIP",
    "birth_postcode": "birth date and full postal code",
}
"""The facts of figure 16 in its words."""


def demo(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Option(
            "--folder",
            metavar="DIR",
            readable=False,
            help="Output folder of the demo; created if it does not exist.",
        ),
    ] = Path("discreet-demo"),
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", min=0, help="A different seed generates a different town."
        ),
    ] = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run a complete example on a synthetic town.

    Generates a voter list and a hospital file, identifies patients by joining the two, releases
    the hospital file under a policy and joins again. The people of the town do not exist.
    """
    from discreet.sample.folder import Folder
    from discreet.sample.story import tell

    context.obj["interrupted"] = "interrupted before the demo was complete; run it again"
    progress = output.Progress(quiet)
    try:
        facts = tell(Folder(folder), seed, progress)
    finally:
        progress.end()
    if quiet:
        return
    if json:
        output.print_json(facts)
    else:
        _show(facts, folder)


def _show(facts: dict[str, Any], folder: Path) -> None:
    output.write("A synthetic town. Nobody in it exists, but birth dates and ZIP codes identify")
    output.write(f"its people as they would in a real town. Its files are in {folder}.")
    _show_files(facts["town"])
    _show_links(facts["town"], facts["before"])
    _show_release(facts["release"], folder)
    _show_links_after(facts["before"], facts["after"])
    _show_evidence()
    _show_next_steps(folder)


def _show_files(town: dict[str, Any]) -> None:
    _write_heading("1. Two files")
    _say(f"voters.csv    {town['voters']:,} voters; such lists are sold to anyone:")
    _say(", ".join(town["voter_columns"]), 17)
    _say(f"hospital.csv  {town['patients']:,} patients, one visit each, without names:")
    _say(", ".join(town["patient_columns"]), 17)


def _show_links(town: dict[str, Any], before: dict[str, Any]) -> None:
    _write_heading("2. Joined, they identify the patients")
    _say("Voters who are unique in the list by")
    output.write(f"     {'':<32}   here   printed (Sweeney 2001, figure 16)")
    for name, words in FIGURES.items():
        one = town["unique"][name]
        output.write(
            f"     {words:<32} {_format_percent(one['here'], 1)} "
            f"{_format_percent(one['printed'], 0):>9}"
        )
    named, wrong = before["named"], before["named"] - before["named_rightly"]
    _say(
        f"Joined on birth date, sex and ZIP, {named:,} of {town['patients']:,} patients "
        f"({_format_percent(named / town['patients'])}) match exactly one voter, which "
        "gives them a name. "
        f"{before['named_rightly']:,} of these names are right; the other {wrong:,} patients are "
        "not in the list and get someone else's name."
    )
    one = before["made_person"]
    _say(
        f"For instance {one['name']} (made up), {one['address']}, born {one['birth']}, "
        f"{one['sex']}, ZIP {one['zip']}. Diagnosis: {one['diagnosis']}."
    )


def _show_release(release: dict[str, Any], folder: Path) -> None:
    from discreet.pipeline.promise import state_promises
    from discreet.policy.policy import Policy

    policy = Policy.load(folder / "policy.yaml")
    _write_heading("3. Anonymized")
    _say(f"policy.yaml says what the hospital may release. {state_promises(policy)}")
    left_out = release["rows_suppressed"]
    rows = release["rows"] - left_out
    _say(
        f"release.csv has {rows:,} rows; {left_out:,} were suppressed. The rows form "
        f"{release['classes']:,} classes (rows with equal values in these columns); the smallest "
        f"has {release['smallest_class']} rows. The file was checked after writing."
    )
    heights = release.get("heights", {})
    for name in policy.quasi:
        level = release["levels"][name]
        told = describe_level(policy.columns[name].hierarchy, level, heights.get(name))
        output.write(f"     {name:<7}{told}")


def _show_links_after(before: dict[str, Any], after: dict[str, Any]) -> None:
    _write_heading("4. Joined again")
    _say(
        f"{after['named']:,} patients match exactly one voter (before: {before['named']:,}). A "
        f"released row matches at least {after['fewest_voters']:,} voters, typically "
        f"{after['median_voters']:,.0f}."
    )
    name, one = before["made_person"]["name"], after["made_person"]
    if one["released_as"]:
        row = ", ".join(one["released_as"].values())
        _say(f"{name}'s row now reads {row}; it matches {one['voters']:,} voters.")
    else:
        _say(f"{name}'s row was suppressed.")
    _say(
        "What remains: a class reveals something about everyone in it. In the most uniform class "
        f"{_format_percent(after['largest_diagnosis_share'])} have the same diagnosis, so "
        "anyone who "
        "knows that a person is in it guesses right that often. And nothing is promised against "
        "someone who knows more than birth date, sex, ZIP and race, such as the drug, or who holds "
        "another release about the same people."
    )


def _show_evidence() -> None:
    _write_heading("5. For a board, and for recipients")
    for name, words in EVIDENCE.items():
        output.write(f"   {name:<20} {words}")


EVIDENCE = {
    "report.html": "what was promised, kept and lost; for the hospital",
    "report-outside.html": "the same without figures of the private table",
    "certificate.json": "a signed statement about release.csv",
    "signing.key": "signs certificates; recipients get signing.key.pub",
}
"""Files that show to others what holds."""


def _show_next_steps(folder: Path) -> None:
    _write_heading("Try next:")
    for command in list_next_commands(folder):
        output.write(f"   {command}")


def list_next_commands(folder: Path) -> tuple[str, str, str]:
    """What a reader would try next, to be pasted into a shell."""
    hospital, policy, stricter = (
        quote(str(folder / name)) for name in ("hospital.csv", "policy.yaml", "release-10.csv")
    )
    return (
        f"discreet inspect {hospital}",
        f"discreet anonymize {hospital} --policy {policy} -k 10 -o {stricter}",
        f"discreet verify {stricter} --policy {policy} -k 10",
    )


def _write_heading(text: str) -> None:
    output.write(f"\n{text}")


def _say(text: str, margin: int = 3) -> None:
    indent = " " * margin
    output.write(
        fill(text, 80, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    )


def _format_percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


# What a level of a hierarchy means, from the policy alone: never a value of the data.


def describe_level(builder: Any, level: int, height: int | None) -> str:
    """A level in words, such as ``level 2 of 3 (first 3 characters)``."""
    place = f"level {level} of {height}" if height is not None else f"level {level}"
    return f"{place} ({name_level(builder, level, height)})"
