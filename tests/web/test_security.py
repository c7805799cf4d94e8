"""Nobody but the app's own pages gets an answer, and nothing of an answer stays behind."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from discreet.web.app import App
from discreet.web.security import HEADERS, make_secret
from tests.web.client import ORIGIN, OWN, PORT, SECRET, Client


def test_every_answer_has_the_headers_that_keep_it_here(client: Client, place: str) -> None:
    addresses = [f"{place}/roles", f"/{SECRET}/static/app.css", "/elsewhere", f"{place}/nowhere"]
    for address in addresses:
        answer = client.visit(address)
        assert {name: answer.headers[name] for name, _ in HEADERS} == dict(HEADERS), address


def test_the_content_policy_lets_nothing_in_but_what_the_app_has() -> None:
    told = dict(HEADERS)["content-security-policy"]
    assert told.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in told
    assert "unsafe" not in told
    assert dict(HEADERS)["cache-control"] == "no-store"


def test_a_secret_has_at_least_128_bits_and_is_never_the_same() -> None:
    assert len(make_secret()) >= 128 / 6
    assert make_secret() != make_secret()


@pytest.mark.parametrize("path", ["/", "/w/x/open", "/wrong/", f"/{SECRET[:-1]}/", "/%C3%A9/"])
def test_without_the_secret_there_is_nothing(client: Client, path: str) -> None:
    answer = client.visit(path)
    assert (answer.status_code, answer.text) == (404, "There is nothing here.")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1", "0.0.0.0:8765"])
def test_a_foreign_host_is_refused(client: Client, place: str, host: str) -> None:
    assert client.visit(f"{place}/open", host=host).status_code == 403


@pytest.mark.parametrize("peer", ["192.0.2.7", "testclient", "::ffff:192.0.2.7"])
def test_another_computer_is_refused(app: App, peer: str) -> None:
    with TestClient(app.guarded, base_url=ORIGIN, client=(peer, 4000)) as far:
        assert far.get(f"/{SECRET}/", headers=OWN).status_code == 403


def test_a_claim_to_be_forwarded_changes_nothing(app: App) -> None:
    with TestClient(app.guarded, base_url=ORIGIN, client=("192.0.2.7", 4000)) as far:
        claimed = {**OWN, "x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1"}
        assert far.get(f"/{SECRET}/", headers=claimed).status_code == 403


CHANGES = {
    "a form of another site": {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    "a form of another port": {"origin": "http://127.0.0.1:1", "sec-fetch-site": "same-site"},
    "a form without an origin": {},
    "a form of an opaque page": {"origin": "null", "sec-fetch-site": "cross-site"},
    "a fetch that claims our origin": {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
    "our page at another name": {"origin": f"http://localhost:{PORT}"},
}


@pytest.mark.parametrize("sender", CHANGES)
def test_a_change_from_anywhere_else_is_refused(client: Client, place: str, sender: str) -> None:
    answer = client.post(
        f"{place}/roles/set", data={"column": "age", "role": "other"}, headers=CHANGES[sender]
    )
    assert answer.status_code == 403
    assert 'id="undo" aria-disabled="true"' in client.visit(f"{place}/roles").text


LOOKS = {
    "a fetch": {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
    "an image": {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "image",
    },
    "a frame": {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "iframe",
    },
    "another port": {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
}


@pytest.mark.parametrize("sender", LOOKS)
def test_a_look_from_another_page_is_refused(client: Client, place: str, sender: str) -> None:
    assert client.get(f"{place}/open", headers=LOOKS[sender]).status_code == 403


def test_a_file_that_leads_to_the_app_may_open_it(client: Client) -> None:
    opened = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    answer = client.get(f"/{SECRET}/", headers=opened, follow_redirects=False)
    assert answer.status_code == 303


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(client: Client, place: str, method: str) -> None:
    assert client.request(method, f"{place}/roles/set", headers=OWN).status_code == 405


def test_there_are_no_websockets(client: Client, place: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as told,
        client.websocket_connect(f"{place}/open", headers=OWN),
    ):
        pass
    assert told.value.code == 1008


@pytest.mark.parametrize(
    "name",
    ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "", "app.css%00", "a" * 5000],
)
def test_only_files_of_the_package_are_sent(client: Client, name: str) -> None:
    answer = client.visit(f"/{SECRET}/static/{name}")
    assert answer.status_code == 404


def test_a_form_that_is_too_long_is_refused(client: Client, place: str) -> None:
    answer = client.submit(f"{place}/policy/apply", text="x" * (3 << 20))
    assert answer.status_code == 422
    assert "more than 2 MB" in answer.text
