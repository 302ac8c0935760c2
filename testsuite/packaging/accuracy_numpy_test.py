# SPDX-License-Identifier: Apache-2.0
"""What accuracy counts against what numpy counts of the outputs that `eval` gives, input by input. Usage: accuracy_numpy_test.py TIEBREAK SOURCE_FOLDER"""
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

# Quantized twice with weights between, so that a tie is not the last step: five scores, whose codes stand for halves.
NET = """func.func @net(%x: tensor<1x6xf32>) -> (tensor<1x5xi8>, tensor<1x6xf32>) {
  %s = stablehlo.constant dense<0.25> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i8>
  %t = stablehlo.constant dense<0.5> : tensor<f32>
  %w = stablehlo.constant dense<WEIGHTS> : tensor<6x5xf32>
  %q = "onnx.QuantizeLinear"(%x, %s, %z) : (tensor<1x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x6xi8>
  %f = "onnx.DequantizeLinear"(%q, %s, %z) : (tensor<1x6xi8>, tensor<f32>, tensor<i8>) -> tensor<1x6xf32>
  %p = "onnx.MatMul"(%f, %w) : (tensor<1x6xf32>, tensor<6x5xf32>) -> tensor<1x5xf32>
  %y = "onnx.QuantizeLinear"(%p, %t, %z) : (tensor<1x5xf32>, tensor<f32>, tensor<i8>) -> tensor<1x5xi8>
  return %y, %f : tensor<1x5xi8>, tensor<1x6xf32>
}
"""
FIRST, OTHER = "onnx", "onnx:tie=away"
INPUTS = 24


class NumpyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        random = numpy.random.RandomState(7)
        weights = random.randint(-8, 9, (6, 5)) / 8
        program = NET.replace("WEIGHTS", json.dumps(weights.tolist()))
        (cls.folder / "net.mlir").write_text(program, encoding="utf-8")
        cls.x = (random.randint(-32, 33, (INPUTS, 6)) / 8).astype(numpy.float32)  # every second one is a tie of scale 0.25
        numpy.save(cls.folder / "x.npy", cls.x)
        cases = [{"name": f"{number}", "program": program, "inputs": {"x": {"type": "f32", "shape": [1, 6], "data": x.tolist()}}} for number, x in enumerate(cls.x)]
        (cls.folder / "cases.json").write_text(json.dumps({"schema": "tiebreak.case/1", "cases": cases}), encoding="utf-8")
        cls.outputs = {profile: cls.eval_outputs(profile) for profile in (FIRST, OTHER)}

    @classmethod
    def run_command(cls, *words):
        environment = {**os.environ, "TIEBREAK_SPEC": str(SOURCE / "spec")}
        answer = subprocess.run([TIEBREAK, *words], cwd=cls.folder, env=environment, capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            raise AssertionError(answer.stderr)
        return answer.stdout

    @classmethod
    def eval_outputs(cls, profile):
        """Of each input the codes of y, and f."""
        data = json.loads(cls.run_command("eval", "cases.json", "--profile", profile, "--json"))
        return [[numpy.array([float.fromhex(value) if "x" in value else float(value) for value in output["values"]]) for output in case["outputs"]] for case in data["cases"]]

    def report(self, *more):
        return json.loads(self.run_command("accuracy", "net.mlir", "--data", "x.npy", "--profile", FIRST, "--profile", OTHER, "--json", *more))

    def test_counts_and_ratios(self):
        report = self.report()
        self.assertEqual((report["inputs"], report["done"], report["incomplete"]), (INPUTS, INPUTS, False))
        for place, found in enumerate(report["differences"][0]["outputs"]):
            first, other = (numpy.stack([outputs[place] for outputs in self.outputs[profile]]) for profile in (FIRST, OTHER))
            with self.subTest(output=found["output"]):
                self.assertEqual(found["elements"], first.size)
                self.assertGreater(found["different"], 0)
                self.assertEqual(found["different"], int(numpy.sum(first != other)))
                self.assertEqual(found["inputs_different"], int(numpy.sum(numpy.any(first != other, 1))))
                changed = numpy.flatnonzero(numpy.argmax(first, 1) != numpy.argmax(other, 1))
                self.assertEqual(found["arg_max"]["rows"], INPUTS)
                self.assertEqual(found["arg_max"]["changed"], len(changed))
                self.assertEqual([each["input"] for each in found["arg_max"]["inputs"]], changed.tolist())
                self.assertEqual([each["name"] for each in found["arg_max"]["inputs"]], [f"x.npy[{number}]" for number in changed])
                ties = [number for number in changed if any(numpy.sum(side[number] == side[number].max()) > 1 for side in (first, other))]
                self.assertEqual(found["arg_max"]["at_a_tie"], len(ties))
                self.assertAlmostEqual(float(found["sqnr_db"]), 20 * numpy.log10(numpy.linalg.norm(first) / numpy.linalg.norm(first - other)), delta=0.00006)
        y = report["differences"][0]["outputs"][0]
        first, other = (numpy.stack([outputs[0] for outputs in self.outputs[profile]]) for profile in (FIRST, OTHER))
        gap = numpy.abs(other - first)
        self.assertGreater(y["arg_max"]["changed"], 0)
        self.assertEqual(abs(float(y["greatest"]["difference"])), gap.max())
        self.assertEqual((y["greatest"]["input"], y["greatest"]["element"]), tuple(int(place) for place in numpy.unravel_index(numpy.argmax(gap), gap.shape)))
        self.assertEqual(sum(y["histogram"].values()), y["different"])

    def test_top_1(self):
        labels = numpy.argmax(numpy.stack([outputs[0] for outputs in self.outputs[FIRST]]), 1)
        labels[::3] = 0
        numpy.save(self.folder / "labels.npy", labels)
        right = {(hit["column"], hit["output"]): hit["right"] for hit in self.report("--labels", "labels.npy")["top_1"]}
        for column, profile in enumerate((FIRST, OTHER)):
            self.assertEqual(right[column, "y"], int(numpy.sum(numpy.argmax(numpy.stack([outputs[0] for outputs in self.outputs[profile]]), 1) == labels)))

    def test_a_folder_of_files_is_the_same_as_one_array(self):
        (self.folder / "each").mkdir()
        for number, x in enumerate(self.x):
            numpy.save(self.folder / f"each/{number:03}.npy", x)
        together = self.report()["differences"][0]["outputs"]
        alone = json.loads(self.run_command("accuracy", "net.mlir", "--data", "each", "--profile", FIRST, "--profile", OTHER, "--json", "-j", "2"))["differences"][0]["outputs"]
        for one, other in zip(together, alone):
            self.assertEqual([one[key] for key in ("sentence", "different", "signal", "noise")], [other[key] for key in ("sentence", "different", "signal", "noise")])
            self.assertEqual(other["greatest"]["name"], f"each/{one['greatest']['input']:03}.npy")


if __name__ == "__main__":
    TIEBREAK, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1])
