"""Addresses of pages: with a protocol, with www, and bare domain names."""

from __future__ import annotations

import re

from discreet.scrub.detectors.around import AroundDetector, Mark

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
