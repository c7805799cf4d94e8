"""``discreet web``: the local app, from a file to a verified release in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import interrupt, options, output
from discreet.errors import MissingExtraError


def web(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", click_type=options.TABLE_PATH, hidden=True),
    ] = None,
    policy: options.PolicyFile = None,
    port: Annotated[
        int,
        typer.Option("--port", metavar="N", min=0, max=65535, help="A port; 0 picks a free one."),
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser, or print the address.")
    ] = True,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    quiet: options.Quiet = False,
) -> None:
    """Work in the browser: from FILE to a verified release.

    Runs on this computer alone, behind an address that nobody else knows. Everything that is
    clicked is written into a policy, which is shown with the command that does the same. Ends with
    Close on the page, with Ctrl-C, or when no page has been open for a while.
    """
    try:
        from discreet.web.serve import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "h11", "anyio"):
            raise
        raise MissingExtraError("the app in the browser", "web") from None

    def tell(address: str) -> None:
        if not browser:
            output.write(f"Open {address}")
        elif not quiet:
            output.write("discreet runs in your browser. Ctrl-C or Close on the page ends it.")

    header = "yes" if interrupt.state.get("header") else None
    reading = {"separator": separator, "encoding": encoding, "sheet": sheet, "header": header}
    serve(
        None if file is None else str(file),
        None if policy is None else str(policy),
        reading={name: value for name, value in reading.items() if value},
        port=port,
        open_browser=browser,
        tell=tell,
    )
