"""Finds what is built around a rare mark: a mail address around @, an IPv6 address around colons.

A search that starts at the mark is many times faster than one that tries each word.

Cost: one scan for the mark, in C; patterns are tried only at marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from ipaddress import AddressValueError, IPv6Address

from discreet.display import dataclass
from discreet.scrubbing.detectors.cue import CueDetector
from discreet.scrubbing.detectors.detector import Example, Shape, ShapeDetector
from discreet.scrubbing.finding import FULL, Finding
from discreet.scrubbing.page import Page

REACH = 80
"""Most characters before a mark that can belong to it."""


@dataclass(frozen=True)
class Mark:
    """A pattern with a rare mark inside.

    ``after`` starts with the mark (a literal, so that the scan is fast); ``before`` is matched
    against the characters before the mark and ends with ``$``.
    """

    kind: str
    likelihood: float
    name: str
    before: re.Pattern[str]
    after: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    sign: str = ""
    """Text that must be in the document for the pattern to be tried at all."""


@dataclass(frozen=True)
class AroundDetector:
    """Finds patterns with a rare mark inside; in turn 1 only."""

    name: str
    marks: tuple[Mark, ...]
    precedence: int = FULL
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Where a mark has the right characters on both sides."""
        if page.turn == 2:
            return
        for mark in self.marks:
            if mark.sign in page.text:
                yield from self._find(mark, page.text)

    def _find(self, mark: Mark, text: str) -> Iterator[Finding]:
        done = 0
        for after in mark.after.finditer(text):
            low = max(done, after.start() - REACH)
            before = mark.before.search(text[low : after.start()])
            if not before:
                continue
            start, end = low + before.start(), after.end()
            if mark.check is None or mark.check(text[start:end]):
                done = end
                yield Finding(
                    start, end, mark.kind, mark.likelihood, self.name, mark.name, self.precedence
                )


# Mail addresses, plain and obfuscated against robots.


_HOST = r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)+"

EMAIL = AroundDetector(
    "email",
    (
        Mark(
            "EMAIL",
            0.99,
            "mail address",
            re.compile(r"[\w!#$%&*+/?`{}~-]+(?:[.'][\w!#$%&*+/?`{}~-]+)*$"),
            re.compile("@" + _HOST),
            sign="@",
        ),
        Mark(
            "EMAIL",
            0.9,
            "mail address, the host in brackets",
            re.compile(r"[\w.+-]+$"),
            re.compile(r"@\[[\w.:]+\]"),
            sign="@[",
        ),
        Mark(
            "EMAIL",
            0.9,
            "mail address without an end",
            re.compile(r"[\w.+-]*[A-Za-z_][\w+-]*\Z"),
            re.compile(r"@[A-Za-z][\w-]+\b"),
            sign="@",
        ),
        Mark(
            "EMAIL",
            0.93,
            "mail address with a written at",
            re.compile(r"[\w.+-]+(?: (?:dot|underscore|dash) [\w.+-]+){0,3}$"),
            re.compile(r" at [\w-]+(?: dot [A-Za-z]{2,10}){1,3}\b"),
            sign=" dot ",
        ),
        *(
            Mark(
                "EMAIL",
                0.93,
                "mail address with a bracketed at",
                re.compile(r"[\w.+-]+ ?$"),
                re.compile(re.escape(at) + r" ?[\w-]+ ?(?:\.|[\[(]dot[\])]) ?[A-Za-z.]{2,8}\b"),
                sign=at,
            )
            for at in ("[at]", "(at)")
        ),
    ),
    examples=(
        (
            "Mail john.o'brien+x@mail.example.co.uk.",
            (("john.o'brien+x@mail.example.co.uk", "EMAIL"),),
        ),
        ("<ada@example.org>, bob_1@host", (("ada@example.org", "EMAIL"), ("bob_1@host", "EMAIL"))),
        ("jürgen@müller.de", (("jürgen@müller.de", "EMAIL"),)),
        (
            "Lee|ada@example.org^x=bob@host.com",
            (("ada@example.org", "EMAIL"), ("bob@host.com", "EMAIL")),
        ),
        ("ada at example dot com", (("ada at example dot com", "EMAIL"),)),
        (
            "ada dot k at mail dot example dot org",
            (("ada dot k at mail dot example dot org", "EMAIL"),),
        ),
        ("ada [at] example [dot] com", (("ada [at] example [dot] com", "EMAIL"),)),
        ("ada(at)example.com", (("ada(at)example.com", "EMAIL"),)),
        ("mailto:ada@example.com?subject=x", (("ada@example.com", "EMAIL"),)),
        ("3 boxes @ 5 each, tube 22@lip, meet @ noon, look at it", ()),
    ),
)


# Web addresses: with a protocol, with www, and bare domain names.


_PATH = r"(?:[/?#](?:[^\s<>\"'`|\\^{}\[\]()]|\([^\s()]*\)|\[[\w=]*\])*(?<![.,;:!?)*]))?"
_TOP = (
    "com|org|net|edu|gov|mil|int|info|biz|name|io|co|me|ai|app|dev|tv|uk|us|ca|au|nz|ie|de|at|ch|"
    "fr|nl|be|es|it|pt|se|no|dk|fi|pl|cz|eu|in|jp|cn|br|ru|za|mx|online|site|store|shop|blog|xyz|"
    "tech|cloud|health|club|page|link|gle|ly|gg|example|local|kr|sg|hk|tw|tr|gr|hu|ro|sk|si|hr|bg|lt|lv|"
    "ee|lu|il|ae|ng|ke|gh|pk|bd|lk|ph|th|vn|cl|ar|pe|uy|ec|coop|museum|mobi|wiki|website|agency|clinic|"
    "dental|academy|church|farm|photography|studio|email|network|digital|solutions|services|scot|wales|"
    "london|nyc|berlin|asia"
)

URL = AroundDetector(
    "url",
    (
        Mark(
            "URL",
            0.98,
            "protocol",
            re.compile(r"[A-Za-z][A-Za-z0-9+]{1,9}$"),
            re.compile(r"://[^\s<>\"'`|\\^{}()\[\]/?#]*[^\s<>\"'`|\\^{}()\[\]/?#.,;:!]" + _PATH),
        ),
        Mark(
            "URL",
            0.97,
            "www",
            re.compile(r"(?<![\w.@/-])$|^$"),
            re.compile(r"www\.[\w-]+(?:\.[\w-]+)+(?::\d+)?" + _PATH),
        ),
        Mark(
            "URL",
            0.97,
            "WWW",
            re.compile(r"(?<![\w.@/-])$|^$"),
            re.compile(r"WWW\.[\w-]+(?:\.[\w-]+)+(?::\d+)?" + _PATH),
        ),
        Mark(
            "URL",
            0.85,
            "domain name",
            re.compile(r"(?<![@\w.-])[A-Za-z0-9][\w-]*(?:\.[\w-]+)*$"),
            re.compile(rf"\.(?:{_TOP})(?:\.(?:{_TOP}))?(?![\w@-]|\.\w)(?::\d{{2,5}})?" + _PATH),
        ),
        Mark(
            "URL",
            0.85,
            "domain name in capitals",
            re.compile(r"(?<![@\w.-])[A-Z0-9][A-Z0-9-]*(?:\.[A-Z0-9-]+)*$"),
            re.compile(
                rf"\.(?:{_TOP.upper()})(?:\.(?:{_TOP.upper()}))?(?![\w@-]|\.\w)(?::\d{{2,5}})?"
                + _PATH
            ),
        ),
    ),
    examples=(
        ("See https://www.example.com/a_(b)?q=1.", (("https://www.example.com/a_(b)?q=1", "URL"),)),
        ("at www.example.co.uk/x, or", (("www.example.co.uk/x", "URL"),)),
        ("visit acme.com, or acme.io/u/12345", (("acme.com", "URL"), ("acme.io/u/12345", "URL"))),
        (
            "at acme.example/d or mail.acme.local",
            (("acme.example/d", "URL"), ("mail.acme.local", "URL")),
        ),
        ("AT ACME.DE/X", (("ACME.DE/X", "URL"),)),
        ("(ftp://host.example.org/file)", (("ftp://host.example.org/file", "URL"),)),
        ("He left.In the end e.g. this, 3.5 or Node.js.", ()),
    ),
)


# Network addresses: IPv4, IPv6 and MAC.


_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_HEX_BEFORE = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]*$")


def is_ipv6(text: str) -> bool:
    """Whether text with colons is an address, not a time.

    Examples
    --------
    >>> is_ipv6("2001:db8::1"), is_ipv6("10:30:15")
    (True, False)
    """
    try:
        IPv6Address(text.split("%")[0].split("/")[0])
    except AddressValueError:
        return False
    return len(text) > 4


IP = ShapeDetector(
    "ip",
    (
        Shape(
            "IP",
            0.95,
            "IPv4",
            re.compile(
                rf"\d(?<![\w.-]\d)\d{{0,2}}\.{_BYTE}\.{_BYTE}\.{_BYTE}(?:/\d\d?|:\d{{2,5}})?(?![\w]|\.\d)"
            ),
            check=lambda text: int(text.split(".")[0]) < 256,
        ),
    ),
    examples=(
        ("from 192.168.0.12, port 80", (("192.168.0.12", "IP"),)),
        ("10.0.0.0/8 and 8.8.8.8:53.", (("10.0.0.0/8", "IP"), ("8.8.8.8:53", "IP"))),
        ("version 1.2.3, 300.1.2.3, section 1.2.3.4.5", ()),
    ),
)

COLON_ADDRESS = AroundDetector(
    "colon_address",
    (
        Mark(
            "IP",
            0.97,
            "IPv6",
            _HEX_BEFORE,
            re.compile(
                r":(?=[0-9A-Fa-f]{0,4}:)[0-9A-Fa-f:]{1,45}(?:(?<=:)\d+\.\d+\.\d+\.\d+)?(?:%\w+|/\d{1,3})?(?![\w:])"
            ),
            check=is_ipv6,
        ),
        Mark(
            "DEVICE",
            0.97,
            "MAC",
            re.compile(r"(?<![\w:])[0-9A-Fa-f]{2}$"),
            re.compile(":" + ":".join([r"[0-9A-Fa-f]{2}"] * 5) + r"(?![\w:])"),
        ),
        Mark(
            "DEVICE",
            0.95,
            "MAC",
            re.compile(r"(?<![\w-])[0-9A-Fa-f]{2}$"),
            re.compile("-" + "-".join([r"[0-9A-Fa-f]{2}"] * 5) + r"(?![\w-])"),
        ),
    ),
    examples=(
        ("from 2001:db8::1 today", (("2001:db8::1", "IP"),)),
        ("fe80::1ff:fe23:4567:890a.", (("fe80::1ff:fe23:4567:890a", "IP"),)),
        ("MAC 00:1A:2b:3C:4D:5E", (("00:1A:2b:3C:4D:5E", "DEVICE"),)),
        ("00-1A-2B-3C-4D-5E", (("00-1A-2B-3C-4D-5E", "DEVICE"),)),
        ("at 10:30:15, ratio 1:2:3, std::vector", ()),
    ),
)


# Universally unique identifiers.


UUID = AroundDetector(
    "uuid",
    (
        Mark(
            "ID",
            0.97,
            "UUID",
            re.compile(r"(?<!\w)[0-9a-fA-F]{8}$"),
            re.compile(r"-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?!\w)"),
        ),
    ),
    examples=(
        (
            "id 123e4567-e89b-42d3-a456-426614174000.",
            (("123e4567-e89b-42d3-a456-426614174000", "ID"),),
        ),
        ("a-b-c, 2019-12-12", ()),
    ),
)


# User agents of browsers, which name device and software.


_FORM = r"/\d[\d.]*(?: \([^()\n]*\)+| [A-Za-z]+/[\w.+]+| \w+(?= \())*"

BROWSER = ShapeDetector(
    "browser",
    (
        Shape("DEVICE", 0.96, "browser", re.compile("Mozilla" + _FORM), sign="Mozilla/"),
        Shape("DEVICE", 0.96, "browser", re.compile("Opera" + _FORM), sign="Opera/"),
    ),
    precedence=FULL,
    examples=(
        (
            "by Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0",
            (
                (
                    "Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0",
                    "DEVICE",
                ),
            ),
        ),
        ("Mozilla and Opera", ()),
    ),
)


# User names: handles with @, and what follows words such as username or login.


USERNAME = ShapeDetector(
    "username",
    (
        Shape(
            "USERNAME",
            0.9,
            "handle",
            re.compile(r"@(?<![\w.@/]@)[A-Za-z_][\w.-]*\w(?!@)"),
            sign="@",
        ),
        Shape("USERNAME", 0.9, "between xx", re.compile(r"\bxx[a-wyz]\w{1,30}xx\b"), sign="xx"),
    ),
    precedence=FULL,
    examples=(
        ("He posts as xxlyrabirdxx there.", (("xxlyrabirdxx", "USERNAME"),)),
        ("Follow @ada_k.99 there.", (("@ada_k.99", "USERNAME"),)),
        ("write ada@example.org @ 5", ()),
    ),
)


_FIELD = re.compile(
    r"rep|assign|owner|author|creator|operator|primary|secondary|oncall|approver|review|commit|maint"
    r"|upload|poster|player|member|su|account|public|password|session|keyboard",
    re.IGNORECASE,
)


def is_no_word(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the value is not an ordinary word, or a colon marks it as a value."""
    value = page.text[start:end]
    if _FIELD.match(cue) and not (value.islower() and value.isalnum() and len(value) > 4):
        return False
    if ":" in cue or "=" in cue:
        return len(value) > 2 and not (
            page.lexicon.mask(value.lower()) & page.lexicon.bit("frequent")
        )
    return len(value) > 2 and not (
        value.isalpha() and page.lexicon.mask(value.lower()) & page.lexicon.bit("ordinary")
    )


CUED_USERNAME = CueDetector(
    "cued_username",
    "numbers.txt",
    value=re.compile(r"@?(?P<it>[^\W_][\w.\-+]*\w)(?!\w)(?!['’]\w)"),
    check=is_no_word,
    precedence=FULL,
    examples=(
        ("Username: adak", (("adak", "USERNAME"),)),
        ("my user name is ada_k", (("ada_k", "USERNAME"),)),
        ("login wynqvrh053.", (("wynqvrh053", "USERNAME"),)),
        ("his Instagram handle is ada.lovelace1", (("ada.lovelace1", "USERNAME"),)),
        ("owner: tkowal, rep=jrowan", (("tkowal", "USERNAME"), ("jrowan", "USERNAME"))),
        ("the publickey for tkowal from", (("tkowal", "USERNAME"),)),
        (
            "Owner: Facilities, primary: yes, github: ada-k, password for the",
            (("ada-k", "USERNAME"),),
        ),
        ("The username is required; login failed; login ok; user: the", ()),
    ),
)
