# SPDX-License-Identifier: Apache-2.0
"""Operators of torch.ops.quantized that look at one element of each operand, or at the window or the members that it comes from: sums, products,
activations, batch normalization, concatenation, pooling. Tensors are contiguous, channels before places."""
from exchange_case import Unsupported
from torch_tensors import codes, floats, of, op, parameters, same_parameters


def binary(name):
    """With scale and zero point of the result."""

    def run(case, engine):
        a, b, y = of(case.operand("qa")), of(case.operand("qb")), case.outputs[0]
        stated = parameters(y)
        return lambda: [codes(op(name)(a, b, *stated), y)]

    return run


def with_number(name):
    def run(case, engine):
        a, y, b = of(case.operand("qa")), case.outputs[0], case.attributes["b"]
        return lambda: [codes(op(name)(a, b), y)]

    return run


def cat(name):
    def run(case, engine):
        members, y, dim = [of(member) for member in case.inputs], case.outputs[0], case.attributes["dim"]
        stated = parameters(y)
        return lambda: [codes(op(name)(members, dim, *stated), y)]

    return run


def batch_norm(name):
    def run(case, engine):
        x, y, eps = of(case.operand("qx")), case.outputs[0], case.attributes["eps"]
        channels = [floats(case.operand(operand)) for operand in ("weight", "bias", "mean", "var")]
        stated = parameters(y)
        return lambda: [codes(op(name)(x, *channels, eps, *stated), y)]

    return run


def clamp(case, engine):
    x, y = of(case.operand("qx")), case.outputs[0]
    same_parameters(case.operand("qx"), y)
    ends = case.attributes.get("min"), case.attributes.get("max")
    return lambda: [codes(op("clamp")(x, *ends), y)]


def relu6(case, engine):
    x, y, inplace = of(case.operand("qx")), case.outputs[0], bool(case.attributes.get("inplace", False))
    same_parameters(case.operand("qx"), y)
    return lambda: [codes(op("relu6")(x, inplace), y)]


def threshold(case, engine):
    x, y = of(case.operand("qx")), case.outputs[0]
    same_parameters(case.operand("qx"), y)
    numbers = case.attributes["threshold"], case.attributes["value"]
    return lambda: [codes(op("threshold")(x, *numbers), y)]


def leaky_relu(case, engine):
    x, y, slope = of(case.operand("qx")), case.outputs[0], case.attributes["negative_slope"]
    stated = parameters(y)
    return lambda: [codes(op("leaky_relu")(x, slope, False, *stated), y)]


def prelu(case, engine):
    x, weight, y = of(case.operand("qx")), of(case.operand("weight")), case.outputs[0]
    stated = parameters(y)
    return lambda: [codes(op("prelu")(x, weight, *stated), y)]


def activation(name, *numbers):
    """One operand, scale and zero point of the result, then numbers: pairs of an attribute and its default."""

    def run(case, engine):
        x, y = of(case.operand("x")), case.outputs[0]
        stated, given = parameters(y), [case.attributes.get(attribute, default) for attribute, default in numbers]
        return lambda: [codes(op(name)(x, *stated, *given), y)]

    return run


def dropout(case, engine):
    x, y = of(case.operand("x")), case.outputs[0]
    same_parameters(case.operand("x"), y)
    p, training = case.attributes.get("p", 0.5), bool(case.attributes.get("training", False))
    return lambda: [codes(op("dropout")(x, *parameters(y), p, training), y)]


def max_pool(name, dimensions):
    def run(case, engine):
        x, y = of(case.operand("qx")), case.outputs[0]
        same_parameters(case.operand("qx"), y)
        attributes = case.attributes
        kernel, stride = list(attributes["kernel_size"]), list(attributes.get("stride", []))
        padding, dilation = list(attributes.get("padding", [0] * dimensions)), list(attributes.get("dilation", [1] * dimensions))
        if len(kernel) != dimensions or len(padding) != dimensions or len(dilation) != dimensions:
            raise Unsupported(f"windows that do not have {dimensions} dimensions")
        return lambda: [codes(op(name)(x, kernel, stride, padding, dilation, bool(attributes.get("ceil_mode", False))), y)]

    return run


NORMALIZATIONS = [f"batch_norm{places}{relu}" for places in ("", "1d", "2d", "3d") for relu in ("", "_relu")]

# Operator -> what answers it, and the page's operands in order; None where any number of them may be given.
OPS = {
    **{f"torch.{name}": (binary(name), "qa qb") for name in ("add", "add_relu", "mul", "mul_relu")},
    **{f"torch.{name}": (with_number(name), "qa") for name in ("add_scalar", "add_scalar_relu", "mul_scalar", "mul_scalar_relu")},
    **{f"torch.{name}": (cat(name), None) for name in ("cat", "cat_relu")},
    **{f"torch.{name}": (batch_norm(name), "qx weight bias mean var") for name in NORMALIZATIONS},
    "torch.relu6": (relu6, "qx"),
    "torch.clamp": (clamp, "qx"),
    "torch.threshold": (threshold, "qx"),
    "torch.leaky_relu": (leaky_relu, "qx"),
    "torch.prelu": (prelu, "qx weight"),
    "torch.elu": (activation("elu", ("alpha", 1), ("scale", 1), ("input_scale", 1)), "x"),
    "torch.celu": (activation("celu", ("alpha", 1)), "x"),
    "torch.hardswish": (activation("hardswish"), "x"),
    "torch.sigmoid": (activation("sigmoid"), "x"),
    "torch.dropout": (dropout, "x"),
    "torch.max_pool1d": (max_pool("max_pool1d", 1), "qx"),
    "torch.max_pool2d": (max_pool("max_pool2d", 2), "qx"),
}
