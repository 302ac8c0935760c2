#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""operator_versions.py CHANGELOG: the versions of ONNX's operators as JSON, one line each, from onnx's docs/Changelog.md.

Each has the opset that made it, its attributes with their kinds, and the names of its inputs and outputs; `...` behind a name stands for any number.
Operators of the default domain only; a version is left out where a newer one was in force in opset 7 already."""
import json
import re
import sys

KINDS = {"list of ints": "ints", "list of floats": "floats", "list of strings": "strings"}


def read(path):
    versions, entry, section = [], None, ""
    for line in open(path, encoding="utf-8"):
        if found := re.match(r'### <a name="([A-Za-z0-9.]+)-(\d+)"></a>\*\*', line):
            entry = {"op": found[1], "since": int(found[2]), "attributes": {}, "inputs": [], "outputs": []}
            entry["removed"] = "(deprecated)" in line
            section = ""
            versions.append(entry)
        elif found := re.match(r"#### (\w+)", line):
            section = found[1]
        elif section == "Attributes" and (found := re.match(r"<dt><tt>(\w+)</tt> : ([a-z_ ]+?) *(\(.*\))?</dt>", line)):
            entry["attributes"][found[1]] = KINDS.get(found[2], found[2])
        elif section in ("Inputs", "Outputs") and (found := re.match(r"<dt><tt>(\w+)</tt>(.*?) : ", line)):
            entry[section.lower()].append(found[1] + ("..." if "variadic" in found[2] else ""))
    return [one for one in versions if "." not in one["op"]]


def in_force(versions, opset):
    """Without what a newer version had replaced in this opset."""
    oldest = {}
    for one in versions:
        if one["since"] <= opset:
            oldest[one["op"]] = max(oldest.get(one["op"], 0), one["since"])
    return [one for one in versions if one["since"] >= oldest.get(one["op"], 0)]


if __name__ == "__main__":
    lines = [json.dumps(one) for one in sorted(in_force(read(sys.argv[1]), 7), key=lambda one: (one["op"], one["since"]))]
    print('{"source": "onnx/onnx f754691200 docs/Changelog.md", "versions": [\n' + ",\n".join(lines) + "\n]}")
