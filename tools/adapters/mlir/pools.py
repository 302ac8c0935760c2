# SPDX-License-Identifier: Apache-2.0
"""The means and the greatest elements of windows: tosa.avg_pool2d and tosa.max_pool2d."""
import numpy
from exchange_case import Unsupported
from functions import Function, held
from text import tensor_type, type_of
from windows import onnx_window, qnn_window

NUMBERS = {"i8": numpy.int8, "f16": numpy.float16, "f32": numpy.float32}


def pool(op, image, word, window, operands=(), options="", channels_last=False):
    """One pool over an image with channels last; `operands` are constants of one element behind it."""
    image, shape, element = numpy.ascontiguousarray(image), window.result(image.shape), type_of(word)
    lines = [held(f"o{i}", numpy.array([value], dtype=NUMBERS[word]), word) for i, value in enumerate(operands)]
    types = ", ".join([tensor_type(image.shape, element)] + [f"tensor<1x{element}>"] * len(operands))
    names = ", ".join(["%x0"] + [f"%o{i}" for i in range(len(operands))])
    lines.append(f"%y = {op} {names} {{{options}{window.attributes()}}} : ({types}) -> {tensor_type(shape, element)}")
    return Function([(image, word)], lines, "%y", shape, element, channels_second=not channels_last)


def max_pool(case):
    x = case.operand("X")
    x.plain("i8", "f16", "bf16", "f32")
    if len(case.outputs) != 1:
        raise Unsupported("the indices of the greatest elements")
    image, window = onnx_window(case, x.data)
    return pool("tosa.max_pool2d", image, x.type, window)


def refuse_counted_padding(case, window):
    if case.attributes.get("count_include_pad", 0) and window.padded():
        raise Unsupported("the op counts no places of the padding")


def float_mean(case):
    """The sum has the operand's type. One of bf16 has f32 in TOSA, which no page has."""
    x = case.operand("X")
    x.plain("f16", "f32")
    image, window = onnx_window(case, x.data)
    refuse_counted_padding(case, window)
    return pool("tosa.avg_pool2d", image, x.type, window, (0, 0), f"acc_type = {x.type}, ")


def code_mean(case, image, window, channels_last, names):
    """Codes of i8 whose scale is that of the result, as the op has none."""
    x_scale, x_zero_point, y_scale, y_zero_point = names
    if case.operand(x_scale).one("f32") != case.operand(y_scale).one("f32"):
        raise Unsupported("the op has one scale for operand and result")
    refuse_counted_padding(case, window)
    zero_points = [case.zero_point(name, "i8", "i32") for name in (x_zero_point, y_zero_point)]
    if any(not -128 <= code <= 127 for code in zero_points):
        raise Unsupported("a zero point that is no code")
    return pool("tosa.avg_pool2d", image, "i8", window, zero_points, "acc_type = i32, ", channels_last)


def qnn_mean(case):
    if case.attributes.get("out_layout"):
        raise Unsupported("another layout of the result")
    image, window = qnn_window(case, case.operand("data").plain("i8"))
    names = ("input_scale", "input_zero_point", "output_scale", "output_zero_point")
    if case.zero_point(names[1], "i32") != case.zero_point(names[3], "i32"):
        raise Unsupported("the page brings codes to the result's zero point first, which may saturate")
    return code_mean(case, image, window, case.attributes.get("layout", "NCHW") == "NHWC", names)


def microsoft_mean(case):
    channels_last = bool(case.attributes.get("channels_last", 0))
    image, window = onnx_window(case, case.operand("X").plain("i8"), channels_last)
    return code_mean(case, image, window, channels_last, ("x_scale", "x_zero_point", "y_scale", "y_zero_point"))


OPS = {
    "onnx.MaxPool": (max_pool, "X"),
    "onnx.AveragePool": (float_mean, "X"),
    "qnn.avg_pool2d": (qnn_mean, "data input_scale input_zero_point output_scale output_zero_point"),
    "microsoft.QLinearAveragePool": (microsoft_mean, "X x_scale x_zero_point y_scale y_zero_point"),
}
