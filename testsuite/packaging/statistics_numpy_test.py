# SPDX-License-Identifier: Apache-2.0
"""Statistics against numpy's formulas, on numbers drawn here; an error planted in one layer is named first. Usage: statistics_numpy_test.py TIEBREAK SOURCE_FOLDER"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(0)

TYPE, CODES = "tensor<4x6xf32>", "tensor<4x6x!quant.uniform<i8:f32, 0.0625:3>>"
FLOAT = f"""func.func @net(%x: {TYPE}) -> {TYPE} {{
  %a = stablehlo.tanh %x : {TYPE}
  %b = stablehlo.multiply %a, %x : {TYPE}
  %c = stablehlo.add %b, %a : {TYPE}
  return %c : {TYPE}
}}
"""
QUANTIZED = f"""func.func @net(%x: {TYPE}) -> {TYPE} {{
  %a = stablehlo.tanh %x : {TYPE}
  %b.raw = stablehlo.multiply %a, %x : {TYPE}
  %b.q = stablehlo.uniform_quantize %b.raw : ({TYPE}) -> {CODES}
  %b = stablehlo.uniform_dequantize %b.q : ({CODES}) -> {TYPE}
  %c = stablehlo.add %b, %a : {TYPE}
  return %c : {TYPE}
}}
"""


def planted(layer):
    """The float program with one unit in element [2, 1] of a layer."""
    values = numpy.zeros((4, 6))
    values[2, 1] = 1
    constant = f"  %one = stablehlo.constant dense<{values.tolist()}> : {TYPE}\n"
    lines = FLOAT.splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if line.startswith(f"  %{layer} ="))
    lines[place] = constant + lines[place].replace(f"%{layer} =", f"%{layer}.right =") + f"  %{layer} = stablehlo.add %{layer}.right, %one : {TYPE}\n"
    return "".join(lines)


class NumpyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.x = numpy.random.RandomState(5).uniform(-4, 4, (4, 6)).astype(numpy.float32)
        self.write("float.mlir", FLOAT)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def run_command(self, *words):
        listed = json.dumps([[float(value).hex() for value in row] for row in self.x]).replace('"', "")
        answer = subprocess.run([TIEBREAK, *words, "--input", f"x={listed}:f32"], cwd=self.folder, env={**os.environ, "TIEBREAK_SPEC": str(SOURCE / "spec")}, capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout

    def values_of(self, program):
        """Every value of a program by another verb, as doubles."""
        names = [line.split("=")[0].strip() for line in program.splitlines() if line.startswith("  %") and "dense" not in line]
        found = {}
        for name in names:
            type_text = next(line for line in program.splitlines() if line.strip().startswith(name + " =")).rsplit("->", 1)[-1].split(" : ")[-1].strip()
            self.write("one.mlir", program[: program.index("  return")].replace(f"-> {TYPE} {{", f"-> {type_text} {{", 1) + f"  return {name} : {type_text}\n}}\n")
            text = self.run_command("eval", "one.mlir", "--json")
            data = json.loads(text)
            found[name[1:]] = self.numbers(data)
        return found

    def numbers(self, data):
        values = data["outputs"][0]["values"] if "outputs" in data else data["cases"][0]["outputs"][0]["values"]
        flat = []

        def walk(item):
            if isinstance(item, list):
                for each in item:
                    walk(each)
            else:
                flat.append(float.fromhex(item) if "x" in str(item) else float(item))

        walk(values)
        return numpy.array(flat)

    def test_ratios_means_and_greatest_errors(self):
        self.write("codes.mlir", QUANTIZED)
        report = json.loads(self.run_command("statistics", "float.mlir", "codes.mlir", "--json"))
        expected, actual = self.values_of(FLOAT), self.values_of(QUANTIZED)
        self.assertEqual([value["value"] for value in report["values"]], ["a", "b", "c"])
        for value in report["values"]:
            x, y = expected[value["value"]], actual[value["value"]]
            with self.subTest(value=value["value"]):
                noise = numpy.linalg.norm(x - y)
                if noise == 0:
                    self.assertEqual(value["sqnr_db"], "inf")
                else:
                    self.assertAlmostEqual(float(value["sqnr_db"]), 20 * numpy.log10(numpy.linalg.norm(x) / noise), delta=0.00006)
                self.assertAlmostEqual(float(value["mean_error"]), numpy.mean(y - x), delta=1e-12)
                greatest = int(numpy.argmax(numpy.abs(y - x)))
                self.assertEqual(value["greatest_error"]["element"], greatest)
                self.assertAlmostEqual(float(value["greatest_error"]["error"]), (y - x)[greatest], delta=1e-15)
                self.assertEqual(value["different"], int(numpy.sum(x != y)))
                rows = numpy.argmax(x.reshape(4, 6), 1) != numpy.argmax(y.reshape(4, 6), 1)
                self.assertEqual(value["arg_max"], {"rows": 4, "changed": int(numpy.sum(rows))})
        codes = report["values"][1]["codes"]
        q = numpy.round(actual["b"] / 0.0625) + 3
        self.assertEqual((codes["at_low"], codes["at_high"], codes["used"]), (int(numpy.sum(q == -128)), int(numpy.sum(q == 127)), len(set(q))))

    def test_a_planted_error_is_named_first(self):
        for layer in "abc":
            with self.subTest(layer=layer):
                self.write("planted.mlir", planted(layer))
                text = self.run_command("statistics", "float.mlir", "planted.mlir")
                self.assertRegex(text, rf"planted.mlir: the first value that differs is {layer} \(stablehlo\.\w+\), in 1 of 24 elements, by at most \S+ at \[2, 1\] of batch 0")

    def test_a_choice_taken_otherwise(self):
        """Ties to even against ties away from zero: one element of five lies on one."""
        self.x = numpy.array([[0.3125, 0.3, 1.0, -1.25, 2.0]], dtype=numpy.float32)
        self.write("ties.mlir", """func.func @net(%x: tensor<1x5xf32>) -> tensor<1x5xui8> {
  %s = stablehlo.constant dense<0.125> : tensor<f32>
  %z = stablehlo.constant dense<3> : tensor<ui8>
  %y = "onnx.QuantizeLinear"(%x, %s, %z) : (tensor<1x5xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x5xui8>
  return %y : tensor<1x5xui8>
}
""")
        text = self.run_command("statistics", "ties.mlir", "--profile", "onnx", "--against", "onnx:tie=away")
        self.assertIn("the first value that differs is y (onnx.QuantizeLinear), in 1 of 5 elements, by at most 1 at [0, 0] of batch 0", text)

    def test_the_same_bytes_twice(self):
        self.write("codes.mlir", QUANTIZED)
        self.assertEqual(*(self.run_command("statistics", "float.mlir", "codes.mlir", "--json", "--growth") for _ in range(2)))


if __name__ == "__main__":
    TIEBREAK, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
