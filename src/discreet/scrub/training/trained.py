"""What training found: new likelihoods, and where the weak places are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.scrub.evaluate.evaluation import Evaluation, Share
from discreet.scrub.training.likelihoods import save_likelihoods


@dataclass(frozen=True)
class Weaknesses:
    """Where the templates do not fit the texts.

    ``never`` are templates that matched nothing; ``wrong`` those that were mostly wrong, with
    right and all matches; ``low_recall`` the labels of which too little was found; ``single`` the
    kinds that rest on one template; ``unmarked`` the kinds that were found but never marked, which
    training leaves alone; ``casing`` says for texts in capitals and small letters, in capitals
    only and in small letters only how many marked spans were found.

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
            "wrong": {name: _share(share) for name, share in self.wrong.items()},
            "low_recall": {label: _share(share) for label, share in self.low_recall.items()},
            "single": dict(self.single),
            "unmarked": list(self.unmarked),
            "casing": {casing: _share(share) for casing, share in self.casing.items()},
        }


@dataclass(frozen=True)
class Trained:
    """Likelihoods by ``section/name`` of their template, those that changed only.

    ``before`` and ``after`` are measured on the texts trained on, so ``after`` flatters: measure
    on others.
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


def _share(share: Share) -> dict[str, Any]:
    return {"part": share.part, "whole": share.whole, "share": share.ratio}
