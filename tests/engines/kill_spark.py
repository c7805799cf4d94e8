"""Kill a client with signal 9 while it writes a release: none may appear that is not whole.

The short form is in the tests; for the long one: ``python -m tests.engines.kill_spark --times 50``.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.engines.spark_place import SparkPlace

CLIENT = """
import sys
import discreet
address, schema, name = sys.argv[1:]
age = {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}}
policy = {"columns": {"age": age, "member": {"role": "quasi"}},
          "require": [{"k_anonymity": {"k": 3}}], "suppress": 0.1}
table = discreet.read(address, table=f"{schema}.visits")
release = discreet.anonymize(table, policy)
print(release.facts()["rows_released"], flush=True)
release.write(f"{schema}.{name}")
print("done", flush=True)
"""
QUIET = 15.0
"""Seconds in which a server ends what it was asked to do."""


def kill_while_writing(place: SparkPlace, delay: float, name: str = "killed") -> str:
    """Start a client, kill it ``delay`` seconds after it began to write, and look at what is there.

    Gives what was found: nothing, a hidden table that the next run sweeps, or the whole release.
    """
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, place.server.address, place.schema, name],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with client:
        assert client.stdout is not None
        expected = int(client.stdout.readline())
        time.sleep(delay)
        client.send_signal(signal.SIGKILL)
    before, until = None, time.monotonic() + QUIET
    while (found := place.list_tables()) != before and time.monotonic() < until:
        before = found
        time.sleep(0.5)
    hidden = [table for table in found if table.startswith("discreet_staging_")]
    if name not in found:
        return "a hidden table" if hidden else "nothing"
    assert place.fetch(name).num_rows == expected
    assert not hidden
    place.run(f"DROP TABLE {name}")
    return "the whole release"


def main() -> None:
    """Kill many clients at random moments and count what they leave."""
    from tests.engines.spark_place import open_place, start_spark

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=4.0, help="the longest delay")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw, counts = random.Random(asked.seed), dict[str, int]()
    with open_place(start_spark(), "connect") as place:
        for _ in range(asked.times):
            left = kill_while_writing(place, draw.uniform(0, asked.seconds))
            counts[left] = counts.get(left, 0) + 1
            print(counts, flush=True)


if __name__ == "__main__":
    main()
