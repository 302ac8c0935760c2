# SPDX-License-Identifier: Apache-2.0
"""What this installation has: ops, profiles, backends."""
from dataclasses import dataclass

from .running import run_json


@dataclass(frozen=True)
class Profile:
    """The semantics of a system. `versions` is text, `extends` the profile that it adds to ("" for none)."""
    name: str
    title: str
    extends: str = ""
    system: str = ""
    versions: str = ""
    hash: str = ""


def ops():
    """Page paths of all ops, sorted."""
    return sorted(op for page in run_json(["spec", "list", "--json"], "tiebreak.pages/1")["pages"] for op in page["ops"])


def profiles():
    """Every Profile, by name."""
    known = Profile.__dataclass_fields__
    listed = run_json(["profile", "list", "--json"], "tiebreak.profiles/1")["profiles"]
    return {one["name"]: Profile(**{key: value for key, value in one.items() if key in known}) for one in listed}


def backends():
    """Names of the adapters of this installation."""
    return run_json(["backend", "list", "--json"], "tiebreak.backends/1")["backends"]
