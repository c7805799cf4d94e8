"""What ``discreet risk`` shows to people: short tables, and a sentence for each answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from discreet.cli import output

JUDGED = {
    "good": "good here, within 5 %",
    "rough": "rough here, within 25 %",
    "poor": "poor here: use the exact value",
    "no use": "of no use here: use the exact value",
}


def show(facts: dict[str, Any], name: str) -> None:
    """Everything that was found, of a table or of published frequencies."""
    if "people" in facts:
        _show_published(facts, name)
        _show_uniqueness(facts["uniqueness"])
        return
    _show_intruders(facts, name)
    _show_register(facts["register"])
    _show_population(facts["population"])
    _show_uniqueness(facts["uniqueness"])
    _show_special(facts["special_uniques"])
    _show_alpha(facts.get("alpha"))
    for text in facts["notes"]:
        output.write(text)


def show_files(rows: Path | None, picture: Path | None, map_: Path | None) -> None:
    """What was written, and who should see it."""
    if rows is not None:
        output.write(f"The risk of each row is in {rows}: for your own eyes, not for release.")
    for drawn in filter(None, (picture, map_)):
        output.write(f"Drawn to {drawn}.")


def format_count(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 'es' if noun.endswith('s') else 's'}"


def _show_intruders(facts: dict[str, Any], name: str) -> None:
    columns = ", ".join(facts["columns"])
    people = facts.get("unit") == "people"
    if people:
        output.write(
            f"{name} by {columns}: {facts['rows']:,} people with "
            f"{format_count(facts['rows_in_file'], 'row')}, "
            f"{format_count(facts['classes'], 'class')}, {facts['uniques']:,} unique people"
        )
    else:
        output.write(
            f"{name} by {columns}: {format_count(facts['rows'], 'row')}, "
            f"{format_count(facts['classes'], 'class')}, "
            f"{format_count(facts['uniques'], 'unique row')}"
        )
    unit = "people" if people else "rows"
    heads = ("intruder", "highest", "average", f"{unit} above {facts['threshold']:g}", "from")
    rows = [
        (who, one["highest"], one["average"], one["rows_at_risk"], one["method"])
        for who in ("prosecutor", "journalist")
        for one in [facts[who]]
    ]
    output.print_table("", heads, rows)
    most = "at most " if facts["journalist"]["method"].startswith("as prosecutor") else ""
    least, ceiling = facts["journalist"]["floor"], facts["journalist"]["ceiling"]
    if least is not None and least < ceiling:
        output.write(
            f"The journalist's average is from {output.format_fact(least)} to "
            f"{output.format_fact(ceiling)}, "
            "with about 95 % confidence and whatever the population, if FILE is a random sample."
            + ("" if most else " What is shown is the estimate of a model.")
        )
    output.write(
        f"A marketer who guesses for every {'person' if people else 'row'} is right for {most}"
        f"{output.format_fact(facts['expected_right'])} of them, "
        f"{output.format_fact(facts['marketer'])} on "
        "average.\n"
    )


def _show_alpha(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    title = f"Expected share of unique people among {found['population']:,}, at most"
    heads = (
        *("columns", "unique rows", "of all rows", "combinations", "multiplied", "measured"),
        *("people each", "verdict"),
    )
    rows = [
        (
            ", ".join(one["columns"]),
            one["uniques"],
            one["share_of_table"],
            one["multiplied"],
            one["most_uniques"],
            one["joined"]["most_uniques"],
            one["k"],
            "may be one" if one["suspected"] else "not expected",
        )
        for one in found["sets"]
    ]
    output.print_table(title, heads, rows)
    output.write(
        f"Verdict: is it a {found['alpha']:g}-quasi-identifier, by the lower of the two bounds. "
        "Combinations are those of FILE's values, unless --domain says how many values a column "
        "has: if the population has more, more people are unique than this says.\n"
    )


def _show_register(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    output.write(
        f"The register has {found['rows']:,} people, {found['uniques']:,} of them unique; "
        f"{found['people_found']:,} of them match a row of the file. "
        f"{_fit(found['rows_unique_in_register'])} only one person."
    )
    lacking = {
        name: one for name, one in found["values_found"].items() if one["found"] < one["values"]
    }
    if lacking:
        told = ", ".join(
            f"{name} {one['found']:,} of {one['values']:,}" for name, one in lacking.items()
        )
        output.write(f"Values of the file that are in the register: {told}.")
    if found["rows_not_found"]:
        output.write(
            f"{_fit(found['rows_not_found'])} nobody in the register: it is not complete, or its "
            "values are written in another way. They count as not named by the marketer, and are "
            "left out of the journalist's average."
        )
    if found["rows_more_than_people"]:
        many_rows = found["rows_more_than_people"]
        output.write(
            f"{format_count(many_rows, 'row')} of the file "
            f"{'is' if many_rows == 1 else 'are'} in classes "
            "with more rows than people in the register, so it is not the whole population."
        )
    output.write("")


def _fit(rows: int) -> str:
    return f"{format_count(rows, 'row')} of the file {'matches' if rows == 1 else 'match'}"


def _show_population(found: dict[str, Any] | None) -> None:
    if found is None:
        output.write("With --population N or --register R: risk against the population.\n")
        return
    rows = [
        (name, one["uniques"], _format_range(one.get("interval")), one["share"], one["reason"])
        for name, one in found["uniques"].items()
    ]
    title = f"Unique in the population of {found['size']:,}"
    output.print_table(
        title, ("method", "people", "if its model is right", "share", "remark"), rows
    )
    if found.get("uniques_at_most") is not None:
        sure = f"with {{}}{100 * found['confidence']:g} % confidence, whatever the population"
        if found["uniques_between"] is not None:
            least, most = found["uniques_between"]
            output.write(
                f"From {least:,.0f} to {most:,.0f} people fit FILE, {sure.format('about ')}."
            )
        output.write(
            f"At most {found['uniques_at_most']:,} people, {sure.format('')}, if FILE is a simple "
            "random sample.\n"
        )
    if found["k_map"]:
        heads = ("method", "k", "least class", "rows at risk", "remark")
        keys = ("k", "least_class", "rows_at_risk", "reason")
        tests = [
            (one["method"].replace("_", " "), *(one[key] for key in keys)) for one in found["k_map"]
        ]
        output.print_table("k-map", heads, tests)


def _format_range(interval: list[float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:,.0f} to {interval[1]:,.0f}"


def _show_published(facts: dict[str, Any], name: str) -> None:
    columns = ", ".join(facts["columns"])
    found = facts["uniqueness"]
    output.write(
        f"{name} by {columns}: {output.format_fact(facts['people'])} people, "
        f"{format_count(found['values'], 'value')}, kappa {found['kappa']:.4g}"
    )
    together = facts["aggregated"]
    if together is not None:
        output.write(
            "The tables do not say how their columns go together. Kappa is at least "
            f"{together['kappa_independent']:.4g}, if they are independent, as is supposed below, "
            f"and at most {together['kappa_most']:.4g}; more kappa means fewer unique people."
        )
        if max(together["totals"]) > min(together["totals"]):
            output.write("Their people do not add up to the same number.")
    grouped = facts["grouped"]
    if grouped is not None:
        output.write(
            f"Published one by one: {format_count(grouped['values'], 'value')}, kappa "
            f"{grouped['kappa']:.4g}. Who has only the groups of {grouped['width']} knows that it "
            f"is at least {grouped['kappa_from_groups']:.4g}. Below, groups are the values."
        )


def _show_uniqueness(found: dict[str, Any]) -> None:
    output.write(
        f"Everybody in a group differs with a chance below {found['level']:g} from "
        f"{found['group_size']:,} people on (exact); by the approximation with kappa "
        f"{found['kappa']:.4g} from {found['group_size_approximation']:.1f}. Its chances are "
        f"{JUDGED[found['says']]}.\n"
    )
    at = found["at"]
    if at is None:
        return
    output.write(
        f"Of {at['group']:,} people everybody differs with a chance of {at['exact']:.4g} (exact); "
        f"by kappa {at['approximation']:.4g}, by formula 3 {at['formula_3']:.4g}, if all values "
        f"were equally likely {at['uniform']:.4g}."
    )
    drawn = at["simulated"]
    if drawn is not None:
        low, high = drawn["interval"]
        enough = "" if drawn["reached"] else " That is too rare to say more by drawing."
        output.write(
            f"Drawn: {drawn['all_different']:,} of "
            f"{format_count(drawn['groups'], 'group')} were all "
            f"different, {drawn['value']:.4g} ({low:.4g} to {high:.4g} with 95 % "
            f"confidence).{enough}"
        )
    output.write("")


def _show_special(found: dict[str, Any] | None) -> None:
    if found is None:
        return
    rows = [
        (int(size), number, found["rows_by_smallest"][size])
        for size, number in found["minimal_uniques"].items()
    ]
    heads = ("columns", "minimal uniques", "rows with no smaller one")
    output.print_table("Special uniques: rows that few columns single out", heads, rows)
    parts = sorted(found["contributions"].items(), key=lambda part: -part[1])[:5]
    if found["rows_special"]:
        told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in parts)
        output.write(f"Columns that contribute most: {told}.")
