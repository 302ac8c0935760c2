# SPDX-License-Identifier: Apache-2.0
"""Linear and convolution: codes with static parameters, and float activations quantized by their own range. The library takes a bias in
float. The engine qnnpack makes a whole number of it again: one that would not come back exactly is refused, so that what is compared is the
kernel's arithmetic. The engine onednn computes with the float, and so does its profile."""
import numpy
from elementwise import BINARY, code_type, quantized, quantized_by_channel, tensor
from exchange_case import Unsupported

LARGEST_BIAS = 2**22  # of qnnpack: below, f32(bias * scale) / scale rounds back to the bias


def weights(case, name, codes):
    """A weight with channels first, with one scale or one a channel. Names are ONNX's: w, w_scale, w_zero_point."""
    operand = case.operand(name)
    if operand.type != "i8":
        raise Unsupported(f"weights of type {operand.type}: the library takes i8")
    scales = numpy.ravel(case.operand(name + "_scale").plain("f32"))
    zero_points = numpy.zeros(scales.size, dtype=numpy.int64)
    if name + "_zero_point" in case.operands:
        zero_points = numpy.broadcast_to(numpy.ravel(case.operands[name + "_zero_point"].plain("i8")), scales.shape)
    if scales.size == 1:
        return quantized(codes, "i8", scales[0].item(), int(zero_points[0]))
    if scales.size != codes.shape[0]:
        raise Unsupported("scales that are not one a channel of the result")
    return quantized_by_channel(codes, "i8", scales.tolist(), zero_points.tolist(), 0)


def activation(case, name):
    operand = case.operand(name)
    return quantized(operand.plain("i8", "u8"), operand.type, case.operand(name + "_scale").one("f32"), case.zero_point(name + "_zero_point", "i8", "u8"))


def result_parameters(case):
    return case.operand("y_scale").one("f32"), case.zero_point("y_zero_point", "i8", "u8")


def result_of(call, activation, case):
    """The call, once it is known to answer: the library gives codes of the activation's type, whatever was asked for."""
    if activation.dtype != code_type(case.outputs[0].type):
        raise Unsupported(f"a result of type {case.outputs[0].type}: the library gives {activation.dtype}")
    return lambda: [call(*result_parameters(case)).int_repr().numpy()]


def linear(case, engine):
    import torch

    b = case.operand("b")
    if len(b.shape) != 2:
        raise Unsupported("a weight of another rank than 2")
    a = activation(case, "a")
    if len(a.shape) < 2:
        raise Unsupported("an activation without rows")
    w = weights(case, "b", b.data.T)
    return result_of(lambda *result: torch.ops.quantized.linear(a, torch.ops.quantized.linear_prepack(w, None), *result), a, case)


def float_bias(case, engine):
    if "B" not in case.operands:
        return None
    codes = numpy.ravel(case.operands["B"].plain("i32"))
    if engine != "onednn" and (numpy.abs(codes.astype(numpy.int64)) > LARGEST_BIAS).any():
        raise Unsupported(f"a bias beyond {LARGEST_BIAS}: the library takes it in float")
    scale = numpy.float32(case.operand("x_scale").one("f32")) * numpy.ravel(case.operand("w_scale").plain("f32"))
    return tensor((codes * scale.astype(numpy.longdouble)).astype(numpy.float32))  # 55 bits, so that f32 rounds once


def convolution(case, engine):
    import torch

    rank = len(case.operand("x").shape) - 2
    attributes = case.attributes
    strides, dilations = (list(attributes.get(name, [1] * rank)) for name in ("strides", "dilations"))
    pads = list(attributes.get("pads", [0] * 2 * rank))
    if rank not in (1, 2, 3) or attributes.get("auto_pad", "NOTSET") != "NOTSET":
        raise Unsupported("auto_pad, or more than three spatial dimensions")
    if pads[:rank] != pads[rank:]:  # the library pads both ends alike, with the zero point
        pads = _padded(case.operand("x"), pads, case.zero_point("x_zero_point", "i8", "u8"))
    x, w, pads = activation(case, "x"), weights(case, "w", case.operand("w").data), pads[:rank]
    if rank == 1:  # as the library's own conv1d does
        x, w = x.unsqueeze(2), _with_height(case, w)
        strides, dilations, pads = [1, *strides], [1, *dilations], [0, *pads]
    flavour = "conv3d" if rank == 3 else "conv2d"
    kernel, prepack = getattr(torch.ops.quantized, flavour), getattr(torch.ops.quantized, flavour + "_prepack")
    arguments = float_bias(case, engine), strides, pads, dilations, int(attributes.get("group", 1))
    return result_of(lambda *result: kernel(x, prepack(w, *arguments), *result), x, case)


def _padded(operand, pads, zero_point):
    """Codes with their padding; no pads are left."""
    rank = len(pads) // 2
    operand.data = numpy.pad(operand.data, [(0, 0), (0, 0), *zip(pads[:rank], pads[rank:], strict=True)], constant_values=zero_point)
    return [0] * 2 * rank


def _with_height(case, w):
    return weights(case, "w", case.operand("w").data[:, :, None, :])


def dynamic_linear(case, engine):
    """Float activations, weights of a quantized type: the activation's parameters come from its own range, all of it."""
    import torch

    left, right = case.operand("lhs"), case.operand("rhs")
    batching = [case.attributes.get(name) or [] for name in ("lhs_batching_dimensions", "rhs_batching_dimensions")]
    contracting = case.attributes.get("lhs_contracting_dimensions") or [], case.attributes.get("rhs_contracting_dimensions") or []
    if batching != [[], []] or contracting != ([1], [0]) or len(left.shape) != 2 or len(right.shape) != 2:
        raise Unsupported("another product than rows by columns")
    if right.type != "i8" or right.scales is None or right.axes not in ([], [1]) or any(block != 1 for block in right.blocks):
        raise Unsupported("weights that are not i8 with one scale, or one a column")
    if any(numpy.float32(scale) != scale for scale in right.scales):
        raise Unsupported("a weight scale that is no f32, which is what the kernels take")
    codes = numpy.ascontiguousarray(right.data.T)
    if len(right.scales) == 1:
        w = quantized(codes, "i8", right.scales[0], right.zero_points[0])
    else:
        w = quantized_by_channel(codes, "i8", right.scales, right.zero_points, 0)
    x, reduce_range = tensor(left.plain("f32")), case.attributes.get("reduce_range", 0) == 1
    return lambda: [torch.ops.quantized.linear_dynamic(x, torch.ops.quantized.linear_prepack(w, None), reduce_range).numpy()]


OPS = {
    "onnx.QLinearMatMul": (linear, BINARY),
    "onnx.QLinearConv": (convolution, "x x_scale x_zero_point w w_scale w_zero_point y_scale y_zero_point B"),
    "hybrid.dot_general": (dynamic_linear, "lhs rhs"),
}
