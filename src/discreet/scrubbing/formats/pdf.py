"""PDF: the text layer, page after page, written as plain text.

The output has no layout, images, form fields, comments, attachments or metadata: none of these is
checked, so none may be carried over. A page that is a picture has no text; it is counted.

Cost: the document and its text in memory. Files are read by ``pypdf``, from the extra ``pdf``.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet.errors import SourceError
from discreet.scrubbing.formats.flow import Flow, Slot

if TYPE_CHECKING:
    from pypdf import PdfReader

LARGEST = 1 << 27
"""Largest PDF file that is read, in bytes."""
MOST_PAGES = 10_000
MOST_TEXT = 1 << 26
"""Most characters of all pages together."""

WITHOUT_TEXT = "PDF pages without text, such as scans: nothing in them was checked or written"
UNREADABLE = "PDF pages that cannot be read: nothing of them was written"
LEFT_BEHIND = (
    "PDF files are written as text: layout, images, form fields, comments, attachments and "
    "metadata are not carried over."
)

_DAMAGE = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError),
    *(NotImplementedError, OSError, RecursionError, RuntimeError, TypeError, ValueError),
    *(struct.error, zlib.error),
)
"""What the library may raise on damaged files, besides its own errors."""

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010][ \t]*\n[ \t]*(?=[a-zß-öø-ÿ])")
"""A word that continues on the next line: Ober-, huber."""


def open_pdf(data: bytes, name: str) -> tuple[Flow, Callable[[list[str]], bytes]]:
    """The text of a PDF file, and the function that turns its parts into bytes."""
    if len(data) > LARGEST:
        what = f"PDF files are read up to {LARGEST >> 20} MB"
        raise SourceError(name, what, "Split it, or save its text.")
    pypdf = _import_pypdf(name)
    damage = (*_DAMAGE, pypdf.errors.PyPdfError)
    problems: Counter[str] = Counter()
    with _silence():
        try:
            reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
            _refuse_encrypted(reader, name)
            count = len(reader.pages)
        except damage:
            raise _make_damage_error(name) from None
        _check_pages(name, count)
        pages, length = [], 0
        for number in range(count):
            try:
                text = reader.pages[number].extract_text()
            except damage:
                problems[UNREADABLE] += 1
                continue
            problems[WITHOUT_TEXT] += not text.strip()
            length += len(text)
            if length > MOST_TEXT:
                what = f"its text has more than {MOST_TEXT:,} characters"
                raise SourceError(name, what, "Split it.")
            pages.append(text.rstrip())
    if problems[UNREADABLE] == count:
        raise _make_damage_error(name)
    if not any(pages):
        what = f"none of its {count:,} pages has text" if count > 1 else "its page has no text"
        raise SourceError(name, f"{what}: it may be a scan", "Recognize its text first (OCR).")
    text = _BROKEN_WORD.sub("", _replace_unencodable("\n\n".join(pages))) + "\n"
    flow = Flow([text], [Slot(0, 0, len(text), text)], problems=+problems)
    return flow, lambda parts: parts[0].encode()


def _import_pypdf(name: str) -> Any:
    """Import the library, which is an extra."""
    try:
        return import_module("pypdf")
    except ImportError:
        what = "reading PDF needs a library that is not installed: pip install 'discreet[pdf]'"
        raise SourceError(name, what, "Or save its text.") from None


def _refuse_encrypted(reader: PdfReader, name: str) -> None:
    """Refuse a file that needs a password; an encrypted file that opens without one is read."""
    if reader.is_encrypted and not reader.decrypt(""):
        what = "it is encrypted, and no password can be given"
        raise SourceError(name, what, "Save it without a password first.")


def _check_pages(name: str, count: int) -> None:
    if not count:
        raise SourceError(name, "it has no pages", "Check the file.")
    if count > MOST_PAGES:
        what = f"it has {count:,} pages, and {MOST_PAGES:,} are read at most"
        raise SourceError(name, what, "Split it.")


def _make_damage_error(name: str) -> SourceError:
    return SourceError(name, "it is not a PDF file, or it is damaged", "Save it anew.")


def _replace_unencodable(text: str) -> str:
    """The text with a mark for lone surrogates, which fonts with broken tables produce."""
    return text.encode("utf-8", "replace").decode()


@contextmanager
def _silence() -> Iterator[None]:
    """Disable logging meanwhile: the warnings of the library quote the file."""
    logger = logging.getLogger("pypdf")
    null, propagates = logging.NullHandler(), logger.propagate
    logger.addHandler(null)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(null)
        logger.propagate = propagates
