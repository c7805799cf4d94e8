"""``discreet scrub --train``: likelihoods of templates fitted to marked text; and optional ears."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from discreet.cli import output
from discreet.display import safe_repr
from discreet.errors import FlagError


@safe_repr
class Told(NamedTuple):
    """Whether a call names more than it can do, may replace files, and how it shows."""

    more: bool
    force: bool
    json: bool
    quiet: bool


def more_knowledge(
    language: str, likelihoods: Path | None, ears: list[str] | None
) -> dict[str, Any]:
    """Settings of a scrubber that are there only if they are asked for."""
    found: dict[str, Any] = {}
    if likelihoods is not None:
        from discreet.scrub.training import load_likelihoods

        found["likelihoods"] = load_likelihoods(likelihoods, language)
    if ears:
        from discreet.scrub.ears import with_ears

        found["detectors"] = with_ears(ears)
    return found


def train(gold: Path, target: Path | None, settings: dict[str, Any], told: Told) -> None:
    """Train on marked text, show what came of it, and write the likelihoods."""
    from discreet.scrub.evaluate import read_gold
    from discreet.scrub.machine import Scrubber
    from discreet.scrub.training import Training, show

    if told.more:
        what = "marked text is trained on, not scrubbed or measured"
        raise FlagError("--train", what, "Give it without PATH, -o, --evaluate and the like.")
    if target is not None and target.exists() and not told.force:
        raise FlagError(f"--likelihoods {target}", "it is there already", "Add --force.")
    trained = Training()(Scrubber(**settings), read_gold(gold))
    if target is not None:
        trained.save(target, replace=told.force)
    if told.json and not told.quiet:
        output.print_json(trained.facts())
    elif not told.quiet:
        output.write(show(trained))
        where = "Nothing was written: give --likelihoods." if target is None else ""
        output.write(where or f"Written to {target}; it holds no text.")
