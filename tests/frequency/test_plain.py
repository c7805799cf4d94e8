"""Each loop and its twin in numpy give the same answer, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.algorithms.local import kernels as local_kernels
from discreet.algorithms.local.ground import Ground
from discreet.errors import InternalError
from discreet.frequency import compiled, kernels, plain
from discreet.frequency.compiled import compile_loop
from discreet.identification.keys import kernels as key_kernels
from discreet.risks import special_uniques

SIZES = [0, 1, 7, 400]


def assert_same(found: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    elif isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        assert found.tobytes() == wanted.tobytes()
    else:
        assert found == wanted


def assert_twins_agree(loop: compiled.Loop, *arguments: Any) -> None:
    assert loop.plain is not None
    assert_same(loop.plain(*arguments), loop.compiled(*arguments))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.mark.parametrize("words", [1, 3])
@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_classes_are_merged_alike(
    rng: np.random.Generator, words: int, wanted: bool, size: int
) -> None:
    keys = rng.integers(0, 1 << 12, (words, size)).astype(np.uint64)
    keys |= rng.integers(0, 3, (words, size)).astype(np.uint64) << np.uint64(62)
    rows = rng.integers(0, 9, size)
    word = np.array([0, words - 1])
    shift, bits, start = np.array([0, 4]), np.array([4, 8]), np.array([0, 16])
    table = rng.integers(0, 3, 16 + 256).astype(np.uint64)
    arguments = (keys, rows, word, shift, bits, table, start, max(1, size), wanted)
    loop = kernels.roll_up_narrow if words == 1 else kernels.roll_up_wide
    assert_same(plain.roll_up(*arguments), loop(*arguments))


@pytest.mark.parametrize("size", SIZES)
def test_sums_are_added_up_alike(rng: np.random.Generator, size: int) -> None:
    inverse = rng.integers(0, 5, size).astype(np.int32)
    assert_twins_agree(kernels.roll_up_tallies, rng.random((2, size)), inverse, 5)


@pytest.mark.parametrize("size", SIZES)
def test_sensitive_values_are_merged_alike(rng: np.random.Generator, size: int) -> None:
    owner = rng.integers(0, 50, size).astype(np.int32)
    value = rng.integers(0, 6, size).astype(np.int32)
    inverse = rng.integers(0, 9, 50).astype(np.int32)
    assert_twins_agree(kernels.roll_up_values, owner, value, rng.integers(1, 9, size), inverse, 6)


def test_fields_are_composed_alike(rng: np.random.Generator) -> None:
    shift, bits, start = np.array([0, 3]), np.array([3, 2]), np.array([0, 6, 9])
    maps = rng.integers(0, 2, 9).astype(np.uint64)
    tables = [np.full(32, 7, np.uint64) for _ in range(2)]
    plain.compose(tables[0], shift, bits, maps, start)
    kernels.compose.compiled(tables[1], shift, bits, maps, start)
    assert_same(*tables)


@pytest.mark.parametrize("size", SIZES)
def test_suppressed_classes_are_priced_alike(rng: np.random.Generator, size: int) -> None:
    keys = rng.integers(0, 1 << 6, (2, size)).astype(np.uint64)
    mass = rng.random(size) * rng.integers(0, 2, size)
    place = np.array([0, 0, 1]), np.array([0, 3, 0]), np.array([3, 3, 6])
    assert_twins_agree(kernels.price, keys, mass, *place, rng.random(80), np.array([0, 8, 16]))


@pytest.mark.parametrize("words", [1, 2])
def test_rows_are_counted_alike_batch_after_batch(rng: np.random.Generator, words: int) -> None:
    """Whichever of the two counts a batch: the other goes on from there."""
    batches = [rng.integers(0, 12, (words, size)).astype(np.uint64) for size in (40, 1, 0, 90)]
    amounts = [rng.random((1, batch.shape[1])) for batch in batches]
    tables = []
    for use in ("plain", "compiled", "both"):
        slots, indexed = np.full(1024, kernels.EMPTY, np.int32), np.zeros(1, np.int64)
        store, rows = np.zeros((words, 256), np.uint64), np.zeros(256, np.int64)
        sums, found = np.zeros((1, 256)), 0
        for place, (batch, amount) in enumerate(zip(batches, amounts, strict=True)):
            twin = use == "plain" or (use == "both" and place % 2 == 0)
            count = kernels.tally.plain if twin else kernels.tally.compiled
            assert count is not None
            found = count(slots, indexed, store, rows, sums, found, batch, amount)
        tables.append((store, rows, sums, found))
    assert_same(tables[0], tables[1])
    assert_same(tables[2], tables[1])


def test_keys_are_found_alike(rng: np.random.Generator) -> None:
    store = np.unique(rng.integers(0, 60, 30)).astype(np.uint64)[None, :]
    batch = rng.integers(0, 60, (1, 80)).astype(np.uint64)
    slots = np.full(128, kernels.EMPTY, np.int32)
    assert_twins_agree(kernels.find, slots, np.zeros(1, np.int64), store, batch)


@pytest.mark.parametrize("size", SIZES)
def test_partitions_are_split_alike(rng: np.random.Generator, size: int) -> None:
    order = rng.permutation(size).astype(np.int32)
    inner = np.flatnonzero(rng.random(size) < 0.2)
    starts = np.unique(np.concatenate([[0], inner, [size]])).astype(np.int64)
    column = rng.integers(0, 4, size).astype(np.int32)
    assert_twins_agree(key_kernels.split, order, starts, column, 4)
    assert_twins_agree(key_kernels.count_split, order, starts, column, 4)


@pytest.mark.parametrize("values", [5, 1 << 20])
def test_labels_are_refined_alike(rng: np.random.Generator, values: int) -> None:
    labels = rng.integers(0, 7, 300).astype(np.int32)
    column = rng.integers(0, values, 300).astype(np.int32)
    assert_twins_agree(key_kernels.refine_labels, labels, column, 7, values)


@pytest.mark.parametrize("pairs", [0, 1, 64, 130])
def test_pairs_are_separated_alike(rng: np.random.Generator, pairs: int) -> None:
    codes = rng.integers(0, 2, (3, 50)).astype(np.int32)
    left, right = rng.integers(0, 50, (2, pairs)).astype(np.int32)
    assert_twins_agree(key_kernels.separated_pairs, codes, left, right)
    bits = key_kernels.separated_pairs(codes, left, right)
    covered = rng.integers(0, 1 << 62, bits.shape[1]).astype(np.uint64)
    assert_twins_agree(key_kernels.covered_more, bits, covered)


def test_sample_uniques_are_recorded_alike(rng: np.random.Generator) -> None:
    """Three sets of columns one after the other: a unique that is known is not recorded again."""
    columns = [rng.integers(0, size, 90).astype(np.int32) for size in (30, 25, 20)]
    rows = rng.integers(1, 3, 90)
    answers = []
    for loop in (special_uniques.split.plain, special_uniques.split.compiled):
        assert loop is not None
        heads, nexts = np.full(90, -1), np.full(500, -1)
        masks, used = np.zeros(500, np.uint64), 0
        members, starts = np.arange(90, dtype=np.int32), np.array([0, 90])
        found = []
        for place, codes in enumerate(columns):
            subset = np.uint64((1 << (place + 1)) - 1)
            members, starts, alone, used = loop(
                members, starts, codes, rows, 30, subset, heads, nexts, masks, used
            )
            found.append((members, starts, alone, int(used)))
        answers.append((*found, heads, nexts, masks))
    assert 0 < answers[0][0][3] < answers[0][1][3]
    assert_same(answers[0], answers[1])


def test_floors_are_raised_alike(rng: np.random.Generator) -> None:
    tuples, size, height = 200, np.array([8, 4]), np.array([2, 1])
    start = np.array([0, 24])
    up = np.concatenate([np.arange(8), np.arange(8) // 2, np.zeros(8), np.arange(4), np.zeros(4)])
    worth = np.concatenate([rng.random(8) / 9 + 0.4, rng.random(16) / 3, rng.random(8) / 3])
    key = np.concatenate([up[:24], 8 * up[24:]]).astype(np.uint64)
    codes = np.column_stack([rng.integers(0, 8, tuples), rng.integers(0, 4, tuples)])
    codes = np.ascontiguousarray(codes, np.int32)
    whole = worth[codes[:, 0]] + worth[24 + codes[:, 1]]
    rows = rng.integers(1, 4, tuples)
    ground = Ground(
        codes, rows, np.ones(tuples), whole, whole, start, size, height,
        up.astype(np.int32), worth, key,
    )  # fmt: skip
    nodes = np.array([(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)])
    top = np.array([0.0, -0.01, -0.02, -0.1, -0.2])
    answers = []
    for loop in (local_kernels.raise_best.plain, local_kernels.raise_best.compiled):
        assert loop is not None
        live, best = np.arange(tuples), np.zeros(tuples)
        at, left = loop(ground, nodes, top, 0, 12, live, best)
        answers.append((int(at), int(left), best, np.sort(live[:left])))
    assert np.count_nonzero(answers[0][2]) > 0
    assert_same(answers[0], answers[1])


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled._COMPILER, "given", 0)


def test_a_loop_is_compiled_once_its_twin_has_been_given_enough(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "ENOUGH", 10)
    loop = compile_loop(plain=lambda numbers: "plain")(lambda numbers: "compiled")
    loop._compiled = lambda numbers: "compiled"
    assert [loop(np.zeros(4)) for _ in range(4)] == ["plain", "plain", "compiled", "compiled"]


def test_a_weight_counts_numbers_as_often_as_they_are_read(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "ENOUGH", 10)
    loop = compile_loop(plain=lambda numbers: "plain", weight=3)(lambda numbers: "compiled")
    loop._compiled = lambda numbers: "compiled"
    assert loop((np.zeros(4), 1)) == "compiled"


def test_whoever_listens_is_told_of_the_compiler() -> None:
    told = []
    compiled.listen_to_compiler(lambda: told.append("compiling"))
    before = compiled.read_compile_seconds()
    try:
        assert compiled._COMPILER.load().njit(_double)(3) == 6
    finally:
        compiled.listen_to_compiler(None)
    assert told == ["compiling"]
    assert compiled.read_compile_seconds() > before


def _double(number: Any) -> Any:
    return number + number


def test_an_inner_loop_cannot_be_called_from_python() -> None:
    with pytest.raises(InternalError, match="_double"):
        compile_loop(inner=True)(_double)(3)
