# SPDX-License-Identifier: Apache-2.0
"""What the command and an adapter write as JSON follows its schema in docs/schemas, whose closed objects refuse each key misspelt.
Usage: written_json_test.py TIEBREAK FAULTY_ADAPTER SOURCE_FOLDER"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import json_schemas

if json_schemas.jsonschema is None:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(0)

MARKDOWN = "# Text\n## add\n```mlir\n// %x: 1\n// %y: 2\n%z = stablehlo.add %x, %y : tensor<i8>\n// %z: 4\n```\n"
SUMS = "".join(f"func.func @{name}(%x: tensor<2xi8>, %y: tensor<i8>) -> tensor<2xi8> {{\n%s = stablehlo.{op} %x, %x : tensor<2xi8>\nreturn %s : tensor<2xi8>\n}}\n" for name, op in (("a", "add"), ("b", "multiply")))
DOT = ["lhs=[[1e8,1,-1e8]]:f32", "rhs=[[1],[1],[1]]:f32"]


def commands(folder):
    """Schema -> command lines. Exit codes are other tests' business."""
    faulty = ["--backend", FAULTY, "--backend-option=--fault", "--backend-option=half-away", "--profile", "onnx"]
    cases, dispute = "testsuite/packaging/conformance/cases.json", "testsuite/disputes/D05-leaky-relu-tail"
    quantize = "onnx.QuantizeLinear/ties/f16-u8-zp7:6"
    report = ["check", cases, *faulty, "--state", f"{folder}/state.json"]
    return {
        "report": [[*report], ["report", "merge", f"{folder}/report.json", f"{folder}/report.json"]],
        "report-diff": [["report", "diff", f"{folder}/report.json", f"{folder}/right.json"]],
        "identify": [["identify", "--observations", f"{dispute}/vector.json"], ["identify", "--observations", f"{dispute}/program.json"],
                     ["identify", "--backend", FAULTY, "--op", "onnx.QuantizeLinear", "--confirm", "10"]],
        "survey": [["identify", "--backend", FAULTY, "--op", "onnx.Quan*"]],
        "capabilities": [["backend", "capabilities", FAULTY, "--source", cases]],
        "score": [["score", cases]],
        "spec-verify": [["spec", "verify", "onnx.QuantizeLinear"], ["spec", "verify", f"{folder}/text.md"]],
        "eval": [["eval", "onnx.QLinearMatMul/example-1", "--profile", "tosa-1.0"], ["eval", "stablehlo.dot_general", "--interval", *[word for text in DOT for word in ("--input", text)], "--attribute", "lhs_contracting_dimensions=[1]",
                  "--attribute", "rhs_contracting_dimensions=[0]", "--result", "tensor<1x1xf32>"]],
        "explain": [["explain", quantize, "--profile", "onnx"], ["explain", quantize, "--profile", "onnx", "--profile", "onednn-x64"]],
        "diff": [["diff", "tflite-ref-double", "tflite-ref-single"]],
        "diff-matrix": [["diff", "--matrix", "tflite-ref-double", "tflite-ref-single"]],
        "equal": [["equal", f"{folder}/sums.mlir@a", f"{folder}/sums.mlir@b"]],
        "accuracy": [["accuracy", f"{folder}/scores.mlir", "--profile", "onnx", "--profile", "onnx:tie=away", "--samples", "200", "--labels", f"{folder}/labels.txt", "--axis", "1"],
                     ["accuracy", f"{folder}/scores.mlir", "--profile", "onnx", "--backend", FAULTY, "--backend-option=--fault", "--backend-option=none", "--samples", "4"]],
        "statistics": [["statistics", f"{folder}/net.mlir@net", f"{folder}/net.mlir@codes", "--input", "x=[[0.3,-1.2],[0.8,9]]:f32", "--growth"]],
        "recovered": [["parameters", f"{folder}/folded.relay"], ["parameters", f"{folder}/sums.mlir@a"]],
        "parameters": [["calibrate", f"{folder}/net.mlir@net", "--batches", "2", "--profile", "pytorch-observer"]],
        "rewrite": [["rewrite", f"{folder}/sums.mlir@a", "--rules", "affine/*"], ["rewrite", f"{folder}/rewrites.mlir@real", "--rules", "affine/relu*", "--judge"],
                    ["rewrite", f"{folder}/rewrites.mlir@real", "--rules", "affine/relu_without_zero_point", "--judge"]],
        "rules": [["rule", "verify", "tvm/relu"], ["rule", "verify", "tvm/clip"]],
        "bits": [["bits", "onnx.MatMulInteger", "--input", "A=255:tensor<1x64xu8>", "--input", "B=127:tensor<64x1xi8>", "--accumulator", "16"]],
        "pages": [["spec", "list"]],
        "resolved": [["spec", "show", "onnx.QLinearConv", "--profile", "onnxruntime-x64"],
                     ["spec", "show", "onnx.Cast", "--profile", "onnxruntime-x64"],  # a choice that the profile leaves open
                     ["spec", "show", "quant.requantize", "--profile", "tflite-builtin", "--against", "onnxruntime-x64"]],
        "profiles": [["profile", "list"]],
        "profile-shown": [["profile", "show", "onednn-x64"]],
        "cases": [["case", "list", cases]],
        "backends": [["backend", "list"]],
        "backend-info": [["backend", "info", FAULTY]],
        "reduced": [["reduce", "onnx.QuantizeLinear/ties", "--source", cases, *faulty]],
    }


def shortened(data):
    """The same with at most two items in each list: enough to misspell every key."""
    if isinstance(data, dict):
        return {key: shortened(value) for key, value in data.items()}
    return [shortened(item) for item in data[:2]] if isinstance(data, list) else data


class WrittenJsonTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.validators = json_schemas.load_validators(SOURCE)
        (pathlib.Path(cls.folder) / "text.md").write_text(MARKDOWN, encoding="utf-8")
        (pathlib.Path(cls.folder) / "net.mlir").write_text(re.findall(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/statistics.md").read_text(encoding="utf-8"))[0], encoding="utf-8")
        (pathlib.Path(cls.folder) / "scores.mlir").write_text(re.search(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/accuracy.md").read_text(encoding="utf-8"))[1], encoding="utf-8")
        (pathlib.Path(cls.folder) / "labels.txt").write_text("2\n" * 200, encoding="utf-8")
        (pathlib.Path(cls.folder) / "sums.mlir").write_text(SUMS, encoding="utf-8")
        (pathlib.Path(cls.folder) / "rewrites.mlir").write_text(re.findall(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/equal.md").read_text(encoding="utf-8"))[0], encoding="utf-8")
        folded = re.search(r"(?ms)^```relay\n(.*?)^```", (SOURCE / "docs/parameters.md").read_text(encoding="utf-8"))[1]
        (pathlib.Path(cls.folder) / "folded.relay").write_text(folded, encoding="utf-8")
        cases = "testsuite/packaging/conformance/cases.json"
        cls.run_command([TIEBREAK, "check", cases, "--backend", FAULTY, "--backend-option=--fault", "--backend-option=none", "--profile", "onnx", f"--json={cls.folder}/right.json"])
        cls.written = {name: [cls.json_of(command) for command in lines] for name, lines in commands(cls.folder).items()}
        cls.add_files(cases)

    @classmethod
    def run_command(cls, command):
        environment = {**os.environ, "TIEBREAK_SPEC": str(SOURCE / "spec")}
        return subprocess.run(command, cwd=SOURCE, env=environment, capture_output=True, text=True, timeout=300, check=False)

    @classmethod
    def json_of(cls, words):
        answer = cls.run_command([TIEBREAK, *words, "--json"])
        try:
            data = json.loads(answer.stdout)
        except ValueError as error:
            raise AssertionError(f"tiebreak {' '.join(words)} --json: {answer.stderr}") from error
        if words[0] == "check":
            (pathlib.Path(cls.folder) / "report.json").write_text(answer.stdout, encoding="utf-8")
        return data

    @classmethod
    def add_files(cls, cases):
        """What is written as a file alone."""
        cls.run_command([TIEBREAK, "golden", "build", cases, "--profile", "onnx", "--output", f"{cls.folder}/golden"])
        cls.run_command([TIEBREAK, "check", cases, "--backend", FAULTY, "--profile", "onnx", "--record", f"{cls.folder}/record"])
        cls.run_command([TIEBREAK, "parameters", f"{cls.folder}/folded.relay", "-o", f"{cls.folder}/parameters.json"])
        cls.run_command([TIEBREAK, "export", "tflite.CONV_2D/i8/0", "--profile", "tflite-ref-double", "-o", f"{cls.folder}/vectors"])
        for name, path in (("export", "vectors/export.json"), ("parameters", "parameters.json"), ("last-failed", "state.json"), ("golden", "golden/manifest.json"), ("recorded", "record/recorded.json")):
            cls.written.setdefault(name, []).append(json.loads((pathlib.Path(cls.folder) / path).read_text(encoding="utf-8")))
        cls.add_forms()
        provider = pathlib.Path(cls.folder) / "provider"
        provider.write_text(f"#!/bin/sh\ncat > {cls.folder}/samples.json\necho '{{\"low\": 0, \"high\": 1}}'\n", encoding="utf-8")
        provider.chmod(0o755)
        cls.run_command([TIEBREAK, "calibrate", f"{cls.folder}/net.mlir@net", "--provider", str(provider)])
        cls.written["samples"] = [json.loads((pathlib.Path(cls.folder) / "samples.json").read_text(encoding="utf-8"))]
        cls.written["case"] = [json.loads(cls.written["reduced"][0]["case_file"])]
        cls.written["backend-description"] = [json.loads(cls.run_command([FAULTY, "describe"]).stdout)]

    @classmethod
    def add_forms(cls):
        """The recipe of docs/quantize.md, and what is written with the forms."""
        page, folder = (SOURCE / "docs/quantize.md").read_text(encoding="utf-8"), pathlib.Path(cls.folder)
        (folder / "layer.mlir").write_text(re.search(r"(?ms)^```mlir\n(.*?)^```", page)[1], encoding="utf-8")
        recipe = re.search(r"(?ms)^```json\n(.*?)^```", page)[1]
        (folder / "recipe.json").write_text(recipe, encoding="utf-8")
        cls.run_command([TIEBREAK, "quantize", f"{folder}/layer.mlir", "--recipe", f"{folder}/recipe.json", "--seed", "1", "-o", f"{folder}/forms"])
        cls.written["recipe"] = [json.loads(recipe)]
        cls.written["quantize"] = [json.loads((folder / "forms/report.json").read_text(encoding="utf-8"))]
        cls.written["parameters"].append(json.loads((folder / "forms/parameters.json").read_text(encoding="utf-8")))

    def test_each_answer_follows_its_schema(self):
        for name, answers in self.written.items():
            for data in answers:
                with self.subTest(schema=name):
                    if "schema" in data:
                        self.assertRegex(data["schema"], f"^tiebreak\\.{name}/[0-9]+$")
                    self.assertEqual(json_schemas.errors(self.validators[name], data), [])

    def test_a_misspelt_key_is_refused(self):
        for name, answers in self.written.items():
            for where, changed in json_schemas.misspelt(shortened(answers[0])):
                with self.subTest(schema=name, key=where):
                    self.assertFalse(self.validators[name].is_valid(changed))

    def test_each_schema_has_something_written_or_committed(self):
        committed = {"constraints", "dispute", "dumps", "fusions", "known-failures", "measured", "observations", "operator-versions", "operators", "profile", "score-left", "sources", "table"}
        self.assertEqual(set(self.validators), set(self.written) | committed)


if __name__ == "__main__":
    TIEBREAK, FAULTY, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    del sys.argv[1:4]
    unittest.main()
