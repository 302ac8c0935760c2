#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ONNX's QuantizeLinear and DequantizeLinear of f32 with one scale, by numpy: a whole backend."""
import sys
import numpy
from exchange_case import Unsupported, main

CODES = ("i8", "u8", "i16", "u16")
def quantize(case):
    x, scale, zero_point = case.operand("x").plain("f32"), case.operand("y_scale").one("f32"), case.zero_point("y_zero_point", *CODES)
    y = case.outputs[0].plain(*CODES)
    return numpy.clip(numpy.rint(x / scale) + zero_point, numpy.iinfo(y.dtype).min, numpy.iinfo(y.dtype).max)  # rint rounds ties to even
def dequantize(case):
    case.outputs[0].plain("f32")
    codes = case.operand("x").plain(*CODES).astype(numpy.int32) - case.zero_point("x_zero_point", *CODES)
    return codes.astype(numpy.float32) * numpy.float32(case.operand("x_scale").one("f32"))
OPS = {"onnx.QuantizeLinear": quantize, "onnx.DequantizeLinear": dequantize}

class Numpy:
    def describe(self):
        return {"name": "numpy", "version": numpy.__version__, "ops": list(OPS)}
    def run(self, case):
        if case.op not in OPS or "precision" in case.attributes:
            raise Unsupported(f"no {case.op} of this form")
        return [OPS[case.op](case)]

sys.exit(main({}, lambda options: Numpy()))
