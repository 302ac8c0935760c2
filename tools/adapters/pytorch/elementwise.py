# SPDX-License-Identifier: Apache-2.0
"""Quantize, dequantize, fake quantize, parameters from the data, add and multiply. PyTorch is imported where it is used, so that its absence
is told by the adapter and not by this file. `place` is where the library computes: an engine of the CPU, or cuda."""
import numpy
from exchange_case import Unsupported

CODES = {"u8": ("quint8", "uint8"), "i8": ("qint8", "int8"), "i32": ("qint32", "int32")}
INTEGERS = ("i8", "u8", "i16", "u16", "i32")


def code_type(word):
    """The library's quantized type for codes of this type."""
    import torch

    if word not in CODES:
        raise Unsupported(f"the library has no codes of type {word}")
    return getattr(torch, CODES[word][0])


def device_of(place):
    return "cuda" if place == "cuda" else "cpu"


def tensor(data, place="cpu"):
    import torch

    return torch.from_numpy(numpy.ascontiguousarray(data)).to(device_of(place))


def quantized(codes, word, scale, zero_point, place="cpu"):
    """Codes as a tensor of the library with one scale."""
    import torch

    code_type(word)
    return torch._make_per_tensor_quantized_tensor(tensor(codes, place), scale, zero_point)


def quantized_by_channel(codes, word, scales, zero_points, axis, place="cpu"):
    import torch

    code_type(word)
    device = device_of(place)
    parameters = torch.tensor(scales, dtype=torch.float64, device=device), torch.tensor(zero_points, dtype=torch.int64, device=device)
    return torch._make_per_channel_quantized_tensor(tensor(codes, place), *parameters, axis)


def parameters_of(case, x):
    """Scales as numbers, zero points as integers, and the axis they go along; the axis is None for one scale."""
    scale = case.operand("scale")
    scales = numpy.ravel(scale.plain("f32", "f64"))
    zero_points = numpy.zeros(scales.size, dtype=numpy.int64)
    if "zero_point" in case.operands:
        given = numpy.ravel(case.operands["zero_point"].plain(*INTEGERS))
        zero_points = numpy.broadcast_to(given, scales.shape).astype(numpy.int64)
    if scales.size == 1 and len(scale.shape) == 0:
        return scales.tolist(), zero_points.tolist(), None
    if len(scale.shape) > 1 or case.attributes.get("block_size", 0):
        raise Unsupported("blocks of scales")
    axis = case.attributes.get("axis", 1 if case.op.startswith("onnx.") else -1)
    axis += x.data.ndim if axis < 0 else 0
    if axis >= x.data.ndim or scales.size != x.shape[axis]:
        raise Unsupported("scales that do not go along one axis")
    return scales.tolist(), zero_points.tolist(), axis


def quantize(case, place):
    import torch

    x = case.operand("x")
    data, to = tensor(x.plain("f32"), place), code_type(case.outputs[0].type)
    if {"least", "greatest", "magnitude"} & (set(case.attributes) | set(case.operands)) or case.attributes.get("precision", 0):
        raise Unsupported("a range of codes or a precision of its own")
    scales, zero_points, axis = parameters_of(case, x)
    if axis is None:
        return lambda: [torch.quantize_per_tensor(data, scales[0], zero_points[0], to).int_repr().cpu().numpy()]
    by_channel = torch.tensor(scales, dtype=torch.float32, device=data.device), torch.tensor(zero_points, device=data.device)
    return lambda: [torch.quantize_per_channel(data, *by_channel, axis, to).int_repr().cpu().numpy()]


def dequantize(case, place):
    x = case.operand("code")
    if case.outputs[0].type != "f32" or "minimum" in case.operands:
        raise Unsupported("results other than f32, or a minimum")
    scales, zero_points, axis = parameters_of(case, x)
    codes = x.plain(*CODES)
    if axis is None:
        return lambda: [quantized(codes, x.type, scales[0], zero_points[0], place).dequantize().cpu().numpy()]
    return lambda: [quantized_by_channel(codes, x.type, scales, zero_points, axis, place).dequantize().cpu().numpy()]


def fake_quantize(case, place):
    import torch

    x = case.operand("x")
    word = case.attributes.get("output_dtype", "i8")
    code_type(word)
    whole = numpy.iinfo(CODES[word][1])
    low, high = (int(case.attributes.get(name) or limit) for name, limit in (("least", whole.min), ("greatest", whole.max)))
    scales, zero_points, axis = parameters_of(case, x)
    data = tensor(x.plain("f32"), place)
    if axis is None:
        return lambda: [torch.fake_quantize_per_tensor_affine(data, scales[0], zero_points[0], low, high).cpu().numpy()]
    by_channel = torch.tensor(scales, dtype=torch.float32, device=data.device), torch.tensor(zero_points, dtype=torch.int32, device=data.device)
    return lambda: [torch.fake_quantize_per_channel_affine(data, *by_channel, axis, low, high).cpu().numpy()]


def dynamic(case, place):
    """Codes, scale and zero point from the tensor's own range."""
    import torch

    if place != "none":
        raise Unsupported("asked with --engine none: the engines quantize activations in their own way, which is what their profiles say")
    x = case.operand("x")
    if case.attributes.get("axes") is not None:
        raise Unsupported("one range for each row")
    data = tensor(x.plain("f32"))
    if data.numel() == 0:
        raise Unsupported("an empty tensor")
    to = code_type(case.outputs[0].type)

    def call():
        result = torch.quantize_per_tensor_dynamic(data, to, False)
        return [result.int_repr().numpy(), result.q_scale(), result.q_zero_point()]

    return call


def binary(name):
    """quantized::add or quantized::mul; operands are repeated to one shape first, as kernels want them."""

    def run(case, place):
        import torch

        if place == "cuda":
            raise Unsupported(f"quantized::{name} has no kernel for CUDA")
        shape = case.outputs[0].shape
        operands = []
        for operand in ("a", "b"):
            codes = numpy.broadcast_to(case.operand(operand).plain("i8", "u8"), shape)
            scale = case.operand(operand + "_scale").one("f32")
            operands.append(quantized(codes, case.operand(operand).type, scale, case.zero_point(operand + "_zero_point", *INTEGERS)))
        result = case.operand("y_scale").one("f32"), case.zero_point("y_zero_point", *INTEGERS)
        return lambda: [getattr(torch.ops.quantized, name)(*operands, *result).int_repr().numpy()]

    return run


BINARY = "a a_scale a_zero_point b b_scale b_zero_point y_scale y_zero_point"

# Page -> what answers it, and the page's operands in order.
OPS = {
    "onnx.QuantizeLinear": (quantize, "x scale zero_point"),
    "quant.quantize": (quantize, "x scale zero_point magnitude"),
    "onnx.DequantizeLinear": (dequantize, "code scale zero_point"),
    "quant.dequantize": (dequantize, "code scale zero_point minimum"),
    "quant.fake_quantize": (fake_quantize, "x scale zero_point"),
    "quant.dynamic": (dynamic, "x"),
    "quant.add": (binary("add"), BINARY),
    "quant.mul": (binary("mul"), BINARY),
}

ON_CUDA = {"onnx.QuantizeLinear", "quant.quantize", "onnx.DequantizeLinear", "quant.dequantize", "quant.fake_quantize"}
