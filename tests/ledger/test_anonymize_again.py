"""A second release beside the first: at its levels, above them, or refused with a reason."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import DiscreetError, EarlierReleaseError, LedgerError, WriteError
from discreet.hierarchy import Dates, Flat, Tree
from discreet.ledger import anonymize_again as recorded
from discreet.ledger import key
from discreet.ledger import ledger as durable
from discreet.ledger import ledger as ledger_module
from discreet.ledger.anonymize_again import anonymize_again
from discreet.ledger.key import find_key_path
from discreet.ledger.ledger import Ledger
from discreet.pipeline.anonymize import Release
from discreet.policy.policy import Policy
from discreet.table import atomic
from discreet.table.atomic import NameTakenError
from tests.ledger.joined import Held, known_groups

BIRTH = Tree({"*": {"1960s": ["1964", "1965"], "1970s": ["1974", "1975"]}})
SEX = Tree({"human": ["male", "female"]})
PEOPLE = [("1964", "male"), ("1964", "male"), ("1974", "female"), ("1974", "female")]

Again = Callable[..., Release]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger") as opened:
        yield opened


@pytest.fixture
def again(ledger: Ledger) -> Again:
    """Make a release and enter it, without a file."""

    def make(
        people: list[tuple[str, ...]], to: str = "public", removed: bool = False, **more: Any
    ) -> Release:
        policy = _policy(**more)
        release = anonymize_again(_table(people), policy, ledger, to, removed=removed)
        ledger.add(release.record.entry("release.csv", "hash"))
        return release

    return make


def _table(people: list[tuple[str, ...]]) -> pa.Table:
    names = ("birth", "sex", "ill")
    filled = [(*person, "flu")[:3] for person in people]
    columns = {
        name: list(cells) for name, cells in zip(names, zip(*filled, strict=True), strict=True)
    }
    return pa.table({"id": [str(n) for n in range(len(people))], **columns})


def _policy(quasi: str = "birth sex", k: int = 2, **more: Any) -> Policy:
    builders: dict[str, Any] = {"birth": BIRTH, "sex": SEX, "ill": Flat(), **more.pop("trees", {})}
    columns: dict[str, Any] = {"id": {"role": "other"}}
    columns |= {name: {"role": "quasi", "hierarchy": builders[name]} for name in quasi.split()}
    columns |= more.pop("columns", {})
    return Policy(columns=columns, require=more.pop("require", [{"k_anonymity": {"k": k}}]), **more)


def _held(release: Release) -> Held:
    with release._build_recoder().open_reader() as rows:
        return Held.of(rows.read_all(), release.levels)


def test_the_first_release_is_the_one_without_a_ledger(again: Again) -> None:
    first = again(PEOPLE)
    assert first.levels == {"birth": 0, "sex": 0}
    assert first.facts()["ledger"]["known"] == []
    assert [verdict.model for verdict in first.verdicts] == ["k_anonymity"]


def test_new_rows_are_added_without_changing_the_old_ones(again: Again) -> None:
    again([*PEOPLE[:3], ("1975", "female")])
    second = again([*PEOPLE, ("1975", "female"), ("1975", "female")])
    assert second.levels == {"birth": 1, "sex": 0}
    assert second.known == (1,)


def test_coarser_levels_need_k_new_rows_beside_the_old_ones(again: Again) -> None:
    again(PEOPLE)
    with pytest.raises(EarlierReleaseError, match="fewer than 2 new rows"):
        again([*PEOPLE, ("1965", "male")])
    third = again([*PEOPLE, ("1965", "male"), ("1965", "female")])
    assert third.levels == {"birth": 0, "sex": 1}
    assert third.verdicts[-1].measured == 2


def test_rows_first_seen_at_coarser_levels_are_counted_together(again: Again) -> None:
    people = [("1964", "male")] * 2 + [("1974", "male")] * 2
    again(people)
    people += [("1965", "male"), ("1975", "male")]
    assert again(people).levels == {"birth": 2, "sex": 0}
    assert again([*people, ("1964", "male")]).verdicts[-1].measured == 3


def test_a_new_row_is_not_alone_at_levels_that_only_old_rows_had(again: Again) -> None:
    people = [("1964", "male")] * 2 + [("1974", "male")] * 2
    again(people)
    assert again(people, k=4).levels == {"birth": 2, "sex": 0}
    with pytest.raises(EarlierReleaseError, match="new rows"):
        again([*people, ("1964", "male")])


def test_suppressed_rows_are_new_to_whoever_sees_them_later(again: Again) -> None:
    odd = [*PEOPLE, *PEOPLE, ("1965", "male")]
    first = again(odd, suppress=0.2)
    assert first.solution.suppressed == 1
    with pytest.raises(EarlierReleaseError, match="new rows"):
        again(odd)
    assert again(odd, suppress=0.2).solution.suppressed == 1


def test_a_new_column_is_added_at_the_levels_of_then(again: Again) -> None:
    people = [("1964", "male")] * 3 + [("1965", "female")] * 3
    assert again(people, quasi="birth", k=4).levels == {"birth": 1}
    assert again([*people, ("1964", "male")]).levels == {"birth": 1, "sex": 0}


def test_new_rows_do_not_make_up_for_old_ones_that_a_new_column_sets_apart(again: Again) -> None:
    people = [("1964", "male"), ("1964", "male"), ("1964", "female")]
    again(people, quasi="birth")
    assert again([*people, ("1964", "female")]).levels == {"birth": 0, "sex": 1}


def test_a_column_that_was_added_once_stays_though_the_table_grows(again: Again) -> None:
    people = [("1964", "male"), ("1964", "male"), ("1964", "female"), ("1964", "female")]
    again(people, quasi="birth")
    assert again(people).levels == {"birth": 0, "sex": 0}
    assert again([*people, *people]).levels == {"birth": 0, "sex": 0}


def test_a_new_column_needs_the_levels_of_every_release_that_lacks_it(again: Again) -> None:
    people = [("1964", "male")] * 2 + [("1965", "male")] * 2
    again(people, quasi="birth")
    assert again(people, quasi="birth", k=4).levels == {"birth": 1}
    with pytest.raises(EarlierReleaseError, match="Leave sex out"):
        again(people)


def test_a_class_that_a_new_column_would_split_is_left_out_as_a_whole(again: Again) -> None:
    people = [("1964", "male")] * 2 + [("1964", "female")] + [("1974", "male")] * 4
    again(people, quasi="birth")
    second = again(people, suppress=0.5, measure="precision")
    assert second.levels == {"birth": 0, "sex": 0}
    assert second.solution.suppressed == 3
    vanished = set(_held(again(people, quasi="birth sex", suppress=0.5)).rows)
    assert vanished == {"3", "4", "5", "6"}


def test_a_public_release_is_put_beside_what_any_audience_holds(again: Again) -> None:
    again(PEOPLE, to="council", quasi="birth sex", prefer=("birth",))
    second = again([*PEOPLE, ("1965", "male"), ("1965", "female")], to="public")
    assert second.known == (1,)
    assert again(PEOPLE[:2], to="a newspaper", removed=True).known == (2,)


def test_audiences_that_hold_nothing_are_free(again: Again) -> None:
    again([*PEOPLE, ("1965", "male"), ("1965", "female")], to="council")
    assert again(PEOPLE, to="lab").known == ()


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ({"quasi": "birth"}, "sex was released as quasi"),
        ({"quasi": "birth", "columns": {"sex": {"role": "sensitive"}}}, "sex was released as q"),
        ({"trees": {"birth": Flat()}}, "the hierarchy of 'birth' is not the one"),
        ({"algorithm": "local"}, "local decides cell by cell"),
        ({"algorithm": "mondrian"}, "Use one that does not: optimal, datafly"),
        ({"quasi": "birth sex ill"}, "ill was released unchanged"),
    ],
)
def test_what_cannot_be_put_beside_is_refused_by_name(
    again: Again, second: dict[str, Any], told: str
) -> None:
    again(PEOPLE, columns={"ill": {"role": "other"}})
    with pytest.raises(EarlierReleaseError, match=told) as refused:
        again(PEOPLE, **second)
    assert refused.value.numbers == (1,)


def test_nothing_is_released_beside_cells(again: Again) -> None:
    again(PEOPLE, algorithm="mondrian")
    with pytest.raises(EarlierReleaseError, match="made by mondrian, cell by cell"):
        again(PEOPLE)


@pytest.mark.parametrize("setting", [{"missing": "wildcard"}, {"suppressed_rows": "keep"}])
def test_settings_that_blur_who_is_in_which_class_are_refused(
    again: Again, setting: dict[str, str]
) -> None:
    with pytest.raises(LedgerError, match=next(iter(setting))):
        again(PEOPLE, **setting)


def test_promises_on_sensitive_values_hold_at_the_levels_of_then_only(again: Again) -> None:
    more = {
        "columns": {"ill": {"role": "sensitive"}},
        "require": [{"k_anonymity": {"k": 2}}, {"l_diversity": {"column": "ill", "ell": 2}}],
    }
    people = [("1964", "male", "flu"), ("1964", "male", "gout")] * 2
    again(people, **more)
    assert again([*people, ("1964", "male", "flu")], **more).levels == {"birth": 0, "sex": 0}
    with pytest.raises(
        EarlierReleaseError, match=r"l_diversity can be kept .* at their own levels"
    ):
        again([*people, ("1965", "male", "flu")], removed=True, **more)


def test_rows_that_are_gone_are_told(again: Again) -> None:
    again([*PEOPLE, PEOPLE[0]])
    with pytest.raises(EarlierReleaseError, match="1 row released then cannot be found"):
        again(PEOPLE)
    second = again(PEOPLE, removed=True)
    assert any("1 row of release 1 cannot be found" in note for note in second.facts()["notes"])


def test_rows_that_are_written_more_finely_than_then_are_refused(again: Again) -> None:
    dates = {"trees": {"birth": Dates(("year",))}}
    again([("1964-01", "male")] * 2, **dates)
    with pytest.raises(EarlierReleaseError, match="2 rows released then cannot be found"):
        again([("1964-01-02", "male")] * 2, **dates)


def test_where_rows_are_gone_new_ones_must_be_as_many_more(again: Again) -> None:
    people = [("1964", "male")] * 3 + [("1974", "male")] * 2
    again(people)
    grown = [*people[1:], ("1975", "male"), ("1975", "male"), ("1975", "male")]
    with pytest.raises(EarlierReleaseError):
        again([*grown[:-2], ("1965", "male")], removed=True)


def test_classes_known_to_be_small_are_told(again: Again) -> None:
    again(PEOPLE)
    second = again([*PEOPLE, *PEOPLE], k=3)
    assert any("classes of 2 rows" in note for note in second.facts()["notes"])


def test_two_releases_joined_keep_k(again: Again) -> None:
    first = again(PEOPLE)
    second = again([*PEOPLE, ("1965", "male"), ("1965", "female")])
    assert min(known_groups([_held(first), _held(second)]).values()) == 2


def test_a_written_release_is_entered_before_it_appears(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, seen = tmp_path / "out.csv", []
    real = atomic.take_name

    def take(hidden: Path, to: Path, replace: bool) -> None:
        if to == target:
            seen.append((len(Ledger.read(ledger.path).releases()), target.exists()))
        real(hidden, to, replace)

    monkeypatch.setattr(atomic, "take_name", take)
    anonymize_again(_table(PEOPLE), _policy(), ledger, "public").write(target)
    assert seen == [(1, False)]
    text = ledger.path.read_text()
    assert not any(value in text for value in ('"1964"', '"flu"'))


def test_a_release_that_cannot_take_its_name_is_withdrawn(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = atomic.take_name

    def take(hidden: Path, target: Path, replace: bool) -> None:
        if target.name == "out.csv":
            raise OSError(5, "Input/output error")
        real(hidden, target, replace)

    monkeypatch.setattr(atomic, "take_name", take)
    release = anonymize_again(_table(PEOPLE), _policy(), ledger, "public")
    with pytest.raises(WriteError, match="Nothing was written"):
        release.write(tmp_path / "out.csv")
    assert ledger.withdrawn == {1}
    assert Ledger.read(ledger.path).releases() == ()
    assert release.facts()["ledger"]["number"] is None


@pytest.fixture
def drop_box() -> Iterator[Path]:
    """A folder that one may write to and not list, for a user who is not root."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        box = Path(name) / "box"
        box.mkdir()
        box.chmod(0o300)
        root = os.geteuid() == 0
        if root:
            os.chown(box, 65534, 65534)
        yield box
        if root:
            os.seteuid(0)
        box.chmod(0o700)


def test_a_release_in_a_drop_box_is_out_and_stays_in_the_ledger(drop_box: Path) -> None:
    with Ledger.open(drop_box.with_name("ledger")) as ledger:
        release = anonymize_again(_table(PEOPLE), _policy(), ledger, "public")
        release.write(drop_box.with_name("loads all that is needed.csv"))
        if os.geteuid() == 0:
            ledger_files = (ledger.path, ledger.key.path, ledger.path.parent)
            for path in ledger_files:
                os.chown(path, 65534, 65534)
            os.seteuid(65534)
        release.write(drop_box / "out.csv")
        assert (drop_box / "out.csv").exists()
        assert ledger.withdrawn == frozenset()
        assert [one.file for one in ledger.releases()][-1] == "out.csv"
        assert ledger.unconfirmed == frozenset()


def test_a_release_whose_name_is_taken_meanwhile_is_withdrawn(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, real = tmp_path / "out.csv", Release._check

    def check(self: Release, *written: Any) -> None:
        real(self, *written)
        target.write_text("of another run")

    monkeypatch.setattr(Release, "_check", check)
    release = anonymize_again(_table(PEOPLE), _policy(), ledger, "public")
    with pytest.raises(NameTakenError, match="created this in the meantime"):
        release.write(target, replace=False)
    assert target.read_text() == "of another run"
    assert ledger.releases() == ()
    release.write(target)
    assert target.read_text().startswith("id,")
    assert [one.number for one in ledger.releases()] == [3]


def _lines_of(action: Callable[[], None]) -> list[tuple[str, str, int]]:
    """The lines that enter, reveal and confirm a release, each once, in order."""
    seen: dict[tuple[str, str, int], None] = {}
    _traced(action, lambda place: seen.setdefault(place))
    return list(seen)


def _traced(action: Callable[[], None], at: Callable[[tuple[str, str, int]], None]) -> None:
    watched = {module.__file__ for module in (atomic, durable, key, ledger_module, recorded)}

    def trace(frame: Any, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in watched:
            return None
        if event == "line":
            at((code.co_filename, code.co_name, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("kind", ["error", "interrupt", "signal"])
def test_the_ledger_says_what_is_on_disk_wherever_a_run_is_interrupted(
    tmp_path: Path, kind: str
) -> None:
    with Ledger.open(tmp_path / "ledger") as ledger:
        release = anonymize_again(_table(PEOPLE), _policy(), ledger, "public")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def strike() -> None:
        if kind == "signal":
            os.kill(os.getpid(), signal.SIGINT)
        else:
            raise KeyboardInterrupt if kind == "interrupt" else OSError(5, "Input/output error")

    def reveal(folder: Path) -> None:
        """The end of a run: its release is checked, and is to be entered and to appear."""
        folder.mkdir()
        with Ledger.open(folder / "ledger") as opened:
            standing = replace(release.record.standing, ledger=opened)
            run = replace(release.record, standing=standing, _written={})
            run._written["entry"] = run.entry("out.csv", "hash")
            with atomic.open_hidden_file(folder / "out.csv", ".csv", journal=run) as hidden:
                hidden.write_text("rows")

    outcomes = set()
    try:
        for number, place in enumerate(_lines_of(lambda: reveal(tmp_path / "first"))):
            struck: list[Any] = []

            def at(now: tuple[str, str, int], place: Any = place, struck: Any = struck) -> None:
                if now == place and not struck:
                    struck.append(now)
                    strike()

            folder = tmp_path / str(number)
            with suppress(KeyboardInterrupt, DiscreetError, OSError):
                _traced(lambda folder=folder: reveal(folder), at)
            out = (folder / "out.csv").exists()
            counts = doubt = False
            if (folder / "ledger").exists() and find_key_path(folder / "ledger").exists():
                found = Ledger.read(folder / "ledger")
                counts, doubt = bool(found.releases()), bool(found.unconfirmed)
            assert counts or not out, place
            assert out or not counts or doubt, place
            if kind == "signal":
                assert counts == out and not doubt, place
            outcomes.add((out, counts))
    finally:
        signal.signal(signal.SIGINT, before)
        atomic.unfinished.clear()
    assert {(True, True), (False, False)} <= outcomes


def test_a_table_has_one_name_however_its_accents_are_written(ledger: Ledger) -> None:
    first = anonymize_again(_table(PEOPLE), _policy(), ledger, "public", "Clinique Sant\u00e9")
    ledger.add(first.record.entry("release.csv", "hash"))
    again = anonymize_again(_table(PEOPLE), _policy(), ledger, "public", "clinique  sante\u0301")
    assert again.known == (1,)
