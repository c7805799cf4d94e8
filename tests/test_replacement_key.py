"""The key: the same everywhere with it, out of reach without it."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from discreet.replacement_key import ReplacementKeyError
from discreet.scrubbing.replace import ReplacementKey, Replacer
from discreet.scrubbing.replace.words import load_words
from tests.scrubbing.replace.applied import found


def _all(key: ReplacementKey, names: list[str], scope: str = "corpus") -> dict[str, str]:
    """Each name with its replacement, as one document would have them."""
    text = "\n".join(names)
    start, findings = 0, []
    for name in names:
        findings += [
            f._replace(start=start, end=start + len(name)) for f in found(name, (name, "NAME"))
        ]
        start += len(name) + 1
    new = Replacer(key=key, scope=scope).apply(text, findings, document="d").text
    return dict(zip(names, new.split("\n"), strict=True))


def _names() -> list[str]:
    return [name.capitalize() for name in load_words("en").order("last")[:400]]


def test_a_word_list_recovers_plain_hashes_but_not_keyed_names() -> None:
    names = _names()
    plain = {hashlib.sha256(name.encode()).hexdigest()[:12]: name for name in names}
    hashed = [hashlib.sha256(name.encode()).hexdigest()[:12] for name in names[:200]]
    assert [plain[token] for token in hashed] == names[:200]

    released = _all(ReplacementKey.for_this_run(), names[:200])
    worst = 0
    for guess in range(5):
        tried = _all(ReplacementKey(bytes([guess]) * 32), names)
        back = {new: old for old, new in tried.items()}
        worst = max(worst, sum(back.get(new) == old for old, new in released.items()))
    assert worst <= 4  # of 200; made-up names meet by chance now and then


def test_whoever_has_the_key_and_a_list_can_try_names_out() -> None:
    names, key = _names(), ReplacementKey(bytes(range(32)))
    released = _all(key, names[:200])
    back = {new: old for old, new in _all(key, names).items()}
    assert sum(back[new] == old for old, new in released.items()) > 190


def test_the_same_key_file_gives_the_same_replacements(tmp_path: Path) -> None:
    path = tmp_path / "names.key"
    made = ReplacementKey.create(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    names = _names()[:30]
    assert _all(made, names) == _all(ReplacementKey.load(path), names)
    assert _all(made, names) != _all(ReplacementKey.for_this_run(), names)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.key"
    ReplacementKey.create(path)
    path.chmod(0o644)
    with pytest.raises(ReplacementKeyError, match="chmod 600"):
        ReplacementKey.load(path)


def test_missing_damaged_and_short_keys_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.key"
    with pytest.raises(ReplacementKeyError, match="cannot be read"):
        ReplacementKey.load(path)
    for content in ("not hex", "abcd"):
        path.write_text(content)
        os.chmod(path, 0o600)  # noqa: PTH101
        with pytest.raises(ReplacementKeyError, match=r"damaged|bytes"):
            ReplacementKey.load(path)
    with pytest.raises(ReplacementKeyError, match="already"):
        ReplacementKey.create(path)


def test_a_drawn_key_is_said_and_never_shown() -> None:
    replacer = Replacer()
    assert replacer.apply("", []).facts()["key"] == "drawn for this run"
    given = Replacer(key=ReplacementKey(b"secret" + bytes(26)))
    assert given.apply("", []).facts()["key"] == "given"
    assert "secret" not in repr(given) and "ReplacementKey(given)" in repr(given)
