from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from discreet.table.files.csv_structure import read_structure

field = st.text(alphabet='ab,"\n\r ', max_size=4)


@given(
    rows=st.lists(st.lists(field, min_size=2, max_size=2), min_size=1, max_size=6),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    size=st.integers(1, 7),
)
def test_rows_are_counted_alike_however_the_file_is_cut_into_blocks(rows, line_end, size):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows(rows)
    data = text.getvalue().encode()
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    found = read_structure(blocks, ",", '"')
    assert found.sound and not found.open_quote
    assert found.lines - found.blank == len(rows)
    assert found.line_end == line_end and not found.mixed


@given(cut=st.integers(1, 30))
def test_a_missing_last_line_end_does_not_lose_a_row(cut):
    data = b"a,b\r\n1,2\r\n\r\n3,4"
    found = read_structure([data[:cut], data[cut:]], ",", '"')
    assert (found.lines, found.blank, found.windows) == (4, 1, 3)


def test_an_open_quote_is_seen():
    assert read_structure([b'a,b\n1,"x\n'], ",", '"').open_quote


def test_a_stray_quote_is_seen():
    assert not read_structure([b'a,b\n1,x"y\n2,z"\n'], ",", '"').sound
