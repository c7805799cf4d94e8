"""Runs the app on a port of this computer until nobody uses it any more.

The address holds the secret, so it is kept from the list of processes, which all users can read: a
browser is given a file to open that leads to the address, and that only its owner can read.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path

import uvicorn

from discreet.web.app import App
from discreet.web.child import forbid_dumps
from discreet.web.security import make_secret

HOST = "127.0.0.1"
IDLE = 15 * 60.0
"""Seconds without any open page after which the app ends by itself."""
REST = 10 * 60.0
"""Seconds without its page after which a file is let go; its policy stays."""
SHOWN = 20.0
"""Seconds that a browser has to open the file that leads to the app."""
LOGGERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")


class Server(uvicorn.Server):
    """Ends with Ctrl-C and SIGTERM, in order and without a word."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals while the app runs; give them back afterwards."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(
    file: str | None = None,
    policy: str | None = None,
    *,
    reading: Mapping[str, str] | None = None,
    port: int = 0,
    open_browser: bool = True,
    idle: float = IDLE,
    tell: Callable[[str], None] = lambda address: None,
) -> None:
    """Run the app until it is closed, interrupted or left alone.

    ``tell`` hears the address as soon as the app answers.
    """
    forbid_dumps()
    for name in LOGGERS:  # tracebacks and paths: neither is for a log
        logging.getLogger(name).disabled = True
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        if os.name == "posix":  # elsewhere this would let others listen at the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(64)
        asyncio.run(_run(listening, file, policy, reading, open_browser, idle, tell))


async def _run(
    listening: socket.socket,
    file: str | None,
    policy: str | None,
    reading: Mapping[str, str] | None,
    open_browser: bool,
    idle: float,
    tell: Callable[[str], None],
) -> None:
    secret, port = make_secret(), listening.getsockname()[1]
    address = f"http://{HOST}:{port}/{secret}/"
    used = [time.monotonic()]

    def touch() -> None:
        used[0] = time.monotonic()

    def close() -> None:
        server.should_exit = True

    app = App(secret, port, file=file, policy=policy, reading=reading, close=close, touch=touch)
    config = uvicorn.Config(
        app.guarded,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        access_log=False,
        log_config=None,
        proxy_headers=False,  # nobody may claim another peer
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = Server(config)
    app.desk.prepare()
    others = [
        asyncio.ensure_future(_announce(server, address, open_browser, tell)),
        asyncio.ensure_future(_end_when_idle(app, used, idle, close)),
    ]
    try:
        await server.serve(sockets=[listening])
    finally:
        app.desk.close()
        for one in others:
            one.cancel()
        await asyncio.gather(*others, return_exceptions=True)


async def _announce(
    server: Server, address: str, open_browser: bool, tell: Callable[[str], None]
) -> None:
    """Say the address once the app answers, and open a browser that is led to it."""
    while not server.started:
        await asyncio.sleep(0.01)
    tell(address)
    if not open_browser:
        return
    number, name = tempfile.mkstemp(prefix="discreet-", suffix=".html")  # for its owner alone
    path = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(_lead_to(address))
        await asyncio.to_thread(webbrowser.open, path.as_uri())
        await asyncio.sleep(SHOWN)
    finally:
        with suppress(FileNotFoundError):
            path.unlink()


def _lead_to(address: str) -> str:
    told = escape(address)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>discreet</title>'
        f'<meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={told}"></head>'
        f'<body><a href="{told}">discreet</a></body></html>'
    )


async def _end_when_idle(
    app: App, used: list[float], idle: float, close: Callable[[], None]
) -> None:
    """End the app when no page has asked for anything in a while, and nothing is under way."""
    while True:
        await asyncio.sleep(min(idle / 4, 10.0))
        app.desk.rest(REST)
        if any(one.is_busy for one in app.desk):
            used[0] = time.monotonic()
        elif time.monotonic() - used[0] > idle:
            close()
            return
