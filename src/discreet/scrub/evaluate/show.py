"""An evaluation as plain text for a terminal; the only place where marked text is shown."""

from __future__ import annotations

from collections.abc import Iterable

from discreet.scrub.evaluate.evaluation import Evaluation, Excerpt, KindScore

HEADS = ("kind", "spans", "found", "recall", "findings", "right", "precision", "chars R", "chars P")


def show(evaluation: Evaluation, *, excerpts: bool = True) -> str:
    """The table by kind, the totals, bad gold, then missed and false findings in context."""
    rows = [HEADS, *(_row(kind, score) for kind, score in evaluation.kinds.items())]
    rows.append(_row("all", evaluation.total))
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    lines = [_line(row, widths) for row in rows]
    if evaluation.bad_gold:
        told = ", ".join(f"{what} {count:,}" for what, count in evaluation.bad_gold.items())
        lines.append(f"Bad gold: {told}.")
    if excerpts:
        lines += _section("Missed", evaluation.missed) + _section("False", evaluation.false)
    return "\n".join(lines)


def percent(ratio: float | None) -> str:
    """A ratio for a person; never rounded up to 100 %.

    Examples
    --------
    >>> percent(0.99999), percent(1.0), percent(None)
    ('99.9 %', '100.0 %', '-')
    """
    if ratio is None:
        return "-"
    return f"{100 * ratio:.1f} %" if ratio == 1 else f"{min(100 * ratio, 99.9):.1f} %"


def _row(kind: str, score: KindScore) -> tuple[str, ...]:
    return (
        kind,
        f"{score.spans.whole:,}",
        f"{score.spans.part:,}",
        percent(score.spans.ratio),
        f"{score.findings.whole:,}",
        f"{score.findings.part:,}",
        percent(score.findings.ratio),
        percent(score.characters.ratio),
        percent(score.finding_characters.ratio),
    )


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "  ".join([row[0].ljust(widths[0]), *cells])


def _section(title: str, excerpts: Iterable[Excerpt]) -> list[str]:
    lines = [
        f"  {one.kind}: {_plain(one.before)}[{_plain(one.text)}]{_plain(one.after)}"
        f"  ({one.document})"
        for one in excerpts
    ]
    return [f"{title}:", *lines] if lines else []


def _plain(text: str) -> str:
    """On one line, and without characters that command a terminal."""
    return "".join(mark if mark.isprintable() else " " for mark in text)
