"""Parquet to Parquet, verified: 10 million rows, a long frequency list, 100 million rows."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from bench.case import Benchmark, Case, Measured
from bench.child import DISCREET, run, run_python
from bench.rows import POLICY

MAKE = """
import sys, duckdb
rows, columns, target = sys.argv[1:]
draw = lambda seed: f"((hash(i * 16 + {seed}) >> 11) / 9007199254740992.0)"
zips = f"lpad((1000 + floor(2000 * pow({draw(1)}, 1.7)))::INT::VARCHAR, 5, '0')"
age = f"floor(100 * pow(({draw(2)} + {draw(3)}) / 2, 1.3))::INT"
taught = f"'grade ' || floor(16 * ({draw(4)} + {draw(5)}) / 2)::INT"
month = f"'m' || lpad((1 + floor(12 * {draw(6)}))::INT::VARCHAR, 2, '0')"
sex = f"CASE WHEN {draw(7)} < 0.49 THEN 'male' ELSE 'female' END"
ill = f"'diagnosis ' || floor(40 * pow({draw(8)}, 2))::INT"
more = ''.join(f", 'v' || floor({10 * n} * pow({draw(8 + n)}, 2))::INT AS more_{n}"
               for n in range(1, int(columns) - 5))
duckdb.execute(f'''COPY (SELECT {age} AS age, {sex} AS sex, {zips} AS zip, {taught} AS education,
  {month} AS birth_month, {ill} AS diagnosis {more} FROM range({rows}) r(i))
  TO '{target}' (FORMAT parquet)''')
"""

COPY = """
import sys, duckdb
source, target = sys.argv[1:]
duckdb.execute("COPY (SELECT * FROM read_parquet(?)) TO ? (FORMAT parquet)", [source, target])
"""


def release(number: int, columns: int = 6) -> Measured:
    """Make the file, release it, and copy it with DuckDB."""
    more = {f"more_{place}": {"role": "quasi"} for place in range(1, columns - 5)}
    policy = {**POLICY, "columns": {**POLICY["columns"], **more}}  # type: ignore[dict-item]
    with tempfile.TemporaryDirectory() as folder:
        names = ("in.parquet", "out.parquet", "policy.yaml")
        source, out, named = (str(Path(folder, name)) for name in names)
        run_python(MAKE, str(number), str(columns), source)
        Path(named).write_text(json.dumps(policy))
        command = [*DISCREET, "anonymize", source, "--policy", named, "-o", out, "--json"]
        ours = run(command)
        Path(out).unlink()
        copied = run_python(COPY, source, out)
        size = Path(source).stat().st_size
    facts = json.loads(ours.printed)
    return Measured(
        None,
        ours.cpu,
        ours.wall,
        ours.peak,
        facts["optimal"]["nodes_checked"],
        facts["optimal"]["nodes"],
        f"{size / 1e6:.0f} MB of Parquet, loss {facts['measures']['loss']:.4f}, "
        f"{facts['classes']:,} classes, read to search {facts['seconds']:.1f} s of wall",
        "DuckDB copies the file",
        copied.cpu,
        ours.cpu,
    )


BENCHMARK = Benchmark(
    "parquet_rows",
    "Made Parquet with the columns of rows, and up to three more quasi columns; k = 5, 2 %\n"
    "suppression; counted, searched, recoded, ordered, written and verified. Peer: CPU of a copy.",
    (
        Case("10 M rows x 6", lambda: release(10_000_000)),
        Case("30 M rows x 9", lambda: release(30_000_000, 9)),
        Case("100 M rows x 6", lambda: release(100_000_000)),
        Case("100 M rows x 9", lambda: release(100_000_000, 9)),
    ),
)
