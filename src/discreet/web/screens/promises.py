"""*Promises*: what must hold for the release, as sentences with numbers, and what each k costs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from discreet.errors import DiscreetError
from discreet.web import promises_work
from discreet.web.policy_work import Edit
from discreet.web.screens.screen import Fields, Screen
from discreet.web.workspace import BusyError, Workspace

SIZES = (2, 3, 5, 10, 11, 20, 50)
"""Class sizes whose cost is shown, besides the one that is promised."""
SHORT = 0.6
"""Seconds that costs may take without a progress bar."""
FIRST = {
    "k": 5,
    "ell": 2,
    "t": 0.2,
    "delta": 1,
    "beta": 1,
    "max": 0.2,
    "min": 0,
    "population": 300_000_000,
}
"""Numbers to begin a new promise with."""
IN_SENTENCE = {
    "k_anonymity": ("k",),
    "l_diversity": ("column", "ell"),
    "t_closeness": ("column", "t"),
    "delta_disclosure": ("column", "delta"),
    "beta_likeness": ("column", "beta"),
    "largest_risk": ("max",),
    "average_risk": ("max",),
    "sample_uniques": ("max",),
    "safe_harbor": ("as_of",),
    "k_map": ("k", "register"),
    "delta_presence": ("public", "min", "max"),
    "probabilistic": ("k", "population"),
}
"""The settings of each promise that its sentence has; the others are below it."""
OWN = "recipient"
"""The name of a profile that is made here."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The promises with their numbers, and everything that decides what the search may do."""
    kept = workspace.kept.setdefault("promises", {})
    if "choices" not in kept and not workspace.is_busy:
        kept["choices"] = await workspace.ask(promises_work.describe_choices)
    choices = kept.get("choices")
    data = workspace.reading["data"]
    facts: dict[str, Any] = {"ready": choices is not None, "data": data}
    if choices is None:
        return facts
    require = _list_promises(workspace)
    return {
        **facts,
        "promises": [
            {"number": number, **_describe(workspace, choices, name, params)}
            for number, (name, params) in enumerate(require)
        ],
        "models": [
            _describe(workspace, choices, name, _begin(workspace, choices, name))
            for name in choices["models"]
        ],
        "columns": workspace.quasi,
        "released": [
            name for name, role in workspace.reading["roles"].items() if role == "sensitive"
        ],
        "thresholds": [{**one, "k": read_size(one["risk"])} for one in choices["thresholds"]],
        "accepted": _read_threshold(data, choices["thresholds"]),
        "profiles": _list_profiles(data, choices["presets"]),
        "profile": data.get("profile") or ("" if not data.get("profiles") else None),
        "likelihoods": _read_likelihoods(data),
        "suppress": _write_percent(data.get("suppress", 0)),
        "algorithms": choices["algorithms"],
        "algorithm": _name_choice(data.get("algorithm"), "optimal"),
        "measures": choices["measures"],
        "measure": _name_choice(data.get("measure"), "loss"),
        "time_limit": data.get("time_limit") or "",
        "costs": kept.get("costs"),
        "costs_old": kept.get("costs") and kept["costs"]["policy"] != _strip_size(data),
        "k": _find_size(require)[1],
    }


def _list_promises(workspace: Workspace) -> list[tuple[str, dict[str, Any]]]:
    """What the policy promises: names with their settings, as far as it can be read."""
    said = workspace.reading["data"].get("require")
    found: list[tuple[str, dict[str, Any]]] = []
    for one in said if isinstance(said, list) else []:
        if isinstance(one, str):
            found.append((one, {}))
        elif isinstance(one, Mapping) and len(one) == 1:
            name, params = next(iter(one.items()))
            found.append((str(name), dict(params) if isinstance(params, Mapping) else {}))
        else:
            found.append(("", {}))
    return found


def _describe(
    workspace: Workspace, choices: Mapping[str, Any], name: str, params: Mapping[str, Any]
) -> dict[str, Any]:
    """A promise with its settings: what each takes, and what it is now."""
    model = choices["models"].get(name)
    settings = {
        key: {**one, "value": _write_setting(params.get(key)), "listed": params.get(key)}
        for key, one in (model["settings"].items() if model else ())
    }
    sentence = IN_SENTENCE.get(name, ())
    return {
        "name": name,
        "about": model["about"] if model else "",
        "settings": settings,
        "sentence": [key for key in sentence if key in settings],
        "rest": [key for key in settings if key not in sentence],
        "is_set": [key for key in settings if key not in sentence and params.get(key)],
    }


def _write_setting(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {one}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _begin(workspace: Workspace, choices: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Settings to begin a new promise with."""
    sensitive = [one for one, role in workspace.reading["roles"].items() if role == "sensitive"]
    first = {
        **FIRST,
        "column": sensitive[0] if sensitive else None,
        "as_of": datetime.now(UTC).date().isoformat(),
    }
    if name == "probabilistic":
        first["k"] = 20_000
    if name == "sample_uniques":
        first["max"] = 0
    return {key: first.get(key) for key in choices["models"][name]["settings"] if key in first}


def read_size(risk: float) -> int:
    """The smallest class that keeps a risk.

    >>> read_size(0.09), read_size(1 / 11), read_size(0.2)
    (12, 11, 5)
    """
    return max(1, math.ceil(1 / risk - 1e-9))


def _read_threshold(data: Mapping[str, Any], presets: list[dict[str, Any]]) -> dict[str, Any]:
    about = data.get("about")
    said = about.get("threshold") if isinstance(about, Mapping) else None
    said = said if isinstance(said, Mapping) else {}
    found = next((one for one in presets if one["name"] == said.get("preset")), None)
    risk = found["risk"] if found else said.get("risk")
    return {
        "preset": said.get("preset"),
        "risk": risk if isinstance(risk, int | float) else None,
        "reason": found["reason"] if found else str(said.get("reason") or ""),
    }


def _list_profiles(data: Mapping[str, Any], presets: list[str]) -> list[str]:
    """The recipients to choose from; the empty name is for none."""
    own = _read_profiles(data)
    free = [""] if _can_be_unsaid(own) else []
    return [*free, *presets, *(name for name in own if name not in presets)]


def _read_likelihoods(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the chosen profile says of single columns."""
    said = _read_profiles(data).get(data.get("profile") or "")
    found = said.get("likelihoods") if isinstance(said, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def _name_choice(said: Any, default: str) -> str:
    if isinstance(said, Mapping) and said:
        return str(next(iter(said)))
    return said if isinstance(said, str) else default


def _write_percent(share: Any) -> str:
    if isinstance(share, bool) or not isinstance(share, int | float):
        return ""
    return f"{100 * share:.6g}"


def _find_size(require: list[tuple[str, dict[str, Any]]]) -> tuple[int | None, Any]:
    """The place of the promise of k for all quasi columns, and its k."""
    for number, (name, params) in enumerate(require):
        if name == "k_anonymity" and not params.get("columns"):
            return number, params.get("k")
    return None, None


def _strip_size(data: Mapping[str, Any]) -> str:
    """The policy without its k: what costs of each k rest on."""
    kept: dict[str, Any] = json.loads(json.dumps(data, default=str))
    for one in kept.get("require") or ():
        if isinstance(one, dict) and isinstance(one.get("k_anonymity"), dict):
            one["k_anonymity"].pop("k", None)
    kept.pop("about", None)
    return json.dumps(kept)


# Promises


async def add(workspace: Workspace, fields: Fields) -> None:
    """Add a promise."""
    name = fields["model"]
    promise = {name: _read_settings(workspace, name, fields)}
    await workspace.change(Edit("add_promise", (promise,)), strictly=True)


async def change(workspace: Workspace, fields: Fields) -> None:
    """Change the numbers of a promise."""
    number, (name, _) = _find_promise(workspace, fields)
    promise = {name: _read_settings(workspace, name, fields)}
    await workspace.change(Edit("change_promise", (number, promise)), strictly=True)


async def remove(workspace: Workspace, fields: Fields) -> None:
    """Take a promise away; the last one stays, for without one nothing is protected."""
    number, _ = _find_promise(workspace, fields)
    await workspace.change(Edit("remove_promise", (number,)), strictly=True)


def _find_promise(workspace: Workspace, fields: Fields) -> tuple[int, tuple[str, dict[str, Any]]]:
    require, number = _list_promises(workspace), fields["number"]
    if not number.isdecimal() or len(number) > 6 or int(number) >= len(require):
        raise DiscreetError("the promise", "it is gone", "Load the page again.")
    found = require[int(number)]
    if found[0] != fields.get("model", found[0]):
        raise DiscreetError("the promise", "it is another one now", "Load the page again.")
    return int(number), found


def _read_settings(workspace: Workspace, name: str, fields: Fields) -> dict[str, Any]:
    """The settings that a form says; those that are empty are left out."""
    choices = workspace.kept.get("promises", {}).get("choices") or {"models": {}}
    model = choices["models"].get(name)
    if model is None:
        raise DiscreetError("the promise", "there is none of this name", "Load the page again.")
    found = {}
    for key, one in model["settings"].items():
        said = [text.strip() for text in fields.getlist(key) if text.strip()]
        if said:
            found[key] = _read_setting(one["type"], said)
    return found


def _read_setting(kind: str, said: list[str]) -> Any:
    if kind == "array":
        return [part.strip() for text in said for part in text.split(",") if part.strip()]
    if kind == "object":
        pairs = [part.partition(":") for part in ",".join(said).split(",")]
        return {key.strip(): value.strip() for key, _, value in pairs}
    return said[0] if kind == "string" else read_amount(said[0], whole=kind == "integer")


def read_amount(text: str, whole: bool = False) -> Any:
    """A number as people write it; else the text, which the policy refuses with its reason.

    >>> read_amount("0,09"), read_amount("9 %"), read_amount("20,000", whole=True)
    (0.09, 0.09, 20000)
    """
    plain = text.replace(" ", "").replace("\N{NO-BREAK SPACE}", "")
    percent = plain.endswith("%")
    plain = plain.rstrip("%")
    if whole and re.fullmatch(r"\d{1,3}([.,]\d{3})+", plain):
        plain = re.sub(r"[.,]", "", plain)
    plain = plain.replace(",", ".")
    if not re.fullmatch(r"[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})", plain):
        return text
    number = round(float(plain) / 100, 12) if percent else float(plain)
    return int(number) if number.is_integer() else number


# What decides how safe is safe enough, and for whom


async def set_size(workspace: Workspace, fields: Fields) -> None:
    """Promise a class size, one of those whose costs are shown."""
    size = read_amount(fields["k"], whole=True)
    await workspace.change(_edit_size(workspace, size), strictly=True)


def _edit_size(workspace: Workspace, size: Any) -> Edit:
    require = _list_promises(workspace)
    number, _ = _find_size(require)
    if number is None:
        return Edit("add_promise", ({"k_anonymity": {"k": size}},))
    return Edit("change_promise", (number, {"k_anonymity": {**require[number][1], "k": size}}))


async def set_threshold(workspace: Workspace, fields: Fields) -> None:
    """Accept a threshold of risk, by name or of one's own, and promise the class size for it."""
    choices = workspace.kept.get("promises", {}).get("choices") or {"thresholds": ()}
    preset = fields.get("preset", "")
    found = next((one for one in choices["thresholds"] if one["name"] == preset), None)
    if found is not None:
        said, risk = {"preset": preset}, found["risk"]
    else:
        risk = read_amount(fields["risk"].strip())
        said = {"risk": risk, "reason": fields.get("reason", "").strip() or None}
    about = workspace.reading["data"].get("about")
    about = {**about} if isinstance(about, Mapping) else {}
    edits = [Edit("set", ("about", {**about, "threshold": said}))]
    if isinstance(risk, int | float) and 0 < risk <= 1:
        edits.append(_edit_size(workspace, read_size(risk)))
    await workspace.change(*edits, strictly=True)


async def set_profile(workspace: Workspace, fields: Fields) -> None:
    """Say who gets the release; a recipient by its preset gets a profile."""
    data, name = workspace.reading["data"], fields.get("profile", "")
    profiles = _read_profiles(data)
    if not name and not _can_be_unsaid(profiles):
        return
    if not name:
        edits = [Edit("set", ("profiles", None)), Edit("set", ("profile", None))]
    else:
        edits = [Edit("set", ("profile", name))]
        if name not in profiles:
            edits.insert(0, Edit("set", ("profiles", {**profiles, name: {"preset": name}})))
    await workspace.change(*edits, strictly=True)


def _read_profiles(data: Mapping[str, Any]) -> dict[str, Any]:
    found = data.get("profiles")
    return dict(found) if isinstance(found, Mapping) else {}


def _can_be_unsaid(profiles: Mapping[str, Any]) -> bool:
    """Whether all profiles are presets, so that nothing is lost without them."""
    return all(one == {"preset": name} for name, one in profiles.items())


async def set_likelihoods(workspace: Workspace, fields: Fields) -> None:
    """Say how likely the recipient links on single columns."""
    data = workspace.reading["data"]
    profiles, name = _read_profiles(data), data.get("profile") or OWN
    before = profiles.get(name)
    before = dict(before) if isinstance(before, Mapping) else {}
    said = _read_likelihoods({**data, "profile": name})
    likelihoods = {column: one for column, one in said.items() if column not in workspace.quasi}
    for place, column in enumerate(workspace.quasi):
        text = fields.get(f"likelihood-{place}", "").strip()
        if text:
            likelihoods[column] = read_amount(text)
    profiles[name] = {**before, "likelihoods": likelihoods}
    edits = (Edit("set", ("profiles", profiles)), Edit("set", ("profile", name)))
    await workspace.change(*edits, strictly=True)


async def set_suppress(workspace: Workspace, fields: Fields) -> None:
    """Say how many rows may be left out at most, in per cent."""
    text = fields["percent"].strip().rstrip("%").strip() or "0"
    amount = read_amount(text)
    share = round(amount / 100, 12) if isinstance(amount, int | float) else amount
    await workspace.change(Edit("set", ("suppress", share)), strictly=True)


async def set_search(workspace: Workspace, fields: Fields) -> None:
    """Choose how the release is found, how its loss is counted, and how long it may take."""
    data = workspace.reading["data"]
    edits = []
    for key, default in (("algorithm", "optimal"), ("measure", "loss")):
        chosen = fields.get(key, default)
        if chosen != _name_choice(data.get(key), default):
            edits.append(Edit("set", (key, chosen)))
    limit = fields.get("time_limit", "").strip()
    edits.append(Edit("set", ("time_limit", read_amount(limit) if limit else None)))
    await workspace.change(*edits, strictly=True)


# What each k costs


async def find_costs(workspace: Workspace, fields: Fields) -> None:
    """Search for the best release of each class size; each is a search of its own."""
    if workspace.is_busy:
        raise BusyError
    _, size = _find_size(_list_promises(workspace))
    sizes = sorted({*SIZES, *([size] if isinstance(size, int) and size > 0 else [])})
    kept, policy = workspace.kept["promises"], _strip_size(workspace.reading["data"])

    async def keep(found: Any) -> None:
        kept["costs"] = {**found, "policy": policy}

    job = workspace.start(
        *("costs", "promises", promises_work.find_costs, workspace.reading["text"]),
        *(workspace.policy_file, workspace.policy_folder, sizes),
        then=keep,
    )
    await workspace.wait(job, SHORT)
    workspace.raise_failure()


SCREEN = Screen(
    "promises",
    collect,
    actions={
        "add": add,
        "change": change,
        "remove": remove,
        "size": set_size,
        "threshold": set_threshold,
        "profile": set_profile,
        "likelihoods": set_likelihoods,
        "suppress": set_suppress,
        "search": set_search,
        "costs": find_costs,
    },
)
