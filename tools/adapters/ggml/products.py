# SPDX-License-Identifier: Apache-2.0
"""Products of rows of blocks. Codes, scales and minima of a case become the bytes that the library stores; each row of x with each row of w is
one call of the kernel for the two formats."""
import ctypes

import numpy
from blocks import BLOCK, packed
from exchange_case import Unsupported

# By type of w, and whether blocks have a minimum: the formats of w and x, and the zero point that the codes have.
FORMATS = {
    ("i8", False): ("q8_0", "q8_0", 0),
    ("u4", False): ("q4_0", "q8_0", 8),
    ("u4", True): ("q4_1", "q8_1", 0),
    ("u5", False): ("q5_0", "q8_0", 16),
    ("u5", True): ("q5_1", "q8_1", 0),
    ("f4e2m1", False): ("mxfp4", "q8_0", 0),
}
NAN_SCALE = 255  # of f8e8m0


def formats_of(case):
    """The formats of w and of x."""
    w = case.operand("w")
    has_minimum = "w_minimum" in case.operands
    if (w.type, has_minimum) not in FORMATS:
        raise Unsupported(f"no block format with codes of type {w.type}" + (" and a minimum" if has_minimum else ""))
    name, other, zero_point = FORMATS[w.type, has_minimum]
    if case.attributes.get("block", BLOCK) != BLOCK:
        raise Unsupported("blocks of another length than 32")
    if case.zero_point("w_zero_point", w.type) != zero_point:
        raise Unsupported(f"a zero point other than that of {name}, {zero_point}")
    if has_minimum != ("x_sum" in case.operands):
        raise Unsupported("x_sum without w_minimum, or the reverse: blocks have both or neither")
    return name, other


def high_bits(codes):
    """The fifth bits of 32 codes as four bytes, lowest first."""
    return numpy.packbits(codes >> 4, axis=1, bitorder="little")


def bytes_of(name, codes, parameters):
    """Blocks, one a row; `parameters` are the scale and what stands beside it, as they are stored."""
    header = [numpy.ascontiguousarray(values).reshape(-1, 1).view(numpy.uint8) for values in parameters]
    if name in ("q8_0", "q8_1"):
        body = [codes.view(numpy.uint8)]
    elif name in ("q5_0", "q5_1"):
        body = [high_bits(codes), packed(codes & 15)]
    else:
        body = [packed(codes)]
    return numpy.ascontiguousarray(numpy.concatenate(header + body, axis=1))


def block_dot(library, case):
    name, other = formats_of(case)
    x, w = case.operand("x").plain("i8"), case.operand("w").data
    if x.ndim not in (1, 2) or w.ndim != 2:
        raise Unsupported("more than rows: batches")
    rows, columns, count = x.size // x.shape[-1] if x.shape[-1] else 0, w.shape[0], x.shape[-1] // BLOCK
    if x.size == 0 or w.size == 0:
        raise Unsupported("rows without blocks")

    def parameters(names, lines):
        return [numpy.broadcast_to(case.operand(one).data, (lines, count)) for one in names if one in case.operands]

    scales = parameters(["w_scale", "w_minimum"], columns)
    if case.operand("w_scale").type == "f8e8m0" and (scales[0] == NAN_SCALE).any():
        raise Unsupported("a scale that is not a number: kernels take its code for an exponent")
    left = bytes_of(other, x.reshape(-1, BLOCK), parameters(["x_scale", "x_sum"], rows)).reshape(rows, -1)
    right = bytes_of(name, w.reshape(-1, BLOCK), scales).reshape(columns, -1)
    product = library.product_of(f"{name}_{other}")
    result, one = numpy.zeros((rows, columns), dtype=numpy.float32), ctypes.c_float()
    for row in range(rows):
        for column in range(columns):
            product(x.shape[-1], ctypes.byref(one), 0, right[column].ctypes.data, 0, left[row].ctypes.data, 0, 1)
            result[row, column] = one.value
    return [result]
