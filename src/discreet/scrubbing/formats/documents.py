"""Documents other than tables, as chunks of text to search and bytes to write."""

from __future__ import annotations

import os
import sys
from codecs import IncrementalEncoder
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from discreet.display import safe_repr
from discreet.errors import ArgumentError, ScrubError, SourceError
from discreet.scrubbing.editor import Editor, Text
from discreet.scrubbing.finder import WorkFindings
from discreet.scrubbing.formats.decode import (
    UNDECODABLE,
    Decoded,
    TextBlocks,
    decode,
    find_encoding,
    is_other,
    make_encoder,
)
from discreet.scrubbing.formats.docx import open_docx
from discreet.scrubbing.formats.fields import Fields, SeenFields
from discreet.scrubbing.formats.flow import Edit, Flow, Piece, apply_edits, cut_pieces
from discreet.scrubbing.formats.html import read_html_flow
from discreet.scrubbing.formats.json_lines import Batch, read_json_or_text, read_line_batches
from discreet.scrubbing.formats.kinds import find_document_kind
from discreet.scrubbing.formats.mail import open_mail
from discreet.scrubbing.formats.pdf import LEFT_BEHIND, open_pdf
from discreet.scrubbing.formats.xml import read_xml_flow
from discreet.scrubbing.report import ScrubReport
from discreet.table.files.text import ASSUMED

ALL = Fields()
BLOCK = 1 << 20
LARGEST = 1 << 29
"""Largest document in bytes that must be held in memory because of its markup."""


@safe_repr
class Input(NamedTuple):
    """A document: its path (none for standard input) and its name."""

    path: Path | None
    name: str

    @property
    def written_as(self) -> str:
        """Its name in the output: a PDF file becomes text, and its name says so."""
        is_pdf = self.path is not None and find_document_kind(self.path) == "pdf"
        return f"{self.name}.txt" if is_pdf else self.name


@safe_repr
class Chunk(NamedTuple):
    """Texts to search, and the function that turns their findings into bytes to write."""

    texts: tuple[str, ...]
    finish: Callable[[WorkFindings], bytes]
    person: str | None = None
    known: tuple[tuple[str, ...], ...] = ()


def read_chunks(given: Input, editor: Editor, fields: Fields = ALL) -> Iterator[Chunk]:
    """A document's chunks in order; long text comes in pieces; ``fields`` are those of JSON."""
    kind = "text" if given.path is None else find_document_kind(given.path)
    if kind == "text" or given.path is None:
        yield from _read_plain(given, editor)
    elif kind == "json lines":
        yield from _read_json_lines(given, editor, fields)
    elif kind == "unknown":
        what = f"documents with the ending {given.path.suffix} are not read"
        raise SourceError(given.name, what, "Save it as text, HTML or DOCX.")
    else:
        yield _read_whole(given.path, given.name, kind, editor, fields)


def _read_plain(given: Input, editor: Editor) -> Iterator[Chunk]:
    """Plain text, piece by piece."""
    encoding, blocks = _open_text(given)
    _tell_assumed(editor, given.name, encoding)
    stream = TextBlocks(blocks, encoding)
    write = make_encoder(encoding)
    waiting = cut_pieces(stream)
    first = list(islice(waiting, 2))
    if is_other(first[0].shown[:100]):
        what = "this is RTF, PDF or PostScript, whatever its ending says"
        fix = "Save it as text, HTML or DOCX; a PDF file needs the ending .pdf."
        raise SourceError(given.name, what, fix)
    text = Text(editor, given.name, None, many=len(first) > 1)

    def finish(piece: Piece, looked: WorkFindings) -> bytes:
        start = piece.lead + text.over
        edits = text.edits(piece, looked.findings[0], looked.doubtful[0])
        return write.encode(_write_own(piece, start, edits, text.over))

    editor.add_document(given.name, {"": first[0].own})
    for group in (first, waiting):
        for piece in group:
            yield Chunk((piece.shown,), partial(finish, piece))
    editor.report.problems[UNDECODABLE] += stream.lost


def _write_own(piece: Piece, start: int, edits: list[Edit], over: int) -> str:
    """What a piece adds to the output: its own text from ``start`` on, and edits beyond its end."""
    end = max(piece.end + over, start)
    moved = [Edit(one.start - start, one.end - start, one.new) for one in edits]
    return apply_edits(piece.shown[start:end], moved)


def _open_text(given: Input) -> tuple[str, Iterable[bytes]]:
    """The encoding of a text and its bytes; a pipe is read once, so its beginning decides."""
    if given.path is not None:
        path = given.path
        with path.open("rb") as file:
            encoding = find_encoding(given.name, _read_blocks(file))
        return encoding, _read_file_blocks(path)
    start = sys.stdin.buffer.read(BLOCK)
    encoding = find_encoding(given.name, [start], whole=len(start) < BLOCK)
    return encoding, _read_after(start, sys.stdin.buffer)


def _read_file_blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from _read_blocks(file)


def _read_after(start: bytes, file: IO[bytes]) -> Iterator[bytes]:
    yield start
    yield from _read_blocks(file)


def _read_blocks(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(BLOCK):
        yield block


def _tell_assumed(editor: Editor, name: str, encoding: str) -> None:
    if encoding == ASSUMED:
        editor.report.notices.append(
            f"{name} is not UTF-8 and has no byte-order mark: Windows-1252 is assumed."
        )


def _read_json_lines(given: Input, editor: Editor, fields: Fields) -> Iterator[Chunk]:
    """JSON lines in batches; with a person field, all lines of a person together."""
    encoding, blocks = _open_text(given)
    _tell_assumed(editor, given.name, encoding)
    stream = TextBlocks(blocks, encoding)
    write = make_encoder(encoding)
    seen = SeenFields(fields)
    batches = read_line_batches(stream, given.name, seen, editor.report)

    def finish(batch: Batch, looked: WorkFindings) -> bytes:
        return write.encode("".join(batch.edit_lines(editor, given.name, looked)))

    if fields.person is not None:
        yield from _read_by_person(list(batches), editor, given.name, write)
    else:
        for batch in batches:
            yield Chunk(batch.texts, partial(finish, batch), None, batch.known)
    yield Chunk((), lambda _: b"")  # a file without lines stays one
    seen.check(given.name)
    editor.report.problems[UNDECODABLE] += stream.lost


def _read_by_person(
    batches: list[Batch], editor: Editor, name: str, write: IncrementalEncoder
) -> Iterator[Chunk]:
    """Batches by person; lines are written in their original order when the last is done."""
    done: dict[int, str] = {}

    def finish(batch: Batch, looked: WorkFindings) -> bytes:
        done.update(zip(batch.numbers, batch.edit_lines(editor, name, looked), strict=True))
        if batch is not batches[-1]:
            return b""
        return write.encode("".join(done[number] for number in sorted(done)))

    for batch in batches:
        yield Chunk(batch.texts, partial(finish, batch), batch.person, batch.known)


def _read_whole(path: Path, name: str, kind: str, editor: Editor, fields: Fields) -> Chunk:
    """A document that is read as a whole: markup is kept, and its text goes through the flow."""
    if path.stat().st_size > LARGEST:
        what = f"documents of this kind are read up to {LARGEST >> 20} MB"
        raise SourceError(name, what, "Split it, or save it as plain text.")
    data = path.read_bytes()
    seen = SeenFields(fields)
    flow, encode = _open_flow(data, name, kind, editor, seen)
    if kind == "json":
        seen.check(name)
    editor.report.problems.update(flow.problems)
    editor.report.removed.update(flow.removed)
    mine = list(cut_pieces([flow.text]))

    def finish(looked: WorkFindings) -> bytes:
        found = list(zip(looked.findings, looked.doubtful, strict=True))
        return encode(flow.put_back(editor.whole(mine, found, name, None, {"": flow.content})))

    known = (tuple(seen.known),) * len(mine) if seen.known else ()
    return Chunk(tuple(piece.shown for piece in mine), finish, None, known)


def _open_flow(
    data: bytes, name: str, kind: str, editor: Editor, fields: SeenFields
) -> tuple[Flow, Callable[[list[str]], bytes]]:
    if kind == "docx":
        docx = open_docx(data, name)
        return docx.flow, docx.encode
    if kind == "mail":
        mail = open_mail(data, name)
        return mail.flow, mail.encode
    if kind == "pdf":
        editor.report.add_notice(LEFT_BEHIND)
        return open_pdf(data, name)
    decoded = decode(data, name, declared=kind in ("html", "xml"))
    _tell_assumed(editor, name, decoded.encoding)
    editor.report.problems[UNDECODABLE] += decoded.lost
    if kind == "json":
        return read_json_or_text(decoded.text, editor.report, fields), _encode(decoded, "replace")
    if kind == "xml" and "<!ENTITY" in decoded.text:
        what = "it declares entities of its own (ENTITY), which would not be scrubbed"
        raise SourceError(name, what, "Save it with these entities expanded.")
    flow = read_html_flow(decoded.text) if kind == "html" else read_xml_flow(decoded.text)
    return flow, _encode(decoded, "xmlcharrefreplace")


def _encode(decoded: Decoded, errors: str) -> Callable[[list[str]], bytes]:
    return lambda parts: decoded.encode(parts[0], errors)


# The documents of a run: files, folders with everything in them, standard input.


STANDARD = "standard input"


def refuse_pdf_name(documents: Sequence[Input], out: Path | None) -> None:
    """Refuse to name a text file .pdf, which no program would open."""
    if out is None or out.is_dir() or out.suffix.casefold() != ".pdf" or len(documents) != 1:
        return
    if documents[0].written_as != documents[0].name:
        raise ArgumentError("out", "a PDF file is written as text", "Name a .txt file.")


def list_inputs(paths: Sequence[Path], report: ScrubReport) -> list[Input]:
    """The documents in order of their names; other files are counted as left out.

    A document keeps its name below the folder it was found in.
    """
    found: list[Input] = []
    for path in paths:
        if str(path) == "-":
            found.append(Input(None, STANDARD))
        elif path.is_dir():
            found += _walk(path, report)
        elif not path.exists():
            fix = f"Looked in {path.absolute().parent}."
            raise SourceError(path, "there is no such file", fix)
        elif not path.is_file():
            raise ScrubError(path.name, "this is not a plain file", "Save it as a file first.")
        else:
            found.append(Input(path, path.name))
    names = [one.written_as for one in found]
    twice = len(names) - len(set(names))
    if twice:
        what = f"{twice:,} documents have the name of another"
        raise ScrubError("PATH", what, "Scrub them in runs of their own.")
    return found


def _walk(folder: Path, report: ScrubReport) -> Iterator[Input]:
    for root, folders, names in os.walk(folder, onerror=lambda _: report.leave_out("unreadable")):
        folders.sort()
        for name in folders:
            if Path(root, name).is_symlink():
                report.leave_out("links to folders")
        for name in sorted(names):
            path = Path(root, name)
            if path.is_file():
                yield Input(path, str(path.relative_to(folder)))
            else:
                report.leave_out("not a plain file")
