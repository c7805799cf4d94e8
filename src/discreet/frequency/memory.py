"""Memory is asked for in advance: a long list is refused before the machine runs out."""

from __future__ import annotations

from pathlib import Path

from discreet.errors import TooLargeError

LARGE = 512 << 20
"""Bytes below which nothing is asked."""
LIST_BYTES = 48
"""Bytes that a search needs for each tuple, beside a few for each column: rows, keys, a roll-up."""
GIGABYTE = 1 << 30


def require_memory(table: str, tuples: int, columns: int, needed: int) -> None:
    """Refuse a list of so many tuples if what is needed now and by the search is not free."""
    if needed < LARGE:
        return
    total, free = needed + tuples * (LIST_BYTES + 2 * columns), find_free_memory()
    if free is None or total <= free:
        return
    raise TooLargeError(
        table,
        f"it has more than {tuples // 10**6} million different combinations of values so far, "
        f"which need about {total / GIGABYTE:.1f} GB of memory, and {free / GIGABYTE:.1f} GB "
        "are free",
        "Name fewer quasi columns, make those with many values coarser first with a technique "
        "(round, year, prefix), or use a machine with more memory.",
        size=total,
        most=free,
    )


def find_free_memory() -> int | None:
    """Bytes that the system can still give, within the limit of a container; None if unknown."""
    found = [_read_available(), _read_left_in_container()]
    known = [one for one in found if one is not None]
    return min(known, default=None)


def _read_available(path: str = "/proc/meminfo") -> int | None:
    try:
        lines = Path(path).read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration, ValueError, IndexError):
        return None


def _read_left_in_container(folder: str = "/sys/fs/cgroup") -> int | None:
    try:
        most, used = (Path(folder, f"memory.{name}").read_text() for name in ("max", "current"))
        return None if most.strip() == "max" else max(0, int(most) - int(used))
    except (OSError, ValueError):
        return None
