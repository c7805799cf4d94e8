"""What engines with transactions have in common: a release is staged, renamed and committed.

Everything happens in one transaction, so a release appears whole and verified, or not at all.
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, TypeVar

from discreet.engines.engine import Dialect, Relation, Target, choose_staging_name
from discreet.errors import SourceError


class TransactionEngine(ABC):
    """The steps from a query to a published table; the driver says how each is run.

    ``discards`` counts how often the work was thrown away, and with it the small tables that were
    put: whoever put some looks at it before using them again.
    """

    def __init__(self, dialect: Dialect, shown: str) -> None:
        self.dialect, self.shown = dialect, shown
        self.discards = 0
        self._put = 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.shown})"

    def create(self, target: Target, select: str) -> Relation:
        """Make the staging table in the transaction, which nobody else sees."""
        self._write(self.dialect.create.format(name=target.staging, select=select))
        return self._describe((*target.parts[:-1], target.hidden))

    def publish(self, target: Target) -> None:
        """Give the table its name and commit."""
        if target.replace:
            self._write(f"DROP TABLE IF EXISTS {target.sql}")
        final = self.dialect.name_column(target.table)
        self._write(f"ALTER TABLE {target.staging} RENAME TO {final}")
        self._commit(target)

    def discard(self) -> None:
        """Roll the transaction back; never fails."""
        self.discards += 1
        self._roll_back()

    def close(self) -> None:
        """End the session."""
        self.discard()
        self._disconnect()

    def _count_put(self) -> int:
        """The number of the next small table."""
        self._put += 1
        return self._put

    def _make_target(
        self, name: str, place: tuple[str, ...], parts: tuple[str, ...], table: str, replace: bool
    ) -> Target:
        """The target with a hidden name that no other run has; ``place`` is in front of both."""
        hidden = choose_staging_name()
        final, staging = (self.dialect.name_table((*place, one)) for one in (table, hidden))
        return Target(name, final, staging, parts, replace, table, hidden)

    @abstractmethod
    def _describe(self, parts: tuple[str, ...]) -> Relation:
        """The table of this name with its columns."""

    @abstractmethod
    def _write(self, sql: str) -> None:
        """Run a statement that changes something."""

    def _commit(self, target: Target) -> None:
        """End the transaction: from now on the table is there."""
        self._write("COMMIT")

    @abstractmethod
    def _roll_back(self) -> None:
        """Forget the transaction, if there is one."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Let the connection go."""


# Databases in files.


FileEngine = TypeVar("FileEngine", bound=TransactionEngine)


def open_file_engine(kind: type[FileEngine], path: Path) -> FileEngine:
    """The engine of a database in a file that is there.

    Tables of one file share their session: a second one could not open the file, or would wait for
    the first to end.
    """
    if not path.is_file():
        raise SourceError(str(path), "there is no such database", "Look at its path.")
    place = kind, path.resolve()
    engine: FileEngine | None = _opened.get(place)
    if engine is None:
        make: Any = kind
        engine = make(place[1])
        _opened[place] = engine
    return engine


_opened: weakref.WeakValueDictionary[tuple[type, Path], Any] = weakref.WeakValueDictionary()
"""Files in use."""
