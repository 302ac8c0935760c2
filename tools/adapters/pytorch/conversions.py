# SPDX-License-Identifier: Apache-2.0
"""A number of one type as a number of another: Tensor.to, on the CPU or the GPU. Types without a like of the library's name travel as their bits."""
import numpy
from elementwise import tensor
from exchange_case import Unsupported

# The library's name, and the storage of a request where numpy lacks the type.
TYPES = {
    "f64": ("float64", None), "f32": ("float32", None), "f16": ("float16", None), "bf16": ("bfloat16", "int16"),
    "f8e4m3fn": ("float8_e4m3fn", "uint8"), "f8e4m3fnuz": ("float8_e4m3fnuz", "uint8"), "f8e5m2": ("float8_e5m2", "uint8"),
    "f8e5m2fnuz": ("float8_e5m2fnuz", "uint8"), "f8e8m0": ("float8_e8m0fnu", "uint8"),
    "i8": ("int8", None), "u8": ("uint8", None), "i16": ("int16", None), "i32": ("int32", None), "i64": ("int64", None), "bool": ("bool", None),
}


def library_type(word):
    import torch

    if word not in TYPES or not hasattr(torch, TYPES[word][0]):
        raise Unsupported(f"the library has no type {word}")
    return getattr(torch, TYPES[word][0])


def convert(case, place):
    x, y = case.operand("x"), case.outputs[0]
    of, to = library_type(x.type), library_type(y.type)
    if x.scales is not None or y.scales is not None:
        raise Unsupported("quantized types")
    if y.type.startswith("f8") and case.attributes.get("saturate", 1) == 1:
        raise Unsupported("saturating conversions: the library's never saturate")
    if y.type == "f8e8m0" and case.attributes.get("round_mode", "up") != "nearest":
        raise Unsupported("powers of two rounded up or down: the library's are the nearest")
    stored = TYPES[x.type][1]
    data = tensor(x.data if stored is None else x.data.view(stored), place)
    data = data if stored is None else data.view(of)

    def call():
        result = data.to(to).cpu()
        return [result.numpy() if TYPES[y.type][1] is None else result.view(_bits(y.type)).numpy().view(y.data.dtype)]

    return call


def _bits(word):
    import torch

    return getattr(torch, TYPES[word][1])


OPS = {"quant.convert": (convert, "x"), "onnx.Cast": (convert, "x")}
