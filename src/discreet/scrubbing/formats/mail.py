"""Mail: the usual headers and all texts are scrubbed; other headers and attachments are removed.

Headers that programs write (Received, Message-ID, signatures) name machines and people, and nobody
reads them. Attachments are removed and counted, and so is anything in an encoding that cannot be
read.
"""

from __future__ import annotations

import codecs
import email
import quopri
import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message
from email.policy import compat32
from itertools import groupby

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.scrubbing.formats.decode import LOST, UNDECODABLE, decode, is_other
from discreet.scrubbing.formats.flow import Flow, Slot
from discreet.scrubbing.formats.html import read_html_flow

KEPT = ("from", "sender", "reply-to", "to", "cc", "bcc", "subject", "date")
"""Headers that are scrubbed and kept."""
REMOVED = "[attachment removed]\n"
UNREADABLE = "headers and texts in a broken encoding, removed"
_TEXTS = ("plain", "html", "calendar", "csv", "enriched", "markdown", "vcard", "xml")
_PLAIN = ("", "7bit", "8bit", "binary")
_READ = (*_PLAIN, "quoted-printable", "base64", "x-uuencode", "uuencode", "uue", "x-uue")
_ENCODED = re.compile(r"=\?[^?\s]+\?[BbQq]\?")
_FLOWED = {"format": "flowed", "delsp": "yes"}
_LONGEST_LINE = 900


@dataclass(frozen=True)
class Mail:
    """A parsed mail: the flow of its texts, and the way back to bytes.

    Each part of the flow is a header of ``places`` or, without a name, the text of a part.
    """

    flow: Flow
    message: Message
    places: list[tuple[Message, str]]
    line_end: str

    def encode(self, parts: list[str]) -> bytes:
        """The mail with these texts."""
        for (message, name), text in zip(self.places, parts, strict=True):
            if name:
                message.replace_header(name, _encode_header(text))
            else:
                _set_text(message, text)
        return self.message.as_bytes(policy=compat32.clone(linesep=self.line_end))


def open_mail(data: bytes, name: str) -> Mail:
    """Parse a mail."""
    line_end = "\r\n" if b"\r\n" in data[:4096] else "\n"
    message = email.message_from_bytes(data)
    flow = Flow([], [])
    places: list[tuple[Message, str]] = []
    _empty_encoded(message, flow)
    for number, part in enumerate(list(message.walk())):
        if part.is_multipart():
            del part["Content-Transfer-Encoding"]
            if part.get_boundary():
                part.set_boundary(f"=_part_{number}")
        for header, value in _read_headers(part, flow):
            slot = Slot(len(flow.parts), 0, len(value), value, f"\n{header}: ")
            flow.parts.append(value)
            flow.slots.append(slot if flow.slots else slot._replace(before=f"{header}: "))
            places.append((part, header))
        if not part.is_multipart():
            _add_text(flow, part, _read_text(part, flow, name))
            places.append((part, ""))
    return Mail(flow, message, places, line_end)


def _empty_encoded(message: Message, flow: Flow) -> None:
    """Empty attached mails that are encoded as a whole: their parts cannot be read."""
    for part in message.walk():
        if part.get_content_maintype() == "message" and _find_encoding(part) not in _PLAIN:
            flow.problems[UNREADABLE] += 1
            part.set_payload(REMOVED)
            del part["Content-Transfer-Encoding"]
            _set_kind(part, "text/plain")


def _find_encoding(part: Message) -> str:
    return str(part.get("content-transfer-encoding", "")).strip().casefold()


def _read_headers(part: Message, flow: Flow) -> Iterator[tuple[str, str]]:
    """Remove headers that nobody reads; return the others with their text."""
    part.preamble = part.epilogue = None
    kept = [(name.title(), value) for name, value in part.items() if name.casefold() in KEPT]
    form = _list_form_headers(part)
    flow.removed["headers of mail"] += len(part.keys()) - len(kept) - len(form)
    for name in set(part.keys()) - {"content-transfer-encoding"}:
        if name.casefold() != "content-transfer-encoding":
            del part[name]
    told: set[str] = set()
    for name, value in kept:
        if name not in told:
            told.add(name)
            part[name] = ""
            text = " ".join(_decode_header_text(value).split())
            if _ENCODED.search(text):
                flow.problems[UNREADABLE] += 1
                text = ""
            yield name, text
    for name, value in form:
        part[name] = value


def _list_form_headers(part: Message) -> list[tuple[str, str]]:
    """The headers that define the structure of a mail, without file names."""
    form = [("MIME-Version", "1.0")] if part["mime-version"] else []
    if part["content-type"] is None:
        return form
    kind = part.get_content_type()
    if part.is_multipart():
        boundary = f'; boundary="{part.get_boundary()}"' if part.get_boundary() else ""
        return [*form, ("Content-Type", kind + boundary)]
    if part.get_content_maintype() == "text" and part.get_content_subtype() != "rtf":
        kind = kind if part.get_content_subtype() in _TEXTS else "text/plain"
    flowed = [f"; {key}={yes}" for key, yes in _FLOWED.items() if part.get_param(key) == yes]
    return [*form, ("Content-Type", f'{kind}; charset="{_find_charset(part)}"{"".join(flowed)}')]


def _find_charset(part: Message) -> str:
    """The encoding that a part declares, if it exists."""
    try:
        return codecs.lookup(str(part.get_content_charset("utf-8"))).name
    except LookupError:
        return "utf-8"


def _decode_header_text(value: object) -> str:
    """A header decoded."""
    try:
        pieces = decode_header(str(value))
    except HeaderParseError:
        return str(value)
    text = ""
    for raw, charset in pieces:
        if isinstance(raw, bytes):
            try:
                text += raw.decode(charset or "utf-8", "replace")
            except LookupError:
                text += raw.decode("utf-8", "replace")
        else:
            text += raw
    return text.encode("utf-8", "replace").decode()


def _encode_header(text: str) -> str:
    """An encoded header: words that are not ASCII are encoded, adjacent ones together."""
    runs = groupby(text.split(), str.isascii)
    return " ".join(
        " ".join(words) if plain else Header(" ".join(words), "utf-8", maxlinelen=10**6).encode()
        for plain, words in runs
    )


def _read_text(part: Message, flow: Flow, name: str) -> str:
    """The text of a part, or the replacement for an attachment that was removed."""
    is_text = part.get_content_maintype() in ("text", "multipart", "message")
    if not is_text or part.get_content_subtype() == "rtf":
        return _remove_part(part, flow, "attachments, removed")
    raw = _read_payload(part)
    if raw is None:
        return _remove_part(part, flow, UNREADABLE)
    try:
        text = raw.decode(str(part.get_content_charset("utf-8")))
    except (LookupError, UnicodeError):
        try:
            read = decode(raw, name)
        except SourceError:
            return _remove_part(part, flow, "attachments, removed")
        text = read.text
        flow.problems[UNDECODABLE] += read.lost
    if is_other(text):
        return _remove_part(part, flow, "attachments, removed")
    return text.replace("\r\n", "\n").replace("\x00", LOST)


def _read_payload(part: Message) -> bytes | None:
    """The bytes of a part; None if its encoding is unknown or broken."""
    encoding = _find_encoding(part)
    written = str(part.get_payload()).encode("utf-8", "surrogateescape")
    data = part.get_payload(decode=True)
    raw = data if isinstance(data, bytes) else written
    undone = encoding not in _PLAIN and encoding != "quoted-printable" and raw == written
    return None if encoding not in _READ or (undone and raw.strip()) else raw


def _remove_part(part: Message, flow: Flow, why: str) -> str:
    flow.problems[why] += 1
    _set_kind(part, "text/plain")
    return REMOVED


def _add_text(flow: Flow, part: Message, text: str) -> None:
    number = len(flow.parts)
    if part.get_content_subtype() == "html":
        page = read_html_flow(text, number)
        flow.parts.extend(page.parts)
        flow.slots.extend(page.slots)
        flow.cuts.extend(page.cuts)
        flow.removed.update(page.removed)
    else:
        flow.parts.append(text)
        flow.slots.append(Slot(number, 0, len(text), text, "\n\n"))


def _set_kind(part: Message, kind: str) -> None:
    del part["Content-Type"]
    part["Content-Type"] = f'{kind}; charset="utf-8"'


def _set_text(part: Message, text: str) -> None:
    """Write a text as plain ASCII if possible, else as quoted-printable UTF-8."""
    plain = text.isascii() and max(map(len, text.split("\n"))) < _LONGEST_LINE
    del part["Content-Transfer-Encoding"]
    if not plain:
        part["Content-Transfer-Encoding"] = "quoted-printable"
    if part["Content-Type"] is not None:
        part.set_param("charset", "us-ascii" if plain else "utf-8")
    elif not plain:
        part["Content-Type"] = 'text/plain; charset="utf-8"'
    quoted = quopri.encodestring(text.encode("utf-8", "replace")).decode("ascii")
    part.set_payload(text if plain else quoted)
