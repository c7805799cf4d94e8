"""Single disclosure limitation techniques, one a file, all of the shape of `Technique`."""

from discreet.techniques.add_tuples import AddTuples
from discreet.techniques.bottom_code import BottomCode
from discreet.techniques.microaggregate import Microaggregate
from discreet.techniques.noise import Noise
from discreet.techniques.outliers_to_median import OutliersToMedian
from discreet.techniques.perturb import Perturb
from discreet.techniques.pram import Pram
from discreet.techniques.rank_swap import RankSwap
from discreet.techniques.relative_dates import RelativeDates
from discreet.techniques.round_values import RoundValues
from discreet.techniques.sample_rows import SampleRows
from discreet.techniques.scramble import Scramble
from discreet.techniques.shift_dates import ShiftDates
from discreet.techniques.shuffle import Shuffle
from discreet.techniques.substitute import Substitute
from discreet.techniques.suppress_values import SuppressValues
from discreet.techniques.swap import Swap
from discreet.techniques.technique import Technique
from discreet.techniques.top_code import TopCode
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
