"""Single disclosure limitation techniques, one a file, all of the shape of `Technique`."""

from discreet.techniques.change_rows import AddTuples, SampleRows, Scramble
from discreet.techniques.microaggregate import Microaggregate
from discreet.techniques.noise import Noise, Perturb
from discreet.techniques.outliers_to_median import OutliersToMedian
from discreet.techniques.round_values import RoundValues
from discreet.techniques.shift_dates import RelativeDates, ShiftDates
from discreet.techniques.substitute import Pram, Substitute
from discreet.techniques.suppress_values import SuppressValues
from discreet.techniques.swap import RankSwap, Shuffle, Swap
from discreet.techniques.technique import Technique
from discreet.techniques.top_code import BottomCode, TopCode
from discreet.techniques.year import Year
from discreet.techniques.zip3 import Zip3

ALL: tuple[type[Technique], ...] = (
    SuppressValues,
    Substitute,
    Swap,
    RankSwap,
    Shuffle,
    Pram,
    Noise,
    Perturb,
    RoundValues,
    TopCode,
    BottomCode,
    Zip3,
    Year,
    OutliersToMedian,
    Microaggregate,
    ShiftDates,
    RelativeDates,
    SampleRows,
    AddTuples,
    Scramble,
)

__all__ = [
    "ALL",
    "AddTuples",
    "BottomCode",
    "Microaggregate",
    "Noise",
    "OutliersToMedian",
    "Perturb",
    "Pram",
    "RankSwap",
    "RelativeDates",
    "RoundValues",
    "SampleRows",
    "Scramble",
    "ShiftDates",
    "Shuffle",
    "Substitute",
    "SuppressValues",
    "Swap",
    "Technique",
    "TopCode",
    "Year",
    "Zip3",
]
