# SPDX-License-Identifier: Apache-2.0
"""The operators as the serialized form has them: operands in their order, attributes by name. Words for operands: `x` a tensor, `x.one` a tensor of one
dimension whatever the page gives, `x.zero` the same, 0 where it is left out, `x.shape` numbers of a shape, which are a part of the graph."""
import re

import numpy
from exchange_case import Unsupported

TYPES = {"bool": "BOOL", "i4": "INT4", "i8": "INT8", "i16": "INT16", "i32": "INT32", "i48": "INT48", "f16": "FP16", "bf16": "BF16", "f32": "FP32", "f8e4m3fn": "FP8E4M3", "f8e5m2": "FP8E5M2"}
CONVOLUTION = "input weight bias input_zp.one weight_zp.one"
OPERANDS = {
    "input": "ARGMAX CAST CLAMP ERF MAX_POOL2D REDUCE_ALL REDUCE_ANY REDUCE_MAX REDUCE_MIN REDUCE_PRODUCT REDUCE_SUM SIGMOID TANH",
    "input1": "ABS BITWISE_NOT CEIL CLZ COS EXP FLOOR IDENTITY LOG LOGICAL_NOT RECIPROCAL REVERSE RSQRT SIN TRANSPOSE",
    "input1 input2": "ADD ARITHMETIC_RIGHT_SHIFT BITWISE_AND BITWISE_OR BITWISE_XOR EQUAL GREATER GREATER_EQUAL INTDIV LOGICAL_AND LOGICAL_LEFT_SHIFT LOGICAL_OR LOGICAL_RIGHT_SHIFT LOGICAL_XOR MAXIMUM MINIMUM POW SUB",
    "input1 input2 shift.zero": "MUL",
    "input1 input1_zp.zero output_zp.zero": "NEGATE",
    "input1 input2 input3": "SELECT",
    "input1 table.one": "TABLE",
    "input input_zp.one output_zp.one": "AVG_POOL2D",
    "A B A_zp.one B_zp.one": "MATMUL",
    CONVOLUTION: "CONV2D CONV3D DEPTHWISE_CONV2D TRANSPOSE_CONV2D",
    "input multiplier.one shift.one input_zp.one output_zp.one": "RESCALE",
    "input scale.shape offset.shape border.shape": "RESIZE",
    "input1 padding.shape pad_const.one": "PAD",
    "input1 shape.shape": "RESHAPE",
    "input1 start.shape size.shape": "SLICE",
    "input1 multiples.shape": "TILE",
    "values indices": "GATHER",
    "values_in indices input": "SCATTER",
    "input1 ...": "CONCAT",
}
FORMS = {operator: words.split() for words, operators in OPERANDS.items() for operator in operators.split()}
OPS = {f"tosa.{operator}": operator for operator in FORMS}

WINDOW = {"kernel": None, "stride": None, "pad": None}
CONVOLVED = {"pad": None, "stride": None, "dilation": None, "local_bound": False, "acc_type": None}
NAN = {"nan_mode": "PROPAGATE"}
# Attributes with what the pages take where they are left out; None: they never are.
ATTRIBUTES = {
    "ARGMAX": {"axis": None} | NAN,
    "AVG_POOL2D": WINDOW | {"acc_type": None},
    "MAX_POOL2D": WINDOW | NAN,
    "CONV2D": CONVOLVED,
    "CONV3D": CONVOLVED,
    "DEPTHWISE_CONV2D": CONVOLVED,
    "TRANSPOSE_CONV2D": {"out_pad": None, "stride": None, "local_bound": False, "acc_type": None},
    "CLAMP": {"min_val": None, "max_val": None} | NAN,
    "ARITHMETIC_RIGHT_SHIFT": {"round": False},
    "MAXIMUM": NAN,
    "MINIMUM": NAN,
    "REDUCE_MAX": {"axis": None} | NAN,
    "REDUCE_MIN": {"axis": None} | NAN,
    "RESIZE": {"mode": None},
    "TRANSPOSE": {"perms": None},
    "RESCALE": {"scale32": True, "rounding_mode": "SINGLE_ROUND", "per_channel": False, "input_unsigned": False, "output_unsigned": False},
} | {operator: {"axis": None} for operator in ("REDUCE_ALL", "REDUCE_ANY", "REDUCE_PRODUCT", "REDUCE_SUM", "CONCAT", "REVERSE")}
TRUTHS = ("local_bound", "round", "scale32", "per_channel", "input_unsigned", "output_unsigned")


def type_word(element):
    if element not in TYPES:
        raise Unsupported(f"no tensors of {element}")
    return TYPES[element]


def attribute_table(operator):
    """ARGMAX: ArgMaxAttribute; AVG_POOL2D: AvgPool2dAttribute."""
    words = re.sub("^(ARG|INT|MAT)(MAX|DIV|MUL)$", r"\1_\2", operator).split("_")
    return "".join(word.capitalize() for word in words) + "Attribute"


def limit_bytes(value, element):
    """A bound of CLAMP as the bytes of one element, little-endian."""
    if element == "bf16":
        return list(numpy.array([value], numpy.float32).tobytes()[2:])
    kinds = {"i8": numpy.int8, "i16": numpy.int16, "f16": numpy.float16, "f32": numpy.float32}
    return list(numpy.array([value], kinds[element]).tobytes())


def attribute_value(name, value, element):
    if name in TRUTHS:
        return bool(value)
    if name == "acc_type":
        return type_word(value)
    if name in ("min_val", "max_val"):
        return limit_bytes(value, element)
    if isinstance(value, list):
        return [int(one) for one in value]
    return value if isinstance(value, str) else int(value)


def attributes(operator, given, element):
    """All attributes of the operator. One that this form has not may only say what is so without it."""
    known = ATTRIBUTES.get(operator, {})
    for name, value in given.items():
        if name not in known and value:
            raise Unsupported(f"the attribute {name}")
    values = known | {name: value for name, value in given.items() if name in known}
    for name, value in values.items():
        if value is None:
            raise Unsupported(f"no attribute {name}")
    return {name: attribute_value(name, value, element) for name, value in values.items()}
