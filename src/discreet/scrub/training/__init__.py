"""Training: marked text says how often each template is right, and where the weak places are."""

from discreet.scrub.training.likelihoods import load_likelihoods, save_likelihoods
from discreet.scrub.training.show import show
from discreet.scrub.training.trained import Trained, Weaknesses
from discreet.scrub.training.training import Training

__all__ = [
    "Trained",
    "Training",
    "Weaknesses",
    "load_likelihoods",
    "save_likelihoods",
    "show",
]
