# SPDX-License-Identifier: Apache-2.0
"""Golden files and records as Python has them, against the command that computes them again, and what is said of damage."""
import pathlib
import shutil
import tempfile
import unittest
from fractions import Fraction

from the_package import SOURCE, h5py, numpy, tiebreak
from tiebreak.parameters import parse_quantized

GOLDEN = SOURCE / "golden"
RECORD = SOURCE / "testsuite/recorded/onnxruntime/1.30.0"


def same(read, computed):
    """Codes bit for bit where they are defined, and the same elements undefined."""
    undefined = numpy.zeros(read.shape, bool) if read.undefined is None else read.undefined
    other = numpy.zeros(read.shape, bool) if computed.undefined is None else computed.undefined
    bits = [tensor.codes.view(f"u{tensor.codes.dtype.itemsize}") if tensor.codes.dtype != bool else tensor.codes for tensor in (read, computed)]
    return read.codes.dtype == computed.codes.dtype and read.shape == computed.shape and (undefined == other).all() and (undefined | (bits[0] == bits[1])).all()


class GoldenTest(unittest.TestCase):
    def test_outputs_are_those_that_the_command_computes(self):
        for op, profile in (("onnx.QuantizeLinear", "onnx"), ("stablehlo.add", "stablehlo-spec"), ("stablehlo.uniform_quantize", "stablehlo-spec")):
            path = GOLDEN / f"{op}.{profile}.h5"
            computed = tiebreak.eval_cases(path, profile=profile)
            cases = tiebreak.read_golden(path)
            self.assertEqual([case.id for case in cases], list(computed))
            self.assertGreater(len(cases), 30)
            for case in cases:
                self.assertEqual(len(case.outputs), len(computed[case.id]))
                for read, output in zip(case.outputs.values(), computed[case.id], strict=True):
                    self.assertTrue(same(read, output), case.id)
                    self.assertEqual((read.name, read.element, read.is_quantized), (output.name, output.element, output.is_quantized))
                    if read.is_quantized:
                        self.assertEqual(read.parameters, output.parameters, case.id)

    def test_inputs_given_back_to_the_command_give_the_outputs(self):
        # Codes of 4 bits under quantized types, bf16 by its bits, attributes, an element type among them.
        wanted = {("stablehlo.add", "stablehlo-spec"): ("all-pairs/i4", "float/bf16"), ("onnx.QuantizeLinear", "onnx"): ("axis/0", "ties/precision-f32")}
        for (op, profile), names in wanted.items():
            with tiebreak.open_exchange(GOLDEN / f"{op}.{profile}.h5") as file:
                for name in names:
                    case = file[f"{op}/{name}"]
                    output = next(iter(case.outputs.values()))
                    attributes = {key: tiebreak.ElementType(value) if key == "precision" else value for key, value in case.attributes.items()}
                    results = [f"tensor<{'x'.join(map(str, output.shape))}x{output.type}>"] if op.startswith("stablehlo") else ()
                    computed, = tiebreak.eval_tensors(op, inputs=case.inputs, attributes=attributes, results=results, profile=profile, version=case.version or None)
                    self.assertTrue(same(output, computed), name)

    def test_what_lies_beside_the_tensors(self):
        with tiebreak.open_exchange(GOLDEN / "onnx.QuantizeLinear.onnx.h5") as file:
            self.assertEqual((file.kind, file.context["profile"], file.has_table), ("golden", "onnx", True))
            case = file["onnx.QuantizeLinear/ties/f32-u8-half-zp3"]
            for name in ("x", "onnx.QuantizeLinear"):
                self.assertRaisesRegex(tiebreak.Error, f"no case '{name}'", file.__getitem__, name)
        self.assertEqual((case.op, case.profile, case.clauses["tie"]), ("onnx.QuantizeLinear", "onnx", "even"))
        self.assertEqual(list(case.inputs), ["x", "y_scale", "y_zero_point"])
        y, x = case.outputs["y"], case.inputs["x"]
        self.assertTrue((y.before == x.numbers() / 0.5 + 3).all(), "quotients by a half are exact")
        self.assertEqual(y.distance.shape, y.shape)
        self.assertIn('"onnx.QuantizeLinear"(%x', case.program)
        self.assertRaisesRegex(tiebreak.Error, "the file is closed", file.__getitem__, case.id)

    def test_types_and_parameters_of_every_form(self):
        forms = set()
        for name in ("hybrid.convolution.reference.h5", "stablehlo.add.stablehlo-spec.h5", "stablehlo.uniform_quantize.stablehlo-spec.h5", "tflite.CONV_2D.reference.h5"):
            for case in tiebreak.read_golden(GOLDEN / name):
                for tensor in (*case.inputs.values(), *case.outputs.values()):
                    if tensor.is_quantized:
                        forms.add((bool(tensor.parameters.axes), tensor.parameters.storage_range is None))
                        self.assertEqual(parse_quantized(tensor.type, tensor.shape), tensor.parameters, tensor)
        self.assertIn((True, True), forms, "one along an axis")

    def test_parameters_beside_plain_codes(self):
        weight = next(case for case in tiebreak.read_golden(GOLDEN / "program.reference.h5") if case.id == "program/qnn/conv2d").inputs["weight"]
        self.assertEqual((weight.type, weight.origin, weight.scale.item(), weight.zero_point.item()), ("i8", "recovered: kernel_scale of qnn.conv2d", 0.125, 0))
        self.assertTrue((weight.dequantized() == weight.codes / 8).all())


class ParametersTest(unittest.TestCase):
    def test_along_axes_and_in_blocks(self):
        codes = numpy.arange(8, dtype=numpy.int8).reshape(2, 4)
        along = tiebreak.Tensor(codes, "!quant.uniform<i8:f32:1, {0.5:1, 1.0, 2.0, 0x1.8p1:-1}>")
        self.assertEqual(along.dequantized().tolist(), [[-0.5, 1, 4, 12], [1.5, 5, 12, 24]])
        blocks = tiebreak.Tensor(codes, "!quant.uniform<i8<-127:127>:f32:{0:1, 1:2}, {{1.0:1, 2.0}, {4.0, 0.5:8}}>")
        self.assertEqual(blocks.dequantized().tolist(), [[-1, 0, 4, 6], [16, 20, -1, -0.5]])
        self.assertEqual(parse_quantized(blocks.parameters.type_text(), codes.shape), blocks.parameters)

    def test_nothing_is_rounded_unasked(self):
        third = tiebreak.Tensor(numpy.int8([3, 4]), "!quant.uniform<i8:f32, 1/3:1>")
        self.assertEqual(third.fractions().tolist(), [Fraction(2, 3), 1])
        self.assertRaisesRegex(tiebreak.Error, "2/3 is no float64", third.dequantized)
        self.assertEqual(third.dequantized(nearest=True).tolist(), [2 / 3, 1])
        wide = tiebreak.Tensor(numpy.uint64([2**64 - 1, 2**63]), "!quant.uniform<u64:f32, 1.0>")
        self.assertEqual(wide.fractions().tolist(), [2**64 - 1, 2**63])
        self.assertRaisesRegex(tiebreak.Error, "18446744073709551615 is no float64", wide.dequantized)
        self.assertRaisesRegex(tiebreak.Error, "no scale and zero point", tiebreak.Tensor(numpy.int8([1])).dequantized)

    def test_types_that_are_none(self):
        for codes, text in ((numpy.int8([1]), "!quant.uniform<i8:f32>"), (numpy.int8([1]), "i9x"), (numpy.int8([1]), "!quant.uniform<i8:f32:3, {1.0}>"), (numpy.float32([1]), "bf16"),
                            (numpy.int8([1]), "!quant.uniform<i8:f32:0, {1.0, 2.0}>"), (numpy.int8([[1]]), "!quant.uniform<i8:f32:{0:0}, {1.0}>"), (numpy.array(["text"]), ""), ([1], "i8"),
                            *((numpy.int8([1]), f"!quant.uniform<i8:f32, {scale}>") for scale in ("x", "1/0", "inf", "0.5:x", "")), (numpy.int8([1]), "!quant.uniform<i8:f33, 1.0>")):
            with self.subTest(text=text):
                self.assertRaises(tiebreak.Error, tiebreak.Tensor, codes, text)


class RecordTest(unittest.TestCase):
    def test_a_record(self):
        record = tiebreak.read_record(RECORD)
        self.assertEqual((record.system["version"], record.complete, len(record.answers)), ("1.30.0", True, 23))
        for digest, answer in record.answers.items():
            self.assertEqual((len(digest), answer.status, list(answer.outputs)), (64, "ok", ["y"]))


class DamageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bytes = (GOLDEN / "onnx.QuantizeLinear.onnx.h5").read_bytes()

    def written(self, content, name="x.h5"):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_files_that_are_not_what_was_written(self):
        middle = len(self.bytes) // 2
        for content, text in ((self.bytes[:-1], "truncated or extended: the file is"), (self.bytes + b"x", "truncated or extended"), (self.bytes[:20], "cannot be read"),
                              (self.bytes[:middle] + bytes([self.bytes[middle] ^ 1]) + self.bytes[middle + 1:], "damaged: byte range"),
                              (self.bytes[:40] + bytes([self.bytes[40] ^ 1]) + self.bytes[41:], "damaged: the table of checksums"), (b"", "not an HDF5 file"), (b"text", "not an HDF5 file")):
            with self.subTest(text=text):
                with self.assertRaisesRegex(tiebreak.Error, text) as caught:
                    tiebreak.read_golden(self.written(content))
                self.assertIn("x.h5", caught.exception.message)
        self.assertRaisesRegex(tiebreak.Error, "No such file", tiebreak.read_golden, self.folder / "none.h5")
        self.assertRaisesRegex(tiebreak.Error, "Is a directory", tiebreak.open_exchange, self.folder)

    def test_files_without_a_table(self):
        inside = self.bytes[self.bytes.index(b"\x89HDF"):]
        self.assertRaisesRegex(tiebreak.Error, "has no table of checksums", tiebreak.read_golden, self.written(inside))
        self.assertRaisesRegex(tiebreak.Error, "not an HDF5 file, or one that is cut off", tiebreak.open_exchange, self.written(inside[:5000]))
        with h5py.File(self.folder / "other.h5", "w") as file:
            file.create_group("cases")
        self.assertRaisesRegex(tiebreak.Error, "not an exchange file", tiebreak.open_exchange, self.folder / "other.h5")
        with h5py.File(self.folder / "answer.h5", "w") as file:
            file.attrs.update(format="tiebreak.exchange/2", kind="response")
            file.create_dataset("cases/a/b/outputs/%", data=numpy.uint8([1]))
            file.create_dataset("cases/a/b/outputs/m%C3%A9%2F%2F%25x", data=numpy.uint8([2]))
            file["cases/a/b"].attrs.update(id="a/b", status="ok")
            file.create_dataset("cases/c/outputs/y", data=numpy.complex64([1]))
            file["cases/c"].attrs.update(id="c")
        with tiebreak.open_exchange(self.folder / "answer.h5") as file:
            self.assertEqual((file.kind, file.ids, set(file["a/b"].outputs)), ("response", ["a/b", "c"], {"", "m\u00e9//%x"}))
            self.assertRaisesRegex(tiebreak.Error, "damaged: there is no element type for arrays of complex64 .*answer.h5:/cases/c", file.__getitem__, "c")

    def test_records_that_are_not_what_was_written(self):
        record = self.folder / "record"
        for name, change, text in (("recorded.json", lambda content: content.replace(b"1.30.0", b"1.30.1"), "its checksum does not fit"), ("recorded.json", lambda content: content[:90], "damaged"),
                                   ("onnx.QLinearMatMul.h5", lambda content: content[:-9], "its digest is another"), ("further.h5", None, "does not name")):
            shutil.rmtree(record, ignore_errors=True)
            shutil.copytree(RECORD, record)
            path = record / name
            path.write_bytes(change(path.read_bytes()) if change else b"")
            with self.subTest(text=text):
                self.assertRaisesRegex(tiebreak.Error, text, tiebreak.read_record, record)
        self.assertRaisesRegex(tiebreak.Error, "no record", tiebreak.read_record, self.folder)


if __name__ == "__main__":
    unittest.main()
