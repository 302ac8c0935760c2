# SPDX-License-Identifier: Apache-2.0
"""The operators of MIGraphX, by the names of their pages. What a page has of an older release (three operands and alpha and beta of quant_dot, round) or of
another target is refused."""
from exchange_case import Unsupported


def _operands(graph, case, *names):
    return [graph.parameter(case.operand(name)) for name in names if name in case.operands]


def quantizelinear(graph, case):
    attributes = {} if "y_zero_point" in case.operands else {"out_type": graph.type_number(case.outputs[0].type)}
    return graph.add("quantizelinear", _operands(graph, case, "x", "y_scale", "y_zero_point"), **attributes)


def dequantizelinear(graph, case):
    return graph.add("dequantizelinear", _operands(graph, case, "x", "x_scale", "x_zero_point"))


def convert(graph, case):
    return graph.add("convert", _operands(graph, case, "x"), target_type=graph.type_number(case.outputs[0].type))


def quant_dot(graph, case):
    if "c" in case.operands or case.attributes.get("alpha", 1) != 1 or case.attributes.get("beta", 1) != 1:
        raise Unsupported("a third operand, alpha and beta are of older releases")
    return graph.add("quant_dot", _operands(graph, case, "a", "b", "a_scale", "b_scale"))


def quant_convolution(graph, case):
    attributes = {name: [int(one) for one in case.attributes[name]] for name in ("padding", "stride", "dilation") if name in case.attributes}
    return graph.add("quant_convolution", _operands(graph, case, "x", "w"), group=int(case.attributes.get("group", 1)), **attributes)


def clip(graph, case):
    return graph.add("clip", _operands(graph, case, "x", "low", "high"))


def nearbyint(graph, case):
    return graph.add("nearbyint", _operands(graph, case, "x"))


def _along_axis(name):
    return lambda graph, case: graph.add(name, _operands(graph, case, "x"), axis=int(case.attributes.get("axis", -1)))


def unpack_fp4(graph, case):
    return graph.add("unpack_fp4", [graph.pairs(case.operand("x"))], axis=int(case.attributes.get("axis", -1)))


OPS = {f"migraphx.{one.__name__}": one for one in (quantizelinear, dequantizelinear, convert, quant_dot, quant_convolution, clip, nearbyint, unpack_fp4)}
OPS |= {f"migraphx.{name}": _along_axis(name) for name in ("pack_int4", "unpack_int4", "pack_fp4")}
