# SPDX-License-Identifier: Apache-2.0
"""tosa.cast between integers and floats. Integers of TOSA are signed; floats of 8 bits and f64 have no lowering here."""
from exchange_case import Unsupported
from functions import Function
from text import tensor_type

TYPES = ("i8", "i16", "i32", "f16", "bf16", "f32")


def cast(case):
    x, word = case.operand("input"), case.outputs[0].type
    x.plain(*TYPES)
    if word not in TYPES:
        raise Unsupported(f"a result of type {word}")
    if {x.type, word} == {"f16", "bf16"}:
        raise Unsupported("between floats of one width, which the lowering makes no cast of")
    line = f"%y = tosa.cast %x0 : ({tensor_type(x.shape, x.type)}) -> {tensor_type(x.shape, word)}"
    return Function([(x.data, x.type)], [line], "%y", x.shape, word)


OPS = {"onnx.Cast": (cast, "input")}
