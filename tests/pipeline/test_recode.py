"""The second pass: rows recoded to their levels, and a table that changed in between refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet import Policy, anonymize
from discreet.errors import SourceError, TooFewRowsError
from discreet.pipeline import recode
from discreet.pipeline.recode import ColumnRecoding, Recoder

LINES = ["zip,sex", "02138,m", "02139,m", "02138,f", "02139,f", "02141,f"]


def policy(**more) -> Policy:
    columns = {
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4]}},
        "sex": {"role": "quasi"},
    }
    return Policy(columns=columns, require=[{"k_anonymity": {"k": 2}}], **more)


@pytest.fixture
def private(tmp_path: Path) -> Path:
    path = tmp_path / "private.csv"
    path.write_text("\n".join(LINES) + "\n")
    return path


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        pytest.param(
            [*LINES, "02138,m"], "had 5 rows when it was opened and has 6", id="more rows"
        ),
        pytest.param(LINES[:-1], "had 5 rows when it was opened and has 4 now", id="fewer rows"),
        pytest.param([*LINES[:-1], "02142,f"], "changed while it was being read", id="a new value"),
    ],
)
def test_a_file_that_changed_between_the_passes_is_refused(
    private: Path, changed: list[str], told: str
) -> None:
    release = anonymize(private, policy(suppress=0.2, order="keep"))
    private.write_text("\n".join(changed) + "\n")
    target = private.with_name("release.csv")
    with pytest.raises(SourceError, match=told):
        release.write(target)
    assert not target.exists()
    assert [path.name for path in private.parent.iterdir()] == ["private.csv"]


def test_known_values_in_a_new_combination_are_refused(private: Path) -> None:
    """The same values in another combination: (02141, m) was never counted."""
    release = anonymize(private, policy(suppress=0.2, order="keep"))
    private.write_text("\n".join([*LINES[:-1], "02141,m"]) + "\n")
    with pytest.raises(SourceError, match="changed while it was being read"):
        release.write(private.with_name("release.csv"))


def test_no_cell_is_in_the_message(private: Path) -> None:
    release = anonymize(private, policy(suppress=0.2, order="keep"))
    private.write_text("\n".join([*LINES, "99999,f"]) + "\n")
    with pytest.raises(SourceError, match="changed while it was being read") as caught:
        release.to_arrow()
    assert "99999" not in str(caught.value)


def test_suppressed_rows_are_left_out(private: Path) -> None:
    found = anonymize(private, policy(suppress=0.2, order="keep")).to_arrow()
    assert found.to_pydict() == {"zip": ["0213*"] * 4, "sex": ["m", "m", "f", "f"]}


def test_k_above_the_number_of_rows_is_refused_with_both_numbers(private: Path) -> None:
    wanted = policy().replace(require=[{"k_anonymity": {"k": 6}}])
    with pytest.raises(TooFewRowsError, match=r"private.csv has 5 rows, fewer than k = 6"):
        anonymize(private, wanted)


@pytest.mark.parametrize("algorithm", ["optimal", "local"])
@pytest.mark.parametrize("suppressed_rows", ["drop", "keep"])
def test_a_release_of_quasi_columns_alone_comes_from_the_counts(
    private: Path, algorithm: str, suppressed_rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rows as by a second pass, which is not made."""
    lines = [LINES[0], *LINES[1:] * 9, "02150,m", "02151,f", ",m"]
    private.write_text("\n".join(lines) + "\n")
    wanted = {"suppress": 0.2, "algorithm": algorithm, "suppressed_rows": suppressed_rows}
    read_again = anonymize(private, policy(**wanted, order="keep")).to_arrow()
    release = anonymize(private, policy(**wanted, seed=1))
    monkeypatch.setattr(Recoder, "open_reader", None)
    release.write(private.with_name("release.csv"))
    rows = private.with_name("release.csv").read_text().splitlines()[1:]
    texts = [",".join(value or "" for value in row.values()) for row in read_again.to_pylist()]
    assert Counter(rows) == Counter(texts)


def test_numbers_that_are_released_as_found_keep_their_type(tmp_path: Path) -> None:
    release = anonymize(pa.table({"zip": ["02138"] * 4, "sex": [1, 1, 2, 2]}), policy())
    assert release.levels["sex"] == 0
    assert release.to_arrow().schema.field("sex").type == pa.int64()


def test_what_happens_to_a_class_is_looked_up_in_a_table_or_searched_for_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some classes are suppressed whole; of another a part, by chance."""
    drops = []
    for most in (recode.MOST_CELLS, 0):
        monkeypatch.setattr(recode, "MOST_CELLS", most)
        zips = [f"0213{number % 7}" for number in range(200)] + ["99999"] * 3
        table = pa.table({"zip": zips, "sex": ["m", "f", "f"] * 67 + ["m", "f"]})
        answer = anonymize(table, policy(suppress=0.2, seed=3)).answer
        dropped = answer.solution.dropped.copy()
        dropped[np.argmax(answer.solution.groups.rows)] = 5
        solution = replace(answer.solution, dropped=dropped)
        random = np.random.default_rng(3)
        recoding = ColumnRecoding(answer.problem, solution, False, random)
        dictionaries = answer.counted.dictionaries
        left = []
        for part in (slice(0, 90), slice(90, 203)):
            cells = [dictionaries[name].look_up(table[name][part].combine_chunks())
                     for name in ("zip", "sex")]  # fmt: skip
            found = recoding.recode(cells)
            assert found is not None
            left += found[1].tolist()
        drops.append(left)
    assert drops[0] == drops[1]
    assert sum(drops[0]) >= 5
