"""Values that the data holder wrote down, matched with those of a column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import TechniqueColumnError
from discreet.techniques.arrow_rows import Ints


def listed(owner: str, column: str, values: Sequence[Hashable], kind: pa.DataType) -> pa.Array:
    """The values in the type of the column."""
    found = None
    try:
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            found = pa.array([str(value) for value in values], kind)
        else:
            found = pa.array(list(values)).cast(kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        found = None
    if found is None or found.null_count:
        raise TechniqueColumnError(
            owner,
            column,
            f"holds values of type {kind}, and some of the values given for it are of another",
            "Write all of them in the type of the column.",
        )
    if len(found.unique()) != len(found):
        raise TechniqueColumnError(
            owner, column, "has a value that is given twice, in two ways", "Give each value once."
        )
    return found


def codes_in(
    owner: str, column: str, values: pa.Array, known: pa.Array, partly: bool = False
) -> Ints:
    """The place of each value among the `known`; -1 if missing, and if unknown where `partly`."""
    places = pc.index_in(values, value_set=known)
    unknown = places.null_count - values.null_count
    if unknown and not partly:
        different = len(values.filter(pc.and_(places.is_null(), values.is_valid())).unique())
        raise TechniqueColumnError(
            owner,
            column,
            f"has {different} different values ({unknown} rows) that nothing is said about",
            "Give these values too.",
        )
    return np.asarray(places.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)
