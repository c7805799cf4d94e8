"""A client that speaks to the app as its own pages do; the child's work is done in place."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from typing import Any

import httpx2
from starlette.testclient import TestClient

from discreet.errors import DiscreetError
from discreet.web.child import Held
from discreet.web.worker import Worker, WorkError, _Asked, _read_plain

PORT = 8765
SECRET = "a-secret-of-some-length"
ORIGIN = f"http://127.0.0.1:{PORT}"
OWN = {"origin": ORIGIN, "sec-fetch-site": "same-origin", "accept-language": "en"}

ROWS = [
    "name,age,zip,sex,disease",
    *(
        f"Person {n},{20 + n % 40},0213{n % 8},{'FM'[n % 2]},{('flu', 'cough', 'gout')[n % 3]}"
        for n in range(120)
    ),
]
POLICY = """\
# what leaves the house
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10]}}   # in years
  zip: {role: quasi, hierarchy: {prefix: [4, 3]}}
  disease: {role: sensitive}
require:
  - k_anonymity: {k: 3}
"""


class WorkerInPlace(Worker):
    """Does what a child would do, here and now, and holds its answers to be plain data."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.held = Held()

    @property
    def is_running(self) -> bool:
        return True

    def send(self, kind: str, function: Any, args: Sequence[Any], progress: Any = None) -> _Asked:
        asked = _Asked(asyncio.get_running_loop().create_future(), progress)
        try:
            found = function(*args) if kind == "edit" else function(self.held, *args)
            plain = _read_plain(pickle.dumps(("done", 1, found)))[2]
        except DiscreetError as error:
            asked.future.set_exception(WorkError(str(error), type(error).__name__))
        else:
            asked.future.set_result(plain)
        return asked


class Client(TestClient):
    """A client that sends what a browser sends along with the app's own pages."""

    base = f"/{SECRET}"

    def begin(self) -> str:
        """The address of a new workspace."""
        answer = self.get(f"{self.base}/", headers=OWN, follow_redirects=False)
        assert answer.status_code == 303
        place: str = answer.headers["location"].rpartition("/")[0]
        return place

    def visit(self, address: str, **headers: str) -> httpx2.Response:
        return self.get(address, headers={**OWN, **headers})

    def submit(self, address: str, htmx: bool = True, **fields: str) -> httpx2.Response:
        asked = {"hx-request": "true"} if htmx else {}
        return self.post(address, data=fields, headers={**OWN, **asked})
