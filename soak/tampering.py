"""Good releases that somebody tampered with: ``verify`` must agree with plain counting.

Tampering need not break a promise; the oracle decides whether it does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from soak.checking import COMPARED, Checker, quote_formula, require
from soak.oracle import Evidence, Said, judge
from soak.part import Part, ProductError
from soak.policies import make_draft, write_policy
from soak.releases import Files, Refused, run_python
from soak.tables import Cell, Dialect, read_table, write_table

Cells = dict[str, list[Cell]]
TRIES = 6
KINDS = (".csv", ".csv", ".parquet", ".feather", ".xlsx", ".sqlite", ".csv.gz")


def run_case(random: Random, folder: Path) -> Counter[str]:
    """One release, tampered with in several ways, each checked by both."""
    draft = make_draft(random, folder, ("plain",))
    policy, source = folder / "policy.yaml", folder / "private.csv"
    draft.policy["columns"].get("name", {}).pop("replace", None)
    write_policy(policy, draft.policy)
    write_table(source, draft.cells)
    try:
        facts, released = run_python(
            draft, Files(source, Dialect(), policy, folder / "release.csv")
        )
    except Refused as refused:
        return Counter({"refused": 1, f"refused: {refused}": 1})
    counts = Counter({"releases": 1})
    checker = Checker(draft, facts, released, folder)
    for number in range(TRIES):
        name = random.choice(list(TAMPERINGS))
        cells = TAMPERINGS[name](random, {n: list(c) for n, c in released.items()}, checker)
        if cells is None or not next(iter(cells.values()), []):
            continue
        path = folder / f"tampered {number}{_kind(random, cells)}"
        write_table(path, cells)
        original = source if random.random() < 0.6 else None
        counts += compare_verdicts(checker, path, policy, original)
        counts[name] += 1
    return counts


def _kind(random: Random, cells: Cells) -> str:
    odd = any("\r" in (cell or "") for column in cells.values() for cell in column)
    alike = len({name.casefold() for name in cells}) < len(cells)
    unfit = [*([".xlsx"] if odd else []), *([".sqlite"] if alike else [])]
    return random.choice([kind for kind in KINDS if kind not in unfit])


def compare_verdicts(
    checker: Checker, path: Path, policy: Path, original: Path | None
) -> Counter[str]:
    """Hold every verdict of the product against plain counting of the same file."""
    import discreet
    from discreet.errors import DiscreetError, InternalError

    written = (
        {}
        if path.suffix in (".parquet", ".feather", ".xlsx", ".sqlite")
        else {
            "separator": ",",
            "encoding": "utf-8",
        }
    )
    loaded = discreet.Policy.load(policy)
    try:
        private = None
        if original is not None:
            private = discreet.read(original, separator=",", encoding="utf-8")
        found = discreet.verify(discreet.read(path, **written), loaded, private).facts()
    except InternalError as error:
        raise ProductError(f"an internal error: {error}") from error
    except DiscreetError as error:
        return Counter({f"verify refused: {type(error).__name__}": 1})
    cells = read_table(path)
    draft, counts, holds = checker.draft, Counter[str](), True
    allowed = set(draft.with_role("quasi", "sensitive", "other"))
    allowed |= {name for name, said in draft.policy["columns"].items() if said.get("scrub")}
    if not set(cells) <= allowed:
        holds = False
        require(not found["holds"], "a column that may not leave was not noticed")
    for name, said in checker.expected:
        if name == "safe_harbor" or checker.facts.get("anonymity") is not None:
            return counts  # k depends on rows that only the private table has
        verdict = _verdict(found, name, said, set(said.get("columns") or checker.quasi))
        judged = _judge(checker, cells, name, said, original)
        if judged is None:
            continue
        holds = holds and judged.holds
        require(
            verdict["holds"] == judged.holds,
            f"{path.suffix}, original {original is not None}: {name} {said}: verify says "
            f"{verdict}, counted {judged}",
        )
        require(
            verdict["rows_at_risk"] == judged.rows_at_risk,
            f"{name} {said}: rows at risk: verify says {verdict}, counted {judged}",
        )
        _compare_measured(name, verdict["measured"], judged.measured)
        counts["promises held" if judged.holds else "promises broken"] += 1
    require(found["holds"] <= holds, "verify holds, and a promise does not")
    require(found["rows"] == len(next(iter(cells.values()))), "verify counted other rows")
    return counts


def _verdict(
    found: Mapping[str, Any], name: str, said: Mapping[str, Any], columns: set[str]
) -> Mapping[str, Any]:
    for one in found["verdicts"]:
        if one["model"] == name and set(one["columns"]) == columns:
            verdict: Mapping[str, Any] = one
            return verdict
    raise ProductError(f"verify says nothing of {name} {said}")


def _compare_measured(name: str, told: float | None, counted: float | None) -> None:
    if counted is None or told is None or math.isinf(counted):
        return
    require(
        math.isclose(told, counted, rel_tol=1e-7, abs_tol=1e-9),
        f"{name}: verify measured {told}, counted {counted}",
    )


def _judge(
    checker: Checker, cells: Cells, name: str, said: Mapping[str, Any], original: Path | None
) -> Said | None:
    """What plain counting says; None where it cannot tell."""
    columns = said.get("columns") or checker.quasi
    needed = [*columns, *([said["column"]] if "column" in said else [])]
    if any(column not in cells for column in needed):
        return Said(False, None, len(next(iter(cells.values()))))
    if name in ("k_map", "delta_presence"):
        return None  # a changed cell has no place in the hierarchy: checked on good releases
    whole = checker.evidence.whole
    if original is None and "column" in said:
        whole = {said["column"]: Counter(cells[said["column"]])}
    elif name in COMPARED and checker.sampled:
        return None  # the private table after sampling is not known here
    values = set(cells.get(said.get("column", ""), ()))
    if said.get("distance") in ("ordered", "hierarchical") and not values <= set(
        checker.private[said["column"]]
    ):
        return None
    if checker.draft.policy.get("formulas") == "quote" and original is not None:
        whole = {one: _quote_counts(counts) for one, counts in whole.items()}
    before = checker.evidence
    trees = dict(before.trees)
    evidence = Evidence(cells, checker.quasi, before.wildcard, whole, trees)
    return judge(name, said, evidence)


def _quote_counts(counts: Mapping[Cell, int]) -> Counter[Cell]:
    """The private values as they are in a release in which formulas are quoted."""
    return Counter({quote_formula(value): count for value, count in counts.items()})


# Ways to tamper


def _leave_as_is(_: Random, cells: Cells, __: Checker) -> Cells | None:
    return cells


def _remove_row(random: Random, cells: Cells, checker: Checker) -> Cells | None:
    """Take a row away, one of the smallest class."""
    quasi = [name for name in checker.quasi if name in cells]
    keys = list(zip(*(cells[name] for name in quasi), strict=True))
    if not keys:
        return None
    sizes = Counter(keys)
    least = min(sizes.values())
    row = random.choice([row for row, key in enumerate(keys) if sizes[key] == least])
    return {name: column[:row] + column[row + 1 :] for name, column in cells.items()}


def _change_cell(random: Random, cells: Cells, checker: Checker) -> Cells | None:
    """Put a private value, another cell or a gap in the place of a released one."""
    name = random.choice(checker.quasi)
    if not cells[name]:
        return None
    row = random.randrange(len(cells[name]))
    cells[name][row] = random.choice(
        (random.choice(checker.private[name]), random.choice(cells[name]), None, "*", "made up")
    )
    return cells


def _change_sensitive(random: Random, cells: Cells, _: Checker) -> Cells | None:
    column = cells["illness"]
    if not column:
        return None
    value = random.choice(column)
    for row in random.sample(range(len(column)), random.randint(1, min(3, len(column)))):
        column[row] = value
    return cells


def _new_sensitive(random: Random, cells: Cells, _: Checker) -> Cells | None:
    if not cells["illness"]:
        return None
    cells["illness"][random.randrange(len(cells["illness"]))] = "never seen"
    return cells


def _add_column(random: Random, cells: Cells, checker: Checker) -> Cells | None:
    name = random.choice(("name", "secret column", "extra"))
    rows = len(next(iter(cells.values())))
    private = checker.draft.columns.get(name)
    cells[name] = ["x"] * rows if private is None else private.cells[:1] * rows
    return cells


def _restore_row(random: Random, cells: Cells, checker: Checker) -> Cells | None:
    """Add a row of the private table as it is."""
    if not checker.rows:
        return None
    row = random.randrange(checker.rows)
    for name in cells:
        cells[name].append(checker.private[name][row])
    return cells


def _repeat_rows(random: Random, cells: Cells, _: Checker) -> Cells | None:
    rows = len(next(iter(cells.values())))
    if not rows:
        return None
    some = [random.randrange(rows) for _ in range(random.randint(1, rows))]
    return {name: column + [column[row] for row in some] for name, column in cells.items()}


def _reorder(random: Random, cells: Cells, _: Checker) -> Cells | None:
    names = random.sample(list(cells), len(cells))
    rows = list(range(len(cells[names[0]])))
    random.shuffle(rows)
    return {name: [cells[name][row] for row in rows] for name in names}


def _drop_column(random: Random, cells: Cells, _: Checker) -> Cells | None:
    if len(cells) < 2:
        return None
    del cells[random.choice(list(cells))]
    return cells


def _keep_half(random: Random, cells: Cells, _: Checker) -> Cells | None:
    rows = len(next(iter(cells.values())))
    kept = [row for row in range(rows) if random.random() < 0.5]
    return {name: [column[row] for row in kept] for name, column in cells.items()}


def _disguise(random: Random, cells: Cells, checker: Checker) -> Cells | None:
    """Change a cell in a way that some programs do not see: case, spaces, Unicode forms."""
    name = random.choice(checker.quasi)
    rows = [row for row, cell in enumerate(cells[name]) if cell]
    if not rows:
        return None
    row = random.choice(rows)
    cell = cells[name][row] or ""
    cells[name][row] = random.choice((cell + " ", " " + cell, cell.swapcase(), cell + "\u200b"))
    return cells


TAMPERINGS: dict[str, Callable[[Random, Cells, Checker], Cells | None]] = {
    "left as it is": _leave_as_is,
    "row removed": _remove_row,
    "cell changed": _change_cell,
    "sensitive value changed": _change_sensitive,
    "new sensitive value": _new_sensitive,
    "column added": _add_column,
    "row restored": _restore_row,
    "rows repeated": _repeat_rows,
    "reordered": _reorder,
    "column dropped": _drop_column,
    "half of the rows": _keep_half,
    "cell disguised": _disguise,
}

PART = Part("tampering", run_case, share=2)
