"""Trained likelihoods as a small file: template to likelihood, and no word of the texts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from discreet.errors import LikelihoodsError, UnfitFileError, WriteError
from discreet.input_file import LIKELIHOODS, read_input
from discreet.table.atomic import appearing

FORMAT = "discreet likelihoods 1"


def save_likelihoods(
    path: str | Path, language: str, likelihoods: Mapping[str, float], replace: bool = True
) -> None:
    """Write likelihoods by ``section/name`` of their template, whole or not at all."""
    path = Path(path)
    whole = {"format": FORMAT, "language": language, "templates": dict(sorted(likelihoods.items()))}
    text = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    try:
        with appearing(path, path.suffix, replace=replace) as hidden:
            hidden.write_text(text, encoding="utf-8")
    except (OSError, WriteError) as error:
        reason = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
        raise LikelihoodsError(path, f"it cannot be written ({reason})", "Name another.") from None


def load_likelihoods(path: str | Path, language: str) -> dict[str, float]:
    """Read what ``save_likelihoods`` wrote, for texts of a language."""
    path = Path(path)
    try:
        whole = json.loads(read_input(path, LIKELIHOODS))
    except UnfitFileError as error:
        raise LikelihoodsError(path, error.what, error.fix) from None
    except FileNotFoundError:
        raise LikelihoodsError(path, "there is no such file") from None
    except (OSError, ValueError, RecursionError):
        raise LikelihoodsError(path, "it cannot be read as JSON") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise LikelihoodsError(path, "it holds no likelihoods")
    if whole.get("language") != language:
        raise LikelihoodsError(path, f"it is not for texts in '{language}'")
    return _checked(path, whole.get("templates"))


def _checked(path: Path, given: object) -> dict[str, float]:
    if not isinstance(given, dict):
        raise LikelihoodsError(path, "it names no templates")
    found = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise LikelihoodsError(path, f"the likelihood of '{name}' is not from 0 to 1")
        found[name] = float(value)
    return found
