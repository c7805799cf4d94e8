"""Releases of every algorithm: each row must fit the person it is about."""

from __future__ import annotations

import pyarrow as pa
import pytest

import discreet
from discreet import algorithms
from discreet.attacks.linking.link import link

PEOPLE = pa.table(
    {
        "id": [str(number) for number in range(12)],
        "race": ["black"] * 6 + ["white"] * 6,
        "birth": [
            *("20.09.1965", "14.02.1965", "23.10.1965", "24.08.1965", "07.11.1964", "01.12.1964"),
            *("23.10.1964", "15.03.1965", "13.08.1964", "05.05.1964", "13.02.1967", "21.03.1967"),
        ],
        "age": ["35", "35", "34", "35", "36", "35", "36", "35", "36", "36", "33", "33"],
        "zip": ["02141"] * 2 + ["02138"] * 5 + ["02139"] * 3 + ["02138", None],
    }
)
COLUMNS = {
    "id": {"role": "other"},
    "race": {"role": "quasi", "hierarchy": {"tree": {"person": ["black", "white"]}}},
    "birth": {"role": "quasi", "hierarchy": {"dates": ["month", "year", "5 years"]}},
    "age": {"role": "quasi", "hierarchy": {"intervals": [2, 10]}},
    "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3]}},
}
OTHER_PROMISES = ("probabilistic", "spalm", "mpalm")
NAMES = [a.name for a in algorithms.ALL if a.name not in OTHER_PROMISES]


@pytest.mark.parametrize("name", NAMES)
def test_every_released_row_fits_its_own_person(name):
    algorithm = {"mondrian": {"ranges": ["age"]}} if name == "mondrian" else name
    policy = discreet.Policy(
        columns=COLUMNS,
        require=[{"k_anonymity": {"k": 2}}],
        algorithm=algorithm,
        suppress=0.4,
        seed=1,
    )
    release = discreet.anonymize(PEOPLE, policy).to_arrow()
    links = link(release, PEOPLE, policy=policy, truth="id")
    assert links.rows > 0
    assert links.true.all()
    assert len(links.below(2)) == 0


@pytest.mark.parametrize("level", ["proposed hierarchies", "no policy at all"])
def test_hierarchies_that_were_proposed_are_read_back(level):
    policy = discreet.Policy.from_flags(["race", "birth", "age", "zip"], k=3, suppress=0.5)
    columns = {**policy.columns, "id": discreet.ColumnPolicy(role="other")}
    policy = policy.replace(columns=columns)
    release = discreet.anonymize(PEOPLE, policy).to_arrow()
    told = policy if level == "proposed hierarchies" else None
    links = link(release, PEOPLE, ["race", "birth", "age", "zip"], told, truth="id")
    assert links.true.all()
