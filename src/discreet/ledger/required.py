"""The promises that a release beside parts must keep: its own, for all that was promised before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from discreet.ledger.entry import Entry
from discreet.release.policy import Policy


def required(policy: Policy, releases: Iterable[Entry]) -> tuple[Any, ...]:
    """The promises of a policy, and each also for the smaller sets of columns of earlier promises.

    What holds for all columns holds for fewer, as long as every piece is large enough. Beside a
    release that promised something for single columns, pieces are smaller than k on all columns and
    stay as they are; whoever knows one of these columns only is still one of k.

    Notes
    -----
    ``docs/decisions/0028-parts-are-compared-by-what-they-tell-apart.md``. *Cost*: none; each set of
    columns is counted once more.
    """
    found = list(policy.require)
    sets = dict.fromkeys(columns for entry in releases for columns in entry.sets)
    for columns in sets:
        asked = set(columns) & set(policy.quasi)
        for model in policy.require:
            by_class = any(part.name == "columns" for part in fields(model))
            if by_class and (model.columns is None or asked <= set(model.columns)):
                made = replace(model, columns=columns)
                found += [made] if made not in found else []
    return tuple(found)
