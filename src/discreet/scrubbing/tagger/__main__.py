"""Fits the tagger of a language: ``python -m discreet.scrubbing.tagger en corpora/en/*.txt``."""

from __future__ import annotations

import sys
from pathlib import Path

from discreet.scrubbing.tagger.fit import Fit, read_marked

_MISS = {"de": 3.0}
"""Cost of a miss: lower in German, where every noun has a capital and false alarms are frequent."""


def main(language: str, *files: str) -> None:
    """Fit to the marked texts of files, and write the weights to the language's folder."""
    texts = [text for file in files for text in read_marked(Path(file).read_text("utf-8"))]
    folder = Path(__file__).parents[1] / "languages" / language
    Fit(language, miss=_MISS.get(language, Fit.miss))(texts).save(folder / "tagger.npz")


if __name__ == "__main__":
    main(*sys.argv[1:])
