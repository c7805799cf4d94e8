"""The result of training: new likelihoods and weaknesses."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.errors import ScrubError, WriteError
from discreet.input_file import LIKELIHOODS, UnfitFileError, read_input
from discreet.scrubbing.evaluate.evaluate import Evaluation, Share, format_percent
from discreet.table.atomic import open_hidden_file

# Trained likelihoods as a small file: template to likelihood, without any text.


FORMAT = "discreet likelihoods 1"


def save_likelihoods(
    path: str | Path, language: str, likelihoods: Mapping[str, float], replace: bool = True
) -> None:
    """Write likelihoods by ``section/name`` of their template; a failed write leaves no file."""
    path = Path(path)
    whole = {"format": FORMAT, "language": language, "templates": dict(sorted(likelihoods.items()))}
    text = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    try:
        with open_hidden_file(path, path.suffix, replace=replace) as hidden:
            hidden.write_text(text, encoding="utf-8")
    except (OSError, WriteError) as error:
        reason = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
        raise make_likelihoods_error(
            path, f"it cannot be written ({reason})", "Name another."
        ) from None


def load_likelihoods(path: str | Path, language: str) -> dict[str, float]:
    """Read what ``save_likelihoods`` wrote, for texts of a language."""
    path = Path(path)
    try:
        whole = json.loads(read_input(path, LIKELIHOODS))
    except UnfitFileError as error:
        raise make_likelihoods_error(path, error.what, error.fix) from None
    except FileNotFoundError:
        raise make_likelihoods_error(path, "there is no such file") from None
    except (OSError, ValueError, RecursionError):
        raise make_likelihoods_error(path, "it cannot be read as JSON") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise make_likelihoods_error(path, "it holds no likelihoods")
    if whole.get("language") != language:
        raise make_likelihoods_error(path, f"it is not for texts in '{language}'")
    return _check_likelihoods(path, whole.get("templates"))


def _check_likelihoods(path: Path, given: object) -> dict[str, float]:
    if not isinstance(given, dict):
        raise make_likelihoods_error(path, "it names no templates")
    found = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise make_likelihoods_error(path, f"the likelihood of '{name}' is not from 0 to 1")
        found[name] = float(value)
    return found


@dataclass(frozen=True)
class Weaknesses:
    """Where the templates do not fit the texts.

    ``never`` are templates that matched nothing; ``wrong`` those that were mostly wrong, with right
    and all matches; ``low_recall`` the labels with too low a recall; ``single`` the kinds that rest
    on one template; ``unmarked`` the kinds that were found but never marked, which training leaves
    alone; ``casing`` has the number of marked spans found in texts of mixed case, in capitals only
    and in small letters only.

    Notes
    -----
    [Sweeney2001]_, sec. 9.3: "If there is not enough variation between templates then performance
    will deteriorate"; name templates in upper-lower case "will be useless if all text appears in
    uppercase". "The training session pinpoints problem areas and weaknesses beforehand."

    Departures: none.
    """

    never: tuple[str, ...] = ()
    wrong: Mapping[str, Share] = field(default_factory=dict)
    low_recall: Mapping[str, Share] = field(default_factory=dict)
    single: Mapping[str, str] = field(default_factory=dict)
    unmarked: tuple[str, ...] = ()
    casing: Mapping[str, Share] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """The weaknesses as plain data."""
        return {
            "never": list(self.never),
            "wrong": {name: _export_share(share) for name, share in self.wrong.items()},
            "low_recall": {label: _export_share(share) for label, share in self.low_recall.items()},
            "single": dict(self.single),
            "unmarked": list(self.unmarked),
            "casing": {casing: _export_share(share) for casing, share in self.casing.items()},
        }


@dataclass(frozen=True)
class Trained:
    """The likelihoods that changed, by ``section/name`` of their template.

    ``before`` and ``after`` are measured on the training texts, so ``after`` is too favourable:
    measure on other texts.
    """

    language: str
    documents: int
    templates: int
    likelihoods: Mapping[str, float]
    weaknesses: Weaknesses
    before: Evaluation
    after: Evaluation

    def save(self, path: str | Path, replace: bool = True) -> None:
        """Write the likelihoods to a file for ``load_likelihoods``; it holds no text."""
        save_likelihoods(path, self.language, self.likelihoods, replace)

    def facts(self) -> dict[str, Any]:
        """The result as plain data, without a character of the texts."""
        return {
            "format": "discreet-scrub/1",
            "language": self.language,
            "documents": self.documents,
            "templates": self.templates,
            "changed": len(self.likelihoods),
            "likelihoods": dict(sorted(self.likelihoods.items())),
            "recall_before": self.before.recall,
            "recall": self.after.recall,
            "precision_before": self.before.precision,
            "precision": self.after.precision,
            "weaknesses": self.weaknesses.facts(),
        }


def _export_share(share: Share) -> dict[str, Any]:
    return {"part": share.part, "whole": share.whole, "share": share.ratio}


# The result of training as plain text for a terminal, without any of the texts.


_SHOWN = 10
_CASING = {"upper": "in capitals only", "lower": "in small letters only"}


def show(trained: Trained) -> str:
    """Recall and precision before and after, then the weaknesses."""
    before, after, weak = trained.before, trained.after, trained.weaknesses
    lines = [
        f"{trained.documents:,} texts, {trained.templates:,} templates, "
        f"{len(trained.likelihoods):,} with another likelihood.",
        f"Recall {format_percent(before.recall)}, after training "
        f"{format_percent(after.recall)}; precision "
        f"{format_percent(before.precision)}, after {format_percent(after.precision)}, on "
        "these same texts: "
        "measure on others.",
        *_list_shares("Too little found of", weak.low_recall, "marked"),
        *_list_shares("Mostly wrong", weak.wrong, "right"),
        *_list_names(
            "Kinds that rest on one template", (f"{k}: {t}" for k, t in weak.single.items())
        ),
        *_list_names("Found, but never marked, and left alone", weak.unmarked),
        *_describe_casing(weak.casing),
        *_list_names("Never matched", weak.never),
    ]
    return "\n".join(lines)


def _list_shares(title: str, shares: Mapping[str, Share], what: str) -> Iterator[str]:
    told = (f"{name}: {s.part:,} of {s.whole:,} {what}" for name, s in shares.items())
    return _list_names(title, told)


def _list_names(title: str, names: Iterable[str]) -> Iterator[str]:
    """A heading with a few lines under it."""
    all_names = list(names)
    if not all_names:
        return
    yield f"{title}:"
    for name in all_names[:_SHOWN]:
        yield f"  {name}"
    if len(all_names) > _SHOWN:
        yield f"  and {len(all_names) - _SHOWN:,} more; the facts name all"


def _describe_casing(casing: Mapping[str, Share]) -> Iterator[str]:
    for case, share in casing.items():
        if case in _CASING and share.whole:
            yield (
                f"Texts {_CASING[case]}: {share.part:,} of {share.whole:,} marked spans found "
                f"({format_percent(share.ratio)})."
            )


def make_likelihoods_error(file: Path, what: str, fix: str = "Make it by training.") -> ScrubError:
    """The error for a file of trained likelihoods that cannot be used."""
    return ScrubError(file, what, fix)
