"""How often words of a language are written, from the lists of ``wordfreq``.

Cost: some hundredths of a second a language. A data file is read; the package is not imported.
"""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from pathlib import Path

from discreet.errors import MissingExtraError


def read_zipf(language: str, least: float = 0.0) -> dict[str, float]:
    """The words with their Zipf values: log10 of the count in a thousand million words.

    Those with a value below ``least`` are left out.

    Examples
    --------
    >>> read_zipf("de", least=7.0)["und"] > 7
    True
    """
    spec = find_spec("wordfreq")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("Scrubbing text", "text")
    import msgpack

    path = Path(spec.submodule_search_locations[0], "data", f"small_{language}.msgpack.gz")
    with gzip.open(path) as file:
        by_centibel = msgpack.load(file)[1:]
    last = round(100 * (9 - least)) + 1
    return {word: 9 - c / 100 for c, words in enumerate(by_centibel[:last]) for word in words}
