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
_ACCOUNT_NAME = re.compile(r"@?[A-Za-z][\w.-]{2,38}")


def is_mail(value: str) -> bool:
    """Something, an at sign, and a domain with a dot."""
    return _MAIL.fullmatch(value) is not None


def _digits(value: str) -> int:
    return sum(character.isdigit() for character in value)


def may_be_phone(value: str) -> bool:
    """Nothing but what a telephone number is written with, and enough digits."""
    if _PHONE_CHARACTERS.fullmatch(value) is None or _DATE.fullmatch(value):
        return False
    return 6 <= _digits(value) <= 20


def is_phone(value: str) -> bool:
    """Written the way only telephone numbers are: +31 ..., (617) 555-0100, 030/1234567."""
    if _PHONE_FORMS.fullmatch(value) is None or _DATE.fullmatch(value):
        return False
    return 9 <= _digits(value) <= 20


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
)  # fmt: skip
URL = Recognizer(
    "url", "web addresses", "contact", Role.identifier, Item.URL,
    names=("url", "uri", "website", "web site", "homepage", "web page", "link", "profile url",
           "linkedin", "facebook", "webseite", "site web", "sitio web", "pagina web"),
    proof=is_url,
    examples=("https://example.org/a", "www.example.org/~someone"),
    counterexamples=("example", "a/b", "http:/x", "yes"),
)  # fmt: skip
IP = Recognizer(
    "ip", "network (IP) addresses", "contact", Role.identifier, Item.IP,
    names=("ip", "ip address", "ip addr", "ipv4", "ipv6", "ip adresse", "ip adres", "adresse ip",
           "direccion ip", "remote addr", "client ip"),
    proof=is_ip,
    examples=("192.0.2.17", "2001:db8::1", "192.0.2.0/24"),
    counterexamples=("1.2.3", "300.1.1.1", "12:30", "1.234.567,00"),
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
