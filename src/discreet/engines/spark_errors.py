"""What Spark raises and logs, turned into messages without a value in them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from discreet.errors import DiscreetError, MissingExtraError

MISSING = ("NOT_FOUND", "NAME_PARTS", "SINGLE_PART_NAMESPACE", "NESTED_DATABASE")
"""What the conditions of errors say where a table or schema is not there."""
LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
"""Loggers of pyspark that print the cells of a value that cannot be cast."""

LOST = (
    "the connection to Spark was lost",
    "Run again when it is back; a run with the same target drops what this one left.",
)
REASONS = {
    "TABLE_OR_VIEW_NOT_FOUND": ("the table is gone", "Look at its name."),
    "TABLE_OR_VIEW_ALREADY_EXISTS": ("the name was taken meanwhile", "Choose another name."),
    "LOCATION_ALREADY_EXISTS": (
        "its folder in the warehouse is taken by files of no table",
        "Remove them, or choose another name.",
    ),
    "AMBIGUOUS_REFERENCE": (
        "two columns have names that differ only in case",
        "Rename one of them.",
    ),
    "NO_ACTIVE_SESSION": ("the Spark session was stopped", "Start one, and read the table again."),
    "INVALID_HANDLE": ("the Spark session has ended", "Start one, and read the table again."),
    "JAVA_GATEWAY_EXITED": (
        "Spark did not start",
        "It needs Java 17 or newer; on Debian and Ubuntu: apt install openjdk-17-jre-headless.",
    ),
    "RETRIES_EXCEEDED": LOST,
    "SparkConnectGrpcException": LOST,
    "Py4JNetworkError": LOST,
    "ConnectionRefusedError": LOST,
    "22": ("a value cannot be computed", "See which with an action of its own, such as count()."),
    "42501": ("there is no permission for this", "Ask the owner of the table or schema."),
    "53": ("the cluster has too little memory or disk", "Ask its administrator."),
}
"""What an error of Spark means: by its condition, its SQLSTATE, the class of that, or its type."""


@contextlib.contextmanager
def silence_loggers() -> Iterator[None]:
    """Keep pyspark from printing what it raises: the messages hold cells."""
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        raise MissingExtraError("Tables in Spark", "spark") from None
    loggers = [PySparkLogger.getLogger(name) for name in LOGGERS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


def run_quietly(
    work: Callable[[], Any],
    failed: Callable[[str, str], DiscreetError],
    missing: Sequence[str] = (),
) -> Any:
    """Call Spark, and turn what it raises into a message of ours, with nothing of it attached.

    Where the condition of an error has a part of ``missing``, nothing is there: None.
    """
    with silence_loggers():
        try:
            return work()
        except list_spark_errors() as error:
            if any(part in (read_names(error)[0] or "") for part in missing):
                return None
            problem = failed(*explain_error(error))
    raise problem


def list_spark_errors() -> tuple[type[Exception], ...]:
    """All that a call of Spark may raise: its own errors, those of its two wires, and Arrow's."""
    from pyspark.errors import PySparkException

    found: list[type[Exception]] = [PySparkException, pa.ArrowException, OSError, ValueError]
    with contextlib.suppress(ImportError):
        from py4j.protocol import Py4JError

        found.append(Py4JError)
    with contextlib.suppress(ImportError):
        from grpc import RpcError

        found.append(RpcError)
    return (*found, AttributeError, AssertionError, RuntimeError, TypeError)


def read_names(error: Any) -> tuple[str | None, str | None]:
    """The condition and the SQLSTATE of an error, which asks a session that may be gone."""
    with contextlib.suppress(Exception):
        return error.getCondition(), error.getSqlState()
    return None, None


def explain_error(error: Any) -> tuple[str, str]:
    """What went wrong and what to do, from the names of the error and nothing else of it."""
    condition, state = read_names(error)
    kind = type(error).__name__
    names = (condition, (condition or "").partition(".")[0], state, (state or "")[:2], kind)
    for name in names:
        if name in REASONS:
            return REASONS[name]
    return f"Spark stopped with {condition or kind}", "See the log of the cluster for the reason."
