"""How a person is reached: telephone, fax, mail, web and network addresses."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from discreet.kinds.recognizer import Item, Recognizer
from discreet.table.table import Role

_MAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
_PHONE_CHARACTERS = re.compile(r"\+?[\d\s()./\-]+(\s*(x|ext\.?)\s*\d{1,6})?", re.IGNORECASE)
_PHONE_FORMS = re.compile(
    r"\+\d[\d\s()./-]{6,20}"  # international
    r"|(1[ .-])?(\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(\s*(x|ext\.?)\s*\d{1,6})?"  # America
    r"|\(?0\d{1,4}\)?[ /-]\d[\d ]{4,10}"  # Europe, area code first
    r"|0\d([ .]\d\d){4}",  # France
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")
_URL = re.compile(r"((https?|ftp)://|www\.)[^\s/]+\.[^\s]+", re.IGNORECASE)
_BYTE = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_ACCOUNT_NAME = re.compile(r"@?[A-Za-z][\w.-]{2,38}")

# Numbers and addresses that are never assigned, as replacements of real ones.

FICTION_LINE = 55_501_00
"""555-0100 to 555-0199 are set apart for fiction in every area of the North American plan."""
FICTION_LINES = 100
FIRST_AREA, AREAS = 200, 800
"""Area codes as they may be written: 200 to 999."""
UNISSUED_PHONE_START = "000"
"""No numbering plan has numbers that start so."""
DOCUMENTATION_IPV4 = ("192.0.2", "198.51.100", "203.0.113")
"""Networks set apart for documentation (RFC 5737)."""
DOCUMENTATION_IPV6 = b"\x20\x01\x0d\xb8"
"""2001:db8::/32, set apart for documentation (RFC 3849)."""
UNISSUED_DOMAIN = ".example"
"""No such name is ever registered (RFC 2606 and 6761)."""


def is_mail(value: str) -> bool:
    """Something, an at sign, and a domain with a dot."""
    return _MAIL.fullmatch(value) is not None


def _count_digits(value: str) -> int:
    return sum(character.isdigit() for character in value)


def may_be_phone(value: str) -> bool:
    """Nothing but what a telephone number is written with, and enough digits."""
    if _PHONE_CHARACTERS.fullmatch(value) is None or _DATE.fullmatch(value):
        return False
    return 6 <= _count_digits(value) <= 20


def is_phone(value: str) -> bool:
    """Written the way only telephone numbers are: +31 ..., (617) 555-0100, 030/1234567."""
    if _PHONE_FORMS.fullmatch(value) is None or _DATE.fullmatch(value):
        return False
    return 9 <= _count_digits(value) <= 20


def is_ip(value: str) -> bool:
    """An IPv4 or IPv6 address, with or without a prefix length."""
    address = value.partition("/")[0]
    try:
        if ":" in address:
            IPv6Address(address)
        elif address.count(".") == 3:
            IPv4Address(address)
        else:
            return False
    except AddressValueError:
        return False
    return True


def is_url(value: str) -> bool:
    """A web address."""
    return _URL.fullmatch(value) is not None


MAIL = Recognizer(
    "e-mail", "e-mail addresses", "contact", Role.identifier, Item.MAIL,
    names=("email", "e mail", "mail", "email address", "mail address", "mailadresse",
           "emailadres", "e mail adres", "courriel", "adresse mail", "adresse electronique",
           "correo", "correo electronico"),
    proof=is_mail,
    examples=("someone@example.org", "a.b+c@mail.example.co.uk"),
    counterexamples=("someone at example.org", "@handle", "a@b", "two words@example.org"),
    form=r"[^@\s]+@[^@\s]+\.[^@\s]+",
)  # fmt: skip
FAX = Recognizer(
    "fax", "fax numbers", "contact", Role.identifier, Item.FAX,
    names=("fax", "fax number", "fax no", "telefax", "faxnummer", "faksnummer", "numero de fax"),
    fits=may_be_phone,
    examples=("(617) 555-0100",), counterexamples=("yes", "2020-01-31"),
)  # fmt: skip
PHONE = Recognizer(
    "phone", "telephone numbers", "contact", Role.identifier, Item.PHONE,
    names=("phone", "telephone", "phone number", "phone no", "tel", "mobile", "mobile phone",
           "mobile number", "cell", "cell phone", "cellphone", "telefon", "telefonnummer", "handy",
           "handynummer", "rufnummer", "mobilnummer", "telefoon", "telefoonnummer", "tel nr",
           "mobiel", "gsm", "numero de telephone", "portable", "telefono", "movil"),
    fits=may_be_phone, proof=is_phone,
    examples=("(617) 555-0100", "617-555-0100", "+31 20 123 4567", "030/1234567",
              "01 23 45 67 89", "617.555.0100 x12"),
    counterexamples=("2020-01-31", "31.01.2020", "123456789", "12345-6789", "123-45-6789", "yes"),
    form=r"(?:\+?1[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[ .-]\d{4}(?: *(?:x|ext\.?) *\d{1,6})?"
         r"|\+\d{1,3}[ ()./-]*(?:\d[ ()./-]*){7,14}",
)  # fmt: skip
URL = Recognizer(
    "url", "web addresses", "contact", Role.identifier, Item.URL,
    names=("url", "uri", "website", "web site", "homepage", "web page", "link", "profile url",
           "linkedin", "facebook", "webseite", "site web", "sitio web", "pagina web"),
    proof=is_url,
    examples=("https://example.org/a", "www.example.org/~someone"),
    counterexamples=("example", "a/b", "http:/x", "yes"),
    form=r"(?:(?:https?|ftp)://|www\.)\S+\.\S+",
)  # fmt: skip
IP = Recognizer(
    "ip", "network (IP) addresses", "contact", Role.identifier, Item.IP,
    names=("ip", "ip address", "ip addr", "ipv4", "ipv6", "ip adresse", "ip adres", "adresse ip",
           "direccion ip", "remote addr", "client ip"),
    proof=is_ip,
    examples=("192.0.2.17", "2001:db8::1", "192.0.2.0/24"),
    counterexamples=("1.2.3", "300.1.1.1", "12:30", "1.234.567,00"),
    form=rf"{_BYTE}(?:\.{_BYTE}){{3}}|(?:[0-9a-f]{{1,4}}:){{7}}[0-9a-f]{{1,4}}",
)  # fmt: skip
HANDLE = Recognizer(
    "user name", "user names", "contact", Role.identifier, Item.OTHER,
    names=("user name", "username", "login", "login name", "nickname", "screen name", "handle",
           "twitter", "instagram", "benutzername", "gebruikersnaam", "nom d utilisateur",
           "identifiant", "usuario", "nombre de usuario"),
    fits=lambda value: _ACCOUNT_NAME.fullmatch(value) is not None or is_mail(value),
    examples=("@someone", "some.one9"), counterexamples=("17", "two words"),
)  # fmt: skip

ALL = (MAIL, FAX, PHONE, URL, IP, HANDLE)
