"""How much the choice of a release tells, on small random tables: ``python bench/minimality.py``.

Prints, for each promise, of how many generalized releases somebody who knows the program gets
beyond what is promised, and of how many he is certain of somebody's value.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import pyarrow as pa

from discreet import Policy, anonymize
from discreet.attacks.minimality import Minimality
from discreet.errors import DiscreetError

COLUMNS = {
    "zip": {"role": "quasi", "hierarchy": {"prefix": [1]}},
    "sex": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}
PROMISES: dict[str, dict[str, Any]] = {
    "l-diversity, distinct, ell 2": {"l_diversity": {"column": "ill", "ell": 2}},
    "l-diversity, entropy, ell 2": {"l_diversity": {"column": "ill", "ell": 2, "kind": "entropy"}},
    "l-diversity, recursive, ell 2, c 2": {
        "l_diversity": {"column": "ill", "ell": 2, "kind": "recursive", "c": 2}
    },
    "t-closeness, t 0.3": {"t_closeness": {"column": "ill", "t": 0.3}},
    "beta-likeness, beta 1": {"beta_likeness": {"column": "ill", "beta": 1}},
    "delta-disclosure, delta 1": {"delta_disclosure": {"column": "ill", "delta": 1}},
}


def draw_table(rnd: random.Random, rows: int) -> pa.Table:
    """People in three ZIP codes with one of three illnesses, none of which goes with another."""
    zips = [rnd.choice(["11", "12", "21"]) for _ in range(rows)]
    sexes = [rnd.choice("fm") for _ in range(rows)]
    return pa.table({"zip": zips, "sex": sexes, "ill": [rnd.choice("abc") for _ in range(rows)]})


def attack_releases(promise: dict[str, Any], algorithm: str, wanted: int, rows: int) -> list[Any]:
    """The outcomes for the first generalized releases of random tables."""
    rnd, found = random.Random(0), []
    policy = Policy(columns=COLUMNS, require=[promise], algorithm=algorithm, seed=0)
    for _ in range(50 * wanted):
        try:
            made: Any = anonymize(draw_table(rnd, rows), policy)
        except DiscreetError:
            continue
        if made.levels == {"zip": 0, "sex": 0} or not made.rows:
            continue
        found.append(Minimality()(made))
        if len(found) == wanted:
            break
    return found


def show(name: str, outcomes: list[Any]) -> None:
    columns = [one.found["columns"]["ill"] for one in outcomes]
    certain = sum(one["rows_certain"] > 0 for one in columns)
    beyond = sum(one["rows_exposed"] > 0 for one in columns)
    gain = sum(one["largest_gain"] for one in columns) / max(1, len(columns))
    most = max((one["largest_gain"] for one in columns), default=0)
    print(
        f"{name:45} releases {len(columns):4}  beyond {beyond:4}  certain {certain:4}  "
        f"gain {gain:.3f} (largest {most:.2f})",
        flush=True,
    )


def main(wanted: int = 150) -> None:
    """All promises with ``optimal``, then two with the algorithms that decide otherwise."""
    for name, promise in PROMISES.items():
        show(f"optimal: {name}", attack_releases(promise, "optimal", wanted, 8))
    for algorithm in ("datafly", "local", "mondrian"):
        for name in ("l-diversity, distinct, ell 2", "t-closeness, t 0.3"):
            few = wanted if algorithm == "datafly" else wanted // 5
            show(f"{algorithm}: {name}", attack_releases(PROMISES[name], algorithm, few, 6))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
