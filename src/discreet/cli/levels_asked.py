"""What ``discreet levels`` is asked for: columns, their hierarchies, levels and a limit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from discreet.errors import DiscreetError, FlagError

if TYPE_CHECKING:
    from discreet.hierarchy.builder import Builder
    from discreet.release.levels import LevelsOf
    from discreet.release.policy import Policy
    from discreet.table.table import Table


def columns(policy: Policy | None, quasi: list[str], known: list[str], together: bool) -> list[str]:
    """The columns to make coarser, each once: those named, else the policy's."""
    found = list(dict.fromkeys(quasi or (policy.quasi if policy else ())))
    if not found:
        raise FlagError("-q", "no column is named", "Give -q COLUMN, or --policy FILE.")
    if together and known:
        what = "all columns of a quasi-identifier are made coarser"
        raise FlagError("--together, --with", what, "Name them all with -q.")
    both = [name for name in known if name in found]
    if both:
        what = f"'{both[0]}' is named as a column to make coarser and as one that is not"
        raise FlagError("-q, --with", what, "Name it once.")
    return found


def builders(policy: Policy | None, given: list[str], columns: list[str]) -> dict[str, Builder]:
    """The hierarchies of the policy, and those of the options, which win."""
    import yaml

    from discreet.hierarchy.spec import from_spec
    from discreet.release.auto import Auto
    from discreet.release.policy_file import PolicyLoader

    there = {} if policy is None else policy.columns
    own = {name: there[name].hierarchy for name in columns if name in there}
    found = {name: one for name, one in own.items() if one and not isinstance(one, Auto)}
    for text in given:
        name = next((column for column in columns if text.startswith(f"{column}=")), None)
        flag = f"--hierarchy '{text}'"
        if name is None:
            what = "it must begin with one of the -q columns and ="
            raise FlagError(flag, what, f"Such as '{columns[0]}={{dates: [month, year]}}'.")
        spec = text.removeprefix(f"{name}=") or "{}"
        try:
            found[name] = from_spec(yaml.load(spec, PolicyLoader))
        except DiscreetError as error:
            raise FlagError(flag, str(error).rstrip("."), "") from None
        except (yaml.YAMLError, RecursionError, ValueError):
            raise FlagError(flag, "it is no mapping", "Write it as in a policy.") from None
    return found


def as_counted(table: Table, policy: Policy | None) -> Table:
    """The table after the techniques of the policy: a release is counted on that."""
    if policy is None:
        return table
    from discreet.release.technique_parts import steps
    from discreet.release.technique_steps import with_techniques

    return with_techniques(table, policy) if steps(policy) else table


def asked(policy: Policy | None, at: str | None, most_dropped: float) -> LevelsOf:
    """The levels and the limit, with the map of the policy."""
    from discreet.release.levels import LEVELS, LevelsOf

    if not 0 <= most_dropped < 1:
        fix = "Give a number from 0 and below 1."
        raise FlagError(f"--most-dropped {most_dropped:g}", "this is no share to leave out", fix)
    points = policy.anonymity.points if policy and policy.anonymity else ()
    return LevelsOf(points, LEVELS if at is None else _levels(at), most_dropped)


def _levels(text: str) -> tuple[float, ...]:
    found = []
    for part in text.split(","):
        try:
            level = float(part)
        except ValueError:
            level = math.nan
        if not 0 <= level <= 1:
            fix = "Give numbers from 0 to 1, such as --at 0.3,0.7."
            raise FlagError(f"--at {text}", f"'{part.strip()}' is no anonymity level", fix)
        found.append(level)
    return tuple(sorted(set(found)))
