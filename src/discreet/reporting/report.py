"""A report on a release: its facts, in one of two editions, and the page that shows them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any, Literal

from discreet.display import dataclass
from discreet.errors import ArgumentError, WriteError
from discreet.input_file import refuse_address
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release
from discreet.pipeline.compare import Comparison
from discreet.pipeline.description.alternatives import list_alternatives, measure_cost_of_k
from discreet.pipeline.description.describe import ROWS_STAY, BrokenReleaseError, describe
from discreet.pipeline.description.facts import EarlierRelease, Facts
from discreet.pipeline.description.outside import make_outside
from discreet.pipeline.description.words import NOT_COMPARED, WAYS_OUT
from discreet.pipeline.progress import Progress
from discreet.policy.policy import Policy, settle_policy
from discreet.reporting.browser import print_pdf
from discreet.reporting.metadata import write_metadata
from discreet.reporting.page import render_page
from discreet.table.atomic import check_target, open_hidden_file
from discreet.table.table import Table

Edition = Literal["inside", "outside"]
ENDINGS = (".html", ".htm")


@dataclass(frozen=True, repr=False)
class Report:
    """A report on a release; in a notebook it shows itself.

    ``data`` has the facts as objects; the edition for outside holds nothing of the private table.
    ``outside`` has those of that edition whichever was asked for; None if there may be none.
    """

    data: Facts
    outside: Facts | None = None

    def __repr__(self) -> str:
        verdict = "holds" if self.data.holds else "FAILS"
        return f"Report({self.data.edition}, {self.data.rows_after:,} rows, {verdict})"

    def _repr_html_(self) -> str:
        """The page in a frame of its own: its style is not for the notebook around it."""
        page = escape(render_page(self.data), quote=True)
        look = 'sandbox="" width="100%" height="640" style="border:1px solid #8888"'
        return f'<iframe title="Report on a release" {look} srcdoc="{page}"></iframe>'

    def facts(self) -> dict[str, Any]:
        """What the report says, as plain data: what :func:`discreet.report_schema` describes."""
        return self.data.model_dump(mode="json")

    def write(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the page, whole or not at all; another file is left alone if not said."""
        refuse_address(path, "report", written=True)
        target = Path(path)
        if target.suffix.casefold() not in ENDINGS:
            raise WriteError(target, "a report is a page of HTML", "Name it report.html.")
        check_target(target.absolute(), replace)
        _write(target, render_page(self.data).encode(), self.data.edition, replace)

    def write_pdf(self, path: str | Path, *, replace: bool = False) -> None:
        """Print the page to a tagged PDF by Chromium, where that is installed."""
        refuse_address(path, "report", written=True)
        target = Path(path)
        if target.suffix.casefold() != ".pdf":
            raise WriteError(target, "a printed report is a PDF", "Name it report.pdf.")
        check_target(target.absolute(), replace)
        _write(target, print_pdf(render_page(self.data)), self.data.edition, replace)

    def write_metadata(self, folder: str | Path, *, replace: bool = False) -> list[Path]:
        """Write what travels with the release into a folder, and say which files that are.

        Croissant, a data dictionary, a paragraph for papers and a text for an assessment: all made
        from the edition for outside.
        """
        if self.outside is None:
            breaking = ", ".join(_list_breaking(self.data))
            why = (
                "a promise does not hold" if not self.data.holds else f"attacks get in: {breaking}"
            )
            what = (
                f"this release must not leave the house, so nothing is made for recipients ({why})"
            )
            raise ArgumentError("metadata", what, "Leave it out, or fix the release.")
        return write_metadata(self.outside, folder, replace=replace)


def _write(target: Path, content: bytes, edition: str, replace: bool) -> None:
    """Write a file; the edition for inside, which counts the private table, for its owner alone."""
    rights = 0o600 if edition == "inside" else None
    try:
        with open_hidden_file(target.absolute(), target.suffix, rights, replace=replace) as hidden:
            hidden.write_bytes(content)
    except OSError as error:
        what = f"it cannot be written: {os.strerror(error.errno or 0)}"
        raise WriteError(target, what, "Check the space and the permissions.") from None


def report(
    release: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    *,
    original: Any = None,
    register: Any = None,
    ledger: str | Path | None = None,
    facts: Any = (),
    population: int | None = None,
    edition: Edition = "inside",
    broken: bool = False,
    written: str | Path | None = None,
    open_table: Callable[[], Table] | None = None,
) -> Report:
    """Report on a release: what is promised and holds, what was lost, what attacks got.

    Parameters
    ----------
    release
        The released file, a Table or a data frame; or a :class:`Release`, which knows its policy,
        its private table and how it was found.
    policy
        What was promised: a Policy, a dict or a policy file.
    original
        The private table, for everything about before. Without it nothing is said about that.
    register
        A register of people, for the risk that somebody in it is named, and for attacks.
    ledger
        The ledger that has the release, for earlier ones.
    facts
        What ``anonymize`` or ``attack`` said of it: a result, its facts, or a file of these in
        JSON; one or several. Facts of another file are refused.
    population
        People of whom the table is a random sample.
    edition
        ``inside`` for the holder of the data; ``outside`` for recipients and the public, with
        nothing that the release does not show.
    broken
        Whether to report on a release that does not keep its policy, inside only. The report then
        says that it fails.
    written
        Of a :class:`Release`: the file that it was written to, which the report then names.
    open_table
        Opens the released file, if not :func:`discreet.read` does.

    Notes
    -----
    Every promise is counted again from the release. *Cost*: that of :func:`discreet.verify` and
    :func:`discreet.attack`, and two passes over each table.
    """
    if edition not in ("inside", "outside"):
        fix = "Give inside or outside."
        raise ArgumentError("edition", "there is no such edition", fix, str(edition)[:20])
    if broken and edition == "outside":
        what = "a release that does not keep its policy is not reported on outside"
        raise ArgumentError(("broken", "edition"), what, "Give one of the two.")
    found = describe(
        release,
        policy,
        original=original,
        register=register,
        facts=facts,
        population=population,
        broken=broken,
        written=written,
        open_table=open_table,
    )
    if ledger is not None:
        found = _add_earlier(found, ledger)
    breaking, untried = _list_breaking(found), ROWS_STAY in found.notes
    if edition == "inside" and (breaking or untried or not found.holds):
        return Report(found)
    if untried:
        what = "the edition for outside needs attacks to be tried, and the rows are in a database"
        fix = "Write the release to a file, attack that, and give what was found."
        raise ArgumentError(("edition", "facts"), what, fix)
    if breaking:
        what = (
            "there is no edition for outside, since attacks reveal more than the policy allows: "
            f"{', '.join(breaking)}"
        )
        ways = "; ".join(f"against {name}, {WAYS_OUT[name]}" for name in breaking)
        raise BrokenReleaseError("the release", what, f"Make another release: {ways}.", None)
    chosen = release.policy if isinstance(release, Release) else settle_policy(policy, release)
    outside = make_outside(found, chosen.for_recipient())
    return Report(found if edition == "inside" else outside, outside)


def report_comparison(compared: Comparison, progress: Progress | None = None) -> Report:
    """Report on the first release of a comparison that keeps the policy, next to the others.

    The report also says what other class sizes would cost, where the policy promises one.
    """
    chosen = next((title for title, one in compared.releases.items() if one.holds), None)
    if chosen is None:
        what = "no algorithm of the comparison keeps the policy"
        raise BrokenReleaseError("the comparison", what, "There is nothing to report on.", None)
    release = compared.releases[chosen]
    more = {
        "alternatives": list_alternatives(compared, chosen),
        "cost_of_k": measure_cost_of_k(release.table, release.policy, progress),
    }
    return Report(describe(release).model_copy(update=more))


def _list_breaking(found: Facts) -> list[str]:
    """Attacks that keep a report inside.

    What exact counts of the private table would give away is no reason: the edition for outside has
    none of them, and whether there is such an edition must not tell how many rows were suppressed.
    """
    breaking = (one.attack for one in found.attacks if one.breaks and not one.assumed)
    return list(dict.fromkeys(breaking))


def _add_earlier(found: Facts, path: str | Path) -> Facts:
    """The facts with the releases of the same table that the ledger has from before this one."""
    entries = Ledger.read(path).releases()
    hashes = {one.sha256 for one in found.files}
    own = [one for one in entries if one.file_hash in hashes]
    if not own:
        what = "no release in it has the bytes of this file"
        fix = "Report on the file as it was released, or leave out the ledger."
        raise ArgumentError("ledger", what, fix)
    earlier = [
        EarlierRelease(number=one.number, time=one.time, to=one.to, columns=[*one.levels, *one.raw])
        for one in entries
        if one.table == own[-1].table and one.number < own[-1].number
    ]
    sources = found.sources.model_copy(update={"ledger": True})
    limits = [one for one in found.not_promised if one != NOT_COMPARED]
    return found.model_copy(update={"earlier": earlier, "sources": sources, "not_promised": limits})
