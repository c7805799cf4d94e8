"""Training: marked text shows how often each template is right, and where the weaknesses are."""

from __future__ import annotations

from discreet.scrubbing.training.trained import (
    Trained,
    Weaknesses,
    load_likelihoods,
    save_likelihoods,
    show,
)
from discreet.scrubbing.training.training import Training

__all__ = [
    "Trained",
    "Training",
    "Weaknesses",
    "load_likelihoods",
    "save_likelihoods",
    "show",
]
