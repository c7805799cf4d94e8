"""Steps of the algorithm that blanks single cells."""
