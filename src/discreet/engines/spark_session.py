"""A Spark session for an address of the command line: started here, or on a Connect server."""

from __future__ import annotations

import contextlib
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discreet.engines.spark import SparkEngine
from discreet.engines.spark_errors import explain_error, list_spark_errors, silence_loggers
from discreet.errors import SourceError

CONNECT_PORT = 15002
PATIENCE = 10.0
"""Seconds until a server that does not answer is given up; Spark itself tries for minutes."""
RETRIES = 5
"""How often a call is repeated when the connection to a server breaks: some 20 seconds."""


def connect_to_spark(address: str) -> SparkEngine:
    """The engine at an address.

    ``sc://HOST:PORT`` is a Connect server, whose parameters (``/;token=...``) go to it unseen.
    ``spark://HOST:PORT`` and ``spark://local[2]`` start a session of their own with this master;
    ``spark://`` alone takes the master from Spark's own configuration.
    """
    scheme, _, rest = address.partition("://")
    return _connect(address, rest) if scheme.casefold() == "sc" else _start(rest.rstrip("/"))


def _connect(address: str, rest: str) -> SparkEngine:
    """A session of its own on a Connect server."""
    place = re.match(r"(\[[^\]]+\]|[^:/;]+)(?::(\d{1,5}))?(?=$|/)", rest)
    if place is None:
        what, fix = "this is not an address of Spark Connect", "Write sc://HOST:PORT."
        raise SourceError("sc://...", what, fix)
    host, port = place[1].strip("[]"), int(place[2] or CONNECT_PORT)
    shown = f"Spark Connect {place[1]}:{port}"
    answers = False
    with contextlib.suppress(OSError, OverflowError):
        socket.create_connection((host, port), PATIENCE).close()
        answers = True
    if not answers:
        raise SourceError(shown, "nothing answers there", "Look at host and port.")
    problem: tuple[str, str] | None = None
    with silence_loggers():
        try:
            from pyspark.sql.connect.client.retries import DefaultPolicy
            from pyspark.sql.connect.session import SparkSession

            session = SparkSession.builder.remote(address).create()
            session.client.set_retry_policies([DefaultPolicy(max_retries=RETRIES)])
            _ = session.version
        except ImportError:
            what = "libraries of Spark Connect are missing"
            problem = what, "Install them: pip install 'discreet[spark]'."
        except list_spark_errors() as error:
            problem = explain_error(error)
    if problem is not None:
        raise SourceError(shown, *problem)
    return SparkEngine(session, shown, owned=True)


def _start(master: str) -> SparkEngine:
    """A classic session: the one that this program has, or a new one that ends with the work."""
    if master and not master.startswith("local"):
        master = f"spark://{master}"
    shown = f"Spark {master}".strip()
    problem: tuple[str, str] | None = None
    with silence_loggers():
        try:
            from pyspark.sql import SparkSession

            session = SparkSession.getActiveSession()
            owned = session is None
            if session is None:
                session = _build(SparkSession, master)
            elif master not in ("", session.conf.get("spark.master", "")):
                what = "this program has a Spark session with another master"
                problem = what, "Read the table with that session, and give its data frame."
        except list_spark_errors() as error:
            problem = explain_error(error)
    if problem is not None:
        raise SourceError(shown, *problem)
    return SparkEngine(session, shown, owned)


def _build(kind: Any, master: str) -> Any:
    """Start Spark, silent: what it logs may hold cells. Its tables are those of spark-sql."""
    settings = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}
    builder = kind.builder.appName("discreet").config(map=settings).enableHiveSupport()
    with _close_stderr():
        return (builder.master(master) if master else builder).getOrCreate()


@contextlib.contextmanager
def _close_stderr() -> Iterator[None]:
    """Let programs that are started meanwhile write their messages nowhere."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
