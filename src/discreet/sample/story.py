"""The whole story as facts: link, see the harm, anonymize, link again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from discreet.errors import InternalError, WriteError
from discreet.sample.calibration import PRINTED
from discreet.sample.folder import POLICY, Folder
from discreet.sample.link import Link, Texts, classes, link, seen_through, unique_share
from discreet.sample.town import Town, csv_bytes, make

if TYPE_CHECKING:
    from discreet.release.policy import Policy

Facts: TypeAlias = dict[str, Any]
Columns: TypeAlias = Mapping[str, Texts]

KNOWN = ("birth", "sex", "zip")
"""What the voter list and the hospital file have in common."""
QUASI = (*KNOWN, "race")
RELEASED = (*QUASI, "diagnosis", "drug")
SHOWN = "depression"
"""The diagnosis of the one made person whose story is told."""
FIGURES = {
    "birth": ("birth",),
    "birth_sex": ("birth", "sex"),
    "birth_zip": ("birth", "zip"),
    "birth_postcode": ("birth", "postcode"),
}
"""The combinations of [Sweeney2001]_, fig. 16, as columns of the voter list."""


def tell(folder: Folder, seed: int, step: Callable[[str], None]) -> Facts:
    """Make the town, write its files, link, anonymize, link again; give what was found.

    Notes
    -----
    [Sweeney2001]_, sec. 2.4.4, fig. 15 and 16. *Departures*: the truth is known here, so the names
    that the join gets wrong are counted too. *Cost*: a few seconds, most of it loading libraries.
    """
    try:
        return _tell(folder, seed, step)
    except WriteError as error:
        left = folder.name_left() if error.left == WriteError.NOTHING else error.left
        raise WriteError(error.name, error.what, error.fix, left) from None


def _tell(folder: Folder, seed: int, step: Callable[[str], None]) -> Facts:
    step("making the town")
    town = make(seed)
    write(folder, town)
    step("joining the two files")
    before = link(_pick(town.patients, KNOWN), _pick(town.voters, KNOWN))
    right = before.named & (before.first == town.voter_of)
    patient = int(np.flatnonzero(right & (town.patients["diagnosis"] == SHOWN))[0])
    step("anonymizing the hospital file")
    policy, release = anonymize(folder)
    step("joining again")
    return {
        "seed": seed,
        "files": [str(file) for file in folder.files],
        "town": _town(town),
        "before": _before(town, before, int(right.sum()), patient),
        "release": release,
        "after": _after(folder, town, policy, release["levels"], patient),
    }


def write(folder: Folder, town: Town) -> None:
    """Write the town's two files and the policy."""
    folder.prepare(
        {
            folder.voters: tuple(town.voters),
            folder.hospital: tuple(town.patients),
            folder.release: RELEASED,
        }
    )
    folder.put(folder.voters, csv_bytes(town.voters))
    folder.put(folder.hospital, csv_bytes(town.patients))
    folder.put(folder.policy, POLICY.encode())


def anonymize(folder: Folder) -> tuple[Policy, Facts]:
    """Release the hospital file under the policy of the folder, and check what was written."""
    import discreet

    policy = discreet.Policy.load(folder.policy)
    release = discreet.anonymize(discreet.read(folder.hospital), policy)
    release.write(folder.release)
    if not discreet.verify(folder.release, policy).holds:
        raise InternalError("the demo's release does not keep its policy")
    return policy, release.facts()


def _pick(columns: Columns, names: Sequence[str]) -> list[Texts]:
    return [columns[name] for name in names]


def _town(town: Town) -> Facts:
    """What figure 16 prints, for this town and as printed."""
    printed = asdict(PRINTED)
    return {
        "voters": len(town.voters["name"]),
        "voter_columns": list(town.voters),
        "patients": len(town.patients["record"]),
        "patient_columns": list(town.patients),
        "unique": {
            name: {"here": unique_share(_pick(town.voters, columns)), "printed": printed[name]}
            for name, columns in FIGURES.items()
        },
    }


def _before(town: Town, before: Link, right: int, patient: int) -> Facts:
    voter = int(before.first[patient])
    return {
        "joined_on": list(KNOWN),
        "named": int(before.named.sum()),
        "named_rightly": right,
        "fit_no_voter": int((before.voters == 0).sum()),
        "made_person": {
            **{name: str(town.voters[name][voter]) for name in ("name", "address", *KNOWN)},
            "diagnosis": str(town.patients["diagnosis"][patient]),
        },
    }


def _after(
    folder: Folder, town: Town, policy: Policy, levels: Mapping[str, int], patient: int
) -> Facts:
    """What the intruder gets from the released file, and what it still tells."""
    released = _read(folder)
    voters = _coarser(policy, levels, KNOWN, town.voters, town.patients)
    again = link(_pick(released, KNOWN), _pick(voters, KNOWN))
    person = {name: town.patients[name][[patient]] for name in QUASI}
    person = _coarser(policy, levels, QUASI, person, town.patients)
    kept = link(_pick(person, QUASI), _pick(released, QUASI)).voters[0] > 0
    return {
        "rows": len(released["diagnosis"]),
        "named": int(again.named.sum()),
        "fewest_voters": int(again.voters.min()),
        "median_voters": float(np.median(again.voters)),
        "largest_diagnosis_share": _most_one_sided(released),
        "made_person": {
            "released_as": {n: str(person[n][0]) for n in QUASI} if kept else None,
            "voters": int(link(_pick(person, KNOWN), _pick(voters, KNOWN)).voters[0]),
        },
    }


def _coarser(
    policy: Policy,
    levels: Mapping[str, int],
    names: Sequence[str],
    columns: Columns,
    patients: Columns,
) -> dict[str, Texts]:
    """Columns about people as the release would write them."""
    return {
        name: seen_through(
            policy.columns[name].hierarchy, name, levels[name], columns[name], patients[name]
        )
        for name in names
    }


def _read(folder: Folder) -> Columns:
    """The released file's columns, as an intruder reads them."""
    import discreet

    table = discreet.read(folder.release).scan(text=RELEASED).read_all()
    return {name: np.array(table.column(name).to_pylist()) for name in RELEASED}


def _most_one_sided(released: Columns) -> float:
    """The largest share of a class that has one and the same diagnosis."""
    group = classes(_pick(released, QUASI))
    pair = classes(_pick(released, (*QUASI, "diagnosis")))
    _, first, counts = np.unique(pair, return_index=True, return_counts=True)
    return float((counts / np.bincount(group)[group[first]]).max())
