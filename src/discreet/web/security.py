"""Who may talk to the app: this computer, by the app's own address, from the app's own pages.

Everything on this computer can reach a port on the loopback interface: other users, and every page
that a browser shows. So each request is checked before anything else sees it: where it comes from,
the name it calls the server by, the secret in its path, and the page that sends it.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterable

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("style", "script", "img", "connect")),
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    ("content-security-policy", CONTENT_POLICY),
    ("cache-control", "no-store"),
    # `no-referrer` would make the app's own forms send `Origin: null`.
    ("referrer-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("x-robots-tag", "noindex, nofollow"),
)
"""What every answer carries."""

METHODS = ("GET", "HEAD", "POST")


def make_secret() -> str:
    """A name for the path that nobody guesses: 192 random bits."""
    return secrets.token_urlsafe(24)


class Guard:
    """Lets through what the app's own pages ask for, and nothing else.

    ``port`` is the app's own. A refusal says no more than that there is nothing here.
    """

    def __init__(self, app: ASGIApp, secret: str, port: int) -> None:
        self.app, self.secret = app, secret
        self.hosts = tuple(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no websockets
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self.find_refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _add_headers(send))
            return
        await self.app(scope, receive, _add_headers(send))

    def find_refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that may not pass; None for one that may."""
        headers = _read_headers(scope["headers"])
        host = headers.get("host", "")
        if not _is_loopback(scope.get("client")) or host not in self.hosts:
            return PlainTextResponse("There is nothing here.", 403)
        first = scope["path"].lstrip("/").partition("/")[0]
        if not secrets.compare_digest(first.encode(), self.secret.encode()):
            return PlainTextResponse("There is nothing here.", 404)
        if scope["method"] not in METHODS:
            return PlainTextResponse("This is not possible here.", 405)
        if not self._is_own_page(scope, headers, host):
            return PlainTextResponse("Another page sent this request.", 403)
        return None

    def _is_own_page(self, scope: Scope, headers: dict[str, str], host: str) -> bool:
        """Whether a page of the app sent the request, or somebody opened its address.

        A browser says so by itself and lets no page say otherwise; what is missing counts against a
        change, but not against a look.
        """
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if scope["method"] == "POST":
            return origin == f"http://{host}" and site in (None, "same-origin")
        if site in (None, "none", "same-origin"):
            return origin in (None, f"http://{host}")
        opened = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
        return opened == ("navigate", "document")


def _is_loopback(client: tuple[str, int] | None) -> bool:
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


def _read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by name; one that is given twice has both values, and fits nothing."""
    found: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _add_headers(send: Send) -> Send:
    """Put the headers that every answer carries in place of what the answer says of them."""
    names = {name.encode() for name, _ in HEADERS}
    ours = [(name.encode(), value.encode()) for name, value in HEADERS]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            others = [one for one in message.get("headers", ()) if one[0].lower() not in names]
            message = {**message, "headers": [*others, *ours]}
        await send(message)

    return send_with_headers
