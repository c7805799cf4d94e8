"""Accounts, payment cards, certificates and licences."""

from __future__ import annotations

import re

from discreet.kinds.checksums import luhn, mod_97, normalize_number
from discreet.kinds.recognizer import Item, Recognizer, is_code
from discreet.table.table import Role

_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_CARD = re.compile(r"[3-6]\d{12,18}")
_SPACED = re.compile(r"\d+([ -]\d+)*")
_DEA = re.compile(r"[ABFGMPRX][A-Z9]\d{7}")


def is_iban(value: str) -> bool:
    """An international bank account number, by its remainder of 97.

    The form that each country gives to its numbers is not checked: a table of countries grows old,
    and an account that is missed is worse than one in a hundred random numbers that is not one.

    >>> is_iban("GB82 WEST 1234 5698 7654 32"), is_iban("GB82 WEST 1234 5698 7654 33")
    (True, False)
    """
    text = normalize_number(value)
    return _IBAN.fullmatch(text) is not None and mod_97(text)


def is_card(value: str) -> bool:
    """A payment card number in a column, by its first digit, length and check digit."""
    if _SPACED.fullmatch(value) is None:
        return False
    digits = normalize_number(value)
    return _CARD.fullmatch(digits) is not None and luhn(digits)


def is_prescriber(value: str) -> bool:
    """A DEA number, by its check digit."""
    if _DEA.fullmatch(value) is None:
        return False
    digits = [int(digit) for digit in value[2:]]
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def is_npi(value: str) -> bool:
    """A national provider identifier, by its check digit."""
    return len(value) == 10 and value.isdecimal() and value[0] in "12" and luhn("80840" + value)


IBAN = Recognizer(
    "iban", "bank account numbers (IBAN)", "accounts", Role.identifier, Item.ACCOUNT,
    names=("iban",), proof=is_iban, chance=0.01,
    examples=("DE89 3704 0044 0532 0130 00", "NL91ABNA0417164300", "GB29NWBK60161331926819"),
    counterexamples=("DE89370400440532013001", "NL91", "yes"),
)  # fmt: skip
CARD = Recognizer(
    "payment card", "payment card numbers", "accounts", Role.identifier, Item.ACCOUNT,
    names=("credit card", "credit card number", "card number", "card no", "cc number", "ccn",
           "debit card", "pan", "kreditkarte", "kreditkartennummer", "creditcard",
           "creditcardnummer", "carte bancaire", "tarjeta", "numero de tarjeta"),
    proof=is_card, chance=0.1,
    examples=("4111 1111 1111 1111", "378282246310005", "5555-5555-5555-4444"),
    counterexamples=("4111 1111 1111 1112", "1111111111111117", "4111", "1.5"),
)  # fmt: skip
ACCOUNT = Recognizer(
    "account", "account numbers", "accounts", Role.identifier, Item.ACCOUNT,
    names=("account", "account number", "account no", "account id", "acct", "acct no",
           "bank account", "bank account number", "customer number", "customer id", "client id",
           "client number", "invoice number", "konto", "kontonummer", "kundennummer", "kunden id",
           "rekening", "rekeningnummer", "klantnummer", "klant id", "numero de compte",
           "numero client", "numero de cuenta", "cuenta", "numero de cliente", "bic swift"),
    fits=is_code, examples=("0532013000", "AC-1234"), counterexamples=("savings", "17"),
)  # fmt: skip
PROVIDER = Recognizer(
    "provider licence", "licence numbers of care givers", "accounts", Role.identifier, Item.LICENCE,
    names=("npi", "npi number", "dea", "dea number", "prescriber id", "provider id"),
    fits=is_code, proof=is_prescriber, chance=0.1,
    examples=("AB1234563",), counterexamples=("AB1234562", "1234563", "yes"),
)  # fmt: skip
NPI = Recognizer(
    "npi", "national provider identifiers", "accounts", Role.identifier, Item.LICENCE,
    proof=is_npi, chance=0.1,
    examples=("1234567893",), counterexamples=("1234567890", "3234567893"),
)  # fmt: skip
LICENCE = Recognizer(
    "licence", "certificate or licence numbers", "accounts", Role.identifier, Item.LICENCE,
    names=("license", "licence", "license number", "licence number", "license no", "licence no",
           "driver license", "drivers license", "driving licence", "certificate",
           "certificate number", "certificate no", "fuhrerschein", "fuehrerschein",
           "fuhrerscheinnummer", "zertifikatsnummer", "rijbewijs", "rijbewijsnummer",
           "permis de conduire", "numero de permis", "licencia", "licencia de conducir"),
    fits=is_code, examples=("S1234567", "D123-4567-8901"), counterexamples=("yes", "full"),
)  # fmt: skip

ALL = (IBAN, CARD, ACCOUNT, PROVIDER, NPI, LICENCE)
