# SPDX-License-Identifier: Apache-2.0
"""Recorded answers of a backend (docs/recorded.md)."""
import hashlib
import json
import os
import pathlib
from dataclasses import dataclass

from .errors import Error
from .exchange_files import open_exchange


@dataclass(eq=False)
class Record:
    """What a backend answered.

    system    its description: name, version, profile, ops, details
    machine   where it ran
    complete  whether the run was, too
    answers   Case by the SHA-256 of what was asked: status, reason, outputs. What was asked is not in a record
    """
    folder: str
    system: dict
    machine: dict
    tool_version: str
    complete: bool
    answers: dict


def _description(path):
    """recorded.json, whose checksum is over its own text with the checksum as zeros."""
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise Error(f"no record: {error.strerror} ({path})") from error
    except ValueError as error:
        raise Error(f"damaged: {error} ({path})") from error
    if not isinstance(data, dict) or data.get("schema") != "tiebreak.recorded/1":
        raise Error(f"not the description of a record ({path})")
    checksum = str(data.get("checksum"))
    place = text.rfind(f'"{checksum}"')
    cleared = text[:place + 1] + "0" * 64 + text[place + 65:]
    if len(checksum) != 64 or place < 0 or hashlib.sha256(cleared.encode()).hexdigest() != checksum:
        raise Error(f"the description is not what was written: its checksum does not fit ({path})")
    return data


def read_record(folder):
    """The record in a folder. Error where the folder is none, or a file is missing, damaged or not the one that the record names."""
    folder = pathlib.Path(folder)
    data = _description(folder / "recorded.json")
    answers = {}
    names = [listed["file"] for listed in data["files"]]
    for listed in data["files"]:
        path = folder / listed["file"]
        try:
            image = path.read_bytes()
        except OSError as error:
            raise Error(f"a file of the record cannot be read: {error.strerror} ({path})") from error
        if hashlib.sha256(image).hexdigest() != listed["sha256"]:
            raise Error(f"not the file that recorded.json names: its digest is another ({path})")
        with open_exchange(path) as file:
            answers |= {case.id: case for case in file}
    further = sorted(set(os.listdir(folder)) - {*names, "recorded.json"})
    if further:
        raise Error(f"a file that recorded.json does not name ({folder / further[0]})")
    return Record(str(folder), data["system"], data["machine"], data["tool_version"], data["complete"], answers)
