"""Takes the pictures of ``docs/tutorials/03-in-the-browser.md``, one for each screen.

After a screen has changed: ``python -m tests.web.pictures``, and look at each of them. They show
the hospital file of the made town, in which nobody is real. PNG with a palette, written here: the
screens have few colors, and the files stay small.
"""

from __future__ import annotations

import base64
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page, expect, sync_playwright

from discreet import sample
from discreet.reporting.browser import find_browser
from tests.docs.page import ROOT
from tests.web.browsing import FLAGS, PATIENCE, Served

FOLDER = ROOT / "docs" / "tutorials" / "web"
WIDTH, HEIGHT = 1200, 780
MOST_BYTES, MOST_IN_ALL = 200_000, 1_200_000
LETTER = """\
Dear Dr. Frank Graves,
thank you for seeing Mrs. Helen Ward (born 4 May 1961) on 12 March 2024. Her number is
617-555-0143. She takes naproxen for her back pain and lives at 14 Elm Street, Cambridge.
Yours sincerely,
Maria Lopez
"""
READ = """data => new Promise(done => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const paper = canvas.getContext("2d");
    paper.drawImage(picture, 0, 0);
    const found = paper.getImageData(0, 0, picture.width, picture.height).data;
    const parts = [];
    for (let at = 0; at < found.length; at += 32768)
      parts.push(String.fromCharCode(...found.subarray(at, at + 32768)));
    done(btoa(parts.join("")));
  };
  picture.src = "data:image/png;base64," + data;
})"""
"""Lets the browser decode a picture."""


def take_pictures() -> None:
    """Go through all screens as the tutorial does."""
    FOLDER.mkdir(exist_ok=True)
    with open_page() as (page, blank):

        def take(name: str, top: str = "") -> None:
            page.mouse.move(0, 0)
            if top:
                page.evaluate(
                    "top => scrollTo(0, scrollY - 76 + document.querySelector(top)"
                    ".getBoundingClientRect().top)",
                    top,
                )
            path = FOLDER / f"{name}.png"
            path.write_bytes(encode_png(read_pixels(blank, page.screenshot())))
            assert path.stat().st_size <= MOST_BYTES, path

        take("open")
        page.click("text=Check the roles")
        page.check("#role-2-identifier", force=True)
        expect(page.locator("#policy-text .changed")).to_contain_text("visit")
        expect(page.locator("#risk .by")).not_to_contain_text("visit")
        take("roles")
        page.click("nav >> text=Hierarchies")
        page.click(".pick:has-text('birth')")
        expect(page.locator("#hierarchy-name")).to_have_text("birth")
        take("hierarchies")
        page.click("nav >> text=Promises")
        expect(page.locator("#promise-0-k")).to_have_value("5")
        take("promises")
        page.click("nav >> text=Search")
        page.click("#search-run")
        expect(page.locator("#search-result")).to_contain_text("Proven best")
        take("search", "#search-result")
        page.click("text=Explore the neighbourhood")
        expect(page.locator("#node")).to_be_visible()
        page.click("#pin-here")
        expect(page.locator("#pins")).to_be_visible()
        take("explore")
        page.click("nav >> text=Compare")
        page.uncheck("#algorithm-local")
        page.click("#compare-run")
        expect(page.locator("#compared tbody tr").first).to_contain_text("kept")
        take("compare", "#compared")
        page.click("nav >> text=Text")
        page.fill("#field-path", "letter.txt")
        page.click("#open-texts")
        expect(page.locator("#passage-0 mark").first).to_be_visible()
        take("text", "#passage-0")
        page.click("nav >> text=Release")
        page.fill("#field-path", "research.csv")
        page.check("#attack")
        page.click("#make")
        expect(page.locator("#made .holds").first).to_be_visible()
        take("release", "#made")
        page.click("#policy a:has-text('Edit')")
        page.wait_for_url("**/policy")
        take("policy")
    assert sum(one.stat().st_size for one in FOLDER.glob("*.png")) <= MOST_IN_ALL


@contextmanager
def open_page() -> Iterator[tuple[Page, Page]]:
    """A page of the app with the hospital file open, and a blank page next to it."""
    town = Path(tempfile.gettempdir()) / "made-town"  # pictures show it
    town.mkdir()
    try:
        (town / "hospital.csv").write_bytes(sample.encode_csv(sample.make().patients))
        (town / "letter.txt").write_text(LETTER)
        served = Served("hospital.csv", temporary=town, folder=town)
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=find_browser(), args=[*FLAGS])
            size = {"width": WIDTH, "height": HEIGHT}
            page = browser.new_page(viewport=size, locale="en-GB")  # type: ignore[arg-type]
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            page.goto(served.address)
            expect(page.locator("#risk .big")).to_be_visible()
            yield page, browser.new_page()
            browser.close()
        served.end()
    finally:
        shutil.rmtree(town)


def read_pixels(blank: Page, picture: bytes) -> NDArray[np.uint8]:
    """Rows of pixels, each red, green and blue."""
    found = base64.b64decode(blank.evaluate(READ, base64.b64encode(picture).decode()))
    return np.frombuffer(found, np.uint8).reshape(-1, WIDTH, 4)[:, :, :3]


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG with the most frequent colors, none like another; the rest becomes the nearest."""
    colors, places, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    by_count = colors[np.argsort(-counts, kind="stable")]
    _, firsts = np.unique(by_count >> 4, axis=0, return_index=True)
    palette = by_count[np.sort(firsts)[:256]]
    nearest = np.empty(len(colors), np.uint8)
    for at, color in enumerate(colors.astype(np.int64)):
        nearest[at] = np.argmin(((palette - color) ** 2).sum(axis=1))
    rows = nearest[places.ravel()].reshape(pixels.shape[:2])
    unfiltered = np.pad(rows, ((0, 0), (1, 0))).tobytes()
    header = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 3, 0, 0, 0)
    chunks = (
        *((b"IHDR", header), (b"PLTE", palette.tobytes())),
        *((b"IDAT", zlib.compress(unfiltered, 9)), (b"IEND", b"")),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


if __name__ == "__main__":
    take_pictures()
