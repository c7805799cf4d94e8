"""What training found, as plain text for a terminal; without a word of the texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from discreet.scrub.evaluate.evaluation import Share
from discreet.scrub.evaluate.show import percent
from discreet.scrub.training.trained import Trained

_SHOWN = 10
_CASING = {"upper": "in capitals only", "lower": "in small letters only"}


def show(trained: Trained) -> str:
    """Recall and precision before and after, then the weaknesses."""
    before, after, weak = trained.before, trained.after, trained.weaknesses
    lines = [
        f"{trained.documents:,} texts, {trained.templates:,} templates, "
        f"{len(trained.likelihoods):,} with another likelihood.",
        f"Recall {percent(before.recall)}, after training {percent(after.recall)}; precision "
        f"{percent(before.precision)}, after {percent(after.precision)}, on these same texts: "
        "measure on others.",
        *_shares("Too little found of", weak.low_recall, "marked"),
        *_shares("Mostly wrong", weak.wrong, "right"),
        *_names("Kinds that rest on one template", (f"{k}: {t}" for k, t in weak.single.items())),
        *_names("Found, but never marked, and left alone", weak.unmarked),
        *_casing(weak.casing),
        *_names("Never matched", weak.never),
    ]
    return "\n".join(lines)


def _shares(title: str, shares: Mapping[str, Share], what: str) -> Iterator[str]:
    told = (f"{name}: {s.part:,} of {s.whole:,} {what}" for name, s in shares.items())
    return _names(title, told)


def _names(title: str, names: Iterable[str]) -> Iterator[str]:
    """A heading with a few lines under it."""
    all_names = list(names)
    if not all_names:
        return
    yield f"{title}:"
    for name in all_names[:_SHOWN]:
        yield f"  {name}"
    if len(all_names) > _SHOWN:
        yield f"  and {len(all_names) - _SHOWN:,} more (--json names all)"


def _casing(casing: Mapping[str, Share]) -> Iterator[str]:
    for case, share in casing.items():
        if case in _CASING and share.whole:
            yield (
                f"Texts {_CASING[case]}: {share.part:,} of {share.whole:,} marked spans found "
                f"({percent(share.ratio)})."
            )
