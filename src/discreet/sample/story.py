"""The whole story as facts: link, see the harm, anonymize, link again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import discreet
from discreet.certificate.keys import SigningKey
from discreet.display import dataclass
from discreet.errors import InternalError, WriteError
from discreet.hierarchy import Flat
from discreet.pipeline.description.outside import make_outside
from discreet.reporting.report import Report
from discreet.sample.calibration import PRINTED
from discreet.sample.folder import POLICY, Folder
from discreet.sample.town import Town, encode_csv, make

if TYPE_CHECKING:
    from discreet.pipeline.anonymize import Release
    from discreet.policy.policy import Policy


# The intruder's join: which rows of a register does a row without a name fit?


Texts: TypeAlias = NDArray[np.str_]
Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Link:
    """For each row of a file, how many rows of the register it fits, and the first of them.

    `voters` counts them; `first` is the register's row, -1 where there is none. A row that fits one
    voter only is `named`: the register puts a name, rightly or wrongly, to it.
    """

    voters: Numbers
    first: Numbers

    @property
    def named(self) -> NDArray[np.bool_]:
        """Which rows fit exactly one row of the register."""
        return np.equal(self.voters, 1)


def link(file: Sequence[Texts], register: Sequence[Texts]) -> Link:
    """Join a file with a register on the columns given, in the same order, for both.

    Examples
    --------
    >>> people = [np.array(["1950", "1950", "1961"]), np.array(["F", "M", "F"])]
    >>> link([np.array(["1950", "1961"]), np.array(["M", "M"])], people).voters.tolist()
    [1, 0]
    """
    rows = len(file[0])
    keys = number_classes([np.concatenate(pair) for pair in zip(file, register, strict=True)])
    found, first, counts = np.unique(keys[rows:], return_index=True, return_counts=True)
    place = np.minimum(np.searchsorted(found, keys[:rows]), len(found) - 1)
    fits = found[place] == keys[:rows]
    return Link(np.where(fits, counts[place], 0), np.where(fits, first[place], -1))


def number_classes(columns: Sequence[Texts]) -> Numbers:
    """One number per row from 0, the same for rows that are equal on all columns."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        key = np.unique(key * len(values) + codes, return_inverse=True)[1]
    return key


def measure_unique_share(columns: Sequence[Texts]) -> float:
    """Share of the rows that are alone in their values of these columns."""
    sizes = np.bincount(number_classes(columns))
    return float((sizes == 1).sum() / sizes.sum())


def recode_as_released(
    builder: Any, column: str, level: int, register: Texts, file: Texts
) -> Texts:
    """The register's column as the release would write it at this level.

    Built by the rules of the policy over the values of both, so that a value of the register that
    the file never held is made coarser as the file's own values are.

    Examples
    --------
    >>> from discreet.hierarchy import Prefix
    >>> zips = np.array(["02141", "02138"])
    >>> recode_as_released(Prefix([4, 3]), "zip", 1, zips, np.array(["02139"])).tolist()
    ['0214*', '0213*']
    """
    values, codes = np.unique(np.concatenate([register, file]), return_inverse=True)
    hierarchy = (builder or Flat()).build(column, values.tolist())
    labels = np.array(hierarchy.labels[level])[hierarchy.maps[level]]
    return np.asarray(labels[codes[: len(register)]])


Facts: TypeAlias = dict[str, Any]
Columns: TypeAlias = Mapping[str, Texts]

KNOWN = ("birth", "sex", "zip")
"""The columns that the voter list and the hospital file have in common."""
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
        raise WriteError(error.subject, error.what, error.fix, left) from None


def _tell(folder: Folder, seed: int, step: Callable[[str], None]) -> Facts:
    step("making the town")
    town = make(seed)
    write(folder, town)
    step("joining the two files")
    before = link(_pick(town.patients, KNOWN), _pick(town.voters, KNOWN))
    right = before.named & (before.first == town.voter_of)
    patient = int(np.flatnonzero(right & (town.patients["diagnosis"] == SHOWN))[0])
    step("anonymizing the hospital file")
    policy, made = anonymize(folder)
    release = made.facts()
    step("reporting and signing")
    report_and_sign(folder, made)
    step("joining again")
    return {
        "seed": seed,
        "files": [str(file) for file in folder.files],
        "town": _describe_town(town),
        "before": _describe_before(town, before, int(right.sum()), patient),
        "release": release,
        "after": _describe_after(folder, town, policy, release["levels"], patient),
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
    folder.put(folder.voters, encode_csv(town.voters))
    folder.put(folder.hospital, encode_csv(town.patients))
    folder.put(folder.policy, POLICY.encode())


def anonymize(folder: Folder) -> tuple[Policy, Release]:
    """Release the hospital file under the policy of the folder, and check what was written."""
    policy = discreet.Policy.load(folder.policy)
    release = discreet.anonymize(discreet.read(folder.hospital), policy)
    release.write(folder.release)
    if not discreet.verify(folder.release, policy).holds:
        raise InternalError("the demo's release does not keep its policy")
    return policy, release


def report_and_sign(folder: Folder, release: Release) -> None:
    """Write what a board and a recipient read, and a certificate that names all of it.

    Attacks are those that need the released file alone: the story itself has the join, and all of
    them would take longer than the rest of it.
    """
    tried = discreet.attack(folder.release, release.policy)
    inside = discreet.report(release, facts=[tried], written=folder.release)
    inside.write(folder.report, replace=True)
    outside = make_outside(inside.data, release.policy)
    Report(outside).write(folder.report_outside, replace=True)
    if not folder.key.exists():
        SigningKey.create(folder.key)
    certificate = discreet.certify(
        folder.release,
        folder.policy,
        key=folder.key,
        facts=[release, tried],
        also=[folder.report_outside],
        original=folder.hospital,
    )
    certificate.write(folder.certificate, replace=True)


def _pick(columns: Columns, names: Sequence[str]) -> list[Texts]:
    return [columns[name] for name in names]


def _describe_town(town: Town) -> Facts:
    """The numbers of figure 16, for this town and as printed."""
    printed = asdict(PRINTED)
    return {
        "voters": len(town.voters["name"]),
        "voter_columns": list(town.voters),
        "patients": len(town.patients["record"]),
        "patient_columns": list(town.patients),
        "unique": {
            name: {
                "here": measure_unique_share(_pick(town.voters, columns)),
                "printed": printed[name],
            }
            for name, columns in FIGURES.items()
        },
    }


def _describe_before(town: Town, before: Link, right: int, patient: int) -> Facts:
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


def _describe_after(
    folder: Folder, town: Town, policy: Policy, levels: Mapping[str, int], patient: int
) -> Facts:
    """What the intruder gets from the released file, and what it is still good for."""
    released = _read(folder)
    voters = _recode_columns(policy, levels, KNOWN, town.voters, town.patients)
    again = link(_pick(released, KNOWN), _pick(voters, KNOWN))
    person = {name: town.patients[name][[patient]] for name in QUASI}
    person = _recode_columns(policy, levels, QUASI, person, town.patients)
    kept = link(_pick(person, QUASI), _pick(released, QUASI)).voters[0] > 0
    return {
        "rows": len(released["diagnosis"]),
        "named": int(again.named.sum()),
        "fewest_voters": int(again.voters.min()),
        "median_voters": float(np.median(again.voters)),
        "largest_diagnosis_share": _measure_most_one_sided(released),
        "made_person": {
            "released_as": {n: str(person[n][0]) for n in QUASI} if kept else None,
            "voters": int(link(_pick(person, KNOWN), _pick(voters, KNOWN)).voters[0]),
        },
    }


def _recode_columns(
    policy: Policy,
    levels: Mapping[str, int],
    names: Sequence[str],
    columns: Columns,
    patients: Columns,
) -> dict[str, Texts]:
    """Columns about people as the release would write them."""
    return {
        name: recode_as_released(
            policy.columns[name].hierarchy, name, levels[name], columns[name], patients[name]
        )
        for name in names
    }


def _read(folder: Folder) -> Columns:
    """The released file's columns, as an intruder reads them."""
    table = discreet.read(folder.release).scan(text=RELEASED).read_all()
    return {name: np.array(table.column(name).to_pylist()) for name in RELEASED}


def _measure_most_one_sided(released: Columns) -> float:
    """The largest share of a class that has one and the same diagnosis."""
    group = number_classes(_pick(released, QUASI))
    pair = number_classes(_pick(released, (*QUASI, "diagnosis")))
    _, first, counts = np.unique(pair, return_index=True, return_counts=True)
    return float((counts / np.bincount(group)[group[first]]).max())
