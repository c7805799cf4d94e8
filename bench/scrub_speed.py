"""How many characters scrub reads a second: dense, prose, adversarial, on one and two cores.

The texts are the marked ones in ``corpora/en``, which the tagger is fitted to, and those held out.
Each case is a process of its own, so its first pass is cold. Peak memory on two cores counts what
the processes share more than once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from bench.case import Case, Measured, Watch, own_peak

CORPORA = Path(__file__).resolve().parents[1] / "corpora" / "en"
DENSE = ("short.txt", "notes.txt", "clinic.txt", "care.txt")
PROSE = ("plain.txt",)
HELD_OUT = ("held_out/business.txt", "held_out/clinic.txt", "held_out/messages.txt")
LONG = 100_000
"""Characters of an adversarial text; one of four times as many shows how time grows."""
WARM = 3
"""Passes over texts that were read before, of which the quickest counts."""

_FIRST = ["John", "Mary", "Rebecca", "Tom", "Anna", "Peter", "Karen", "David"]
_LAST = ["Smith", "Miller", "Lane", "Church", "Jones", "Graves", "Weston"]


def read_texts(files: Iterable[str]) -> list[str]:
    """The marked texts of some files, without their marks."""
    from discreet.scrubbing.tagger.fit import read_marked

    return [
        one.text
        for file in files
        for one in read_marked((CORPORA / file).read_text(encoding="utf-8"))
    ]


def _write_names(random: Random, length: int, between: str) -> str:
    pairs = (f"{random.choice(_FIRST)} {random.choice(_LAST)}" for _ in range(length // 8))
    return between.join(pairs)[:length]


ADVERSARIAL: dict[str, Callable[[int], str]] = {
    "one letter": lambda n: "a" * n,
    "one capital": lambda n: "A" * n,
    "digits": lambda n: "1" * n,
    "brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "capitals apart": lambda n: "A " * (n // 2),
    "digits with dashes": lambda n: "1-" * (n // 2),
    "names": lambda n: _write_names(Random(1), n, " "),
    "names with commas": lambda n: _write_names(Random(1), n, ", "),
    "one name": lambda n: "John Smith " * (n // 11),
}
"""Texts of any length that keep detectors busy."""


def find_in_texts(files: tuple[str, ...]) -> Measured:
    """One text after the other on one core: cold, then warm."""
    from discreet.scrubbing.machine import Scrubber

    texts = read_texts(files)
    length = sum(map(len, texts))
    scrubber = Scrubber()
    scrubber.find("Seen by Dr. Frank Graves on 3/4/2020.")
    with Watch() as cold:
        for text in texts:
            scrubber.find(text)
    warm = min(_time_pass(scrubber.find, texts) for _ in range(WARM))
    said = f"cold {_say_speed(length, cold.cpu)}, warm {_say_speed(length, warm)}"
    said += f" characters a second; {length:,} characters"
    return Measured(cold.cpu, time.process_time(), cold.wall, own_peak(), len(texts), result=said)


def find_on_cores(jobs: int) -> Measured:
    """All texts, cold, with as many processes; the longest has the parent's and its own seconds."""
    from discreet.scrubbing.finder import Finder, Work

    texts = read_texts((*DENSE, *PROSE, *HELD_OUT))
    Random(1).shuffle(texts)
    with Watch() as watch:
        found = [one for _, one in Finder(jobs=jobs).look(Work((text,)) for text in texts)]
    children = getrusage(RUSAGE_CHILDREN)
    theirs = children.ru_utime + children.ru_stime
    longest, length = watch.cpu + theirs / jobs, sum(map(len, texts))
    said = f"{_say_speed(length, longest)} characters a second, by the seconds of the longest "
    said += f"process; {watch.cpu:.2f} s in the parent, {theirs:.2f} s in others; "
    said += f"{sum(len(one.findings[0]) for one in found):,} findings"
    peak = own_peak() + children.ru_maxrss * 1024
    own = getrusage(RUSAGE_SELF)
    whole = own.ru_utime + own.ru_stime + theirs
    return Measured(longest, whole, watch.wall, peak, len(texts), result=said)


def find_in_adversarial() -> Measured:
    """Each adversarial text twice, the second four times as long."""
    from discreet.scrubbing.machine import Scrubber

    find = Scrubber().find
    find("Seen by Dr. Frank Graves on 3/4/2020.")
    lines = []
    with Watch() as watch:
        for name, make in ADVERSARIAL.items():
            short, long = (_time_pass(find, [make(times * LONG)]) for times in (1, 4))
            lines.append((long / (4 * LONG) * 1e6, long / max(short, 1e-3), name))
    said = ", ".join(f"{name} {seconds:.1f} (x{growth:.1f})" for seconds, growth, name in lines)
    said = (
        f"seconds per million characters, and growth where the text is four times as long: {said}"
    )
    return Measured(
        watch.cpu, time.process_time(), watch.wall, own_peak(), 2 * len(lines), result=said
    )


def _time_pass(find: Callable[[str], object], texts: Iterable[str]) -> float:
    started = time.process_time()
    for text in texts:
        find(text)
    return time.process_time() - started


def _say_speed(length: int, seconds: float) -> str:
    return f"{length / seconds / 1e6:.2f} M"


CASES = (
    Case("dense short texts", partial(find_in_texts, DENSE)),
    Case("prose", partial(find_in_texts, PROSE)),
    Case("held-out texts", partial(find_in_texts, HELD_OUT)),
    Case("one core", partial(find_on_cores, 1)),
    Case("two cores", partial(find_on_cores, 2)),
    Case("adversarial", find_in_adversarial),
)
"""Cases of ``bench.scrub``; Presidio's speed is in the same table where it is installed."""
