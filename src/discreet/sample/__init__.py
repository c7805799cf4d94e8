"""A made town to try discreet on: nobody in it exists, and one seed gives one town."""

from __future__ import annotations

from discreet.sample.town import Town, encode_csv, make

__all__ = ["Town", "encode_csv", "make"]
