"""The figures as a plain table."""

from __future__ import annotations

from bench.case import Benchmark, Measured

COLUMNS = (
    ("case", 26),
    ("search s", 9),
    ("whole s", 8),
    ("wall s", 8),
    ("checked", 9),
    ("of nodes", 9),
    ("peak MB", 8),
    ("peer", 24),
    ("peer s", 8),
    ("ours/peer", 9),
    ("ARX s*", 7),
    ("result", 0),
)


def heading(benchmark: Benchmark) -> str:
    """The name of a benchmark, what it is, and the heads of its columns."""
    heads = _row([head for head, _ in COLUMNS])
    about = "\n".join(f"  {text}" for text in benchmark.about.splitlines())
    return f"{benchmark.name}\n{about}\n{heads}\n{'-' * len(heads)}"


def line(name: str, measured: Measured | str) -> str:
    """One case."""
    if isinstance(measured, str):
        return f"{name:<26}  {measured}"
    return _row(
        [
            name,
            _seconds(measured.search),
            _seconds(measured.whole),
            _seconds(measured.wall),
            _count(measured.checked),
            _count(measured.nodes),
            f"{measured.peak / 1e6:.0f}",
            measured.peer or "-",
            _seconds(measured.peer_seconds),
            "-" if measured.ratio is None else f"{measured.ratio:.3g}",
            measured.recorded or "-",
            measured.result,
        ]
    )


def _row(cells: list[str]) -> str:
    parts = []
    for (head, width), cell in zip(COLUMNS, cells, strict=True):
        parts.append(
            f"{cell:<{width}}" if head in ("case", "peer", "result") else cell.rjust(width)
        )
    return "  ".join(parts).rstrip()


def _seconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _count(value: int | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if value < 10**7 else f"{value:.1e}"
