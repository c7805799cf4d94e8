"""Scrub beside its peers: recall, precision and speed on the same made texts."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.case import Benchmark, Case, Measured, Skip, Watch, own_peak
from bench.child import run
from bench.scrub_speed import CASES as SPEED_CASES

TEXTS = 300
"""A quarter of the corpus of the tests: the slowest peer takes some seconds a hundred texts."""

PEERS = {
    "presidio": ("presidio_analyzer", "presidio-analyzer"),
    "pii-anon": ("pii_anon", "pii-anon"),
    "dataprofiler": ("dataprofiler", "DataProfiler[ml]"),
}
"""Name, module to import, what to install."""

Find = Callable[[str], Iterable[Any]]


def corpus() -> Any:
    """The made texts, some of each family and variant."""
    import tests

    here = Path(__file__).resolve().parents[1] / "tests"
    if str(here) not in map(str, tests.__path__):  # a library left a `tests` of its own around
        tests.__path__.append(str(here))
    from tests.scrubbing.corpus.make import corpus as make

    return make(TEXTS)


def held_out() -> Any:
    """The marked texts that no detector was written for, as gold."""
    from discreet.scrubbing.evaluate import Gold, GoldSpan, GoldText
    from discreet.scrubbing.tagger.fit import read_marked

    folder = Path(__file__).resolve().parents[1] / "corpora" / "en" / "held_out"
    return Gold(
        tuple(
            GoldText(f"{path.name} {number}", one.text, tuple(GoldSpan(*m) for m in one.marks))
            for path in sorted(folder.glob("*.txt"))
            for number, one in enumerate(read_marked(path.read_text(encoding="utf-8")))
        )
    )


def all_texts(made: Any) -> list[str]:
    """The made texts and those held out."""
    return [*(one.text for one in made), *(one.text for one in held_out().texts)]


def figures(found: dict[str, Any], made: Any, seconds: float) -> str:
    """Recall, precision and speed in words."""
    from discreet.scrubbing.evaluate import evaluate
    from discreet.scrubbing.evaluate.evaluate import format_percent
    from tests.scrubbing.corpus.make import as_gold

    every = evaluate(found.__getitem__, as_gold(made), examples=0)
    plain = [one for one in made if one.variant == "plain"]
    typed = evaluate(found.__getitem__, as_gold(plain), examples=0)
    unseen = evaluate(found.__getitem__, held_out(), examples=0)
    speed = (every.length + unseen.length) / seconds / 1000
    return (
        f"held-out texts: recall {format_percent(unseen.recall)}, precision "
        f"{format_percent(unseen.precision)}; "
        f"made: {format_percent(every.recall)}, {format_percent(every.precision)} "
        f"(plain {format_percent(typed.recall)}, {format_percent(typed.precision)}); "
        f"{speed:,.0f} thousand characters a second"
    )


def measured(find: Find, made: Any) -> Measured:
    """A finder of ours over all texts."""
    with Watch() as watch:
        found = {text: list(find(text)) for text in all_texts(made)}
    said = figures(found, made, watch.cpu)
    return Measured(watch.cpu, time.process_time(), watch.wall, own_peak(), len(made), result=said)


def ours() -> Measured:
    """discreet, its word lists loaded by a first text."""
    from discreet.scrubbing.machine import Scrubber

    made = corpus()
    with Watch() as watch:
        scrubber = Scrubber()
        scrubber.find(made[0].text)
    told = measured(scrubber.find, made)
    return replace(told, result=f"{told.result}, ready in {watch.cpu:.2f} s")


def baseline(name: str) -> Measured:
    """Straight search, or search with cues, for what a database would hold."""
    made = corpus()
    from tests.scrubbing.corpus import baselines

    by_text = {one.text: one for one in made}

    def find(text: str) -> Iterable[Any]:
        one = by_text.get(text)
        if one is None:
            return ()  # nothing is known of the people in held-out texts
        if name == "straight search":
            return baselines.straight_search(text, one.known)
        return baselines.search_with_cues(text, (*one.known, *one.keeper))

    return measured(find, made)


def peer(name: str) -> Measured:
    """A peer, in an interpreter of its own where one is named."""
    python, made = interpreter(name), corpus()
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "texts.json"), Path(folder, "found.json")
        source.write_text(json.dumps(all_texts(made)), encoding="utf-8")
        script = str(Path(__file__).with_name("scrub_peer.py"))
        ran = run([python, script, name, str(source), str(target)])
        given = json.loads(target.read_text(encoding="utf-8"))
    found = dict(zip(all_texts(made), given["found"], strict=True))
    said = figures(found, made, given["seconds"])
    return Measured(given["seconds"], ran.cpu, ran.wall, ran.peak, len(made), result=said)


def interpreter(name: str) -> str:
    """The Python that has the peer: this one, or that of an environment variable."""
    module, package = PEERS[name]
    variable = f"BENCH_{name.replace('-', '_').upper()}"
    if variable in os.environ:
        return os.environ[variable]
    if find_spec(module) is None:
        raise Skip(
            f"{name} is not installed; python3 -m venv P; P/bin/pip install '{package}'; then "
            f"{variable}=P/bin/python"
        )
    return sys.executable


BENCHMARK = Benchmark(
    "scrub",
    f"Personal information in {TEXTS} made texts: letters, notes, mail, chats, forms, court and "
    "police notes; a third\nmisspelt, in capitals or in lower case; and in texts held out, which "
    "no detector was written for. search s: finding alone, after "
    "loading and a first text; speed is by that\ntime. Recall: marked spans whose characters are "
    "all covered, whatever the kind. Precision: findings that overlap\na marked span. Peers run "
    "without any download (Presidio: its rules and a blank spaCy pipeline). The last cases are\n"
    "about speed alone, cold and warm, on marked texts that the tagger was fitted to and on "
    "held-out ones.",
    (
        Case("discreet", ours),
        Case("straight search", partial(baseline, "straight search")),
        Case("search with cues", partial(baseline, "search with cues")),
        *(Case(name, partial(peer, name)) for name in PEERS),
        *SPEED_CASES,
    ),
)
