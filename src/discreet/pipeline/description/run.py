"""What a run said of its release (``anonymize --json``), compared with what the file shows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from discreet.attacks.published_counts import ASSUMED
from discreet.display import dataclass
from discreet.errors import ArgumentError
from discreet.input_file import FACTS, UnfitFileError, read_input
from discreet.models.verdict import Verdict
from discreet.pipeline.anonymize import Release
from discreet.pipeline.attack import Attacked
from discreet.pipeline.description.facts import Search, TriedAttack
from discreet.pipeline.description.words import ATTACKS
from discreet.pipeline.verify import Verification
from discreet.policy.policy import Policy

OTHER_RELEASE = "These facts are not of this file, or not of this policy."
NOT_FACTS = "Give what anonymize or attack prints as JSON, unchanged."


@dataclass(frozen=True, eq=False)
class Run:
    """What is known of how a release was made; None where it is not."""

    search: Search | None = None
    levels: Mapping[str, int | None] | None = None
    rows_before: int | None = None
    suppressed: int | None = None
    part: bool = False
    attacks: tuple[TriedAttack, ...] | None = None
    scrubbed: Mapping[str, dict[str, int]] = field(default_factory=dict)


def read_run(given: Any, found: Verification, policy: Policy) -> Run:
    """What facts of runs say: a Release, results of attack, their facts or files of these.

    Refuses facts of another release: other rows, other quasi columns, another smallest class.
    """
    run = Run()
    for facts in _list_facts(given):
        try:
            if "measures" in facts:
                run = _add_search(run, facts, found, policy)
            if "attacks" in facts:
                run = _add_attacks(run, facts, found)
            if not {"measures", "attacks"} & facts.keys():
                what = "they are neither of a release nor of attacks"
                raise ArgumentError("facts", what, NOT_FACTS)
        except (KeyError, TypeError, ValueError, AttributeError, ValidationError):
            what = "they are not as anonymize or attack gives them"
            raise ArgumentError("facts", what, NOT_FACTS) from None
    return run


def _list_facts(given: Any) -> list[Mapping[str, Any]]:
    single = isinstance(given, str | os.PathLike | Mapping | Release | Attacked)
    return [_load(one) for one in ([given] if single else given or ())]


def _load(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Release | Attacked):
        return given.facts()
    if isinstance(given, Mapping):
        return given
    try:
        found = json.loads(read_input(Path(given), FACTS))
    except UnfitFileError as error:
        raise ArgumentError("facts", error.what, error.fix, f"{given}") from None
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise ArgumentError("facts", what, "Check the path.", f"{given}") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        what = "this is not the JSON that anonymize or attack prints"
        raise ArgumentError("facts", what, "Save what they print as JSON.", f"{given}")
    return found


def _add_search(run: Run, facts: Mapping[str, Any], found: Verification, policy: Policy) -> Run:
    if run.search is not None:
        raise ArgumentError("facts", "two of them are of a release", "Give those of one run.")
    if facts["rows_released"] != found.rows:
        what = f"they are of {facts['rows_released']:,} released rows, and the file has "
        raise ArgumentError("facts", f"{what}{found.rows:,}", OTHER_RELEASE)
    if {*facts["levels"]} != {*policy.quasi}:
        raise ArgumentError("facts", "their quasi columns are others", OTHER_RELEASE)
    if _list_measured(facts["verdicts"]) != _list_measured([one.facts() for one in found.verdicts]):
        raise ArgumentError("facts", "their smallest classes differ", OTHER_RELEASE)
    optimal = facts["optimal"]
    measure = str(facts["measure"])
    search = Search(
        algorithm=facts["algorithm"],
        measure=measure,
        value=facts["measures"].get(measure),
        proven=optimal["proven"],
        bound=optimal["bound"],
        gap=optimal["gap"],
        sentence=state_proof(measure, optimal["proven"], optimal["gap"]),
        measures={name: float(value) for name, value in facts["measures"].items()},
        seconds=facts["seconds"],
    )
    return Run(
        search,
        {str(name): level for name, level in facts["levels"].items()},
        facts["rows"],
        facts["rows_suppressed"],
        facts.get("part") is not None,
        run.attacks,
        {name: dict(kinds) for name, kinds in facts.get("scrubbed", {}).items()},
    )


def state_proof(measure: str, proven: bool, gap: float | None) -> str:
    """How sure it is that no release of its kind is better."""
    name = measure.replace("_", " ")
    if proven:
        return f"No release of its kind is better by {name}: the optimum is proven."
    if gap is not None:
        return f"The best release of its kind is better by at most {gap:.2g} in {name}."
    return "How far it is from the best release of its kind is not known."


def _list_measured(verdicts: Any) -> list[Any]:
    return [one["measured"] for one in verdicts if one["model"] == "k_anonymity"]


def _add_attacks(run: Run, facts: Mapping[str, Any], found: Verification) -> Run:
    rows = facts["rows_released"] if "measures" in facts else facts["rows"]
    if rows != found.rows:
        raise ArgumentError("facts", "the attacked file has other rows", OTHER_RELEASE)
    if run.attacks is not None:
        raise ArgumentError("facts", "attacks are told twice", "Give those of one run.")
    tried = tuple(make_tried_attack(one) for one in facts["attacks"])
    return replace(run, attacks=tried)


def make_tried_attack(facts: Mapping[str, Any]) -> TriedAttack:
    """An attack as a report lists it, from its own facts."""
    title, criterion = ATTACKS[facts["attack"]]
    return TriedAttack(
        attack=facts["attack"],
        title=title,
        criterion=criterion,
        applies=facts["applies"],
        decided=facts["decided"],
        succeeds=facts["succeeds"],
        breaks=facts["breaks"],
        rows_exposed=facts["rows_exposed"],
        note=facts["note"],
        assumed=facts.get("found", {}).get("other") == ASSUMED,
    )


def list_broken(verdicts: tuple[Verdict, ...]) -> str:
    """The promises that do not hold, by name."""
    return ", ".join(dict.fromkeys(one.model for one in verdicts if not one.holds))
