"""The pictures of a report, each with the same figures as a table for those who cannot look.

A picture shows facts and nothing else. Where a fact is missing (no private table, or the edition
for outside the house) the picture has fewer bars, or there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discreet.display import dataclass
from discreet.pipeline.description.facts import (
    Bin,
    Classes,
    Column,
    Facts,
    LabelShare,
    RiskValues,
)
from discreet.reporting.charts.areas import WIDTH, draw_icicle, draw_matrix
from discreet.reporting.charts.bars import Limit, Series, draw_bars
from discreet.reporting.charts.canvas import Canvas
from discreet.reporting.charts.xy import Axis, Line, Point, Rule, draw_xy
from discreet.reporting.numbers import (
    format_count,
    format_number,
    format_range,
    format_share,
    join_words,
)

SMALL = 304.0
"""Width of a picture that stands next to another of its kind."""
MOST_LABELS = 12
MOST_SMALL = 7
"""Columns of a matrix that stands next to others."""
MOST_PAIRED = 24
"""Columns of a matrix of dependence that is drawn; of more, the table shows the strongest pairs."""
MOST_PAIRS_LISTED = 60
OTHERS = "all others"
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True)
class Picture:
    """A drawn picture, its heading and its figures as a table."""

    name: str
    title: str
    description: str
    svg: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: bool = True


def _finish(
    canvas: Canvas,
    title: str,
    description: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    wide: bool = True,
) -> Picture:
    return Picture(
        canvas.name,
        title,
        description,
        canvas.render(title, description),
        tuple(head),
        tuple(map(tuple, rows)),
        wide,
    )


def _pair_series(
    before: Sequence[float | None] | None, after: Sequence[float | None]
) -> list[Series]:
    """Before, hatched, where it is known; after, plain."""
    known = [Series(BEFORE, before, 1, hatched=True)] if before else []
    return [*known, Series(AFTER, after, 0)]


def draw_class_sizes(facts: Facts) -> Picture:
    """How many rows share their quasi-identifier with how many others, before and after."""
    before, after = facts.classes_before, facts.classes_after
    sizes = sorted(
        {(one.least, one.most) for part in (before, after) if part for one in part.bins},
        key=lambda size: size[0],
    )
    known_before, known_after = _index_bins(before), _index_bins(after)

    def share(part: Classes | None, found: Bin | None) -> float:
        return found.rows / part.rows if part and found and part.rows else 0.0

    labels = [format_range(*size) for size in sizes]
    values = [share(after, known_after.get(size)) for size in sizes]
    earlier = [share(before, known_before.get(size)) for size in sizes] if before else None
    canvas = draw_bars(
        "classes",
        [f"{label} {'row' if label == '1' else 'rows'}" for label in labels],
        _pair_series(earlier, values),
        axis="share of all rows",
        write=format_share,
    )
    rows = []
    for label, size in zip(labels, sizes, strict=True):
        old, new = known_before.get(size), known_after.get(size)
        first = [format_count(old.rows if old else 0)] if before else []
        rows.append([label, *first, format_count(new.rows if new else 0)])
    head = ["rows in a class", *(["rows before"] if before else []), "rows after"]
    least = after.smallest
    description = "Rows by the size of their class. " + (
        f"After, the smallest class has {format_count(least)} rows."
        if least is not None
        else "The release has no rows."
    )
    return _finish(canvas, "Sizes of classes", description, head, rows)


def _index_bins(part: Classes | None) -> dict[tuple[int, int | None], Bin]:
    return {(one.least, one.most): one for one in part.bins} if part else {}


RISKS = (
    ("prosecutor_highest", "Prosecutor, highest"),
    ("prosecutor_average", "Prosecutor, average"),
    ("journalist_highest", "Journalist, highest"),
    ("marketer", "Marketer"),
)


def draw_risks(facts: Facts) -> Picture:
    """The chance of a right guess for each kind of intruder, against the threshold."""
    risks = facts.risks

    def values(part: RiskValues) -> list[float | None]:
        return [getattr(part, key) for key, _ in RISKS]

    before = values(risks.before) if risks.before else None
    after = values(risks.after)
    labels = [label for _, label in RISKS]
    limit = Limit(f"threshold {format_share(risks.threshold)}", risks.threshold)
    canvas = draw_bars(
        "risks",
        labels,
        _pair_series(before, after),
        axis="chance of a right guess",
        write=format_share,
        limit=limit,
    )
    head = ["intruder", *(["before"] if before else []), "after"]
    rows = [
        [label, *([format_share(before[place])] if before else []), format_share(after[place])]
        for place, label in enumerate(labels)
    ]
    highest = risks.after.prosecutor_highest
    description = (
        f"Chances of a right guess against the threshold of {format_share(risks.threshold)}. "
        f"The highest risk of any released row is {format_share(highest)}."
    )
    return _finish(canvas, "Risk of re-identification", description, head, rows)


def draw_losses(facts: Facts) -> Picture | None:
    """How much detail each column lost, and how many of its cells are suppressed."""
    columns = [one for one in facts.columns if one.loss is not None or one.suppressed_cells]
    if not columns:
        return None
    canvas = draw_bars(
        "losses",
        [one.name for one in columns],
        [
            Series("loss (0 % as collected, 100 % nothing left)", [c.loss for c in columns], 0),
            Series("cells that are *", [c.suppressed_cells for c in columns], 3, hatched=True),
        ],
        axis="share",
        write=format_share,
        highest=1,
    )
    worst = max(columns, key=lambda one: one.loss or 0)
    description = (
        f"Loss of detail of each column. Column {worst.name} lost most: {format_share(worst.loss)}."
    )
    rows = [[c.name, format_share(c.loss), format_share(c.suppressed_cells)] for c in columns]
    return _finish(
        canvas, "Loss per column", description, ["column", "loss", "suppressed cells"], rows
    )


def _name_label(one: str | None) -> str:
    return OTHERS if one is None else one if one.strip() else "(empty)"


def draw_distributions(facts: Facts) -> list[Picture]:
    """The values of each released column before and after, side by side."""
    return [
        _draw_distribution(f"values-{place}", one)
        for place, one in enumerate(facts.columns)
        if one.values
    ]


def _draw_distribution(name: str, column: Column) -> Picture:
    values = _limit_labels(column.values)
    after_total = sum(one.after for one in column.values) or 1
    before_total = sum(one.before or 0 for one in column.values)
    known = all(one.before is not None for one in column.values) and before_total > 0
    before = [(one.before or 0) / before_total for one in values] if known else None
    after = [one.after / after_total for one in values]
    canvas = draw_bars(
        name,
        [_name_label(one.label) for one in values],
        _pair_series(before, after),
        axis="share of rows",
        write=format_share,
        heading=column.name,
        width=SMALL,
        ticks=False,
    )
    head = ["value", *(["rows before"] if known else []), "rows after"]
    rows = [
        [
            _name_label(one.label),
            *([format_count(one.before)] if known else []),
            format_count(one.after),
        ]
        for one in values
    ]
    largest = max(values, key=lambda one: one.after)
    description = (
        f"Values of {column.name}. The most frequent after is {_name_label(largest.label)}."
    )
    return _finish(canvas, f"Values of {column.name}", description, head, rows, wide=False)


def _limit_labels(values: Sequence[LabelShare]) -> list[LabelShare]:
    """At most so many labels; the smallest together as the last."""
    if len(values) <= MOST_LABELS:
        return list(values)
    named = [one for one in values if one.label is not None][: MOST_LABELS - 1]
    rest = [one for one in values if not any(one is kept for kept in named)]
    before = [one.before for one in rest]
    together = None if None in before else sum(one or 0 for one in before)
    return [
        *named,
        LabelShare(label=None, after=sum(one.after for one in rest), before=together),
    ]


def draw_suppression(facts: Facts) -> list[Picture]:
    """Who was suppressed: the share of the rows of each value that is not in the release."""
    overall = facts.suppression.share
    return [
        _draw_suppressed(f"suppressed-{place}", one, overall)
        for place, one in enumerate(facts.columns)
        if any(part.suppressed for part in one.suppression)
    ]


def _draw_suppressed(name: str, column: Column, overall: float | None) -> Picture:
    parts = column.suppression[:MOST_LABELS]
    shares = [one.suppressed / one.rows if one.rows else None for one in parts]
    limit = Limit(f"all rows: {format_share(overall)}", overall) if overall else None
    canvas = draw_bars(
        name,
        [_name_label(one.label) for one in parts],
        [Series("suppressed", shares, 3)],
        axis="share of the rows with this value",
        write=format_share,
        heading=column.name,
        limit=limit,
        width=SMALL,
        ticks=False,
    )
    rows = [
        [_name_label(one.label), format_count(one.rows), format_count(one.suppressed)]
        for one in parts
    ]
    description = f"Share of suppressed rows for each value of {column.name}."
    head = ["value", "rows", "suppressed"]
    title = f"Suppressed rows by {column.name}"
    return _finish(canvas, title, description, head, rows, wide=False)


def draw_dependence(facts: Facts) -> list[Picture]:
    """How strongly columns depend on each other before, after, and what changed."""
    names = list(dict.fromkeys(name for one in facts.dependence for name in one.columns))
    if len(names) < 2:
        return []
    before = {one.columns: one.before for one in facts.dependence}
    after = {one.columns: one.after for one in facts.dependence}
    known = any(value is not None for value in before.values())
    change = {
        pair: None if value is None or after[pair] is None else (after[pair] or 0) - value
        for pair, value in before.items()
    }
    kinds = [("before", "Before", before), ("after", "After", after), ("change", "Change", change)]
    if not known:
        kinds = kinds[1:2]
    if len(names) > MOST_PAIRED:
        return []
    wide = len(names) > MOST_SMALL
    pictures = []
    for key, heading, values in kinds:
        both = {**values, **{(b, a): value for (a, b), value in values.items()}}
        canvas = draw_matrix(
            f"dependence-{key}",
            names,
            both,
            write=_write_dependence,
            heading="" if wide else heading,
            width=WIDTH if wide else SMALL,
        )
        description = (
            "Cramer's V of each pair of columns, from 0 (independent) to 1 (one determines the "
            "other)."
            if key != "change"
            else "Cramer's V after less before: negative where a connection became weaker."
        )
        pictures.append(_finish(canvas, f"Dependence of columns: {key}", description, (), (), wide))
    return pictures


def _write_dependence(value: float) -> str:
    text = f"{value:.2f}"
    return {"-0.00": "0.00"}.get(text, text)


def list_dependence(facts: Facts) -> list[tuple[str, ...]]:
    """The pairs whose dependence is strongest or changed most, as a table."""

    def weigh(pair: tuple[float | None, float | None]) -> float:
        return max(one or 0 for one in pair)

    pairs = sorted(facts.dependence, key=lambda one: -weigh((one.before, one.after)))
    return [
        (
            join_words(one.columns),
            *(_write_dependence(v) if v is not None else "–" for v in (one.before, one.after)),
        )
        for one in pairs[:MOST_PAIRS_LISTED]
    ]


def draw_alternatives(facts: Facts) -> Picture | None:
    """Detail against protection of each algorithm, with the zone that the policy allows."""
    shown = [
        one
        for one in facts.alternatives
        if one.granularity is not None and one.smallest_class is not None
    ]
    if not shown:
        return None
    asked = max(
        [one.limit for one in facts.promises if one.model == "k_anonymity" and one.limit],
        default=None,
    )
    highest = max([float(one.smallest_class or 1) for one in shown] + [asked or 1]) * 2
    points = [
        Point(
            one.granularity or 0,
            max(one.smallest_class or 1, 1),
            place,
            hollow=not one.holds,
            label=_label_alternative(one.title, one.chosen, one.holds),
        )
        for place, one in sorted(enumerate(shown), key=lambda pair: pair[1].chosen)
    ]
    y = Axis("protection: rows in the smallest class", 0.8, highest, base=2)
    canvas = draw_xy(
        "alternatives",
        Axis("detail: granularity (1 = as collected)", 0, 1),
        y,
        points=points,
        rules=[Rule("y", asked, f"k = {format_number(asked)}")] if asked else [],
        zone=((0, 1), (asked, highest), "allowed") if asked else None,
    )
    rows = [
        (
            _label_alternative(one.title, one.chosen, True),
            "yes" if one.holds else "no",
            format_number(one.granularity),
            format_count(one.smallest_class),
            format_count(one.rows_suppressed),
        )
        for one in facts.alternatives
    ]
    head = ["algorithm", "policy holds", "granularity", "smallest class", "suppressed rows"]
    description = (
        "Each algorithm by the detail that is left (to the right) and the size of the smallest "
        "class (upwards)."
    )
    return _finish(canvas, "Risk and detail of the alternatives", description, head, rows)


def _label_alternative(title: str, chosen: bool, holds: bool) -> str:
    return f"{title}{' (chosen)' if chosen else ''}{'' if holds else ': policy broken'}"


def draw_cost_of_k(facts: Facts) -> Picture | None:
    """What each class size would cost, all else alike."""
    found = sorted(facts.cost_of_k, key=lambda one: one.k)
    known = [(float(one.k), one.value) for one in found if one.value is not None]
    if len(known) < 2:
        return None
    measure = found[0].measure
    values = [value for _, value in known]
    chosen = [one.k for one in found if one.chosen]
    high = max(values)
    canvas = draw_xy(
        "cost",
        Axis("k: rows in the smallest class", 0, max(k for k, _ in known)),
        Axis(measure, min([0.0, *values]), high if high > 0 else 1),
        lines=[Line(known, measure, 0, marked=True)],
        rules=[Rule("x", float(k), f"chosen: k = {format_count(k)}") for k in chosen[:1]],
    )
    rows = [
        [
            format_count(one.k) + (" (chosen)" if one.chosen else ""),
            format_number(one.value) if one.value is not None else "cannot be reached",
        ]
        for one in found
    ]
    description = f"The measure {measure} of the best release for each k."
    return _finish(canvas, "Cost of each k", description, ["k", measure], rows)


def draw_hierarchies(facts: Facts) -> Iterator[Picture]:
    """The hierarchy of each column down to the released level."""
    for place, column in enumerate(facts.columns):
        levels = [level for level in column.hierarchy if level]
        if len(levels) < 2 or (len(levels) == 2 and len(levels[0]) == 1):
            continue  # all values beneath one: nothing to see
        top = column.height if column.height is not None else None
        captions = [
            f"level {top - number}" if top is not None else f"row {number + 1}"
            for number in range(len(levels))
        ]
        canvas = draw_icicle(
            f"hierarchy-{place}",
            [[(_name_label(one.label), float(one.after)) for one in level] for level in levels],
            captions,
        )
        rows = [
            (caption, _name_label(one.label), format_count(one.after))
            for caption, level in zip(captions, levels, strict=True)
            for one in level[: MOST_LABELS * 2]
        ]
        description = (
            f"How the values of {column.name} lie in its hierarchy, from the top to what was "
            "released; wide values have many rows."
        )
        yield _finish(
            canvas, f"Hierarchy of {column.name}", description, ["level", "value", "rows"], rows
        )
