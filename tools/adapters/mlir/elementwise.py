# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of one element or two: the ops of TOSA that have one of ONNX's, on the types that TOSA gives them."""
import numpy
from exchange_case import Unsupported
from functions import Function, held
from text import tensor_type, type_of

FLOATS = ("f16", "bf16", "f32")
NUMBERS = ("i32", *FLOATS)


def zero(word):
    """One constant zero; its bytes are those of any type of that width."""
    return numpy.zeros(1, dtype={"i8": numpy.int8, "i16": numpy.int16, "f16": numpy.int16, "bf16": numpy.int16}.get(word, numpy.int32))


def of_two(op, *constants):
    """Broadcasting of TOSA wants equal ranks; `constants` are types of further operands, each one zero."""

    def make(case):
        operands = list(case.operands.values())
        word, shape = operands[0].type, case.outputs[0].shape
        if len(operands) != 2 or operands[1].type != word:
            raise Unsupported("other than two operands of one type")
        data = [operand.plain(*NUMBERS) for operand in operands]
        data = [one.reshape((1,) * (len(shape) - one.ndim) + one.shape) for one in data]
        lines = [held(f"c{i}", zero(constant), constant) for i, constant in enumerate(constants)]
        types = [tensor_type(one.shape, type_of(word)) for one in data] + [f"tensor<1x{constant}>" for constant in constants]
        names = ["%x0", "%x1"] + [f"%c{i}" for i in range(len(constants))]
        lines.append(f"%y = {op} {', '.join(names)} : ({', '.join(types)}) -> {tensor_type(shape, type_of(word))}")
        return Function([(one, word) for one in data], lines, "%y", shape, type_of(word))

    return make


def of_one(op, *types, zero_points=0):
    def make(case):
        (x,) = case.operands.values()
        x.plain(*types)
        element = type_of(x.type)
        lines = [held(f"c{i}", zero(x.type), x.type) for i in range(zero_points)]
        names = ["%x0"] + [f"%c{i}" for i in range(zero_points)]
        operands = [tensor_type(x.shape, element)] + [f"tensor<1x{element}>"] * zero_points
        lines.append(f"%y = {op} {', '.join(names)} : ({', '.join(operands)}) -> {tensor_type(x.shape, element)}")
        return Function([(x.data, x.type)], lines, "%y", x.shape, element)

    return make


OPS = {
    "onnx.Add": (of_two("tosa.add"), "A B"),
    "onnx.Sub": (of_two("tosa.sub"), "A B"),
    "onnx.Mul": (of_two("tosa.mul", "i8"), "A B"),
    "onnx.Max": (of_two("tosa.maximum"), "data_0 data_1"),
    "onnx.Min": (of_two("tosa.minimum"), "data_0 data_1"),
    "onnx.Ceil": (of_one("tosa.ceil", *FLOATS), "X"),
    "onnx.Floor": (of_one("tosa.floor", *FLOATS), "X"),
    "onnx.Neg": (of_one("tosa.negate", "i8", "i16", *NUMBERS, zero_points=2), "X"),
    "onnx.Reciprocal": (of_one("tosa.reciprocal", *FLOATS), "X"),
}
