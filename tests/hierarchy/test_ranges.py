"""Values that do not fit as the others do: open ends, ranges, suffixes, and the rest."""

from __future__ import annotations

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Dates, Intervals, Prefix, WithSuppression, make_builder, write_spec
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.date_formats import decide_formats
from discreet.hierarchy.numbers import NumberReader, read_numbers
from discreet.hierarchy.ranges import OddValues, read_span, sort_values
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError


def labels_of(builder, values):
    """What each value is at level 1, 2, ..."""
    built = builder.build("column", values)
    return [
        [labels[code] for code in codes]
        for codes, labels in zip(built.maps[1:], built.labels[1:], strict=True)
    ]


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [
        *[(text, 90, None) for text in ("90+", "90 +", "90 and over", "90 or older", ">=90")],
        *[(text, 90, None) for text in ("≥ 90", "at least 90", "90 years and over", "ab 90")],
        *[(text, None, 5) for text in ("<5", "under 5", "Less than 5", "unter 5", "below 5")],
        *[(text, None, 6) for text in ("<=5", "up to 5", "5 and under", "5 or fewer")],
        *[(text, 5, 10) for text in ("5-9", "5 - 9", "5–9", "5 to 9", "[5, 10)", "5 to <10")],
        ("-10 to -6", -10, -5),
        ("1.5-2.5", 1.5, 2.6),
    ],
)
def test_open_ends_and_ranges_are_read_as_people_write_them(written, low, high):
    found = read_span(written, NumberReader([]))
    read = [None if end is None else float(end) for end in found]
    assert read == [low, high]


@pytest.mark.parametrize("written", ["about 90", "unknown", "9-5", "90++", "+", "5-9-12", "a-b"])
def test_what_is_no_range_is_not_taken_for_one(written):
    assert read_span(written, NumberReader([])) is None


def test_an_open_end_goes_into_the_group_that_holds_all_of_it():
    ages = Intervals([5, 10], top=90, bottom=5, others="group")
    values = ["17", "90+", "over 89", "95 and older", "under 5", "<3"]
    assert labels_of(ages, values)[0] == ["15-19", ">=90", ">=90", ">=90", "<5", "<5"]


def test_an_open_end_is_never_put_into_an_interval_that_holds_a_part_of_it():
    ages = Intervals([5, 100], others="group")
    assert labels_of(ages, ["17", "90+"])[:2] == [["15-19", "other"], ["0-99", "other"]]
    higher = Intervals([5], top=95, others="group")
    assert labels_of(higher, ["17", "90+"])[0] == ["15-19", "other"]


def test_a_range_stays_as_found_until_a_level_holds_all_of_it():
    ages = Intervals([5, 10, 20], others="group")
    assert labels_of(ages, ["12", "10-19", "5-9", "15-25"]) == [
        ["10-14", "10-19", "5-9", "other"],
        ["10-19", "10-19", "0-9", "other"],
        ["0-19", "0-19", "0-19", "other"],
        ["*", "*", "*", "*"],
    ]


def test_over_a_number_that_may_have_decimals_leaves_out_nothing():
    amounts = Intervals([1], top=90, others="group")
    assert labels_of(amounts, ["1.5", "over 89"])[0] == ["1 to <2", "other"]


def test_what_cannot_be_read_is_one_group_and_missing_stays_apart():
    ages = Intervals([5], others="group")
    assert labels_of(ages, ["12", "unknown", "n/a", None])[0] == ["10-14", "other", "other", None]


def test_without_others_the_values_are_counted_as_before():
    with pytest.raises(UnreadableValuesError, match="2 of its 3 different values") as caught:
        Intervals([5]).build("age", ["12", "90+", "old"])
    assert "others: group" in str(caught.value)
    assert "old" not in str(caught.value)


def test_how_many_values_and_rows_went_where_is_counted():
    values = ["12", "90+", "10-19", "ancient", None]
    builder = WithSuppression(Intervals([5, 10], top=90, others="group"))
    kinds = sort_values(builder, "age", values)
    assert kinds == ["fits", "range", "later", "other", "missing"]
    found = OddValues.of("age", kinds, [5, 4, 3, 2, 1])
    assert found.facts() == {
        "column": "age",
        "range": {"values": 1, "rows": 4},
        "later": {"values": 1, "rows": 3},
        "other": {"values": 1, "rows": 2},
    }
    assert "1 value, 2 rows" in found.note
    assert "ancient" not in found.note


def test_what_a_label_stands_for_includes_open_ends_and_the_rest():
    builder = Intervals([5], top=95, others="group")
    ground = ["12", "97", "90+", "old", "95+"]
    atoms = Atoms.of("age", [">=95", "10-14", "other"], builder, ground)
    assert atoms.fits(">=95", "95+")
    assert atoms.fits("other", "90+")
    assert atoms.fits("other", "old")
    assert atoms.overlap(">=95", "90+")
    assert not atoms.fits("other", "12")
    assert not atoms.fits("10-14", "old")


# Codes


def test_a_suffix_is_cut_from_level_1_on():
    zips = Prefix([4, 3], code=5)
    assert labels_of(zips, ["02138", "02138-1234", "021391234", "0214"])[0] == [
        *("0213*", "0213*", "0213*", "0214")
    ]


def test_what_is_no_code_is_the_rest():
    zips = Prefix([4, 3], code=5, others="group")
    values = ["02138", "Boston", "2138", "n/a", "Springfield", None]
    assert labels_of(zips, values)[0] == ["0213*", *["other"] * 4, None]


def test_a_masked_code_stands_for_codes_with_a_suffix():
    builder = Prefix([4, 3], code=5, others="group")
    atoms = Atoms.of("zip", ["0213*", "other"], builder, ["02138", "02138-1234", "x"])
    assert atoms.fits("0213*", "02138-1234")
    assert atoms.fits("other", "x")
    assert not atoms.fits("other", "02138")


def test_a_rest_of_codes_needs_their_length():
    with pytest.raises(HierarchyError, match="'others' needs 'code'"):
        Prefix([4, 3], others="group")
    with pytest.raises(HierarchyError, match="above all lengths"):
        Prefix([5, 3], code=5)


# Dates


def test_dates_in_several_formats_are_read_format_by_format():
    values = ["1999-03-25", "03/25/1999", "03/04/1999", "25 Mar 1999"]
    assert labels_of(Dates(["day"]), values)[0] == [
        *("1999-03-25", "1999-03-25", "1999-03-04", "1999-03-25")
    ]


def test_dates_that_may_be_day_or_month_first_are_asked_for_with_the_line_to_write():
    with pytest.raises(AmbiguousDatesError) as caught:
        Dates(["month"]).build("birth", ["1999-03-25", "03/04/1999", "05/06/1999"])
    message = str(caught.value)
    assert "2 of its different dates fit %d/%m/%Y and %m/%d/%Y" in message
    assert "format: ['%Y-%m-%d', '%d/%m/%Y']" in message
    assert "03/04" not in message


def test_a_rest_does_not_swallow_dates_that_are_unclear():
    with pytest.raises(AmbiguousDatesError):
        Dates(["month"], others="group").build("birth", ["1999-03-25", "03/04/1999", "unknown"])


def test_formats_that_are_given_are_followed():
    builder = Dates(["month"], format=["%Y-%m-%d", "%d/%m/%Y"])
    assert labels_of(builder, ["1999-03-25", "03/04/1999"])[0] == ["1999-03", "1999-04"]
    assert make_builder(write_spec(builder)) == builder


def test_two_given_formats_that_read_a_date_as_two_days_are_refused():
    builder = Dates(["month"], format=["%m/%d/%Y", "%d/%m/%Y"])
    assert labels_of(builder, ["03/25/1999", "25/03/1999"])[0] == ["1999-03", "1999-03"]
    with pytest.raises(AmbiguousDatesError):
        builder.build("birth", ["03/25/1999", "25/03/1999", "03/04/1999"])


def test_a_column_that_contradicts_itself_is_not_read_at_all():
    found = decide_formats(["25/03/1999", "03/25/1999", "1999-03-25"])
    assert dict(found.formats) == {"%Y-%m-%d": 1}
    assert [one.dates for one in found.contrary] == [2]
    with pytest.raises(UnreadableValuesError):
        Dates(["year"], others="group").build("birth", ["25/03/1999", "03/25/1999"])


def test_a_date_without_a_day_stays_as_found_until_a_level_holds_all_of_it():
    builder = Dates(["month", "year"], others="group")
    assert labels_of(builder, ["1999-03-25", "1999", "1999-03", "soon"])[:2] == [
        ["1999-03", "1999", "1999-03", "other"],
        ["1999", "1999", "1999", "other"],
    ]
    with pytest.raises(HierarchyError, match="1 of its 2 different dates have no month"):
        Dates(["month", "year"]).build("birth", ["1999-03-25", "1999"])


def test_a_weekday_is_not_told_of_a_date_without_a_day():
    builder = Dates(["day", "weekday"], others="group")
    assert labels_of(builder, ["1999-03-25", "1999-03"])[1] == ["Thursday", "other"]


def test_what_a_period_stands_for_includes_dates_of_all_formats():
    builder = Dates(["month", "year"], others="group")
    ground = ["1999-03-25", "03/26/1999", "1999", "soon"]
    atoms = Atoms.of("birth", ["1999-03", "1999", "other"], builder, ground)
    assert atoms.fits("1999-03", "03/26/1999")
    assert atoms.fits("other", "soon")
    assert not atoms.fits("other", "1999-03-25")


# Money and grouped digits


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["$12,165.00", "$900"], [12165, 900]),
        (["1.234,5", "1.234", "7"], [1234.5, 1234, 7]),
        (["1 234", "12"], [1234, 12]),
        (["CHF 1'200", "CHF 1'300.-"], [1200, 1300]),
        (["12 EUR", "1.200,50 EUR"], [12, 1200.5]),
        (["(1,200.50)", "-$5.00"], [-1200.5, -5]),
        (["1,5", "2,75"], [1.5, 2.75]),
        (["1,234,567", "1,234"], [1234567, 1234]),
        (["€1.234", "€12"], [1234, 12]),
    ],
)
def test_money_and_grouped_digits_are_numbers(texts, numbers):
    assert [float(number) for number in read_numbers(texts)] == numbers


def test_numbers_that_could_be_two_are_left_as_they_are():
    assert [float(n) for n in read_numbers(["1.234", "2.345"])] == [1.234, 2.345]
    assert read_numbers(["1,234", "2,345"]) == [None, None]
    assert read_numbers(["1.5", "1,5"])[1] is None
    assert [float(n) for n in read_numbers(["1,234"], "point")] == [1234]
    assert [float(n) for n in read_numbers(["1,234"], "comma")] == [1.234]


def test_amounts_in_two_currencies_are_not_compared():
    assert read_numbers(["$5", "€6"]) == [None, None]


def test_a_column_that_needs_its_decimal_mark_asks_for_it():
    with pytest.raises(UnreadableValuesError, match="decimal: comma, or point"):
        Intervals([5]).build("price", ["1,234", "2,345"])
    assert labels_of(Intervals([1000], decimal="point"), ["1,234"])[0] == ["1000-1999"]


def test_settings_are_written_and_read_again():
    for builder in (
        Intervals([5], top=90, others="group", decimal="comma"),
        Prefix([4, 3], code=5, others="group"),
        Dates(["month"], others="group"),
    ):
        assert make_builder(write_spec(builder)) == builder
    with pytest.raises(HierarchyError, match=r"intervals\.others"):
        make_builder({"intervals": {"widths": [5], "others": "drop"}})
