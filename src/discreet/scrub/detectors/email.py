"""Mail addresses, plain and as people hide them from robots."""

from __future__ import annotations

import re

from discreet.scrub.detectors.around import AroundDetector, Mark

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
