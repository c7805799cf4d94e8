"""Identification blocks: lines next to each other that say who somebody is.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: identification block, {names, address, phone, date, social
security, reference number ...}, the highest precedence.

Departures: the parts keep their own kinds and get the precedence of the block; a number that no
detector found is taken for one of the person's numbers because it stands in the block.

Cost: one pass over what turn 1 found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.layout import Span, inside, line_at
from discreet.scrub.finding import BLOCK, Finding
from discreet.scrub.page import Page

_KINDS = 3
"""Different kinds that make lines a block."""
_WIDTH = 100
_NUMBER = re.compile(r"(?:[:#=]|\b[Nn]o\.?) *(?P<it>[A-Z]{0,4}-?\d(?:[\w-]*\w)?)(?![\w.,/%])")


@dataclass(frozen=True)
class IdentificationBlock:
    """Finds numbers after a label in lines that hold several kinds of identifiers."""

    name: str
    likelihood: float = 0.8
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The parts of each block; in turn 2, on what turn 1 found."""
        if page.turn == 1 or "\n" not in page.text:
            return
        for lines in _blocks(page):
            block = (lines[0][0], lines[-1][1])
            for part in inside(page.found, block):
                if not part.keep:
                    yield part._replace(precedence=BLOCK)
            for found in _NUMBER.finditer(page.text, *block):
                start, end = found.span("it")
                if sum(map(str.isdigit, page.text[start:end])) > 4:
                    reason = "number in a block"
                    yield Finding(start, end, "ID", self.likelihood, self.name, reason)


def _blocks(page: Page) -> Iterator[list[Span]]:
    """Runs of lines next to each other, each short and with a finding, of three kinds together."""
    run: list[Span] = []
    kinds: set[str] = set()
    for finding in page.found:
        if finding.keep:
            continue
        line = line_at(page.text, finding.start)
        if run and line == run[-1]:
            kinds.add(finding.kind)
            continue
        if not run or line[0] != run[-1][1] + 1 or line[1] - line[0] > _WIDTH:
            if _is_block(run, kinds):
                yield run
            run, kinds = [], set()
        if line[1] - line[0] <= _WIDTH:
            run, kinds = [*run, line], kinds | {finding.kind}
    if _is_block(run, kinds):
        yield run


def _is_block(run: list[Span], kinds: set[str]) -> bool:
    return len(run) > 1 and len(kinds) >= _KINDS


IDENTIFICATION_BLOCK = IdentificationBlock(
    "identification_block", examples=(("Name:\nNumber: 12345", ()),)
)
