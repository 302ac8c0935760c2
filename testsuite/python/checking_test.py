# SPDX-License-Identifier: Apache-2.0
"""Arrays and adapters judged by the command: verdicts as objects, and what is no verdict."""
import pathlib
import sys
import tempfile
import types
import unittest

from the_package import SOURCE, numpy, tiebreak

F32 = numpy.float32
X = F32([0.5, 1.5, 2.5, numpy.nan])
ADAPTER = f"""#!{sys.executable}
import numpy
from tiebreak.adapter import Unsupported, serve
def quantize(case):
    if case.operand("x").shape == (7,):
        raise Unsupported("seven elements")
    x, scale = case.operand("x").plain("f32"), F32(case.operand("y_scale").one("f32"))
    return numpy.clip(numpy.ROUNDED(x / scale), 0, 255)
F32 = numpy.float32
serve("ten lines", numpy.__version__, {{"onnx.QuantizeLinear": quantize}}, profile="onnx", details={{"isa": "none"}})
"""


class JudgeTest(unittest.TestCase):
    def test_a_wrong_element_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            report = tiebreak.judge(actual={"y": numpy.uint8([1, 2, 3, 0])}, profile="onnx", op="onnx.QuantizeLinear", inputs={"x": X, "y_scale": F32(1)}, folder=folder, name="halves", show=1)
            case, = report.cases
            again = tiebreak.running.run(case.reproduce.split()[1:])
        self.assertEqual((report.exit_code, report.conforms, case.status), (1, False, "fail"))
        self.assertEqual((case.compared, case.different, len(case.elements)), (3, 2, 1), "one of four is undefined, one is shown")
        element, = report.failing
        self.assertEqual((element.case, element.output, element.index, element.expected, element.actual, element.expected_bits, element.actual_bits, element.difference, element.inputs, element.exact, element.to_boundary),
                         ("onnx.QuantizeLinear/halves", "y", (0,), "0", "1", 0, 1, "1", "x=0.5 y_scale=1", "0.5", "0"))
        self.assertEqual(report.causes, ("rounds halves away from zero where the profile rounds them to even",))
        self.assertEqual((case.cause, case.clauses[0][:3]), ("onnx but tie=away", ("tie", "even", "away")))
        self.assertIn("explain onnx.QuantizeLinear/halves:y:0", case.explain)
        self.assertIn("1 fail", str(report))
        self.assertEqual(again[0], 1, "the command that judges it again has its files")

    def test_types_that_numpy_lacks(self):
        report = tiebreak.judge("stablehlo.convert", inputs={"operand": F32([1.00390625])}, actual=numpy.uint16([0x3f81]), results=["tensor<1xbf16>"])  # a tie, to 0x3f80
        self.assertEqual((report.exit_code, report.failing[0].expected, report.failing[0].actual_bits), (1, "1", 0x3f81), report)

    def test_what_does_not_fit_is_never_a_pass(self):
        report = tiebreak.judge("onnx.QuantizeLinear", inputs={"x": X, "y_scale": F32(1)}, actual=numpy.uint8([0, 2, 2]), profile="onnx")
        self.assertEqual((report.conforms, report.exit_code, report.cases[0].status), (False, 5, "inconclusive"))
        self.assertRegex(report.cases[0].reason, r"y is u8 of shape \[3\], the op gives u8 of shape \[4\]")

    def test_nothing_is_converted_or_reshaped(self):
        from tiebreak.given_outputs import DoesNotFit, _Given
        case = types.SimpleNamespace(outputs=[types.SimpleNamespace(name="y", type="u8", shape=(4,)), types.SimpleNamespace(name="z", type="bf16", shape=())])
        y, z = numpy.uint8([0, 2, 2, 0]), numpy.uint16(0x3f80)
        with tempfile.TemporaryDirectory() as folder:
            for given, text in (({"y": y, "z": z}, None), ({"z": z, "y": y}, None), ([y, tiebreak.Tensor(z, "bf16")], None), ([y, z], None), ([y], "1 outputs are given"), ([y, z, z], "3 outputs are given"),
                                ({"y": y, "w": z}, "2 outputs are given .y, w., the op has y, z"), ([y.astype(numpy.int64), z], "y is i64 of shape"), ([y.astype(F32), z], "y is f32"), ([y.astype(bool), z], "y is bool"),
                                ([y.reshape(2, 2), z], r"y is u8 of shape \[2, 2\]"), ([y, F32(1)], "z is f32"), ([y, tiebreak.Tensor(z.astype(numpy.uint8), "f8e5m2")], "z is f8e5m2 of")):
                outputs = tiebreak.checking._outputs(given)
                adapter = _Given(folder, tiebreak.checking._save(pathlib.Path(folder), outputs))
                with self.subTest(text=text):
                    if text is None:
                        self.assertEqual([array.tolist() for array in adapter.run(case)], [y.tolist(), 0x3f80])
                    else:
                        self.assertRaisesRegex(DoesNotFit, text, adapter.run, case)

    def test_a_question_that_is_wrong_is_an_error(self):
        with self.assertRaisesRegex(tiebreak.Error, "axis 1 is outside the rank 1 of x\n") as caught:
            tiebreak.judge("onnx.QuantizeLinear", inputs={"x": X, "y_scale": F32([1, 2])}, actual=numpy.uint8([0]))
        self.assertEqual(caught.exception.exit_code, 2)
        with self.assertRaisesRegex(tiebreak.Error, "^unknown op 'onnx.Rely'\n  hint: did you mean 'onnx.Relu'.\n  command: tiebreak check .*case.json --backend"):
            tiebreak.judge("onnx.Rely", inputs={"X": X}, actual=X)
        self.assertRaisesRegex(tiebreak.Error, "actual is 3: give an array", tiebreak.judge, "onnx.QuantizeLinear", inputs={"x": X, "y_scale": F32(1)}, actual=3)


class AdapterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def adapter(self, rounding):
        path = self.folder / f"{rounding}.py"
        path.write_text(ADAPTER.replace("ROUNDED", rounding), encoding="utf-8")
        path.chmod(0o755)
        return path

    def test_ten_lines_are_a_backend(self):
        self.assertLessEqual(ADAPTER.count("\n"), 11)
        right = tiebreak.check("onnx.QuantizeLinear/ties/f32-u8*", backend=self.adapter("rint"), filters=["*/f32-u8-tenth-zp0"])
        self.assertTrue(right.conforms, right)
        self.assertEqual((right.context["backend"], right.context["profile"], right.context["backend_isa"]), ("ten lines", "onnx", "none"))
        self.assertEqual(right.counts["conform"], 1)
        wrong = tiebreak.check("onnx.QuantizeLinear/ties/f32-u8-tenth-zp0", backend=self.adapter("floor"), show=2)
        self.assertEqual((wrong.exit_code, wrong.counts["conform"]), (1, 0), wrong)
        self.assertEqual(len(wrong.failing), 2 * wrong.counts["fail"])

    def test_a_refusal_is_unsupported(self):
        case = self.folder / "seven.json"
        case.write_text('{"schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [{"name": "seven", "inputs": {"x": {"type": "f32", "shape": [7], "data": [1, 2, 3, 4, 5, 6, 7]},'
                        '"y_scale": {"type": "f32", "shape": [], "data": [1]}}}]}', encoding="utf-8")
        report = tiebreak.check(case, backend=self.adapter("rint"))
        self.assertEqual((report.exit_code, report.cases[0].status, report.cases[0].reason), (5, "unsupported", "seven elements"))

    def test_the_module_of_adapters_stands_once(self):
        import tiebreak.adapter
        self.assertEqual(tiebreak.adapter.Case.__module__, "exchange_case")
        self.assertIs(sys.modules["exchange_case"].Unsupported, tiebreak.adapter.Unsupported)
        self.assertEqual([path.name for path in (SOURCE / "tools/python").rglob("*.py") if "class Operand" in path.read_text(encoding="utf-8")], [])


class CheckTest(unittest.TestCase):
    def test_what_writes_no_report_is_an_error(self):
        for sources, more, text in ((["nosuch"], {"backend": "reference"}, "'nosuch' is no file"), ([], {"backend": "reference", "arguments": ["--nosuch"]}, "unknown option '--nosuch'")):
            with self.subTest(text=text), self.assertRaisesRegex(tiebreak.Error, text) as caught:
                tiebreak.check(*sources, **more)
            self.assertEqual(caught.exception.exit_code, 2)
            self.assertIn("tiebreak check", caught.exception.command)

    def test_a_report_of_another_form_is_an_error(self):
        from tiebreak.reports import report_of
        for text in ("", "[]", '{"schema": "tiebreak.report/2"}', '{"schema": "tiebreak.report/1"}', '{"schema": "tiebreak.report/1", "context": {}, "counts": {}, "cases": [1]}'):
            self.assertRaisesRegex(tiebreak.Error, "not a report", report_of, text)


if __name__ == "__main__":
    unittest.main()
