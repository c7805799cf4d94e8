"""Random policies, and whether the figures of advice are those of really running the changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

import discreet
from discreet.errors import DiscreetError
from discreet.pipeline.advice.advise import Advice
from soak.policies import KEY, Draft, make_draft

SCENARIOS = ("plain", "plain", "plain", "people", "profile", "safe harbor")
FIGURES = ("rows", "rows_released", "rows_suppressed")


def make_cases(folder: Path, number: int, seed: int = 16) -> Iterator[tuple[Draft, pa.Table]]:
    """Tables with policies that can be read, and rows to count."""
    random = Random(seed)
    made = 0
    while made < number:
        own = folder / f"case{made}"
        own.mkdir(exist_ok=True)
        draft = make_draft(random, own, SCENARIOS)
        if draft.rows < 5 or KEY in str(draft.policy):
            continue
        draft.policy["seed"] = 7  # else techniques and algorithms draw anew for each run
        made += 1
        cells = {name: pa.array(cells, pa.string()) for name, cells in draft.cells.items()}
        yield draft, pa.table(cells)


def read_draft(draft: Draft, folder: Path) -> discreet.Policy:
    """The policy of a draft, whose files are in a folder."""
    return discreet.Policy(folder=folder, **draft.policy)


def find_differences(table: Any, advice: Advice) -> list[str]:
    """Where a figure of a try is not that of the release that its policy makes."""
    wrong = []
    for one in advice.tried:
        told = one.facts()["after"]
        release = discreet.anonymize(table, one.policy)
        facts = release.facts()
        real = {name: facts[name] for name in FIGURES}
        real |= {name: facts["measures"][name] for name in ("loss", "granularity")}
        real["holds"] = release.holds
        real["levels"] = facts["levels"]
        said = {name: told[name] for name in real if name != "levels"}
        said["levels"] = {column["column"]: column["level"] for column in told["columns"]}
        said["levels"] = {name: said["levels"][name] for name in real["levels"]}
        if said != real:
            wrong.append(f"{one.text}: {said} is told and {real} is true")
    return wrong


def advise_or_refuse(table: Any, policy: discreet.Policy) -> Advice | None:
    """Advice, unless the table does not fit the policy at all."""
    try:
        return discreet.advise(table, policy, seconds=300)
    except DiscreetError:
        return None
