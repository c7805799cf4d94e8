"""The kind of a document, by the extension of its name."""

from __future__ import annotations

from pathlib import Path

HTML = (".html", ".htm", ".xhtml")
XML = (".xml", ".svg", ".rss", ".atom")
JSON_LINES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".feather", ".arrow", ".ipc", ".xlsx",
          ".sqlite", ".sqlite3", ".db")  # fmt: skip
UNKNOWN = (".doc", ".xls", ".ppt", ".pptx", ".odt", ".ods", ".rtf", ".docm", ".xlsm",
           ".msg", ".mbox", ".mht", ".mhtml", ".zip", ".7z", ".tar", ".gz", ".bz2", ".xz", ".zst",
           ".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".wav", ".mp3", ".mp4",
           ".dcm")  # fmt: skip
"""Extensions that are not plain text and are not read."""


def find_document_kind(path: Path) -> str:
    """``text``, ``html``, ``xml``, ``docx``, ``mail``, ``pdf``, ``json``, ``json lines``, ``table``
    or ``unknown``.

    Examples
    --------
    >>> [find_document_kind(Path(name)) for name in ("letter.HTM", "README", "scan.png")]
    ['html', 'text', 'unknown']
    """
    ending = path.suffix.casefold()
    if path.name.casefold().endswith((".csv.gz", ".csv.zst")):
        return "table"
    for kind, endings in _KINDS.items():
        if ending in endings:
            return kind
    return "text"


_KINDS = {
    "html": HTML,
    "xml": XML,
    "docx": (".docx",),
    "mail": (".eml",),
    "pdf": (".pdf",),
    "json": (".json",),
    "json lines": JSON_LINES,
    "table": TABLES,
    "unknown": UNKNOWN,
}
