"""An answer that was not found is not said to be impossible."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.algorithms import Optimal
from discreet.algorithms.claims import HeuristicError
from discreet.algorithms.optimal.box_search import BoxSearch, Found
from discreet.errors import ReleaseError

ROWS = pa.table({"q": list("aaaabbbb"), "r": list("cdcdcccc"), "ill": list("xyxyxxxx")})


def policy(**more: object) -> Policy:
    columns = {"q": {"role": "quasi"}, "r": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    diverse = {"l_diversity": {"column": "ill", "ell": 2, "kind": "entropy"}}
    return Policy(columns=columns, require=[diverse], suppress=0.5, **more)


def test_a_heuristic_that_finds_nothing_points_to_the_search_that_would() -> None:
    with pytest.raises(HeuristicError, match="Use algorithm: optimal"):
        anonymize(ROWS, policy(algorithm="datafly"))
    assert anonymize(ROWS, policy()).solution.suppressed == 4


def test_time_that_runs_out_is_not_called_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Found(None, 0.0, False, 1)
    monkeypatch.setattr(BoxSearch, "run", lambda *_: nothing)
    with pytest.raises(ReleaseError, match="there may be one"):
        anonymize(ROWS, policy(algorithm=Optimal()))
