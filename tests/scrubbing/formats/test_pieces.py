"""Long texts are cut into pieces, and nothing on a cut is missed."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.flow import cut_pieces, select_owned


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab \n", max_size=40), max_size=8), st.integers(1, 30), st.integers(1, 9))
def test_pieces_are_the_text(blocks: list[str], size: int, margin: int) -> None:
    made = list(cut_pieces(blocks, size, margin))
    assert "".join(piece.own for piece in made) == "".join(blocks)
    assert all(len(piece.own) <= size for piece in made)
    assert all(len(piece.shown) <= size + 2 * margin for piece in made)


def test_cuts_are_at_white_space_where_there_is_some() -> None:
    made = [piece.own for piece in cut_pieces(["Ann Lee saw Bo"], 9, 3)]
    assert made == ["Ann Lee ", "saw Bo"]
    assert [piece.own for piece in cut_pieces(["a" * 10], 4, 2)] == ["aaaa", "aaaa", "aa"]


def test_what_lies_across_a_cut_belongs_to_the_piece_it_starts_in() -> None:
    first, second = cut_pieces(["see Ann Lee now"], 8, 6)
    assert (first.own, second.own) == ("see Ann ", "Lee now")
    name = first.shown.index("Ann Lee")
    crossing = Finding(name, name + 7, "NAME", 0.9, "", "")
    assert select_owned(first, [crossing], first.lead) == [crossing]
    again = second.shown.index("Ann Lee")
    crossing = Finding(again, again + 7, "NAME", 0.9, "", "")
    assert select_owned(second, [crossing], second.lead + 3) == []
    assert select_owned(second, [crossing], second.lead)[0].start == second.lead
