"""Runs one peer of scrub over texts: started by an interpreter that has the peer installed.

Reads a JSON list of texts, writes ``{"seconds": ..., "found": [[[start, end, kind], ...], ...]}``.
It needs nothing but the standard library and the peer. Seconds are of CPU time, of all threads,
without loading and a first text.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Stretches = list[tuple[int, int, str]]
NO_PERSON = {"PAD", "UNKNOWN", "INTEGER", "FLOAT", "QUANTITY", "ORDINAL", "TIME"}
"""Labels of DataProfiler that are not about a person."""


def presidio() -> Callable[[list[str]], list[Stretches]]:
    """Presidio with its rules and a blank spaCy pipeline: no model is downloaded."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}

        def load(self) -> None:
            """Nothing: the pipeline is there."""

    analyzer = AnalyzerEngine(nlp_engine=Blank(), supported_languages=["en"])

    def find(texts: list[str]) -> list[Stretches]:
        return [
            [(one.start, one.end, one.entity_type) for one in analyzer.analyze(text, language="en")]
            for text in texts
        ]

    return find


def pii_anon() -> Callable[[list[str]], list[Stretches]]:
    """pii-anon with the engines that need no download."""
    from pii_anon import PIIOrchestrator
    from pii_anon.types import ProcessingProfileSpec, SegmentationPlan

    orchestrator = PIIOrchestrator(token_key="bench")
    options: dict[str, Any] = {
        "profile": ProcessingProfileSpec(profile_id="default", language="en"),
        "segmentation": SegmentationPlan(enabled=False),
        "scope": "bench",
        "token_version": 1,
    }

    def find(texts: list[str]) -> list[Stretches]:
        found = []
        for text in texts:
            given = orchestrator.detect_findings({"text": text}, **options)[0]
            found.append([(one.span_start, one.span_end, one.entity_type) for one in given])
        return found

    return find


def dataprofiler() -> Callable[[list[str]], list[Stretches]]:
    """DataProfiler's unstructured labeler, whose network is in the wheel."""
    import dataprofiler

    labeler = dataprofiler.DataLabeler(labeler_type="unstructured")
    labeler.postprocessor.set_params(output_format="ner", use_word_level_argmax=True)

    def find(texts: list[str]) -> list[Stretches]:
        given = labeler.predict(texts)["pred"]
        return [[span for span in spans if span[2] not in NO_PERSON] for spans in given]

    return find


PEERS = {"presidio": presidio, "pii-anon": pii_anon, "dataprofiler": dataprofiler}


def main() -> None:
    """Load the named peer, warm it up, run it over the texts of a file, write what it found."""
    name, source, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:  # noqa: PTH123
        texts = json.load(file)
    find = PEERS[name]()
    find(texts[:1])
    started = time.process_time()
    found = find(texts)
    seconds = time.process_time() - started
    with open(target, "w", encoding="utf-8") as file:  # noqa: PTH123
        json.dump({"seconds": seconds, "found": found}, file)


if __name__ == "__main__":
    main()
