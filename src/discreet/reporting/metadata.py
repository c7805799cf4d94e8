"""Metadata that travels with a release: Croissant, a data dictionary, texts for papers and boards.

Everything here is for readers who have the release, so it is made from the edition of the facts for
outside the house and from nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from discreet.errors import ArgumentError, WriteError, argument
from discreet.input_file import refuse_address
from discreet.pipeline.description.facts import Column, Facts
from discreet.pipeline.description.words import ADDRESSED, CRITERIA, INTRUDERS, TECHNIQUES
from discreet.policy.policy_file import parse_policy
from discreet.table.atomic import check_target, open_hidden_file

FILES = ("croissant.json", "dictionary.csv", "dictionary.md", "methods.txt", "dpia.md")


def write_metadata(facts: Facts, folder: str | Path, *, replace: bool = False) -> list[Path]:
    """Write all files of metadata into a folder, which is made if it does not exist.

    If one of them is there already, none is written unless ``replace`` is true.
    """
    target = check_folder(folder, replace)
    texts = render_metadata(facts)
    try:
        target.mkdir(exist_ok=True)
        for name, text in texts.items():
            path = (target / name).absolute()
            with open_hidden_file(path, path.suffix, replace=replace) as hidden:
                hidden.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        what = f"it cannot be written: {os.strerror(error.errno or 0)}"
        raise WriteError(target, what, "Check the path, the space and the permissions.") from None
    return [target / name for name in texts]


def check_folder(folder: str | Path, replace: bool = False) -> Path:
    """Refuse a folder for metadata before any work is done."""
    refuse_address(folder, "metadata", written=True)
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise WriteError(target, "this is not a folder", "Name a folder for the metadata.")
    if not target.absolute().parent.is_dir():
        raise WriteError(target, "the folder above it does not exist", "Make that first.")
    for name in FILES:
        if os.path.lexists(target / name) and not replace:
            fix = f"Name another folder, or give {argument('force')} to replace it."
            raise WriteError(target / name, "this file exists already", fix)
        if target.is_dir():
            check_target((target / name).absolute())
    return target


def render_metadata(facts: Facts) -> dict[str, str]:
    """The text of each file of metadata, by its name."""
    if facts.edition != "outside":
        what = "metadata travel with the release, and these facts are for inside the house"
        raise ArgumentError("facts", what, "Give the facts of the edition for outside.")
    if not facts.files:
        what = "metadata are about a file, and this release is not in one"
        raise ArgumentError("release", what, "Write the release, then report on its file.")
    croissant = json.dumps(make_croissant(facts), indent=2, ensure_ascii=False, allow_nan=False)
    texts = (
        f"{croissant}\n",
        render_dictionary_csv(facts),
        render_dictionary_markdown(facts),
        f"{write_methods(facts)}\n",
        write_assessment(facts),
    )
    return dict(zip(FILES, texts, strict=True))


# Croissant 1.0: https://docs.mlcommons.org/croissant/docs/croissant-spec.html


CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_TERMS = (
    *("citeAs", "column", "equivalentProperty", "samplingRate"),
    *("extract", "field", "fileProperty", "fileObject", "fileSet", "format"),
    *("includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("references", "regex", "repeated", "replace", "separator", "source", "subField"),
    "transform",
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}
"""The context that the specification recommends (appendix 1)."""

FORMATS = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/jsonlines",
    ".parquet": "application/x-parquet",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
NEEDED = {"licence": "license", "url": "url", "holder": "creator"}
"""What Croissant needs and only the policy's key ``about`` can say."""


def list_unsaid(facts: Facts) -> list[str]:
    """The keys of ``about`` that Croissant needs and the policy does not have."""
    return [key for key in NEEDED if not facts.about.get(key)]


def make_croissant(facts: Facts) -> dict[str, Any]:
    """The release in Croissant 1.0: the file with its hash, and each column with its meaning."""
    about, file = facts.about, facts.files[0]
    made: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": about.get("title") or Path(file.name).stem,
        "description": _describe_release(facts),
        "datePublished": facts.made[:10],
        "isLiveDataset": False,
    }
    made |= {"license": about["licence"]} if about.get("licence") else {}
    made |= {"url": about["url"]} if about.get("url") else {}
    if about.get("holder"):
        made["creator"] = {"@type": "sc:Organization", "name": about["holder"]}
    if about.get("period"):
        made["temporalCoverage"] = about["period"]
    object_: dict[str, Any] = {
        "@type": "cr:FileObject",
        "@id": quote(file.name),
        "name": file.name,
        "contentUrl": quote(file.name),
        "encodingFormat": FORMATS.get(
            Path(file.name).suffix.casefold(), "application/octet-stream"
        ),
    }
    object_ |= {"sha256": file.sha256} if file.sha256 else {}
    object_ |= {"contentSize": f"{file.bytes} B"} if file.bytes is not None else {}
    fields = [_make_field(facts, one, quote(file.name)) for one in _list_released(facts)]
    rows = {"@type": "cr:RecordSet", "@id": "rows", "name": "rows", "field": fields}
    return {**made, "distribution": [object_], "recordSet": [rows]}


def _make_field(facts: Facts, column: Column, file: str) -> dict[str, Any]:
    meaning = " ".join(list_meanings(column))
    return {
        "@type": "cr:Field",
        "@id": f"rows/{quote(column.name, safe='')}",
        "name": column.name,
        "description": f"Released {column.released_as}. {meaning}".strip(),
        "dataType": find_data_type(facts, column),
        "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
    }


def find_data_type(facts: Facts, column: Column) -> str:
    """The type of a column in Croissant: numbers only if every row is known to have one."""
    numbers = column.numbers_after
    labels = [one.label for one in column.values]
    coded = any(label and re.match(r"[-+]?0\d", label) for label in labels)
    if numbers is None or numbers.ranges or numbers.count != facts.rows_after or coded:
        return "sc:Text"
    whole = all(label is not None and re.fullmatch(r"[-+]?\d+", label) for label in labels)
    return "sc:Integer" if labels and whole else "sc:Float"


def _describe_release(facts: Facts) -> str:
    """What the data are, and that they are not as they were collected."""
    own = facts.about.get("description")
    said = [f"{own.rstrip('.')}." if own else "", "This is a protected release of a private table."]
    promises = [one.sentence for one in facts.promises if one.holds and one.sentence]
    return " ".join([*filter(None, said), *promises])


# Data dictionary


MEANINGS = (
    (re.compile(r"\*"), "* means that the value was suppressed"),
    (re.compile(r""), "an empty cell, or null, means that the value is missing"),
    (re.compile(r"(?:<|>=)[-\d.]+"), "<10 means less than 10, >=50 means 50 or more"),
    (re.compile(r"[-\d.]+ to <[-\d.]+"), "10 to <50 means from 10 to less than 50"),
    (re.compile(r"-?\d+ to -?\d+"), "-9 to 0 means from -9 to 0, both included"),
    (re.compile(r"\d{4}-Q[1-4]"), "2001-Q1 means the first quarter of 2001"),
    (re.compile(r"[^*]+\*+"), "each * at the end of a code stands for one character left out"),
)
"""How labels are written, and what they mean."""
RANGE = re.compile(r"(\d+)-(\d+)")
RANGES = "30-39 means from 30 to 39, both included"
MONTHS = "2001-03 means March 2001"
MOST_LISTED = 12
"""Values that are listed one by one; of more only the way they are written is explained."""

HEADS = ("column", "role", "released as", "technique (ISO/IEC 20889)", "level", "values", "meaning")


def _list_released(facts: Facts) -> list[Column]:
    return [one for one in facts.columns if one.released]


def list_meanings(column: Column) -> list[str]:
    """What the labels of a column mean, in sentences, from how they are written.

    Only quasi columns have labels of our making; other columns have values as they were found.
    """
    labels = [one.label for one in column.values if one.label is not None]
    found = [
        meaning
        for pattern, meaning in MEANINGS
        if (column.role == "quasi" or pattern.pattern in (r"\*", ""))
        and any(pattern.fullmatch(label) for label in labels)
    ]
    if column.suppressed_cells and MEANINGS[0][1] not in found:
        found.insert(0, MEANINGS[0][1])
    if column.role == "quasi":
        ends = [(int(one[1]), int(one[2])) for label in labels if (one := RANGE.fullmatch(label))]
        found += [RANGES] if any(low <= high for low, high in ends) else []
        found += [MONTHS] if any(low > high >= 1 and high <= 12 for low, high in ends) else []
    return [f"{_start_sentence(one)}." for one in found]


def list_dictionary(facts: Facts) -> Iterator[tuple[str, ...]]:
    """A row for each released column."""
    for one in _list_released(facts):
        height = "" if one.height is None else f" of {one.height}"
        level = "" if one.level is None else f"{one.level}{height}"
        yield (
            one.name,
            one.role,
            one.released_as,
            one.technique,
            level,
            _list_values(one),
            " ".join(list_meanings(one)),
        )


def _list_values(column: Column) -> str:
    """The values if they are few, and whether there are others; rare ones are not listed."""
    labels = [one.label for one in column.values]
    shown = [label for label in labels if label]
    if not shown or len(shown) > MOST_LISTED:
        return "not listed"
    known = len([label for label in labels if label is not None])
    more = None in labels or (column.distinct_after or 0) > known
    return "; ".join([*shown, *(["others"] if more else [])])


def render_dictionary_csv(facts: Facts) -> str:
    """The data dictionary as CSV; cells that a spreadsheet would run are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADS)
    writer.writerows([_quote_formula(cell) for cell in row] for row in list_dictionary(facts))
    return text.getvalue()


def _quote_formula(cell: str) -> str:
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def render_dictionary_markdown(facts: Facts) -> str:
    """The data dictionary as a page, with the columns that were left out."""
    title = _escape(facts.about.get("title") or facts.files[0].name)
    rows = [HEADS, ("---",) * len(HEADS), *list_dictionary(facts)]
    lines = [f"| {' | '.join(map(_escape, row))} |" for row in rows]
    lines[1] = f"|{'---|' * len(HEADS)}"
    gone = [_escape(one.name) for one in facts.columns if not one.released]
    left_out = f"\nNot released: {', '.join(gone)}.\n" if gone else ""
    table = "\n".join(lines)
    return f"# Data dictionary: {title}\n\n{facts.rows_after:,} rows.\n\n{table}\n{left_out}"


def _escape(text: str) -> str:
    """A text that Markdown shows as it is, in one line."""
    return re.sub(r"([\\`*\[<|])", r"\\\1", " ".join(str(text).split()))


# Texts to paste


ABOUT_ROWS = ("sample_rows", "add_tuples", "scramble")
"""Techniques about whole rows, which no column shows."""


def write_methods(facts: Facts) -> str:
    """A paragraph for the methods section of a paper."""
    quasi = [one for one in _list_released(facts) if one.role == "quasi"]
    gone = [one.name for one in facts.columns if not one.released]
    parts = [
        f"The data were protected with discreet {facts.version} before release.",
        f"Of the private table, {_join(gone)} {_be(gone)} not released." if gone else "",
        _describe_columns(quasi),
        _describe_promises(facts),
        _describe_changed(facts),
        _describe_rows(facts),
        _describe_search(facts),
        _describe_suppression(facts),
    ]
    return " ".join(filter(None, parts))


def _describe_promises(facts: Facts) -> str:
    kept = [
        f"{one.title} ({_lower(one.sentence).rstrip('.')})" for one in facts.promises if one.holds
    ]
    return f"The release keeps {_join(kept)}, counted on the released file." if kept else ""


def _describe_columns(quasi: Sequence[Column]) -> str:
    """The quasi-identifiers, each with the detail that is left."""
    listed = [f"{one.name} ({_unwrap(one.released_as)})" for one in quasi]
    return f"Quasi-identifiers were released as follows: {_join(listed)}." if listed else ""


def _unwrap(text: str) -> str:
    """``level 1 (month)`` without its brackets, for use within others."""
    return text.replace(" (", ": ", 1).removesuffix(")") if text.endswith(")") else text


def _describe_changed(facts: Facts) -> str:
    changed = [
        f"{one.name} ({one.technique})"
        for one in _list_released(facts)
        if one.role != "quasi" and not one.technique.startswith("none")
    ]
    return f"Other columns that were changed: {_join(changed)}." if changed else ""


def _describe_rows(facts: Facts) -> str:
    """What the policy does to rows as a whole; it is part of the facts, as text."""
    policy = parse_policy(facts.policy, "policy")[0]
    steps = policy.get("techniques") or ()
    names = [one if isinstance(one, str) else next(iter(one)) for one in steps]
    done = [TECHNIQUES[name] for name in names if name in ABOUT_ROWS]
    records = (policy.get("people") or {}).get("records")
    if isinstance(records, dict):
        done.append("rows of people who have many left out at random")
    return f"Done to the rows: {_join(done)}." if done else ""


def _describe_search(facts: Facts) -> str:
    if facts.search is None:
        return ""
    one = facts.search
    return f"The release was found by the algorithm {one.algorithm}, which kept the measure " + (
        f"{one.measure} small. {_start_sentence(one.sentence)}"
    )


def _describe_suppression(facts: Facts) -> str:
    """How much was left out, as far as recipients may know it."""
    cells = [one.name for one in _list_released(facts) if one.suppressed_cells]
    allowed = facts.suppression.allowed
    who = "rows" if facts.people is None else "people"
    rows = (
        f"At most {allowed * 100:g}% of the {who} were suppressed."
        if allowed
        else f"No {who} were suppressed."
    )
    return f"{rows} Single cells were suppressed in {_join(cells)}." if cells else rows


def write_assessment(facts: Facts) -> str:
    """A text block for a data protection impact assessment, to be completed by the holder."""
    about = facts.about
    intruders = [f"- **{title}**: {text}" for title, text in INTRUDERS.values()]
    lines = [
        f"# Text for an assessment: {_escape(about.get('title') or facts.files[0].name)}",
        "",
        "Text block for a data protection impact assessment (Article 35 GDPR) or a similar one. "
        "What is marked TO STATE is for the data holder. It describes the protection of the data, "
        "and does not decide whether the release is lawful.",
        "",
        "## The processing",
        "",
        *[f"- {label}: {_say(about.get(key))}" for key, label in _SAID.items()],
        "",
        "## Who might try to identify people",
        "",
        *intruders,
        "",
        "## Measures",
        "",
        _escape(write_methods(facts)),
        "",
        "## Risk that is left",
        "",
        *_list_risks(facts),
        "",
        "## The three questions of the Article 29 Working Party (WP216)",
        "",
        *[
            f"- {_start_sentence(name)}: {question} {_answer(facts, name)}"
            for name, question in CRITERIA.items()
        ],
        "",
        "## Not promised",
        "",
        *[f"- {_escape(one)}" for one in facts.not_promised],
        "",
        "## When to decide again",
        "",
        *[f"- {_escape(one)}" for one in facts.reviews],
        "",
    ]
    return "\n".join(lines)


_SAID = {
    "purpose": "Purpose",
    "holder": "Data holder",
    "contact": "Contact",
    "recipient": "Recipient",
    "environment": "Environment",
    "controls": "Controls",
    "population": "People concerned",
    "period": "Period",
    "licence": "Licence or terms",
    "reviewed_by": "Reviewed by",
    "valid_until": "Valid until",
}


def _say(value: Any) -> str:
    if not value:
        return "TO STATE"
    return _escape("; ".join(value) if isinstance(value, list) else str(value))


def _list_risks(facts: Facts) -> Iterator[str]:
    risks = facts.risks
    yield f"- Accepted: {risks.threshold:.2g}. {_escape(risks.threshold_reason)}"
    figures = {
        "prosecutor, largest": risks.after.prosecutor_highest,
        "journalist, largest": risks.after.journalist_highest,
        "marketer, average": risks.after.marketer,
    }
    for name, value in figures.items():
        yield f"- {_start_sentence(name)}: {'not measured' if value is None else f'{value:.2g}'}"


def _answer(facts: Facts, criterion: str) -> str:
    """The promises that limit what a criterion asks about, and the attacks that tried it."""
    limiting = [one.title for one in facts.promises if criterion in ADDRESSED.get(one.model, ())]
    limits = f"Limited by {_join(limiting)}." if limiting else "No promise is about this."
    tried = [one for one in facts.attacks if one.criterion == criterion and one.applies]
    if not tried:
        return f"{limits} No attack of this kind was tried."
    told = []
    for one in tried:
        got = "succeeds, within what is promised" if one.succeeds else "gets nothing"
        told.append(f"{one.title}: {got if one.decided else 'could not be decided'}")
    return f"{limits} Attacks tried: {'; '.join(told)}."


def _join(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _be(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"


def _start_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"
