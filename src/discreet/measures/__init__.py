"""Measures of loss: one number for how much worse a release is than the private table."""

from discreet.measures.average_class_size import AverageClassSize
from discreet.measures.column_cost import ColumnCost, MeasuredTable
from discreet.measures.discernibility import Discernibility
from discreet.measures.loss import Granularity, Loss
from discreet.measures.non_uniform_entropy import NonUniformEntropy
from discreet.measures.precision import Precision, WeightedPrecision

ALL = (
    Loss,
    Granularity,
    Precision,
    WeightedPrecision,
    NonUniformEntropy,
    Discernibility,
    AverageClassSize,
)

ColumnMeasure = Loss | Granularity | Precision | WeightedPrecision | NonUniformEntropy
ClassMeasure = Discernibility | AverageClassSize
Measure = ColumnMeasure | ClassMeasure

__all__ = [
    "ALL",
    "AverageClassSize",
    "ClassMeasure",
    "ColumnCost",
    "ColumnMeasure",
    "Discernibility",
    "Granularity",
    "Loss",
    "Measure",
    "MeasuredTable",
    "NonUniformEntropy",
    "Precision",
    "WeightedPrecision",
]
