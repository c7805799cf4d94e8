"""Bottom coding is top coding upside down."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError
from discreet.table.read import read
from discreet.techniques.top_code import BottomCode, TopCode
from tests.techniques.made_numbers import column, made, numbers, table


def test_numbers_below_the_limit_become_the_limit() -> None:
    assert column(BottomCode(("x",), at=5)(table(x=[1, 5, 6, 90]), 0), "x") == [5, 5, 6, 90]


@pytest.mark.parametrize("put", ["limit", "mean"])
def test_it_mirrors_top_coding(put: str) -> None:
    income = numbers(made(), "income").ravel()
    mirror = read(pa.table({"income": -income}))
    low = BottomCode(("income",), quantile=0.25, put=put)(made(), 0)  # type: ignore[arg-type]
    high = TopCode(("income",), quantile=0.75, put=put)(mirror, 0)  # type: ignore[arg-type]
    assert np.allclose(numbers(low, "income"), -numbers(high, "income"), rtol=1e-12)


def test_a_limit_is_needed() -> None:
    with pytest.raises(ParameterError, match="bottom_code"):
        BottomCode(("x",))
