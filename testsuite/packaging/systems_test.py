#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A system is added by files alone: a page with an alternative, a profile and an adapter in a folder of the user's; nothing else is edited.

    systems_test.py TIEBREAK SOURCE
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

TIEBREAK, SOURCE = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()



def python_with_h5py():
    """An interpreter that has what an adapter in Python needs; "" if there is none."""
    for program in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(program) and subprocess.run([program, "-c", "import h5py, numpy"], capture_output=True, check=False).returncode == 0:
            return program
    return ""


PYTHON = python_with_h5py()

PAGE = """\
# Quotients of half precision

Example NPU divides in f16.

## Formulas

```semantics
def narrow(v) = f16(v)
alternative onnx.QuantizeLinear/quotient: in_f16 = narrow(x / y_scale)
```

## Examples

```mlir
// %x: [1.4998]
// %s: 1.0
%y = "onnx.QuantizeLinear"(%x, %s) : (tensor<1xf32>, tensor<f32>) -> tensor<1xui8>
// %y: [1]
// %y @ quotient=in_f16: [2]
// %y @ example-npu: [2]
```
"""
PROFILE = '{ "name": "example-npu", "extends": "onnx", "system": "example-npu", "sources": ["data-sheet"], "choices": { "onnx.QuantizeLinear/quotient": "in_f16" } }'
ADAPTER = """\
#!PYTHON
import sys
import numpy
from exchange_case import Unsupported, main

class Npu:
    def describe(self):
        return {"name": "example-npu", "version": "1", "ops": ["onnx.QuantizeLinear"], "profile": "example-npu"}
    def run(self, case):
        x, scale = case.operand("x").plain("f32"), case.operand("y_scale").one("f32")
        y = case.outputs[0].plain("u8")
        return [numpy.clip(numpy.rint((x.astype(numpy.float64) / scale).astype(numpy.float16)).astype(numpy.float64), 0, 255).astype(y.dtype)]

sys.exit(main({}, lambda options: Npu()))
"""
CASES = """{ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear",
  "cases": [ { "name": "half/f32", "inputs": { "x": { "type": "f32", "shape": [3], "data": ["1.4998", "2.5", "3.25"] }, "y_scale": { "type": "f32", "shape": [], "data": [1] } } } ] }"""


class Systems(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tiebreak-systems-")
        self.path = pathlib.Path(self.folder.name)
        for name, text in {"spec/systems/example-npu/quotient.md": PAGE, "spec/systems/example-npu/example-npu.json": PROFILE,
                           "spec/sources.json": '{ "data-sheet": { "title": "Example NPU" } }', "adapters/tiebreak-adapter-example-npu": ADAPTER.replace("PYTHON", PYTHON),
                           "cases/QuantizeLinear.json": CASES}.items():
            self.write(name, text)
        (self.path / "adapters/tiebreak-adapter-example-npu").chmod(0o755)
        self.environment = {**os.environ, "TIEBREAK_SPEC": f"{SOURCE / 'spec'}:{self.path / 'spec'}", "TIEBREAK_ADAPTERS": str(self.path / "adapters")}

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(textwrap.dedent(text), encoding="utf-8")

    def run_command(self, *words):
        done = subprocess.run([TIEBREAK, *map(str, words)], env=self.environment, cwd=self.path, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def test_its_page_is_verified(self):
        code, out, err = self.run_command("spec", "verify", "systems.example_npu.quotient")
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("1 of 1 example holds", out)
        code, out, err = self.run_command("spec", "list")
        self.assertRegex(out, r"systems\.example_npu\.quotient +1 +onnx\.QuantizeLinear/quotient +\S*quotient\.md")

    def test_its_profile_is_known(self):
        code, out, err = self.run_command("profile", "show", "example-npu")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"onnx\.QuantizeLinear/quotient +in_f16")

    def test_values_are_its_own(self):
        example = self.path / "half.mlir"
        self.write("half.mlir", PAGE.split("```mlir\n")[1].split("```")[0].replace("// %y @ quotient=in_f16: [2]\n", "").replace("// %y @ example-npu: [2]\n", ""))
        for profile, value in (("onnx", "1"), ("example-npu", "2"), (self.path / "spec/systems/example-npu/example-npu.json", "2")):
            code, out, err = self.run_command("eval", example, "--profile", profile)
            self.assertEqual((code, err), (0, ""), out)
            self.assertRegex(out, r"\b%s\b" % value, profile)

    @unittest.skipUnless(PYTHON, "no python3 with h5py and numpy")
    def test_its_backend_is_checked_under_its_profile(self):
        code, out, err = self.run_command("check", "--backend", "example-npu", self.path / "cases/QuantizeLinear.json")
        self.assertEqual(code, 0, out + err)
        code, out, err = self.run_command("check", "--backend", "example-npu", "--profile", "onnx", self.path / "cases/QuantizeLinear.json")
        self.assertEqual(code, 1, out + err)

    def test_one_broken_file_is_reported_and_spoils_nothing_else(self):
        self.write("spec/systems/example-npu/broken.md", "# Broken\n\n```semantics\nalternative onnx.QuantizeLinear/quotient: eighth = f9(x)\n```\n")
        code, out, err = self.run_command("profile", "show", "example-npu")
        self.assertEqual(code, 0, err)
        self.assertEqual(err.count("broken.md"), 1, err)
        self.assertEqual(err.count("warning"), 1, err)


if __name__ == "__main__":
    unittest.main()
