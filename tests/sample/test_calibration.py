"""The town is as identifying as the printed one, by its ages and postal codes alone."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest

from discreet.sample.calibration import PRINTED, SHAPE, calibrate, compute_expected


def test_expected_figures_are_the_printed_ones() -> None:
    assert astuple(compute_expected(SHAPE)) == pytest.approx(astuple(PRINTED), abs=0.0005)


def test_the_shape_is_the_one_that_the_printed_figures_settle() -> None:
    assert astuple(calibrate()) == pytest.approx(astuple(SHAPE), rel=0.005)


def test_shares_add_up_to_one() -> None:
    assert SHAPE.birth_shares().sum() == pytest.approx(1)
    assert SHAPE.zip_shares().sum() == pytest.approx(1)


def test_fewer_zip_codes_cannot_give_the_printed_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.sample.calibration.ZIPS", 7)
    assert compute_expected(replace(SHAPE, zip_ratio=1.0)).birth_zip < PRINTED.birth_zip - 0.015
