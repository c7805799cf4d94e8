"""Builders from the hierarchies in a policy, and back."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from discreet.errors import did_you_mean
from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.dates import Dates
from discreet.hierarchy.file import File
from discreet.hierarchy.flat import Flat, WithSuppression
from discreet.hierarchy.hierarchy import SUPPRESSED, Builder
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.known.builder import Known
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.refusals import make_spec_error
from discreet.hierarchy.tree import Tree
from discreet.input_file import refuse_address


def make_builder(spec: Mapping[str, Any] | Builder | None, folder: Path = Path()) -> Builder:
    """Make the builder for a policy's hierarchy; the default is the value, then ``*``.

    Paths of hierarchy files are relative to `folder`, the one that the policy is in.

    >>> make_builder({"intervals": [5, 10]})
    Intervals(widths=(5, 10), origin=0, bottom=None, top=None)
    """
    if spec is None:
        return Flat()
    if not isinstance(spec, Mapping):
        if isinstance(spec, Builder):
            return spec
        raise make_spec_error("hierarchy", "it must be a mapping", _write_example())
    kinds = [key for key in spec if key != "top"]
    for key in kinds:
        if key not in KINDS:
            fix = did_you_mean(key, [*KINDS, "top"])
            raise make_spec_error(str(key), "there is no such kind of hierarchy", fix)
    if len(kinds) != 1:
        what = f"it must name one kind, and names {len(kinds)}"
        raise make_spec_error("hierarchy", what, _write_example())
    builder = KINDS[kinds[0]](spec[kinds[0]], folder)
    return _add_top(builder, kinds[0], spec["top"]) if "top" in spec else builder


def write_spec(builder: Builder, folder: Path | None = None) -> dict[str, Any]:
    """Write a builder as in a policy; file paths become relative to `folder`.

    >>> write_spec(Prefix([4, 3]))
    {'prefix': [4, 3]}
    """
    match builder:
        case WithSuppression(inner):
            return {**write_spec(inner, folder), "top": SUPPRESSED}
        case Intervals(widths, origin, bottom, top, others, decimal):
            more: dict[str, Any] = {"origin": origin or None, "bottom": bottom, "top": top}
            more |= {"others": _write_others(others), "decimal": decimal}
            return {"intervals": _write_short("widths", widths, more)}
        case Cuts(levels, others, decimal):
            cuts = [[_write_plain(number) for number in level] for level in levels]
            more = {"others": _write_others(others), "decimal": decimal}
            rest = {key: value for key, value in more.items() if value is not None}
            return {"cuts": {"levels": cuts, **rest} if rest else cuts}
        case Prefix(lengths, mask, code, others):
            more = {"mask": mask if mask != "*" else None, "code": code}
            more |= {"others": _write_others(others)}
            return {"prefix": _write_short("lengths", lengths, more)}
        case Dates(levels, form, pivot, others):
            several = list(form) if isinstance(form, tuple) else form
            more = {"format": several, "pivot": pivot if pivot != Dates.pivot else None}
            more |= {"others": _write_others(others)}
            return {"dates": _write_short("levels", levels, more)}
        case Tree(tree):
            return {"tree": tree}
        case File(path, uncovered):
            written = str(path) if folder is None else os.path.relpath(path, folder)
            strict = uncovered == "refuse"
            return {"file": written if strict else {"path": written, "uncovered": uncovered}}
        case Known(name, levels):
            return {"known": name if levels is None else {"name": name, "levels": list(levels)}}
        case Flat():
            return {"flat": True}
    what = f"a {type(builder).__name__} cannot be written in a policy"
    raise make_spec_error("hierarchy", what, _write_example())


def _write_others(others: str) -> str | None:
    return None if others == "refuse" else others


def _write_short(main: str, values: tuple[Any, ...], more: Mapping[str, Any]) -> Any:
    """Write only the list if nothing else is set."""
    items = [_write_plain(value) for value in values]
    rest = {key: _write_plain(value) for key, value in more.items() if value is not None}
    return {main: items, **rest} if rest else items


def _write_plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    return value


def _read_keywords(cls: Any, kind: str, said: object) -> dict[str, Any]:
    """Read a list, or a mapping with the list under its own key and the other settings."""
    main, *others = (one.name for one in fields(cls))
    settings = said if isinstance(said, Mapping) else {main: said}
    for key in settings:
        if key != main and key not in others:
            fix = did_you_mean(key, [main, *others])
            raise make_spec_error(f"{kind}.{key}", "there is no such setting", fix)
    if main not in settings:
        fix = f"Write {kind}: {{{main}: [...], ...}}."
        raise make_spec_error(kind, f"'{main}' is missing", fix)
    listed = settings[main]
    if not isinstance(listed, list | tuple):
        listed = [listed]
    return {**settings, main: tuple(listed)}


def _read_intervals(said: object, _: Path) -> Builder:
    return Intervals(**_read_keywords(Intervals, "intervals", said))


def _read_cuts(said: Any, _: Path) -> Builder:
    settings = dict(said) if isinstance(said, Mapping) else {"levels": said}
    for key in settings:
        if key not in ("levels", "others", "decimal"):
            fix = did_you_mean(key, ["levels", "others", "decimal"])
            raise make_spec_error(f"cuts.{key}", "there is no such setting", fix)
    return Cuts(**{"levels": (), **settings})


def _read_prefix(said: object, _: Path) -> Builder:
    return Prefix(**_read_keywords(Prefix, "prefix", said))


def _read_dates(said: object, _: Path) -> Builder:
    return Dates(**_read_keywords(Dates, "dates", said))


def _read_tree(said: Any, _: Path) -> Builder:
    return Tree(said)


def _read_file(said: object, folder: Path) -> Builder:
    settings: dict[str, Any] = dict(said) if isinstance(said, Mapping) else {"path": said}
    path = settings.pop("path", None)
    if not isinstance(path, str | Path) or not str(path):
        raise make_spec_error("file", "it must be a path", "Write for instance age.csv.")
    known = [one.name for one in fields(File)]
    for key in settings:
        if key not in known:
            fix = did_you_mean(key, known)
            raise make_spec_error(f"file.{key}", "there is no such setting", fix)
    refuse_address(path, "file")
    return File(folder / Path(path).expanduser(), **settings)


def _read_known(said: object, _: Path) -> Builder:
    settings: dict[str, Any] = dict(said) if isinstance(said, Mapping) else {"name": said}
    for key in settings:
        if key not in ("name", "levels"):
            fix = did_you_mean(key, ["name", "levels"])
            raise make_spec_error(f"known.{key}", "there is no such setting", fix)
    if "name" not in settings:
        raise make_spec_error("known", "'name' is missing", "Write for instance countries.")
    levels = settings.get("levels")
    if levels is not None and not isinstance(levels, list | tuple):
        settings["levels"] = (levels,)
    return Known(**settings)


def _read_flat(said: object, _: Path) -> Builder:
    if said not in (True, None, {}):
        fix = "Leave the hierarchy out, or write {flat: true}."
        raise make_spec_error("flat", "it has no settings", fix)
    return Flat()


def _add_top(builder: Builder, kind: str, top: object) -> Builder:
    if top is None:
        return builder
    if top != SUPPRESSED:
        fix = 'It adds a level of suppressed values: write top: "*".'
        if kind == "intervals":
            fix += " For top coding write intervals: {widths: [...], top: ...}."
        raise make_spec_error("top", "it can only be '*'", fix)
    return WithSuppression(builder)


def _write_example() -> str:
    return f"Write one of {', '.join(KINDS)}, for instance {{intervals: [5, 10, 20]}}."


KINDS: dict[str, Callable[[Any, Path], Builder]] = {
    "intervals": _read_intervals,
    "cuts": _read_cuts,
    "prefix": _read_prefix,
    "dates": _read_dates,
    "tree": _read_tree,
    "file": _read_file,
    "known": _read_known,
    "flat": _read_flat,
}


# Names for the levels of a hierarchy, from its builder alone: never a value of the data.


AS_FOUND, ONE_VALUE = "as found", "one value for all"

SHAPES = {
    "intervals": ("widths", "intervals of {}"),
    "cuts": ("levels", "intervals cut at {}"),
    "prefix": ("lengths", "first {} characters"),
    "dates": ("levels", "{}"),
    "known": ("levels", "{}"),
}
"""The parameter with a builder's levels, and the wording for one of them."""

WORDS = {"auto": "as proposed from the data", "file": "as in its file", "tree": "as in its tree"}
"""The wording for a level that the policy does not list."""


def name_level(builder: Any, level: int, height: int | None) -> str:
    """The name of a level as the data holder wrote it, by the kind of hierarchy.

    >>> from discreet.hierarchy import Prefix
    >>> name_level(Prefix([4, 3]), 2, 3)
    'first 3 characters'
    """
    if level == 0:
        return AS_FOUND
    while hasattr(builder, "builder"):
        builder = builder.builder
    kind = type(builder).__name__.casefold()
    key, words = SHAPES.get(kind, ("", ""))
    steps = builder.list_levels() if isinstance(builder, Known) else getattr(builder, key, ())
    if level <= len(steps):
        step = steps[level - 1]
        listed = ", ".join(map(str, step)) if isinstance(step, tuple) else step
        return words.format(listed)
    if level == height or builder is None:
        return ONE_VALUE
    return WORDS.get(kind, "coarser")
