# SPDX-License-Identifier: Apache-2.0
"""Limits of one element, and sums and extremes of many along axes: tosa.clamp and tosa.reduce_*."""
import numpy
from exchange_case import Unsupported
from functions import Function
from text import tensor_type, type_of

LIMITS = {"i8": (-(2**7), 2**7 - 1), "i16": (-(2**15), 2**15 - 1), "f16": (0xFBFF, 0x7BFF), "bf16": (0xFF7F, 0x7F7F), "f32": (0xFF7FFFFF, 0x7F7FFFFF)}
BITS = {"f16": numpy.uint16, "bf16": numpy.uint16, "f32": numpy.uint32}


def as_float(data, word):
    return (data.astype(numpy.uint32) << 16).view(numpy.float32) if word == "bf16" else data


def clamp(case):
    """Bounds are attributes; an absent one is the end of the type's finite numbers, as the page has it."""
    if {"min", "max"} & set(case.attributes):
        raise Unsupported("bounds as attributes, as operator sets before 11 have them")
    x = case.operand("input")
    word, codes, values = x.type, [], []
    x.plain(*LIMITS)
    for name, limit in zip(("low", "high"), LIMITS[word], strict=True):
        given = numpy.ravel(case.operands[name].plain(word)) if name in case.operands else numpy.array([limit])
        codes.append(int(given.view(BITS[word])[0]) if name in case.operands and word in BITS else int(given[0]))
        values.append(float(as_float(given.view(BITS[word]) if word == "bf16" else given, word)[0]) if name in case.operands else (-1, 1)[name == "high"] * numpy.inf)
    if not values[0] <= values[1]:
        raise Unsupported("bounds that cross or are no numbers")
    bounds = [f"0x{code:0{BITS[word]().nbytes * 2}X} : {word}" if word in BITS else f"{code} : {word}" for code in codes]
    tensor = tensor_type(x.shape, type_of(word))
    line = f"%y = tosa.clamp %x0 {{min_val = {bounds[0]}, max_val = {bounds[1]}}} : ({tensor}) -> {tensor}"
    return Function([(x.data, word)], [line], "%y", x.shape, type_of(word))


def reduced(op, *types):
    """The axes are brought to the end and made one, so that the op meets the elements in the page's order."""

    def make(case):
        x = case.operand("data")
        x.plain(*types)
        axes = case.attributes.get("axes")
        if "dimensions" in case.operands:
            axes = numpy.ravel(case.operands["dimensions"].data).tolist()
        if not axes and case.attributes.get("noop_with_empty_axes", 0):
            raise Unsupported("nothing to reduce")
        axes = sorted({axis % x.data.ndim for axis in axes}) if axes else list(range(x.data.ndim))
        kept = [axis for axis in range(x.data.ndim) if axis not in axes]
        extent = int(numpy.prod([x.shape[axis] for axis in axes]))
        data = numpy.ascontiguousarray(x.data.transpose(kept + axes)).reshape(-1, extent)
        if data.size == 0 or extent == 1:
            raise Unsupported("rows of one element or none, which the lowering leaves as they are")
        shape, element = (data.shape[0], 1), type_of(x.type)
        line = f"%y = {op} %x0 {{axis = 1 : i32}} : ({tensor_type(data.shape, element)}) -> {tensor_type(shape, element)}"
        return Function([(data, x.type)], [line], "%y", shape, element)

    return make


OPS = {
    "onnx.Clip": (clamp, "input low high"),
    "onnx.ReduceMax": (reduced("tosa.reduce_max", "i8", "i16", "i32", "f16", "bf16", "f32"), "data"),
    "onnx.ReduceMin": (reduced("tosa.reduce_min", "i8", "i16", "i32", "f16", "bf16", "f32"), "data"),
    "onnx.ReduceSum": (reduced("tosa.reduce_sum", "i32", "f16", "f32"), "data dimensions"),
}
