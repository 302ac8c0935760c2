# SPDX-License-Identifier: Apache-2.0
"""The schemas of docs/schemas, what they are for, and JSON as Tiebreak reads it."""
import fnmatch
import json
import re

try:
    import jsonschema
except ImportError:
    jsonschema = None

ENDING = ".schema.json"
# Files whose text does not name its schema.
BY_PATH = {
    "spec/systems/*/*.json": "profile",
    "spec/measured.json": "measured",
    "spec/sources.json": "sources",
    "spec/systems/*/sources.json": "sources",
    "spec/fusions/*.json": "fusions",
    "spec/constraints/*.json": "constraints",
    "spec/tflite/*.json": "table",
    "spec/ggml/*.json": "table",
    "spec/microsoft/*.json": "table",
    "spec/systems/*/fusions.json": "fusions",
    "testsuite/models/operator_versions.json": "operator-versions",
    "tools/adapters/*/known*.json": "known-failures",
    "testsuite/packaging/conformance/baseline.json": "known-failures",
    "docs/stablehlo-spec-defects.json": "known-failures",
}
# JSON whose form is somebody else's.
FOREIGN = ["CMakePresets.json", "testsuite/unit/calibrate/torch_observers.json", "testsuite/unit/calibrate/histogram_calibrators.json", "tools/adapters/*/package.json", "docs/schemas/*" + ENDING, "testsuite/cluster/*" + ENDING]
# Maps from a name that is not ours to something: operands, profiles, facts.
OPEN_MAPS = {"attributes", "cause", "choices", "clauses", "context", "details", "expect", "histogram", "inputs", "left_out", "notes", "op_hashes", "outputs", "parameters", "parts", "rows", "sides",
             "types"}


def load_schemas(source):
    """Name -> schema as data."""
    folder = source / "docs/schemas"
    return {path.name[:-len(ENDING)]: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*" + ENDING))}


def load_validators(source):
    return {name: jsonschema.Draft202012Validator(schema) for name, schema in load_schemas(source).items()}


def read_json(text):
    """JSON with comments, as cases, profiles and baselines may have them. A key that stands twice is an error."""
    def unique(pairs):
        made = dict(pairs)
        if len(made) != len(pairs):
            raise ValueError(f"a key stands twice among {[key for key, _ in pairs]}")
        return made

    plain = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda match: match[1] or "", text, flags=re.DOTALL)
    return json.loads(plain, object_pairs_hook=unique)


def schema_name(path, data):
    """The schema that a file of the tree follows, "" where its form is somebody else's, None where nobody says."""
    if any(fnmatch.fnmatch(path, pattern) for pattern in FOREIGN):
        return ""
    said = data.get("schema", "") if isinstance(data, dict) else ""
    match = re.fullmatch(r"tiebreak\.([a-z-]+)/[0-9]+", said) if isinstance(said, str) else None
    return match[1] if match else next((name for pattern, name in BY_PATH.items() if fnmatch.fnmatch(path, pattern)), None)


def errors(validator, data):
    """As `/cases/0/inputs: what`, the first few."""
    found = sorted(validator.iter_errors(data), key=lambda error: [str(step) for step in error.absolute_path])
    return ["/" + "/".join(map(str, error.absolute_path)) + ": " + error.message[:300] for error in found[:5]]


def misspelt(data, path=()):
    """Copies of `data`, each with one key misspelt, and where: all but the keys of open maps, of which each name may stand."""
    if isinstance(data, list):
        for place, item in enumerate(data[:3]):
            for where, changed in misspelt(item, (*path, place)):
                yield where, [*data[:place], changed, *data[place + 1:]]
    if isinstance(data, dict):
        is_open = bool(OPEN_MAPS.intersection(map(str, path[-1:]))) or path[-2:-1] == ("expect",)  # of which the values are maps, too
        for key, value in data.items():
            if not is_open:
                yield (*path, key), {(key + "_" if other == key else other): item for other, item in data.items()}
            for where, changed in misspelt(value, (*path, key)):
                yield where, {**data, key: changed}
