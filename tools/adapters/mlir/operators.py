# SPDX-License-Identifier: Apache-2.0
"""Pages of TOSA: the operation has the page's name in lower case. Data are arguments, what the lowerings look into are constants, attributes stand as
the dialect writes them."""
import numpy
from exchange_case import Unsupported
from functions import Function, held
from text import tensor_type, type_of

TYPES = ("bool", "i8", "i16", "i32", "i64", "f16", "bf16", "f32")
FLOATS = ("f16", "bf16", "f32")
CONSTANTS = ("shift", "input1_zp", "output_zp")
REQUIRED = {"ARITHMETIC_RIGHT_SHIFT": {"round": False}}  # the dialect has no default for them


def attribute(name, value, word):
    if name == "axis":
        return f"axis = {int(value)} : i32"
    if name in ("min_val", "max_val"):
        return f"{name} = {float(value)!r} : {word}" if word in FLOATS else f"{name} = {int(value)} : {word}"
    if name == "nan_mode":
        return f"nan_mode = {value}"
    if name == "round":
        return f"round = {str(bool(value)).lower()}"
    raise Unsupported(f"the attribute {name}")


def check(case):
    """What ends the process where machines have no result, and what this version's dialect does not have."""
    if case.op == "tosa.INTDIV":
        divisor, least = case.operand("input2").data, numpy.iinfo(case.operand("input2").data.dtype).min
        if (divisor == 0).any() or ((divisor == -1).any() and (case.operand("input1").data == least).any()):
            raise Unsupported("a division that the processor refuses")
    if case.attributes.get("input_unsigned", 0):
        raise Unsupported("integers that are read as unsigned")


def operator(case):
    check(case)
    name, output = case.op.removeprefix("tosa."), case.outputs[0]
    if output.type not in TYPES:
        raise Unsupported(f"a result of type {output.type}")
    arguments, lines, names, types = [], [], [], []
    for index, (label, operand) in enumerate(case.operands.items()):
        data = operand.plain(*TYPES)
        if label in CONSTANTS:
            lines.append(held(f"c{index}", data, operand.type))
            names.append(f"%c{index}")
            types.append(tensor_type((data.size,), type_of(operand.type)))
        else:
            names.append(f"%x{len(arguments)}")
            types.append(tensor_type(data.shape, type_of(operand.type)))
            arguments.append((data, operand.type))
    given = REQUIRED.get(name, {}) | {key: value for key, value in case.attributes.items() if key != "input_unsigned"}
    attributes = ", ".join(attribute(key, value, arguments[0][1]) for key, value in sorted(given.items()))
    element = type_of(output.type)
    signature = f"({', '.join(types)}) -> {tensor_type(output.shape, element)}"
    lines.append(f"%y = tosa.{name.lower()} {', '.join(names)} {{{attributes}}} : {signature}")
    return Function(arguments, lines, "%y", output.shape, element)


# Operands in the pages' order, and the pages that have them.
OPERANDS = {
    "input": "ARGMAX CAST CLAMP ERF REDUCE_ALL REDUCE_ANY REDUCE_MAX REDUCE_MIN REDUCE_PRODUCT REDUCE_SUM SIGMOID TANH",
    "input1": "ABS BITWISE_NOT CEIL CLZ COS EXP FLOOR LOG LOGICAL_NOT RECIPROCAL RSQRT SIN",
    "input1 input2": "ADD ARITHMETIC_RIGHT_SHIFT BITWISE_AND BITWISE_OR BITWISE_XOR EQUAL GREATER GREATER_EQUAL INTDIV LOGICAL_AND LOGICAL_LEFT_SHIFT LOGICAL_OR LOGICAL_RIGHT_SHIFT LOGICAL_XOR MAXIMUM MINIMUM POW SUB",
    "input1 input2 shift": "MUL",
    "input1 input1_zp output_zp": "NEGATE",
    "input1 input2 input3": "SELECT",
}
OPS = {f"tosa.{page}": (operator, operands) for operands, pages in OPERANDS.items() for page in pages.split()}
