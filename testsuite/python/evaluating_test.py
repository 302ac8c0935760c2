# SPDX-License-Identifier: Apache-2.0
"""Ops evaluated through the command: types, values, operands, attributes, and errors in the command's words."""
import json
import unittest
import warnings
from fractions import Fraction

from the_package import numpy, tiebreak
from tiebreak import element_types
from tiebreak.case_text import case_text

F32 = numpy.float32
X = F32([0.5, 1.5, 2.5, -3])


class ValuesTest(unittest.TestCase):
    def test_every_code_of_every_float_that_numpy_lacks(self):
        # One program converts all codes of all formats to f64, and to themselves.
        inputs = {word: tiebreak.Tensor(numpy.arange(1 << form.bits).astype(element_types.storage(word)), word) for word, form in element_types.FLOATS.items()
                  if word not in (*element_types.NATIVE, "tf32")}
        steps = []
        for word, tensor in inputs.items():
            own, number = f"tensor<{tensor.codes.size}x{word}>", f"tensor<{tensor.codes.size}xf64>"
            steps += [f"%{word}.n = stablehlo.convert %{word} : ({own}) -> {number}", f"%{word}.c = stablehlo.convert %{word} : ({own}) -> {own}"]
        by_name = {output.name: output for output in tiebreak.eval_tensors(program="\n".join(steps), inputs=inputs)}
        self.assertEqual(len(by_name), 2 * len(inputs))
        for word, tensor in inputs.items():
            there, own = by_name[f"{word}.n"], by_name[f"{word}.c"]
            nan = numpy.isnan(there.codes)
            mine = tensor.numbers()
            self.assertTrue(((mine.view("u8") == there.codes.view("u8")) | nan).all() and (numpy.isnan(mine) == nan).all(), word)
            self.assertTrue((own.codes == tensor.codes)[~nan].all(), word)
            self.assertTrue((numpy.isnan(own.numbers()) == nan).all(), word)
            self.assertEqual(own.type, word)

    def test_numbers_go_and_come_as_they_are(self):
        values = {"f32": F32([1e-45, 3.4e38, -0.0, numpy.inf, numpy.nan]), "f64": numpy.float64([0.1, 5e-324, -1.7e308]), "f16": numpy.float16([6e-8, 65504]),
                  "i64": numpy.int64([-(1 << 63), (1 << 63) - 1, 10**9 + 1]), "ui64": numpy.uint64([(1 << 64) - 1]), "i8": numpy.int8([-128, 127]), "i1": numpy.array([True, False])}
        types = {word: f"tensor<{array.size}x{word}>" for word, array in values.items()}
        types |= {"empty": "tensor<0x3xf32>", "scalar": "tensor<f64>"}
        values |= {"empty": numpy.zeros((0, 3), F32), "scalar": numpy.float64(0.1)}
        program = "\n".join(f"%{name}.same = stablehlo.reshape %{name} : ({types[name]}) -> {types[name]}" for name in values)
        for output in tiebreak.eval_tensors(program=program, inputs=values):
            value = values.pop(output.name.removesuffix(".same"))
            self.assertEqual((output.codes.dtype, output.shape), (value.dtype, value.shape), output)
            self.assertEqual(output.codes.tobytes(), value.tobytes(), output)
        self.assertEqual(values, {})

    def test_what_is_undefined_is_masked(self):
        y = tiebreak.eval("onnx.QuantizeLinear", F32([2.5, numpy.nan]), F32(1), profile="onnx")
        self.assertEqual((y.mask.tolist(), y[0], y.dtype), ([False, True], 2, numpy.uint8))
        self.assertNotIsInstance(tiebreak.eval("onnx.QuantizeLinear", F32([2.5]), F32(1), profile="onnx"), numpy.ma.MaskedArray)


class CallsTest(unittest.TestCase):
    def test_operands_by_place_and_by_name(self):
        self.assertEqual(tiebreak.operand_names("onnx.QuantizeLinear"), ("x", "y_scale", "y_zero_point"))
        y = tiebreak.eval("onnx.QuantizeLinear", X, None, numpy.int8(3), inputs={"y_scale": F32(0.5)}, profile="onnx:tie=away")
        self.assertEqual(y.tolist(), [4, 6, 8, -3])

    def test_several_results_variadic_operands_and_attributes(self):
        first, second = tiebreak.eval("onnx.Split", inputs={"input": X, "lengths": numpy.int64([1, 3])}, attributes={"axis": numpy.int64(0)}, results=["tensor<1xf32>", "tensor<3xf32>"])
        self.assertEqual((first.tolist(), second.tolist()), ([0.5], [1.5, 2.5, -3]))
        self.assertEqual(tiebreak.eval("onnx.Concat", [second, first], attributes={"axis": 0}).tolist(), [1.5, 2.5, -3, 0.5])
        self.assertEqual(tiebreak.eval("onnx.Cast", inputs={"input": X}, attributes={"to": numpy.int8}).dtype, numpy.int8)
        y, = tiebreak.eval_tensors("onnx.Cast", inputs={"input": X}, attributes={"to": tiebreak.ElementType("f8E4M3FN")})
        self.assertEqual((y.type, y.codes.dtype, y.numbers().tolist()), ("f8e4m3fn", numpy.uint8, X.tolist()))

    def test_numbers_among_attributes_are_exact(self):
        # A decimal is itself: -1e8 times a tenth is a whole number, and times the f32 next to a tenth it is not.
        slopes = [tiebreak.eval("onnx.LeakyRelu", inputs={"X": F32([-1e8])}, attributes={"alpha": alpha}).item() for alpha in (Fraction(1, 10), F32(0.1))]
        self.assertEqual(slopes, [-1e7, float(F32(-1e8 * float(F32(0.1))))])

    def test_how_attributes_stand_in_a_case_file(self):
        attributes = {"a": F32(0.1), "b": 0.001, "c": numpy.inf, "d": Fraction(1, 3), "e": True, "f": [numpy.int64(1), 2], "g": numpy.dtype("u1"), "h": "text", "i": numpy.int8([[1]]), "j": {"k": 1}}
        case, = json.loads(case_text("onnx.Relu", {}, attributes))["cases"]
        self.assertEqual(case["attributes"], {"a": {"number": "0x1.99999a0000000p-4"}, "b": 0.001, "c": {"number": "inf"}, "d": {"number": "1/3"}, "e": True, "f": [1, 2], "g": {"type": "u8"}, "h": "text",
                                              "i": {"type": "i8", "shape": [1, 1], "data": [1]}, "j": {"k": 1}})

    def test_a_profile_without_a_word_on_the_op(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            operands = {"a": numpy.uint8([[1]]), "b": numpy.uint8([[1]])} | {f"{name}_scale": F32(1) for name in "aby"} | {f"{name}_zero_point": numpy.uint8(0) for name in "aby"}
            self.assertEqual(tiebreak.eval("onnx.QLinearMatMul", inputs=operands, profile="tosa-1.0"), 1)
        self.assertEqual([str(one.message).split(":")[0] for one in said], ["profile tosa-1.0 says nothing of onnx.QLinearMatMul"])


class ListsTest(unittest.TestCase):
    def test_what_there_is(self):
        ops = tiebreak.ops()
        self.assertEqual(ops, sorted(ops))
        self.assertIn("onnx.QuantizeLinear", ops)
        profiles = tiebreak.profiles()
        self.assertEqual((profiles["onnx"].name, profiles["onnx"].extends), ("onnx", "reference"))
        self.assertIsInstance(tiebreak.backends(), list)


class ErrorsTest(unittest.TestCase):
    def wrong(self, text, *arguments, **more):
        with self.assertRaisesRegex(tiebreak.Error, text) as caught:
            tiebreak.eval(*arguments, **more)
        return caught.exception

    def test_in_the_words_of_the_command(self):
        error = self.wrong("unknown op 'onnx.QuantizeLinaer'", "onnx.QuantizeLinaer", inputs={"x": X})
        self.assertEqual(error.exit_code, 2)
        self.assertIn("did you mean 'onnx.QuantizeLinear'?", error.message)
        self.assertRegex(error.command, r"^tiebreak eval \S+ --profile reference --json$")
        self.assertIn(error.command, str(error))
        error = self.wrong("axis 1 is outside the rank 1 of x", "onnx.QuantizeLinear", inputs={"x": X, "y_scale": F32([1, 2])})
        self.assertNotIn("case.json", error.message, "nobody wrote that file")

    def test_before_the_command_is_asked(self):
        for text, arguments, more in (("x is 1.0: give an array or number of numpy", ("onnx.Add",), {"inputs": {"x": 1.0}}), ("is given by place and by name", ("onnx.Add", X), {"inputs": {"A": X}}),
                                      ("2 operands .A, B., 3 are given", ("onnx.Add", X, X, X), {}), ("name an op, or give a program", (), {}), ("inputs of a program are given by name", ("", X), {"program": "%y = x"}),
                                      ("no element type for arrays of complex64", ("onnx.Add",), {"inputs": {"A": numpy.complex64(1)}}), ("masked array", ("onnx.Add",), {"inputs": {"A": numpy.ma.masked_array(X)}}),
                                      ("attribute 'axis' is <object", ("onnx.Concat",), {"attributes": {"axis": object()}, "inputs": {"inputs": [X]}}),
                                      ("a program states its own", (), {"program": "%y = stablehlo.abs %x : tensor<4xf32>", "inputs": {"x": X}, "version": 3})):
            with self.subTest(text=text):
                self.assertIsNone(self.wrong(text, *arguments, **more).exit_code)


if __name__ == "__main__":
    unittest.main()
