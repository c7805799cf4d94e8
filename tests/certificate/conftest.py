"""A release, its policy, keys and a certificate, made once: nothing here changes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

import discreet
from discreet.certificate.keys import SigningKey

POLICY = """\
# a remark for the house
columns:
  age:     {role: quasi, hierarchy: {intervals: [5, 10, 20, 40]}}
  sex:     {role: quasi}
  disease: {role: sensitive}
require:
  - k_anonymity: {k: 4}
suppress: 0.2
seed: 20261118
"""


@dataclass(frozen=True)
class Made:
    """The files of a certified release."""

    folder: Path

    def __getattr__(self, name: str) -> Path:
        return (
            self.folder
            / {
                "private": "people.csv",
                "policy": "policy.yaml",
                "release": "release.csv",
                "facts": "facts.json",
                "key": "signing.key",
                "public": "signing.key.pub",
                "other_key": "other.key",
                "other_public": "other.key.pub",
                "certificate": "certificate.json",
            }[name]
        )


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    made = Made(tmp_path_factory.mktemp("certified"))
    rows = [f"{20 + n % 17},{'mf'[n % 2]},{('flu', 'gout', 'ms')[n % 3]}" for n in range(61)]
    made.private.write_text("age,sex,disease\n" + "\n".join([*rows, "91,f,ms"]) + "\n")
    made.policy.write_text(POLICY)
    release = discreet.anonymize(made.private, made.policy)
    release.write(made.release)
    assert release.solution.suppressed, "the tests need rows that were left out"
    made.facts.write_text(json.dumps(release.facts()))
    SigningKey.create(made.key)
    SigningKey.create(made.other_key)
    discreet.certify(
        made.release,
        made.policy,
        key=made.key,
        facts=made.facts,
        original=made.private,
        valid_until="2999-12-31",
    ).write(made.certificate)
    return made
