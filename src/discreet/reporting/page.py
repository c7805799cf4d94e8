"""A report as one page of HTML: facts in, text out; no script, no request, nothing but the facts.

The same facts give the same bytes. What the facts do not have is said to be missing. Every text of
the facts is escaped by the templates; pictures escape theirs as they are drawn.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from discreet.pipeline.description.facts import Column, Facts, NumberSummary, TriedAttack
from discreet.pipeline.description.words import ADDRESSED, CRITERIA, INTRUDERS
from discreet.reporting import report_charts as charts
from discreet.reporting.charts.canvas import DARK, LIGHT, write_chart_rules, write_colours
from discreet.reporting.numbers import format_count, format_number, format_share, join_words

SECTIONS = (
    ("purpose", "Purpose, recipient, environment and controls"),
    ("data", "The data and what identifies people in it"),
    ("intruders", "Who might attack, and with what"),
    ("threshold", "The threshold and its reason"),
    ("before", "Risk before"),
    ("done", "What was done"),
    ("after", "Risk after"),
    ("criteria", "Singling out, linkability, inference"),
    ("attacks", "Attacks that were tried"),
    ("lost", "What was lost"),
    ("alternatives", "Alternatives that were considered"),
    ("text", "Free text"),
    ("earlier", "Earlier releases"),
    ("limits", "What is not promised, and when to look again"),
    ("check", "How to check this again"),
)

ABOUT = {
    "description": "Description",
    "purpose": "Purpose",
    "holder": "Holder of the data",
    "contact": "Contact",
    "recipient": "Recipient",
    "environment": "Environment",
    "controls": "Controls",
    "population": "Population",
    "period": "Period",
    "licence": "Licence",
    "reviewed_by": "Reviewed by",
    "valid_until": "Valid until",
}
EXPECTED = ("purpose", "recipient", "environment", "controls")

MODEL_DOCS = {
    "average_risk": "average-and-largest-risk",
    "largest_risk": "average-and-largest-risk",
    "probabilistic": "probabilistic-anonymity",
}
"""Pages about models that are not called like the model."""


def render_page(facts: Facts) -> str:
    """The whole report as HTML."""
    style = _write_style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        _load_templates()
        .get_template("report.html")
        .render(
            facts=facts,
            facts_json=_embed_facts(facts),
            style=Markup(style),
            style_hash=f"sha256-{digest}",
            sections=SECTIONS,
            inside=facts.edition == "inside",
            **_choose_words(facts),
            **_list_rows(facts),
            **_draw_pictures(facts),
        )
    )


@lru_cache(1)
def _load_templates() -> Environment:
    found = Environment(
        loader=PackageLoader("discreet.reporting", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(
        count=format_count,
        share=format_share,
        number=format_number,
        words=join_words,
        sentence=_end_sentence,
    )
    return found


@lru_cache(1)
def _write_style() -> str:
    """The style of the page with the colours of its charts: light, dark, and light on paper."""
    source = _load_templates().loader
    assert source is not None
    text = source.get_source(_load_templates(), "report.css")[0]
    light = write_colours({**LIGHT, "link": "#0b57a4", "good": "#00694d"})
    dark = write_colours({**DARK, "link": "#8cc8ff", "good": "#5fd9b0"})
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"{write_chart_rules()}\n{text}"
    )


def _embed_facts(facts: Facts) -> Markup:
    """The facts as JSON that cannot end the element it is in."""
    text = facts.model_dump_json()
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def _end_sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    text = text.strip()
    end = "." if text and text[-1] not in ".!?" else ""
    return text[:1].upper() + text[1:] + end


def _choose_words(facts: Facts) -> dict[str, Any]:
    """What is said in words."""
    about = facts.about
    names = [one.name for one in facts.files]
    title = about.get("title") or f"Release of {join_words(names) if names else 'a table'}"
    reviewers = about.get("reviewed_by") or []
    reviewers = [reviewers] if isinstance(reviewers, str) else list(reviewers)
    said = [
        (ABOUT.get(key, key.replace("_", " ").capitalize()), _say_value(about[key]))
        for key in [*ABOUT, *(key for key in about if key not in ABOUT)]
        if about.get(key) and key not in ("title", "threshold")
    ]
    unsaid = [ABOUT[key].lower() for key in EXPECTED if not about.get(key)]
    file = names[0] if names else "RELEASE"
    return {
        "title": str(title),
        "promise": " ".join(_end_sentence(one.sentence) for one in facts.promises),
        "signers": reviewers or ["", ""],
        "about": said,
        "unsaid": join_words(unsaid),
        "quasi": [one.name for one in facts.columns if one.role == "quasi"],
        "released": [one.name for one in facts.columns if one.released],
        "intruders": [INTRUDERS[key] for key in ("prosecutor", "journalist", "marketer")],
        "motivated": INTRUDERS["motivated intruder"][1],
        "model_docs": sorted({find_model_doc(one.model) for one in facts.promises})
        or ["docs/explain/protection-models.md"],
        "commands": f"discreet verify {file} --policy policy.yaml\nsha256sum {file}",
    }


def _say_value(value: Any) -> str | list[str]:
    if isinstance(value, list | tuple):
        return [str(one) for one in value]
    if isinstance(value, dict):
        return [f"{key}: {one}" for key, one in value.items()]
    return str(value)


def find_model_doc(model: str) -> str:
    """The page of the docs about a model."""
    return f"docs/explain/{MODEL_DOCS.get(model, model.replace('_', '-'))}.md"


def _list_rows(facts: Facts) -> dict[str, Any]:
    """The rows of the tables, as texts."""
    before_known = any(one.distinct_before is not None for one in facts.columns) or any(
        part.before is not None for one in facts.columns for part in one.values
    )
    reasons = any(one.reason for one in facts.columns)
    return {
        "before_known": before_known,
        "reasons": reasons,
        "column_head": [
            *("column", "role", *(["why"] if reasons else [])),
            *(["values before", "values after"] if before_known else ["values"]),
        ],
        "column_rows": [
            (
                one.name,
                one.role if one.released else f"{one.role}, not released",
                *([one.reason] if reasons else []),
                *([format_count(one.distinct_before)] if before_known else []),
                format_count(one.distinct_after),
            )
            for one in facts.columns
        ],
        "done_rows": [
            (one.name, one.technique, one.released_as, format_share(one.loss))
            for one in facts.columns
        ],
        "promise_rows": [
            (
                one.title + (f" ({join_words(one.columns)})" if one.columns else ""),
                "✓ holds" if one.holds else "✗ FAILS",
                format_number(one.measured),
                format_number(one.limit),
                format_count(one.rows_at_risk),
            )
            for one in facts.promises
        ],
        "criteria": [
            (key.capitalize(), question, _list_evidence(facts, key))
            for key, question in CRITERIA.items()
        ],
        "attack_rows": [
            (
                one.title,
                one.criterion,
                describe_outcome(one),
                format_count(one.rows_exposed if one.applies and one.decided else None),
                one.note,
            )
            for one in facts.attacks
        ],
        "measures": [
            (name.replace("_", " "), format_number(value))
            for name, value in (facts.search.measures.items() if facts.search else ())
        ],
        "dependence_rows": charts.list_dependence(facts),
        "text_rows": [
            (one.column, kind, format_count(count))
            for one in facts.text
            for kind, count in (one.findings or {}).items()
        ],
        "earlier_rows": [
            (format_count(one.number), one.time, one.to, join_words(one.columns))
            for one in facts.earlier
        ],
        "file_rows": [
            (one.name, format_count(one.bytes), one.sha256 or "–") for one in facts.files
        ],
        **_list_number_rows(facts),
    }


def describe_outcome(one: TriedAttack) -> str:
    """What an attack got, in words."""
    if not one.applies:
        return "does not apply"
    if not one.decided:
        return "not decided"
    if one.breaks:
        return "✗ succeeds and breaks a promise"
    if one.succeeds:
        return "succeeds, within what the policy allows"
    return "✓ gets nothing"


def _list_evidence(facts: Facts, criterion: str) -> list[str]:
    """The promises that are about a question, and the attacks that tried, in words."""
    promised = [
        f"Promise {one.title}: {'✓ holds' if one.holds else '✗ FAILS'}. {one.sentence}"
        for one in facts.promises
        if criterion in ADDRESSED.get(one.model, ())
    ]
    tried = [
        f"Attack, {one.title}: {describe_outcome(one)}"
        for one in facts.attacks
        if one.criterion == criterion and one.applies
    ]
    return promised + tried


def _list_number_rows(facts: Facts) -> dict[str, Any]:
    """Mean and quantiles before and after, one line for each."""
    shown = [one for one in facts.columns if one.numbers_before or one.numbers_after]
    names = sorted(
        {
            name
            for one in shown
            for part in (one.numbers_before, one.numbers_after)
            if part
            for name in part.quantiles
        },
        key=float,
    )
    head = ["column", "when", "count", "mean", "standard deviation"]
    return {
        "number_head": [*head, *(f"quantile {name}" for name in names)],
        "number_rows": [row for one in shown for row in _list_column_numbers(one, names)],
    }


def _list_column_numbers(column: Column, names: list[str]) -> Iterator[tuple[str, ...]]:
    both: tuple[tuple[str, NumberSummary | None], ...] = (
        ("before", column.numbers_before),
        ("after", column.numbers_after),
    )
    for when, part in both:
        if part:
            yield (
                column.name,
                when,
                format_count(part.count),
                format_number(part.mean),
                format_number(part.deviation),
                *(format_number(part.quantiles.get(name)) for name in names),
            )


def _draw_pictures(facts: Facts) -> dict[str, Any]:
    return {
        "risks": charts.draw_risks(facts),
        "classes": charts.draw_class_sizes(facts),
        "losses": charts.draw_losses(facts),
        "distributions": charts.draw_distributions(facts),
        "suppressions": charts.draw_suppression(facts),
        "dependences": charts.draw_dependence(facts),
        "hierarchies": list(charts.draw_hierarchies(facts)),
        "alternatives": charts.draw_alternatives(facts),
        "cost": charts.draw_cost_of_k(facts),
    }
