# SPDX-License-Identifier: Apache-2.0
"""What `tiebreak export` writes: its formats hold the same words, its C bench compiles and finds a planted error, and so does the SystemVerilog bench where a
simulator is installed. Usage: export_test.py TIEBREAK SOURCE_FOLDER FilesTest|CBenchTest|VerilogBenchTest|VerilatorBenchTest"""
import ast
import csv
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

C_FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
CONV = ["tflite.CONV_2D/i8/0", "--profile", "tflite-ref-double"]
# Codes per channel, floats with nans, a mask of what is undefined, a table, codes of 4 bits.
CASES = [CONV, ["onnx.QLinearConv/example-3", "--profile", "onnxruntime-x64"], ["onnx.DequantizeLinear/example-1", "--profile", "onnx"],
         ["tflite.CONV_2D/i4/0", "--profile", "tflite-ref-double"], ["onnx.QuantizeLinear/specials/*", "--profile", "onnx", "--max-cases", "2"],
         [*[word for name in ("to-u8/f32", "to-i64/f32", "to-f8e4m3fn/f32-saturate0-specials") for word in ("-k", f"onnx.Cast/{name}")], "--profile", "onnx"]]


def run(words, folder=None, **more):
    environment = {**os.environ, "TIEBREAK_SPEC": str(SOURCE / "spec")}
    return subprocess.run(words, cwd=folder or SOURCE, env=environment, capture_output=True, text=True, timeout=120, check=False, **more)


def read_npy(path):
    """The array's words, as whole numbers of their bits."""
    content = path.read_bytes()
    length = struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10 : 10 + length].decode())
    width = int(header["descr"][2:])
    data = content[10 + length :]
    return list(header["shape"]), [int.from_bytes(data[place : place + width], "little") for place in range(0, len(data), width)]


def read_mif(text):
    """A memory initialization file by its grammar: the words, and their width."""
    text = re.sub(r"--[^\n]*|%[^%]*%", " ", text)
    head, body = re.fullmatch(r"(?s)\s*(.*?)CONTENT\s+BEGIN\s(.*?)END;\s*", text).groups()
    keys = dict(re.findall(r"(WIDTH|DEPTH|ADDRESS_RADIX|DATA_RADIX)\s*=\s*(\w+)\s*;", head))
    assert re.fullmatch(r"(\s*(WIDTH|DEPTH|ADDRESS_RADIX|DATA_RADIX)\s*=\s*\w+\s*;\s*)*", head), head
    assert keys["ADDRESS_RADIX"] == "UNS" and keys["DATA_RADIX"] == "HEX", keys
    words = [None] * int(keys["DEPTH"])
    line = r"\s*(?:(\d+)|\[(\d+)\.\.(\d+)\])\s*:\s*([0-9A-F]+);"
    assert re.fullmatch(rf"(?:{line})*\s*", body), body[:200]
    for single, first, last, word in re.findall(line, body):
        for place in range(int(single or first), int(single or last) + 1):
            assert words[place] is None, f"address {place} stands twice"
            words[place] = int(word, 16)
    assert None not in words
    return words, int(keys["WIDTH"])


# The convolution of CONV in plain integers, of headers alone: two roundings, the first to the high half of a doubled product, the second by the shift.
CONVOLUTION = """
#include "dut.h"
#include "multiplier_output.h"
#include "shift_output.h"
static long long rounded(long long v, int places, int upward) {
  const long long unit = 1LL << places, half = unit / 2;
  if (upward || v >= 0) return v + half >= 0 ? (v + half) / unit : -((-(v + half) + unit - 1) / unit);
  return -((-v + half) / unit);
}
void dut(const int8_t* x, const int8_t* w, const int32_t* b, int8_t* y) {
  int n, row, column, o, i, k, c;
  for (n = 0; n < IN_INPUT_DIM0; ++n)
    for (row = 0; row < EXPECTED_OUTPUT_DIM1; ++row)
      for (column = 0; column < EXPECTED_OUTPUT_DIM2; ++column)
        for (o = 0; o < IN_FILTER_DIM0; ++o) {
          long long sum = b[o];
          for (i = 0; i < IN_FILTER_DIM1; ++i)
            for (k = 0; k < IN_FILTER_DIM2; ++k)
              for (c = 0; c < IN_FILTER_DIM3; ++c)
                sum += (x[((n * IN_INPUT_DIM1 + row + i) * IN_INPUT_DIM2 + 2 * column + k) * IN_INPUT_DIM3 + c] - IN_INPUT_ZERO_POINT) *
                       w[((o * IN_FILTER_DIM1 + i) * IN_FILTER_DIM2 + k) * IN_FILTER_DIM3 + c];
          sum = rounded(rounded(sum * multiplier_output[0], 31, 1), -shift_output[0], 0) + EXPECTED_OUTPUT_ZERO_POINT;
          *y++ = (int8_t)(sum < -128 ? -128 : sum > 127 ? 127 : sum);
        }
}
"""


class Exported:
    """An export into a folder of the test's own."""

    def __init__(self, test, words, name="vectors"):
        temporary = tempfile.TemporaryDirectory()
        test.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name) / name
        answer = run([TIEBREAK, "export", *words, "-o", str(self.path)])
        test.assertEqual(answer.returncode, 0, answer.stderr)
        self.manifest = json.loads((self.path / "export.json").read_text(encoding="utf-8"))

    def folders(self):
        return [self.path / case["folder"] for case in self.manifest["cases"]]


class FilesTest(unittest.TestCase):
    def test_every_format_has_the_same_words(self):
        seen = set()
        for words in CASES:
            exported = Exported(self, words)
            for case in exported.manifest["cases"]:
                for tensor in case["tensors"]:
                    with self.subTest(case=case["id"], tensor=tensor["name"]):
                        self.check(exported.path, tensor)
                        seen.add(tensor["role"])
        self.assertLessEqual({"in", "expected", "accumulator", "multiplier", "shift", "factor", "table"}, seen)

    def check(self, folder, tensor):
        files = {word: folder / path for word, path in tensor["files"].items()}
        bits, size = tensor["bits"], tensor["elements"]
        shape, codes = read_npy(files["npy"])
        codes = [code & (1 << bits) - 1 for code in codes]
        self.assertEqual(shape, tensor["shape"])
        self.assertEqual(len(codes), size)
        memh = files["memh"].read_text(encoding="ascii").splitlines()
        self.assertEqual([int(word, 16) for word in memh], codes)
        self.assertEqual({len(word) for word in memh}, {(bits + 3) // 4})
        self.assertEqual(read_mif(files["mif"].read_text(encoding="ascii")), (codes, bits))
        with files["csv"].open(encoding="ascii", newline="") as text:
            rows = list(csv.reader(text))
        self.assertEqual(rows[0], [f"index{axis}" for axis in range(len(shape))] + ["value", "code"])
        self.assertEqual([int(row[-1], 16) for row in rows[1:]], codes)
        for place, row in enumerate(rows[1:]):
            flat = 0
            for extent, index in zip(shape, row):
                flat = flat * extent + int(index)
            self.assertEqual(flat, place)
        header = files["h"].read_text(encoding="ascii")
        self.assertIn(f"#define {tensor['name'].upper()}_SIZE {size}\n", header)
        literals = re.search(r"(?s)\{\n(.*)\n\};", header)[1].split(",")
        self.assertEqual(len(literals), size)
        if re.fullmatch(r"u?int(8|16|32)_t", tensor["c_type"]):
            self.assertEqual([int(word.strip(" \n").rstrip("u"), 0) & (1 << bits) - 1 for word in literals], codes)

    def test_the_same_bytes_again(self):
        first, second = (Exported(self, CONV, name) for name in ("a", "b"))
        files = sorted(path.relative_to(first.path) for path in first.path.rglob("*"))
        self.assertEqual(files, sorted(path.relative_to(second.path) for path in second.path.rglob("*")))
        for path in files:
            if (first.path / path).is_file():
                self.assertEqual((first.path / path).read_bytes(), (second.path / path).read_bytes(), path)

    def test_some_formats_alone(self):
        exported = Exported(self, [*CONV, "--format", "sv-test,csv"])
        self.assertEqual({path.suffix for path in exported.folders()[0].iterdir()}, {".memh", ".csv", ".sv", ".svh"})
        self.assertEqual(set(exported.manifest["cases"][0]["benches"]), {"sv"})

    def test_what_cannot_be_exported_leaves_nothing(self):
        # (words, exit code, a word of the message)
        refused = [(["tflite.CONV_2D/i8/none", "-o", "out"], 2, "i8/none"), (["onnx.QLinearConv/example-4", "--profile", "onnx", "-o", "out"], 5, "undefined"),
                   (["onnx.QLinearConv/example-6", "-o", "out"], 2, "B1"), ([*CONV, "-o", "out", "--format", "npi"], 2, "npy"), ([*CONV], 2, "-o FOLDER"),
                   ([CONV[0], "--profile", "tflite-ref-doubl", "-o", "out"], 2, "tflite-ref-double"), ([*CONV, "-o", "full"], 2, "not empty"),
                   ([*CONV, "-o", "full", "--force"], 2, "no export"), ([*CONV, "-o", "full/file"], 2, "no folder"), (["-o", "out"], 2, "name a case"),
                   ([CONV[0], "--layer", "x", "-o", "out"], 2, "--layer")]
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            (folder / "full").mkdir()
            (folder / "full/file").write_text("mine", encoding="utf-8")
            for words, code, message in refused:
                with self.subTest(words=words):
                    answer = run([TIEBREAK, "export", *words], folder)
                    self.assertEqual(answer.returncode, code, answer.stderr)
                    self.assertEqual(answer.stdout, "")
                    self.assertIn(message, answer.stderr)
                    self.assertEqual([path.name for path in folder.iterdir()], ["full"])
                    self.assertEqual((folder / "full/file").read_text(encoding="utf-8"), "mine")

    def test_what_cannot_be_exported_is_left_out_of_many(self):
        exported = Exported(self, ["spec/onnx/QLinearConv.md", "--profile", "onnx", "--format", "memh"])
        self.assertEqual(set(exported.manifest["left_out"]), {f"onnx.QLinearConv/example-{number}" for number in (4, 5, 6)})
        self.assertEqual([case["id"] for case in exported.manifest["cases"]], [f"onnx.QLinearConv/example-{number}" for number in (1, 2, 3)])

    def test_force_replaces_an_export_alone(self):
        exported = Exported(self, CONV)
        (exported.path / "more").write_text("", encoding="utf-8")
        answer = run([TIEBREAK, "export", "onnx.QLinearConv/example-3", "--profile", "onnx", "-o", str(exported.path), "--force"])
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(sorted(path.name for path in exported.path.iterdir()), ["export.json", "onnx.QLinearConv_example-3"])
        self.assertEqual([path.name for path in exported.path.parent.iterdir()], ["vectors"])

    def test_layers_of_a_model_keep_its_weights(self):
        maker = pathlib.Path(TIEBREAK).with_name("tiebreak-make-models")
        if not maker.exists():
            self.skipTest("tiebreak-make-models is not built")
        with tempfile.TemporaryDirectory() as folder:
            run([str(maker), folder])
            exported = Exported(self, [f"{folder}/cnn.qoperator.onnx", "--layer", "*conv*", "--profile", "onnxruntime-x64"])
            ids = [case["id"] for case in exported.manifest["cases"]]
            self.assertGreater(len(ids), 1)
            self.assertTrue(all(re.match(r"cnn\.qoperator/\d+\..*conv", name) for name in ids), ids)
            roles = {tensor["role"] for case in exported.manifest["cases"] for tensor in case["tensors"]}
            self.assertLessEqual({"in", "const", "expected", "accumulator", "factor"}, roles)
            answer = run([TIEBREAK, "export", f"{folder}/cnn.qoperator.onnx", "--layer", "no.such", "-o", f"{folder}/out"])
            self.assertEqual(answer.returncode, 2)
            self.assertIn("no.such", answer.stderr)


class CBenchTest(unittest.TestCase):
    @staticmethod
    def build(folder, dut):
        return run(["gcc", *C_FLAGS, "bench.c", dut, "-o", "bench"], folder)

    def test_it_passes_with_what_is_expected(self):
        for words in CASES:
            for folder in Exported(self, [*words, "--format", "c-test"]).folders():
                with self.subTest(folder=folder.name):
                    made = self.build(folder, "reference_dut.c")
                    self.assertEqual(made.returncode, 0, made.stderr)
                    answer = run(["./bench"], folder)
                    self.assertEqual((answer.returncode, answer.stdout), (0, "all outputs agree\n"))

    def test_an_implementation_of_the_exported_numbers_passes(self):
        folder = Exported(self, [*CONV, "--format", "c-test"]).folders()[0]
        for text, code in ((CONVOLUTION, 0), (CONVOLUTION.replace("multiplier_output[0]", "(multiplier_output[0] + (1 << 22))"), 1)):
            (folder / "planted.c").write_text(text, encoding="ascii")
            made = self.build(folder, "planted.c")
            self.assertEqual(made.returncode, 0, made.stderr)
            answer = run(["./bench"], folder)
            self.assertEqual(answer.returncode, code, answer.stdout)

    def planted(self, folder, line):
        """The bench with one line more at the end of the reference."""
        text = (folder / "reference_dut.c").read_text(encoding="ascii")
        (folder / "planted.c").write_text(text[: text.rindex("}")] + f"  {line}\n}}\n", encoding="ascii")
        made = self.build(folder, "planted.c")
        self.assertEqual(made.returncode, 0, made.stderr)
        return run(["./bench"], folder)

    def test_an_error_of_one_code_is_found_with_its_place(self):
        exported = Exported(self, [*CONV, "--format", "npy,c-test"])
        folder = exported.folders()[0]
        _, expected = read_npy(folder / "expected_output.npy")
        place = next(i for i in range(100, len(expected)) if expected[i] not in (127, 128))  # [1][1][0][1] of 2x4x2x9 and after it
        _, sums = read_npy(folder / "accumulator_output.npy")
        answer = self.planted(folder, f"p3[{place}] += 1;")
        code = (expected[place] ^ 128) - 128
        self.assertEqual(answer.returncode, 1)
        index = f"[{place // 72}][{place // 18 % 4}][{place // 9 % 2}][{place % 9}]"
        self.assertIn(f"out_output{index} (element {place}) differs\n", answer.stdout)
        self.assertIn(f"  accumulator_output = {(sums[place] ^ 1 << 31) - (1 << 31)}\n", answer.stdout)
        self.assertIn(f"  expected {code}\n  actual {code + 1}\n", answer.stdout)

    def test_an_element_that_is_never_written_is_found(self):
        folder = Exported(self, [*CONV, "--format", "c-test"]).folders()[0]
        text = (folder / "reference_dut.c").read_text(encoding="ascii")
        (folder / "planted.c").write_text(text.replace("sizeof expected_output)", "sizeof expected_output - 1)"), encoding="ascii")
        self.assertEqual(self.build(folder, "planted.c").returncode, 0)
        answer = run(["./bench"], folder)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("(element 143) differs", answer.stdout)


class VerilogBenchTest(unittest.TestCase):
    @staticmethod
    def simulate(folder, dut):
        made = run(["iverilog", "-g2012", "-Wall", "-o", "bench.vvp", "bench.sv", dut], folder)
        return made if made.returncode != 0 else run(["vvp", "-n", "bench.vvp"], folder)

    def test_it_passes_with_what_is_expected(self):
        for words in CASES:
            for folder in Exported(self, [*words, "--format", "sv-test"]).folders():
                with self.subTest(folder=folder.name):
                    answer = self.simulate(folder, "reference_dut.sv")
                    self.assertEqual(answer.returncode, 0, answer.stderr + answer.stdout)
                    self.assertIn("all outputs agree", answer.stdout)

    def test_an_error_of_one_code_is_found_with_its_place(self):
        folder = Exported(self, [*CONV, "--format", "sv-test"]).folders()[0]
        text = (folder / "reference_dut.sv").read_text(encoding="ascii")
        (folder / "planted.sv").write_text(text.replace("    done <= 1;", "    out_output[100] = out_output[100] ^ 1;\n    done <= 1;"), encoding="ascii")
        expected = (folder / "expected_output.memh").read_text(encoding="ascii").splitlines()[100]
        answer = self.simulate(folder, "planted.sv")
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertIn(f"out_output[100]: expected {expected}, actual {int(expected, 16) ^ 1:02x}", answer.stdout + answer.stderr)

    def test_a_device_that_gives_nothing_is_found(self):
        folder = Exported(self, [*CONV, "--format", "sv-test"]).folders()[0]
        text = (folder / "reference_dut.sv").read_text(encoding="ascii")
        (folder / "planted.sv").write_text(re.sub(r" *\$readmemh.*\n", "", text), encoding="ascii")
        answer = self.simulate(folder, "planted.sv")
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertIn("actual xx", answer.stdout + answer.stderr)


class VerilatorBenchTest(unittest.TestCase):
    def test_it_passes_and_finds_a_planted_error(self):
        folder = Exported(self, [*CONV, "--format", "sv-test"]).folders()[0]
        text = (folder / "reference_dut.sv").read_text(encoding="ascii")
        wrong = '    if ($test$plusargs("wrong")) out_output[100] = out_output[100] ^ 1;\n    done <= 1;'
        (folder / "planted.sv").write_text(text.replace("    done <= 1;", wrong), encoding="ascii")
        expected = (folder / "expected_output.memh").read_text(encoding="ascii").splitlines()[100]
        made = run(["verilator", "--binary", "-Wno-fatal", "--top", "bench", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "bench.sv", "planted.sv"], folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        right, planted = run(["obj_dir/Vbench"], folder), run(["obj_dir/Vbench", "+wrong"], folder)
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        self.assertIn("all outputs agree", right.stdout)
        self.assertNotEqual(planted.returncode, 0)
        self.assertIn(f"out_output[100]: expected {expected}, actual {int(expected, 16) ^ 1:02x}", planted.stdout + planted.stderr)


if __name__ == "__main__":
    TIEBREAK, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
    needs = {"CBenchTest": "gcc", "VerilogBenchTest": "iverilog", "VerilatorBenchTest": "verilator"}.get(sys.argv[3])
    if needs and not shutil.which(needs):
        print(f"skipped: {needs} is not installed")
        sys.exit(0)
    del sys.argv[1:3]
    unittest.main()
