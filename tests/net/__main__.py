"""Compare the product with the frozen answers of the net, or freeze them anew."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.net.entries import ALL
from tests.net.frozen import FOLDER, compare, list_frozen, load_frozen, save_frozen
from tests.net.run import MissingSharedData, run_entry

SHOWN = 8


def main() -> int:
    """Run the entries that were named, or all; 1 if one differs and was not to be updated."""
    parser = argparse.ArgumentParser(prog="python -m tests.net", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="entries; all if absent")
    parser.add_argument("--update", action="store_true", help="freeze the answers of today")
    parser.add_argument(
        "--prose", action="store_true", help="freeze those that differ in their wording alone"
    )
    asked = parser.parse_args()
    known = {entry.name: entry for entry in ALL}
    unknown = [name for name in asked.names if name not in known]
    if unknown:
        parser.error(f"no entry {', '.join(unknown)}; tests/net/entries.py has them all")
    differing = 0
    for entry in [known[name] for name in asked.names] or ALL:
        differing += _run(entry, asked.update, asked.prose)
    if not asked.names and asked.update:
        for name in list_frozen() - {*known}:
            (FOLDER / f"{name}.json").unlink()
            print(f"{name}: removed, there is no such entry")
    print(f"{differing} entries differ" if differing else "no entry differs")
    return 1 if differing else 0


def _run(entry, update: bool, prose: bool) -> bool:  # type: ignore[no-untyped-def]
    """Run one entry; true if it differs and was left."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            now = run_entry(entry, Path(folder).resolve())
        except MissingSharedData as why:
            print(f"{entry.name}: not run, {why}")
            return False
    was = load_frozen(entry.name)
    if was is None:
        print(f"{entry.name}: new")
        if update:
            save_frozen(entry.name, now)
        return not update
    found = list(compare(was, now))
    if not found:
        return False
    facts = [one for one in found if not one.prose]
    print(f"{entry.name}: {len(facts)} facts and {len(found) - len(facts)} sentences differ")
    for one in (facts or found)[:SHOWN]:
        print(f"  {one}")
    if update or (prose and not facts):
        save_frozen(entry.name, now)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
