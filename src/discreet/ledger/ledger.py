"""The ledger: a file beside the policies that remembers every release."""

from __future__ import annotations

import fcntl
import hmac
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from discreet.display import dataclass
from discreet.errors import LedgerError
from discreet.input_file import LEDGER, UnfitFileError, open_regular, read_input, refuse_address
from discreet.ledger.audience import Audiences, fold_name
from discreet.ledger.entry import (
    Entry,
    Line,
    Membership,
    Withdrawal,
    parse_line,
    read_clock,
    write_line,
    write_text,
)
from discreet.ledger.key import Key, LedgerKeyError, find_key_path, sweep_keys
from discreet.table.atomic import close_held, defer_signals, keep_from_children, sync_folder

# Lines that last through a power cut.


def append_text(file: int, text: str) -> None:
    """Add text at the end of an open file and wait until it is on disk, or leave it as it was."""
    size, left = os.fstat(file).st_size, text.encode()
    try:
        while left:
            left = left[os.write(file, left) :]
        os.fsync(file)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise


@dataclass(frozen=True)
class Checked:
    """The contents of a ledger, and the problems with it."""

    lines: tuple[Line, ...]
    head: str
    problems: tuple[str, ...]
    unfinished: bool


class Ledger:
    """Every release of a table or several: how it was made, to whom it went, keyed fingerprints.

    Lines of JSON, each signed together with the one before under a key in a file of its own. Lines
    that were changed, added, removed or moved are found; so are lines missing at the end, whose
    number is kept with the key. Not detected: changes by somebody who has the key, and ledger and
    key both put back to an earlier state. A line that a killed run left unfinished belongs to a
    release that never appeared, and the next run removes it. A release that a killed run entered
    whole may be out or not: it counts as released and is listed as unconfirmed.

    Use :meth:`read` to look and :meth:`open` to add.
    """

    def __init__(self, path: Path, key: Key, lines: Sequence[Line], file: int | None) -> None:
        self.path, self.key = path, key
        self._lines, self._file = list(lines), file

    @classmethod
    def read(cls, path: str | Path) -> Ledger:
        """Read a ledger that is whole; it cannot be added to."""
        refuse_address(path, "ledger")
        path = Path(path)
        key = load_existing_key(path)
        found = check_ledger(path, key)
        if found.problems:
            raise make_broken_error(path, found.problems)
        return cls(path, key, found.lines, None)

    @classmethod
    @contextmanager
    def open(cls, path: str | Path) -> Iterator[Ledger]:
        """Hold a ledger for a whole run, and make it if neither it nor its key is there.

        A second run is refused at once, so that no two releases are made in ignorance of each
        other.
        """
        refuse_address(path, "ledger")
        path = Path(path)
        _refuse_misplaced(path)
        file = _open_ledger(path)
        keep_from_children(file)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                what = "another run of discreet is using it"
                raise LedgerError(path, what, "Wait until that has ended, and run again.") from None
            except OSError as error:
                what = f"its file system cannot lock it: {os.strerror(error.errno or 0)}"
                raise LedgerError(path, what, "Keep the ledger on a local disk.") from None
            sweep_keys(path)
            new = not os.fstat(file).st_size and not find_key_path(path).exists()
            key = Key.create(path) if new else Key.load(path)
            found = check_ledger(path, key)
            if found.problems:
                raise make_broken_error(path, found.problems)
            if found.unfinished:
                os.ftruncate(file, _read(path).rfind(b"\n") + 1)
            if key.count < len(found.lines):
                doubtful = find_unconfirmed(found.lines, key)
                key = key.at(len(found.lines), found.head, doubtful)
            sync_folder(path.parent)
            yield cls(path, key, found.lines, file)
        finally:
            close_held(file)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All entries, in order."""
        return tuple(self._lines)

    @property
    def withdrawn(self) -> frozenset[int]:
        """Numbers of releases that never appeared."""
        return find_withdrawn(self._lines)

    def releases(self, table: str | None = None) -> tuple[Entry, ...]:
        """The releases of a table, or of all, but those that were withdrawn."""
        out = self.withdrawn
        return tuple(
            line
            for line in self._lines
            if isinstance(line, Entry)
            and line.number not in out
            and (table is None or fold_name(line.table) == table)
        )

    @property
    def audiences(self) -> Audiences:
        """Which audiences are part of which."""
        return Audiences.of(self._lines)

    @property
    def next_number(self) -> int:
        """The number of the next entry."""
        return len(self._lines) + 1

    @property
    def unconfirmed(self) -> frozenset[int]:
        """Numbers of releases that count, though no run said that their file took its name."""
        return find_unconfirmed(self._lines, self.key)

    def add(self, line: Line, confirmed: bool = True) -> None:
        """Add an entry; when this returns it is on disk, if it raises it is not.

        One that is not ``confirmed`` is to be confirmed or withdrawn.
        """
        file, text = self._file, write_text(line)
        if file is None:
            what = "it was opened to be read, or a line could not be added to it"
            raise LedgerError(self.path, what, "Open it again.")
        signature = self.key.sign(self.key.head, text)
        doubtful = self.unconfirmed - {getattr(line, "withdraws", None)}
        if not confirmed:
            doubtful |= {line.number}
        with defer_signals():
            self._file = None  # until it is certain again what is in it
            size = os.fstat(file).st_size
            try:
                append_text(file, write_line(text, signature) + "\n")
            except OSError as error:
                if os.fstat(file).st_size == size:
                    self._file = file
                what = f"the entry cannot be written: {os.strerror(error.errno or 0)}"
                raise LedgerError(self.path, what, "Make room, then run again.") from None
            try:
                key = self.key.at(len(self._lines) + 1, signature, doubtful)
            except LedgerKeyError:
                self._cut_back(file, size, signature)
                raise
            self._lines.append(line)
            self.key = key
            self._file = file

    def _cut_back(self, file: int, size: int, signature: str) -> None:
        """Take back a line that the key does not know; in doubt leave it, and add nothing more."""
        with suppress(OSError, LedgerKeyError):
            if Key.load(self.path).head != signature:
                os.ftruncate(file, size)
                os.fsync(file)
                self._file = file

    def confirm(self, number: int) -> None:
        """Say that the file of an entered release took its name."""
        with defer_signals():
            left = self.unconfirmed - {number}
            self.key = self.key.at(self.key.count, self.key.head, left)

    def withdraw(self, number: int) -> None:
        """Say that an entered release never appeared."""
        self.add(Withdrawal(self.next_number, read_clock(), number))

    def include(self, audience: str, includes: Sequence[str]) -> None:
        """Say who is part of an audience; what is known already is not said again."""
        known = self.audiences
        new = known.new(audience, includes)
        if new:
            known.include(audience, new)
            self.add(Membership(self.next_number, read_clock(), audience, new))


def find_withdrawn(lines: Sequence[Line]) -> frozenset[int]:
    """Numbers of releases that never appeared."""
    return frozenset(line.withdraws for line in lines if isinstance(line, Withdrawal))


def find_unconfirmed(lines: Sequence[Line], key: Key) -> frozenset[int]:
    """Numbers of releases of which no run said whether their file took its name.

    A run that was killed before it wrote the key leaves a line that the key does not count.
    """
    late = (line.number for line in lines[key.count :] if isinstance(line, Entry))
    return frozenset((*key.unconfirmed, *late)) - find_withdrawn(lines)


def check_ledger(path: Path, key: Key) -> Checked:
    """Read a ledger and compare every line with its signature."""
    text = _read(path).decode("utf-8", errors="replace")
    *whole, rest = text.split("\n")
    lines: list[Line] = []
    heads = [""]
    problems = []
    for number, line in enumerate(whole, start=1):
        found = parse_line(line)
        good = found is not None and hmac.compare_digest(
            found[1].encode(), key.sign(heads[-1], write_text(found[0])).encode()
        )
        if found is None or not good or found[0].number != number:
            what = "was changed, or one before it was added, removed or moved"
            hint = ", or the key belongs to another ledger" if number == 1 else ""
            problems.append(f"line {number} {what}{hint}")
            break
        lines.append(found[0])
        heads.append(found[1])
    if not problems and key.count > len(lines):
        lost = key.count - len(lines)
        problems.append(f"{lost} entr{'y is' if lost == 1 else 'ies are'} missing at the end")
    elif not problems and heads[key.count] != key.head:
        problems.append("its entries and its key do not belong together")
    return Checked(tuple(lines), heads[-1], tuple(problems), bool(rest))


def load_existing_key(path: Path) -> Key:
    """The key of a ledger that should be there."""
    _refuse_misplaced(path)
    if not path.exists():
        raise LedgerError(path, "there is no such file", "Check the name.")
    return Key.load(path)


def _refuse_misplaced(path: Path) -> None:
    if path.is_dir():
        raise LedgerError(path, "this is a folder", "Name a file in it.")
    if not path.exists() and find_key_path(path).exists():
        raise make_broken_error(path, ["its key is there, but the ledger itself is gone"])


def _open_ledger(path: Path) -> int:
    try:
        return open_regular(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    except UnfitFileError as error:
        raise LedgerError(path, error.what, error.fix) from None
    except OSError as error:
        what = f"it cannot be opened: {os.strerror(error.errno or 0)}"
        raise LedgerError(path, what, "Check the path and its permissions.") from None


def _read(path: Path) -> bytes:
    try:
        return read_input(path, LEDGER)
    except UnfitFileError as error:
        raise LedgerError(path, error.what, error.fix) from None
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise LedgerError(path, what, "Check the path and its permissions.") from None


def make_broken_error(path: Path, problems: Sequence[str]) -> LedgerError:
    """A ledger is not as it was written."""
    fix = "Restore ledger and key from a copy; nothing is released with a broken ledger."
    return LedgerError(path, "; ".join(problems), fix)
