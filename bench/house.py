"""Counts how the source is laid out: modules, imports and their direction; ``make house``.

Everything is read from the syntax of the files; nothing of the product is loaded. An import for
types alone (under ``TYPE_CHECKING``) counts for the direction and not for cycles: Python never runs
it, a reader still has to know the other module.
"""

from __future__ import annotations

import ast
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "src"
PACKAGE = "discreet"

LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "display", "input_file", "number_range", "version"),
    ("kinds", "table", "hierarchy", "replacement_key"),
    ("frequency",),
    ("models", "measures"),
    ("algorithms", "techniques", "pseudonyms"),
    ("policy",),
    ("identification", "risks", "attacks", "safe_harbor"),
    ("engines",),
    ("certificate", "ledger", "pipeline"),
    ("reporting", "sample"),
    ("schemas",),
    ("cli", "web", "__main__"),
)
"""Which part may import which: those of its own line and of the lines above. The parts that the
house style does not name (display, input_file, number_range, version, replacement_key, sample) are
where they belong."""
ONLY = {
    "scrubbing": {
        *("errors", "display", "input_file", "replacement_key"),
        *("kinds", "table", "scrubbing"),
    }
}
"""Parts that may import these and no others."""
ABOVE_SCRUB = "techniques"
"""Whoever is in a line above this one may not import scrubbing; from it on everybody may."""
OPTIONAL = {
    *("adbc_driver_postgresql", "ctypes", "grpc", "msgpack", "pandas", "polars"),
    *("py4j", "pyspark", "resvg_py", "splink"),
}
"""What may be missing: extras, and a module that some builds of Python lack."""
CEILINGS = {
    "cycles of modules": 0,
    "cycles with imports inside functions": 0,
    "modules in those cycles": 0,
    "parts in cycles with each other": 2,
    "imports against the direction": 0,
    "imports inside functions outside cli": 34,
}
"""Counts that may not grow. Lower one when its count has gone down; the goal of each is zero."""


class Inner(NamedTuple):
    """One import inside a function, of whatever module."""

    source: str
    line: int
    target: str


@dataclass(frozen=True)
class Import:
    """One module that another imports, and where."""

    source: str
    target: str
    line: int
    in_function: bool
    for_types: bool


@dataclass
class House:
    """All modules of a package, with their lines and imports."""

    modules: dict[str, Path]
    lines: dict[str, int]
    code_lines: dict[str, int]
    imports: list[Import]
    packages: set[str] = field(default_factory=set)
    inner: list[Inner] = field(default_factory=list)

    def imported_once(self) -> list[str]:
        """Modules that exactly one other imports."""
        importers = Counter(
            target for _, target in {(one.source, one.target) for one in self.imports}
        )
        return sorted(one for one, count in importers.items() if count == 1)

    def in_functions(self) -> list[Import]:
        """Imports of the package's own modules inside functions."""
        return [one for one in self.imports if one.in_function]

    def avoidable(self) -> list[Inner]:
        """Imports inside functions that should be at the top: neither ``cli`` nor an extra."""
        return [
            one
            for one in self.inner
            if part_of(one.source) != "cli" and one.target.split(".")[0] not in OPTIONAL
        ]

    def cycles(self, inside_functions: bool) -> list[list[str]]:
        """Sets of modules that import each other, directly or through others."""
        edges = {
            (one.source, one.target)
            for one in self.imports
            if not one.for_types and (inside_functions or not one.in_function)
        }
        return find_cycles(self.modules, edges)

    def package_cycles(self) -> list[list[str]]:
        """Sets of top-level parts that import each other, imports inside functions included."""
        edges = {
            (part_of(one.source), part_of(one.target)) for one in self.imports if not one.for_types
        }
        edges = {(source, target) for source, target in edges if source and target}
        parts = {part for edge in edges for part in edge}
        return find_cycles(dict.fromkeys(parts), {edge for edge in edges if edge[0] != edge[1]})

    def against_direction(self) -> list[Import]:
        """Imports of a part that may not be known there."""
        return [one for one in self.imports if not is_allowed(one)]


def read_house(source: Path = SOURCE, package: str = PACKAGE) -> House:
    """Read every module of a package under a folder of sources."""
    paths = sorted((source / package).rglob("*.py"))
    modules = {_module_name(source, path): path for path in paths}
    packages = {name for name, path in modules.items() if path.name == "__init__.py"}
    house = House(modules, {}, {}, [], packages)
    for name, path in modules.items():
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        house.lines[name] = len(text.splitlines())
        house.code_lines[name] = _count_code(tree)
        house.imports += sorted(
            {
                Import(name, target, line, inside, types)
                for target, line, inside, types in _read_imports(tree, name, modules, packages)
                if target != name
            },
            key=lambda one: (one.line, one.target),
        )
        house.inner += _read_inner_imports(tree, name)
    return house


def _module_name(source: Path, path: Path) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _count_code(tree: ast.Module) -> int:
    """Lines with code on them: no blank lines, no comments, no docstrings."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not docstring:
            children = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt)]
            end = (node.end_lineno or node.lineno) if not children else children[0].lineno - 1
            lines.update(range(node.lineno, max(end, node.lineno) + 1))
    return len(lines)


def _read_imports(
    tree: ast.AST,
    name: str,
    modules: Mapping[str, Path],
    packages: set[str],
    inside: bool = False,
    types: bool = False,
) -> Iterator[tuple[str, int, bool, bool]]:
    """Each own module that is imported, its line, whether in a function, whether for types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in modules:
                    yield alias.name, node.lineno, inside, types
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, name, packages)
            for alias in node.names:
                target = f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules else base
                if target in modules:
                    yield target, node.lineno, inside, types
        else:
            function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            only_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            yield from _read_imports(
                node, name, modules, packages, inside or function, types or only_types
            )


def _read_inner_imports(tree: ast.AST, name: str, inside: bool = False) -> Iterator[Inner]:
    """Each import statement inside a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if inside:
                module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
                yield Inner(name, node.lineno, module or "")
        else:
            function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _read_inner_imports(node, name, inside or function)


def _base(node: ast.ImportFrom, name: str, packages: set[str]) -> str:
    """The module that names are imported from, relative imports resolved."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    parts = parts[: len(parts) - node.level + (name in packages)]
    return ".".join([*parts, *([node.module] if node.module else [])])


def part_of(module: str) -> str:
    """The part of the house that a module is in: the first name below the package."""
    names = module.split(".")
    return names[1] if len(names) > 1 else ""


def is_allowed(one: Import) -> bool:
    """Whether the house style lets a module know another."""
    source, target = part_of(one.source), part_of(one.target)
    if source == target or not source:  # the package itself gives the public names, lazily
        return True
    if not target:
        return source in ("cli", "web", "__main__", "reporting", "sample")
    if source in ONLY:
        return target in ONLY[source]
    ranks = {name: rank for rank, names in enumerate(LAYERS) for name in names}
    if source not in ranks:
        return False
    if target in ONLY:
        return ranks[source] >= ranks[ABOVE_SCRUB]
    return target in ranks and ranks[target] <= ranks[source]


def find_cycles(nodes: Mapping[str, object], edges: set[tuple[str, str]]) -> list[list[str]]:
    """The strongly connected sets of more than one node, the largest first (Tarjan, 1972)."""
    targets: dict[str, list[str]] = {node: [] for node in nodes}
    for source, target in sorted(edges):
        targets[source].append(target)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for root in sorted(nodes):
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(targets[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, rest = work[-1]
            after = next(rest, None)
            if after is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = [stack.pop()]
                    while members[-1] != node:
                        members.append(stack.pop())
                    if len(members) > 1:
                        found.append(sorted(members))
            elif after not in index:
                index[after] = low[after] = len(index)
                stack.append(after)
                work.append((after, iter(targets[after])))
            elif after in stack:
                low[node] = min(low[node], index[after])
    return sorted(found, key=lambda members: (-len(members), members))


def count_house(house: House) -> dict[str, int]:
    """The counts that are shown and held, by what they count."""
    lines = [house.lines[name] for name in house.modules]
    siblings = Counter(path.parent for path in house.modules.values())
    loaded, all_cycles = house.cycles(False), house.cycles(True)
    return {
        "modules": len(house.modules),
        "packages": len(house.packages),
        "lines": sum(lines),
        "median lines of a module": int(statistics.median(lines)),
        "modules with at most 15 lines of code": sum(
            count <= 15 for count in house.code_lines.values()
        ),
        "modules imported by exactly one other": len(house.imported_once()),
        "most modules in a folder": max(siblings.values()),
        "imports inside functions": len(house.in_functions()),
        "cycles of modules": len(loaded),
        "modules in such cycles": sum(len(one) for one in loaded),
        "cycles with imports inside functions": len(all_cycles),
        "modules in those cycles": sum(len(one) for one in all_cycles),
        "parts in cycles with each other": sum(len(one) for one in house.package_cycles()),
        "imports against the direction": len(house.against_direction()),
        "imports inside functions outside cli": len(house.avoidable()),
    }


def main() -> int:
    """Print the counts and, with ``--all``, every import and cycle that should not be there.

    Ends with 1 if there are more than there were.
    """
    house = read_house()
    counts = count_house(house)
    for what, count in counts.items():
        held = f"   at most {CEILINGS[what]}" if what in CEILINGS else ""
        print(f"{what:40} {count:8,}{held}")
    against = Counter(
        (part_of(one.source), part_of(one.target) or PACKAGE) for one in house.against_direction()
    )
    print("\nimports against the direction, by part")
    for (source, target), count in against.most_common():
        print(f"  {source + ' -> ' + target:38} {count:8,}")
    if "--all" in sys.argv[1:]:
        for one in house.against_direction():
            where = house.modules[one.source].relative_to(SOURCE.parent)
            print(f"{where}:{one.line}: {part_of(one.source)} imports {one.target}")
        for inner in house.avoidable():
            where = house.modules[inner.source].relative_to(SOURCE.parent)
            print(f"{where}:{inner.line}: imports {inner.target} inside a function")
        for members in [*house.package_cycles(), *house.cycles(True)]:
            print("cycle:", ", ".join(members))
    grown = [what for what, most in CEILINGS.items() if counts[what] > most]
    if grown:
        print(f"\nmore than there were: {', '.join(grown)}; --all shows where")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
