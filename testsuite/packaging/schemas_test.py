# SPDX-License-Identifier: Apache-2.0
"""Every JSON file of the tree follows its schema in docs/schemas, and a schema refuses a misspelt key. Usage: schemas_test.py SOURCE_FOLDER"""
import gzip
import pathlib
import re
import subprocess
import sys
import unittest

import json_schemas

if json_schemas.jsonschema is None:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(0)

# Committed files that are small enough to misspell every key of them.
SMALL = {
    "case": "testsuite/packaging/conformance/cases.json",
    "dispute": "testsuite/disputes/D05-leaky-relu-tail/dispute.json",
    "known-failures": "tools/adapters/onednn/known-sse41.json",
    "observations": "testsuite/disputes/D05-leaky-relu-tail/program.json",
    "profile": "spec/systems/onnx/onnx.json",
    "recorded": "testsuite/recorded/onnxruntime/1.30.0/recorded.json",
}
# What a reader refuses, a schema refuses.
REFUSED = [
    ("case", {"schema": "tiebreak.case/1", "cases": [{"name": "a", "inputs": {}}]}, "neither an op nor a program"),
    ("case", {"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a$T", "inputs": {}}]}, "a word without 'for'"),
    ("case", {"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a", "inputs": {"X": {"type": "i8", "shape": [1], "rule": "tie", "of": "s"}}}]}, "an unknown rule"),
    ("case", {"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a", "inputs": {"X": {"type": "i8", "shape": [1], "rule": "random", "of": "s"}}}]}, "another rule's key"),
    ("case", {"schema": "tiebreak.case/1", "op": "onnx.Neg", "cases": [{"name": "a", "inputs": {"X": {"type": "i8", "shape": [1]}}}]}, "neither data nor a rule"),
    ("profile", {"name": "p", "choices": {"quant.quantize/tie": {"if": "x", "then": "even"}}}, "'if' without 'else'"),
    ("profile", {"name": "p", "choices": {"quant.quantize/tie": {"any": []}}}, "any of nothing"),
    ("known-failures", [{"case": "*", "reason": " "}], "no reason"),
    ("known-failures", [{"case": "*", "reason": "r", "until": "2"}], "a version of no backend"),
    ("parameters", {"schema": "tiebreak.parameters/1", "model": "m", "tensors": [{"tensor": "x", "type": "i8", "from": "given"}]}, "a type that is not quantized"),
    ("parameters", {"schema": "tiebreak.parameters/1", "model": "m", "tensors": [{"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>"}]}, "no origin"),
    ("parameters", {"schema": "tiebreak.parameters/1", "model": "m", "tensors": [{"tensor": "x", "type": "!quant.uniform<i8:f32, 0.1>", "from": "given", "low": "1"}]}, "one end of a range"),
    ("observations", {"schema": "tiebreak.observations/1", "op": "onnx.Neg", "observations": []}, "no observation"),
    ("backend-description", {"protocol": 2, "name": "b", "version": "1", "ops": []}, "another protocol"),
    ("backend-description", {"protocol": 1, "name": "b", "version": "1", "ops": [], "isa": "avx2"}, "a fact outside 'details'"),
]


def committed():
    """Paths of the JSON files that git tracks; outside a checkout those that there are."""
    try:
        listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", SOURCE, "ls-files", "-z", "*.json", "*.json.gz"], capture_output=True, check=True).stdout.decode()
        names = [name for name in listing.split("\0") if name and (SOURCE / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(SOURCE).as_posix() for ending in ("*.json", "*.json.gz") for path in SOURCE.rglob(ending)]
    return [name for name in names if not re.match(r"build|\.", name)]


def read(name):
    content = (SOURCE / name).read_bytes()
    return json_schemas.read_json((gzip.decompress(content) if name.endswith(".gz") else content).decode())


class SchemasTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schemas = json_schemas.load_schemas(SOURCE)
        cls.validators = json_schemas.load_validators(SOURCE)

    def test_each_is_a_schema_that_says_what_it_is_for(self):
        index = (SOURCE / "docs/schemas/README.md").read_text(encoding="utf-8")
        self.assertTrue(self.schemas)
        for name, schema in self.schemas.items():
            with self.subTest(schema=name):
                json_schemas.jsonschema.Draft202012Validator.check_schema(schema)
                self.assertRegex(schema["$id"], f"^urn:tiebreak:schema:{name}:[0-9]+$")
                self.assertTrue(schema["title"] and schema["description"])
                self.assertIn(f"]({name}{json_schemas.ENDING})", index)

    def test_each_committed_file_follows_its_schema(self):
        findings = []
        for path in committed():
            data = read(path)
            name = json_schemas.schema_name(path, data)
            if name is None:
                findings.append(f"{path}: no schema is said to be its own (testsuite/packaging/json_schemas.py)")
            elif name:
                findings += [f"{path}: {error}" for error in json_schemas.errors(self.validators[name], data)]
        self.assertEqual(findings, [])

    def test_a_misspelt_key_is_refused(self):
        for name, path in SMALL.items():
            for where, changed in json_schemas.misspelt(read(path)):
                with self.subTest(schema=name, key=where):
                    self.assertFalse(self.validators[name].is_valid(changed))

    def test_what_a_reader_refuses_a_schema_refuses(self):
        for name, data, why in REFUSED:
            with self.subTest(schema=name, why=why):
                self.assertFalse(self.validators[name].is_valid(data))

    def test_each_schema_that_the_sources_name_is_published(self):
        named = set()
        for folder in ("interpreter", "testsuite", "tools"):
            for path in (SOURCE / folder).rglob("*.cpp"):
                if "unit" in path.parts:
                    continue
                named |= set(re.findall(r'"tiebreak\.([a-z-]+)/1"', path.read_text(encoding="utf-8")))
        self.assertEqual({name for name in named if name != "exchange"} - set(self.schemas), set())


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv[1])
    del sys.argv[1]
    unittest.main()
