"""10 million rows of CSV, from file to file."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from bench.case import Benchmark, Case, Measured
from bench.child import DISCREET, run, run_python

ROWS = 10_000_000
LIMIT = 2 << 30

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
how = 'FORMAT parquet' if target.endswith('.parquet') else 'HEADER'
duckdb.execute(f'''COPY (SELECT {age} AS age, {sex} AS sex, {zips} AS zip, {taught} AS education,
  {month} AS birth_month, {ill} AS diagnosis {more} FROM range({rows}) r(i))
  TO '{target}' ({how})''')
"""

COPY = """
import sys, duckdb
source, target = sys.argv[1:]
duckdb.execute("COPY (SELECT * FROM read_csv(?, all_varchar = true)) TO ?", [source, target])
"""

COPY_CODES = """
import sys
import pyarrow.parquet as pq
source, target = sys.argv[1:]
names = pq.ParquetFile(source).schema_arrow.names
file = pq.ParquetFile(source, read_dictionary=names)
with pq.ParquetWriter(target, file.schema_arrow, compression="zstd") as out:
    for batch in file.iter_batches(131_072):
        out.write_batch(batch)
"""
"""The least that reading and writing the rows of a Parquet file takes: codes in, codes out."""

COUNT_AND_SORT = """
import sys, duckdb
source, target = sys.argv[1:]
duckdb.execute(f"SET memory_limit = '8GB'; SET temp_directory = '{target}.spilled'")
read = f"read_parquet('{source}')" if source.endswith(".parquet") else (
    f"read_csv('{source}', all_varchar = true)")
groups = f"SELECT * EXCLUDE diagnosis, count(*) AS n FROM {read} GROUP BY ALL"
duckdb.execute(f"SELECT count(*), min(n) FROM ({groups})").fetchall()
how = "FORMAT parquet, COMPRESSION zstd" if target.endswith(".parquet") else "HEADER"
duckdb.execute(f"COPY (SELECT * FROM {read} ORDER BY ALL) TO '{target}' ({how})")
"""
"""The same work by an engine that is made for it: DuckDB counts the quasi columns, then reads the
rows again and writes them sorted. Nothing is searched, recoded or checked."""

POLICY = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
        "sex": {"role": "quasi"},
        "zip": {"role": "quasi", "hierarchy": {"prefix": [4, 3, 2]}},
        "education": {"role": "quasi"},
        "birth_month": {"role": "quasi"},
        "diagnosis": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": 5}}],
    "suppress": 0.02,
    "seed": 1,
}


def release_rows(
    ending: str, number: int, columns: int = 6, diversity: int | None = None
) -> Measured:
    """Make a file of rows, release it, and copy it: Parquet with Arrow, CSV with DuckDB."""
    more = {f"more_{place}": {"role": "quasi"} for place in range(1, columns - 5)}
    policy = {**POLICY, "columns": {**POLICY["columns"], **more}}  # type: ignore[dict-item]
    if diversity:
        model = {"l_diversity": {"column": "diagnosis", "ell": diversity}}
        policy["require"] = [*POLICY["require"], model]
    with tempfile.TemporaryDirectory() as folder:
        names = (f"in.{ending}", f"out.{ending}", "policy.yaml")
        source, out, named = (str(Path(folder, name)) for name in names)
        run_python(MAKE, str(number), str(columns), source)
        Path(named).write_text(json.dumps(policy))
        command = [*DISCREET, "anonymize", source, "--policy", named, "-o", out, "--json"]
        ours = run(command)
        Path(out).unlink()
        coded = ending == "parquet"
        copied = run_python(COPY_CODES if coded else COPY, source, out)
        Path(out).unlink()
        sorted_ = run_python(COUNT_AND_SORT, source, out)
        size = Path(source).stat().st_size
    facts = json.loads(ours.printed)
    within = "within" if ours.peak < LIMIT else "ABOVE"
    return Measured(
        None,
        ours.cpu,
        ours.wall,
        ours.peak,
        facts["optimal"]["nodes_checked"],
        facts["optimal"]["nodes"],
        f"{size / 1e6:.0f} MB of {ending}, {within} 2 GiB, loss {facts['measures']['loss']:.4f}, "
        f"{facts['classes']:,} classes; DuckDB counts and sorts: {sorted_.cpu:.1f} s, "
        f"{sorted_.peak / 1e6:,.0f} MB (ours/DuckDB {ours.cpu / sorted_.cpu:.2f}); wall of "
        + ", ".join(f"{stage} {s:.1f}" for stage, s in facts["timings"].items() if s is not None),
        "Arrow copies the codes" if coded else "DuckDB copies the file",
        copied.cpu,
        ours.cpu,
    )


BENCHMARK = Benchmark(
    "rows",
    "Made CSV with age, sex, zip, education, birth month and a diagnosis; k = 5, 2 % suppression;\n"
    "counted, searched, recoded, scrambled, written and verified. Peer: CPU of one plain copy.",
    (
        Case("1.2 M rows", lambda: release_rows("csv", 1_200_000)),
        Case("10 M rows", lambda: release_rows("csv", ROWS)),
        Case("10 M rows, l = 3", lambda: release_rows("csv", ROWS, diversity=3)),
    ),
)
