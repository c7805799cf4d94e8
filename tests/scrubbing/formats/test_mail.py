"""Mail: headers, texts and pages are scrubbed; files and headers of machines go."""

from __future__ import annotations

import email
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import pytest

from discreet.scrubbing.formats.mail import open_mail


def _mail() -> bytes:
    message = EmailMessage()
    message["From"] = "Frank Graves <frank.graves@clinic.org>"
    message["To"] = "Märy Miller <mary.miller@clinic.org>"
    message["Subject"] = "Visit of Frank Graves"
    message["Message-ID"] = "<1@secret.host>"
    message["X-Name"] = "Frank Graves"
    message.set_content("Dear Mary,\nDr. Frank Graves was in the café.\n")
    message.add_alternative("<p>Dr. <b>Fra</b>nk Graves</p><!-- Frank -->", subtype="html")
    message.add_attachment(b"scan", maintype="image", subtype="png", filename="frank_graves.png")
    return message.as_bytes()


def test_nobody_is_named_any_more(scrub: Callable[..., Any]) -> None:
    done = scrub({"a.eml": _mail()}, style="pseudonym")
    message = email.message_from_bytes(done.bytes)
    texts = [part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()]
    for word in ("Frank", "Graves", "Mary", "Miller", "frank", "secret", "Märy"):
        assert word not in done.text
        assert not any(word.encode() in text for text in texts if isinstance(text, bytes))
    assert set(message.keys()) == {"From", "To", "Subject", "MIME-Version", "Content-Type"}
    assert any("café".encode() in text for text in texts if isinstance(text, bytes))
    assert done.report.problems == {"attachments, removed": 1}
    assert done.report.removed["headers of mail"] >= 2


def test_the_text_is_one_document_with_the_headers_before_it() -> None:
    text = open_mail(_mail(), "a.eml").flow.text
    assert text.startswith("From: Frank Graves <frank.graves@clinic.org>\nTo: Märy Miller")
    assert "\nSubject: Visit of Frank Graves\n\nDear Mary,\n" in text
    assert text.endswith("[attachment removed]\n")


def test_a_mail_within_a_mail_is_scrubbed(scrub: Callable[..., Any]) -> None:
    outer = EmailMessage()
    outer["Subject"] = "Fwd"
    outer.set_content("see below\n")
    outer.add_attachment(email.message_from_bytes(_mail(), _class=EmailMessage))
    done = scrub({"a.eml": outer.as_bytes()})
    assert "Frank" not in done.text
    assert "secret" not in done.text


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Type: multipart/mixed\n\nDr. Frank Graves",
        b"Content-Type: text/plain; charset=klingon\n\nDr. Frank Graves",
        b"Subject: =?utf-8?b?####?= Dr. Frank Graves\n\n",
        b"Subject: =?klingon?q?x?= Dr. Frank Graves\n\n",
        b"\xff\xfe: \xff\n\nDr. Frank Graves \xff",
        b"Content-Transfer-Encoding: base64\n\nDr. Frank Graves",
        b"Content-Type: text/html\n\n<p>Dr. Frank Graves",
        b"no mail, but Dr. Frank Graves",
    ],
)
def test_broken_mails_do_not_name_anybody(scrub: Callable[..., Any], data: bytes) -> None:
    done = scrub({"a.eml": data})
    assert done.report.left_out + len(done.files) == 1
    assert all(b"Frank" not in data for data in done.files.values())


def test_line_ends_stay() -> None:
    mail = open_mail(b"Subject: x\r\n\r\nab\r\n", "a.eml")
    assert mail.encode(mail.flow.parts) == b"Subject: x\r\n\r\nab\r\n"
