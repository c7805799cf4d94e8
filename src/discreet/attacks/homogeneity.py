"""Classes whose rows share one sensitive value: nobody is named, everybody is known."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute

from discreet.attacks.outcome import Outcome


def homogeneity(release: pa.Table, quasi: Sequence[str], sensitive: Sequence[str]) -> Outcome:
    """How many released rows are in a class that gives a sensitive value of theirs away.

    Notes
    -----
    [Machanavajjhala2007]_, sec. 1: the homogeneity attack. *Departures*: a value that the whole
    release shares is no news, so a column with one value is left out. *Cost*: one grouping of the
    release.

    >>> table = pa.table({"zip": ["1", "1", "2", "2"], "ill": ["flu", "flu", "flu", "gout"]})
    >>> homogeneity(table, ["zip"], ["ill"]).rows_exposed
    2
    """
    telling = [name for name in sensitive if len(release[name].unique()) > 1]
    if not telling:
        return Outcome("homogeneity", False, 0, "there is no sensitive column to learn")
    counted = release.select([*quasi, *telling]).group_by(list(quasi), use_threads=False)
    classes = counted.aggregate(
        [([], "count_all"), *((name, "count_distinct", _ALL) for name in telling)]
    )
    exposed = pa.compute.less_equal(classes[f"{telling[0]}_count_distinct"], 1)
    for name in telling[1:]:
        one = pa.compute.less_equal(classes[f"{name}_count_distinct"], 1)
        exposed = pa.compute.or_(exposed, one)
    rows = pa.compute.sum(classes.filter(exposed)["count_all"]).as_py() or 0
    return Outcome("homogeneity", True, int(rows))


_ALL = pa.compute.CountOptions(mode="all")
"""A missing sensitive value counts as a value."""
