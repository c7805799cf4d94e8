"""The pages and their addresses: every change is a form, every answer is the page as it is then.

A form that htmx sends is answered with the page's content, which is morphed into place, so that the
keyboard stays where it was; without scripts the same form leads to the whole page.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from discreet.errors import DiscreetError, SourceError, describe_failure
from discreet.web.page import Page, render_part
from discreet.web.screens import ALL
from discreet.web.screens.screen import Act, Fields, Part, Screen
from discreet.web.security import Guard
from discreet.web.words import LANGUAGES, Words, choose_language
from discreet.web.workspace import BusyError, Desk, LostError, Workspace

MEGABYTE = 1 << 20
MOST_FORM = 2 * MEGABYTE
MOST_DROPPED = 200 * MEGABYTE
"""What is dropped is held in memory; a larger file is opened by its path."""
SPARE_WAIT = 3.0
"""Seconds after the start of a workspace until a child is made ready for the next one."""
RISK_WAIT = 0.25
"""Seconds that a page waits for the risk; after that the panel asks for it."""
SCREENS: Mapping[str, Screen] = {screen.name: screen for screen in ALL}
STATIC = Path(__file__).with_name("static")
FILES = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*.*")}
"""What is sent of it, by name: nothing else can be asked for."""
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class App:
    """The app behind one secret: its workspaces, and what was asked for on the command line.

    ``file`` and ``policy`` are opened by each tab that begins anew. ``close`` is called once the
    last answer is out; ``touch`` with every request of a page that is open.
    """

    def __init__(
        self,
        secret: str,
        port: int,
        *,
        file: str | None = None,
        policy: str | None = None,
        reading: Mapping[str, str] | None = None,
        close: Callable[[], None] = lambda: None,
        touch: Callable[[], None] = lambda: None,
    ) -> None:
        self.base = f"/{secret}"
        self.desk, self.is_closed = Desk(), False
        self.file, self.policy, self.reading = file, policy, dict(reading or {})
        self.close, self.touch = close, touch
        self.is_receiving = False
        place = f"{self.base}/w/{{workspace}}"
        routes = [
            Route(f"{self.base}/", self.begin),
            Route(f"{self.base}/static/{{name:path}}", self.send_static),
            Route(f"{self.base}/close", self.end, methods=["POST"]),
            Route(f"{place}/open/drop", self.drop, methods=["POST"]),
            Route(f"{place}/{{screen}}", self.show),
            Route(f"{place}/{{screen}}/{{part}}", self.show_part),
            Route(f"{place}/{{screen}}/{{action}}", self.act, methods=["POST"]),
        ]
        starlette = Starlette(routes=routes, exception_handlers={Exception: self.show_failure})
        starlette.router.redirect_slashes = False
        self.guarded = Guard(starlette, secret, port)
        logging.getLogger("asyncio").disabled = True  # would quote values of what it complains of

    # Where one comes in and goes out

    async def begin(self, request: Request) -> Response:
        """A new workspace for a new tab."""
        workspace = self.desk.add()
        self.touch()
        workspace.warm_up()
        asyncio.get_running_loop().call_later(SPARE_WAIT, self._prepare)
        if self.file is not None:
            source = {"path": self.file, **self.reading}
            job = workspace.start_opening(source, self.policy)
            await workspace.wait(job, RISK_WAIT)
        return RedirectResponse(f"{self.base}/w/{workspace.name}/open", 303)

    def _prepare(self) -> None:
        """Have a child ready for the next tab, as soon as no work is under way."""
        if any(one.is_busy for one in self.desk):
            asyncio.get_running_loop().call_later(SPARE_WAIT, self._prepare)
        elif not self.is_closed:
            self.desk.prepare()

    async def send_static(self, request: Request) -> Response:
        """A style, script or picture of the package."""
        path = FILES.get(request.path_params["name"])
        if path is None:
            return _find_nothing()
        return FileResponse(path, media_type=KINDS.get(path.suffix, "text/plain"))

    async def end(self, request: Request) -> Response:
        """End everything: child processes, what they hold, and then the server."""
        words = Words(choose_language(request.headers.get("accept-language", "")))
        self.is_closed = True
        self.desk.close()
        asyncio.get_running_loop().call_later(0.2, self.close)
        page = render_part("closed.html", words, base=self.base, language=words.language)
        return HTMLResponse(page, headers={"clear-site-data": '"cache", "storage"'})

    # A screen

    async def show(self, request: Request) -> Response:
        """A whole page."""
        workspace, screen = self._find(request)
        if workspace is None or screen is None:
            return RedirectResponse(f"{self.base}/", 303) if screen else _find_nothing()
        if screen.needs_table and workspace.opened is None:
            return RedirectResponse(self._locate(workspace, "open"), 303)
        return await self._answer(request, workspace, screen)

    async def show_part(self, request: Request) -> Response:
        """A piece of a page, or a file to be saved."""
        workspace, screen = self._find(request)
        if workspace is None or screen is None:
            return _find_nothing()
        name, fields = request.path_params["part"], Fields(request.query_params.multi_items())
        if name == "ping":
            return Response(status_code=204)
        if name in screen.downloads:
            return await self._send_download(request, workspace, screen, name)
        if name == "job":  # the whole page as soon as there is something new on it
            if not workspace.is_busy:
                return await self._answer(request, workspace, screen, whole=True)
            return await self._answer_part(request, workspace, screen, JOB)
        part = RISK if name == "risk" else screen.parts.get(name)
        if part is None:
            return _find_nothing()
        return await self._answer_part(request, workspace, screen, part, fields)

    async def act(self, request: Request) -> Response:
        """Do what a form says, and show the page as it is then."""
        workspace, screen = self._find(request)
        name = request.path_params["action"]
        action = {**SHARED, **screen.actions}.get(name) if screen else None
        if screen is None or action is None:
            return _find_nothing()
        if workspace is None:
            return self._begin_anew(request)
        fields = await _read_form(request)
        if fields is None:
            what = f"it has more than {MOST_FORM // MEGABYTE} MB"
            error = DiscreetError("what was sent", what, "Save it as a file and open that.")
            return await self._answer(request, workspace, screen, fault=(name, str(error)))
        return await self._act(request, workspace, screen, name, action, fields)

    async def drop(self, request: Request) -> Response:
        """Open a file that was dropped: its bytes are the request, and stay in memory."""
        workspace, screen = self._find_workspace(request), SCREENS["open"]
        if workspace is None:
            return self._begin_anew(request)

        async def open_dropped(workspace: Workspace, fields: Fields) -> str | None:
            try:
                return await hold_and_open(workspace)
            finally:  # a browser that is not done sending shows no answer
                await _let_go_of_body(request)

        async def hold_and_open(workspace: Workspace) -> str:
            name = Path(unquote(request.headers.get("x-file-name", "table.csv"))).name
            with self._receive(workspace):
                number = await _hold_body(request, name)
                try:
                    source = {"file": number, "name": name}
                    job = workspace.start_opening(source, None, number)
                except BusyError:
                    os.close(number)
                    raise
            await workspace.wait(job, RISK_WAIT)
            workspace.raise_failure()
            return "open"

        return await self._act(request, workspace, screen, "drop", open_dropped, Fields())

    @contextmanager
    def _receive(self, workspace: Workspace) -> Iterator[None]:
        """Take one dropped file at a time, and none that could not be opened now."""
        workspace.refuse_second()
        if self.is_receiving:
            raise BusyError
        self.is_receiving = True
        try:
            yield
        finally:
            self.is_receiving = False

    async def _act(
        self,
        request: Request,
        workspace: Workspace,
        screen: Screen,
        name: str,
        action: Act,
        fields: Fields,
    ) -> Response:
        try:
            following = await action(workspace, fields)
        except LostError:
            return await self._answer(request, workspace, screen)
        except DiscreetError as error:
            fault = (name, str(error))
            return await self._answer(request, workspace, screen, fields, fault)
        if following is not None and following != screen.name:
            target = self._locate(workspace, following)
            if _is_htmx(request):
                return Response(headers={"hx-redirect": target})
            return RedirectResponse(target, 303)
        if not _is_htmx(request):
            return RedirectResponse(self._locate(workspace, screen.name), 303)
        return await self._answer(request, workspace, screen)

    async def _send_download(
        self, request: Request, workspace: Workspace, screen: Screen, name: str
    ) -> Response:
        fields = Fields(request.query_params.multi_items())
        try:
            found = await screen.downloads[name](workspace, fields)
        except DiscreetError as error:
            return await self._answer(request, workspace, screen, fields, (name, str(error)))
        kind = f"attachment; filename*=UTF-8''{quote(found.name)}"
        return Response(
            found.content, media_type=found.media_type, headers={"content-disposition": kind}
        )

    async def _answer(
        self,
        request: Request,
        workspace: Workspace,
        screen: Screen,
        given: Fields | None = None,
        fault: tuple[str, str] | None = None,
        whole: bool = False,
    ) -> Response:
        """The page: all of it, or its content where htmx asks."""
        page = self._make_page(request, workspace, screen)
        page.given, page.fault = given or Fields(), fault
        query = Fields(request.query_params.multi_items())
        facts: Mapping[str, Any] = {}
        for last in (False, False, True):
            state = workspace.state
            try:
                facts = await screen.collect(workspace, query)
                page.risk = await workspace.find_risk(RISK_WAIT)
            except DiscreetError as error:
                if isinstance(error, LostError) and not last:
                    continue  # the next question goes to a new child
                page.failure = str(error)
                return _answer_failure(request, page, 422)
            if workspace.state == state:  # else work ended meanwhile, and half of this is old
                break
        text = page.render(facts, content_only=_is_htmx(request))
        headers = {"hx-retarget": "#page", "hx-reswap": "morph:outerHTML"} if whole else {}
        workspace.is_lost = False
        return HTMLResponse(text, 422 if fault else 200, headers)

    async def _answer_part(
        self,
        request: Request,
        workspace: Workspace,
        screen: Screen,
        part: Part,
        fields: Fields | None = None,
    ) -> Response:
        page = self._make_page(request, workspace, screen)
        target = {RISK: "#risk", JOB: "#job"}.get(part)
        headers = {"hx-retarget": target} if target else {}
        try:
            if part is RISK:
                page.risk = await workspace.find_risk(RISK_WAIT)
            facts = await part.collect(workspace, fields or Fields())
        except DiscreetError as error:
            page.fault = (part.template, str(error))
            return HTMLResponse(page.render_part("fault.html", {}), 422, headers)
        return HTMLResponse(page.render_part(part.template, facts), headers=headers)

    async def show_failure(self, request: Request, error: Exception) -> Response:
        """A fault of the app itself: kind and place, no text, for that may quote a cell."""
        known = request.path_params
        workspace = self.desk.workspaces.get(known.get("workspace", ""))
        if workspace is None:
            return Response(describe_failure(error), 500, media_type="text/plain")
        screen = SCREENS.get(known.get("screen", ""), SCREENS["open"])
        page = self._make_page(request, workspace, screen)
        page.failure = describe_failure(error)
        return _answer_failure(request, page, 500)

    def _begin_anew(self, request: Request) -> Response:
        """The way to a new workspace, in place of one that is gone."""
        if _is_htmx(request):
            return Response(headers={"hx-redirect": f"{self.base}/"})
        return RedirectResponse(f"{self.base}/", 303)

    def _make_page(self, request: Request, workspace: Workspace, screen: Screen) -> Page:
        accepted = request.headers.get("accept-language", "")
        words = Words(workspace.language or choose_language(accepted))
        return Page(self.base, workspace, screen, words)

    def _find(self, request: Request) -> tuple[Workspace | None, Screen | None]:
        return self._find_workspace(request), SCREENS.get(request.path_params["screen"])

    def _find_workspace(self, request: Request) -> Workspace | None:
        self.touch()
        workspace = self.desk.workspaces.get(request.path_params["workspace"])
        if workspace is not None:
            workspace.touch()
        return workspace

    def _locate(self, workspace: Workspace, screen: str) -> str:
        return f"{self.base}/w/{workspace.name}/{screen}"


# What can be done on every screen


async def undo(workspace: Workspace, fields: Fields) -> None:
    """Back to the policy before the last change."""
    workspace.history.undo()


async def redo(workspace: Workspace, fields: Fields) -> None:
    """Forward to the policy that was undone."""
    workspace.history.redo()


async def cancel(workspace: Workspace, fields: Fields) -> None:
    """End the work under way."""
    await workspace.cancel()


async def speak(workspace: Workspace, fields: Fields) -> None:
    """Show this workspace in another language."""
    if fields.get("language") in LANGUAGES:
        workspace.language = fields["language"]


async def collect_nothing(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """What every page knows is enough."""
    return {}


SHARED: Mapping[str, Act] = {"undo": undo, "redo": redo, "cancel": cancel, "language": speak}
RISK = Part("risk.html", collect_nothing)
JOB = Part("job.html", collect_nothing)


# Requests


def _is_htmx(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


async def _read_form(request: Request) -> Fields | None:
    """What a form says; None where it is too long."""
    body = bytearray()
    async for block in request.stream():
        if len(body) <= MOST_FORM:  # the rest is read as well, or the browser shows no answer
            body += block
    if len(body) > MOST_FORM:
        return None
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    return Fields(pairs)


async def _hold_body(request: Request, name: str) -> int:
    """What was dropped, as an open file in memory; it never touches a disk."""
    advice = "Open it by its path: then it is read where it is."
    if not hasattr(os, "memfd_create"):
        what = "this system has no files in memory, and private rows are not put on disk"
        raise SourceError(name, what, advice)
    number, size = os.memfd_create("dropped", os.MFD_CLOEXEC), 0
    try:
        async for block in request.stream():
            size += len(block)
            if size > MOST_DROPPED:
                what = f"it has more than {MOST_DROPPED // MEGABYTE} MB, and it is held in memory"
                raise SourceError(name, what, advice)
            view = memoryview(block)
            while view:
                view = view[os.write(number, view) :]
    except BaseException:
        os.close(number)
        raise
    return number


async def _let_go_of_body(request: Request) -> None:
    """Read what is left of a request, and forget it."""
    with suppress(RuntimeError, ClientDisconnect):  # it was read, or nobody waits
        async for _ in request.stream():
            pass


def _find_nothing() -> Response:
    return Response("There is nothing here.", 404, media_type="text/plain")


def _answer_failure(request: Request, page: Page, status: int) -> Response:
    """In place of a page that cannot be made: why, and how to go on."""
    headers = {"hx-retarget": "#page", "hx-reswap": "morph:outerHTML"}
    text = page.render({}, content_only=_is_htmx(request))
    page.workspace.is_lost = False
    return HTMLResponse(text, status, headers)
