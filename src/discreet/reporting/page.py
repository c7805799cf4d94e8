"""A report as a page."""

from __future__ import annotations

import html
import json

from discreet.pipeline.description.facts import Facts


def render_page(facts: Facts) -> str:
    """The report as one page of HTML."""
    said = html.escape(json.dumps(facts.model_dump(mode="json"), indent=1, ensure_ascii=False))
    return f"<!doctype html>\n<title>Report</title>\n<pre>{said}</pre>\n"
