"""The words in which a policy says what is wrong: what there is, what was wanted, a guess."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from discreet.input_file import AddressError, refuse_address
from discreet.policy.policy_file import Key


def make_mistake(what: str, key: Key = ()) -> PydanticCustomError:
    """A mistake at ``key`` below the field that is being checked."""
    return PydanticCustomError("policy", "{what}", {"what": what, "key": key})


def make_mistakes(problems: list[tuple[Key, str]]) -> ValidationError:
    """Several mistakes, each at its key below the field that is being checked."""
    details = [
        InitErrorDetails(type=make_mistake(what), loc=key, input=None) for key, what in problems
    ]
    return ValidationError.from_exception_data("policy", details)


def describe_value(value: object) -> str:
    """What there is, in a few words; a policy holds no private values."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            if isinstance(value, int) and abs(value) >= 10**18:
                return "a number of more than 18 digits"
            return f"{value:g}" if isinstance(value, float) else str(value)
        case str():
            return f"the text '{value if len(value) <= 40 else value[:37] + '...'}'"
        case Mapping():
            return "a mapping"
        case list() | tuple() | set():
            return "a list"
        case _:
            return f"a {type(value).__name__}"


def hint_unquoted(value: object) -> str:
    """A hint for a number that was written as text."""
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return ""
        return f" Write it without quotes: {value.strip()}."
    return ""


def hint_percent(number: float) -> str:
    """A hint for a share that was written in percent.

    >>> hint_percent(2)
    ' Did you mean 0.02?'
    """
    return f" Did you mean {number / 100:g}?" if 0 < number <= 100 else ""


def add_article(noun: str) -> str:
    """A noun with its article.

    >>> add_article("algorithm"), add_article("model")
    ('an algorithm', 'a model')
    """
    return f"an {noun}" if noun[0].casefold() in "aeiou" else f"a {noun}"


def check_no_address(path: Any, name: str, key: Key = ()) -> None:
    """Refuse an address in the place of a path; ``name`` is that of the parameter."""
    try:
        refuse_address(path, name)
    except AddressError as error:
        raise make_mistake(str(error), key) from None
