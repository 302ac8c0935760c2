# SPDX-License-Identifier: Apache-2.0
"""The block formats as operators of spec/ggml: which parameters a block has, one for each so many elements, and its bytes in the order in which they
are stored."""
import numpy
from exchange_case import Unsupported
from layouts import (fifth_bits, from_halves, from_iq4_scales, from_k_scales, from_neighbours, from_q3_scales, from_six_bits, from_strided, from_ternary, halves,
                     iq4_scales, k_scales, neighbours, q3_scales, six_bits, strided, ternary)
from vectors import VECTORS

CODES = "qs"


def raw(values):
    """Numbers as the bytes that they are in memory."""
    return numpy.ascontiguousarray(values).view(numpy.uint8)


class Format:
    """`parameters`: name to (elements that share one, numpy's type); `parts`: the block's bytes in order, each (how many, what it is of a block,
    what it says of one)."""

    def __init__(self, block, parameters, parts, code_type=numpy.uint8):
        self.block, self.parameters, self.parts, self.code_type = block, parameters, parts, code_type
        self.bytes = sum(width for width, _, _ in parts)

    def packed(self, fields):
        return numpy.ascontiguousarray(numpy.concatenate([write(fields) for _, write, _ in self.parts], axis=1))

    def unpacked(self, rows):
        """By name; what several parts have together is put together bit by bit."""
        fields, at = {}, 0
        for width, _, read in self.parts:
            for name, values in read(numpy.ascontiguousarray(rows[:, at : at + width])).items():
                fields[name] = fields[name] | values if name in fields else values
            at += width
        return fields


def stored(name, width, kind):
    """A parameter as it is in memory."""
    return (width, lambda f: raw(f[name]), lambda b: {name: b.view(kind)})


def d(name="d", kind=numpy.float16):
    return stored(name, numpy.dtype(kind).itemsize, kind)


def codes(width, write, read):
    return (width, lambda f: write(f[CODES]), lambda b: {CODES: read(b)})


NIBBLES = codes(16, lambda c: halves(c & 15, 32), lambda b: from_halves(b, 32))
FIFTH = codes(4, fifth_bits, lambda b: from_neighbours(b, 1) << 4)
SIGNED = stored(CODES, 32, numpy.int8)
NIBBLES_BY_64 = codes(128, lambda c: halves(c & 15, 64), lambda b: from_halves(b, 64))
PAIRS = codes(64, lambda c: strided(c & 3, 128, 2), lambda b: from_strided(b, 128, 2))
K_SCALES = (12, lambda f: k_scales(f["scales"], f["mins"]), lambda b: dict(zip(("scales", "mins"), from_k_scales(b))))
F16, U8 = numpy.float16, numpy.uint8
ONE = {"d": (32, F16)}
K = {"scales": (32, U8), "mins": (32, U8), "d": (256, F16), "dmin": (256, F16)}

FORMATS = {
    "q1_0": Format(128, {"d": (128, F16)}, [d(), codes(16, lambda c: neighbours(c, 1), lambda b: from_neighbours(b, 1))]),
    "q2_0": Format(64, {"d": (64, F16)}, [d(), codes(16, lambda c: neighbours(c, 2), lambda b: from_neighbours(b, 2))]),
    "q4_0": Format(32, ONE, [d(), NIBBLES]),
    "q4_1": Format(32, ONE | {"m": (32, F16)}, [d(), d("m"), NIBBLES]),
    "q5_0": Format(32, ONE, [d(), FIFTH, NIBBLES]),
    "q5_1": Format(32, ONE | {"m": (32, F16)}, [d(), d("m"), FIFTH, NIBBLES]),
    "q8_0": Format(32, ONE, [d(), SIGNED], numpy.int8),
    "q8_1": Format(32, ONE | {"s": (32, F16)}, [d(), d("s"), SIGNED], numpy.int8),
    "q8_K": Format(256, {"d": (256, numpy.float32)}, [d(kind=numpy.float32), stored(CODES, 256, numpy.int8), (32, lambda f: raw(sums_of(f[CODES])), lambda b: {"bsums": b.view(numpy.int16)})], numpy.int8),
    "mxfp4": Format(32, {"e": (32, U8)}, [stored("e", 1, U8), NIBBLES]),
    "nvfp4": Format(64, {"d": (16, U8)}, [stored("d", 4, U8), codes(32, lambda c: halves(c, 16), lambda b: from_halves(b, 16))]),
    "tq1_0": Format(256, {"d": (256, F16)}, [codes(52, ternary, from_ternary), d()]),
    "tq2_0": Format(256, {"d": (256, F16)}, [PAIRS, d()]),
    "iq4_nl": Format(32, ONE, [d(), NIBBLES]),
    "iq4_xs": Format(256, {"scales": (32, U8), "d": (256, F16)},
                     [d(), (6, lambda f: iq4_scales(f["scales"]), lambda b: {"scales": from_iq4_scales(b)}), codes(128, lambda c: halves(c, 32), lambda b: from_halves(b, 32))]),
    "q2_K": Format(256, {"scales": (16, U8), "mins": (16, U8), "d": (256, F16), "dmin": (256, F16)},
                   [(16, lambda f: f["scales"] | f["mins"] << 4, lambda b: {"scales": b & 15, "mins": b >> 4}), PAIRS, d(), d("dmin")]),
    "q3_K": Format(256, {"scales": (16, U8), "d": (256, F16)},
                   [codes(32, lambda c: strided(c >> 2, 256, 1), lambda b: from_strided(b, 256, 1) << 2), PAIRS, (12, lambda f: q3_scales(f["scales"]), lambda b: {"scales": from_q3_scales(b)}), d()]),
    "q4_K": Format(256, K, [d(), d("dmin"), K_SCALES, NIBBLES_BY_64]),
    "q5_K": Format(256, K, [d(), d("dmin"), K_SCALES, codes(32, lambda c: strided(c >> 4, 256, 1), lambda b: from_strided(b, 256, 1) << 4), NIBBLES_BY_64]),
    "q6_K": Format(256, {"scales": (16, numpy.int8), "d": (256, F16)}, [codes(192, six_bits, from_six_bits), stored("scales", 16, numpy.int8), d()]),
}


def sums_of(codes):
    return codes.reshape(codes.shape[0], -1, 16).sum(axis=2).astype(numpy.int16)


def blocks_of(data, length):
    """Blocks along the last dimension, one a row."""
    if data.ndim == 0 or data.shape[-1] % length or data.size == 0:
        raise Unsupported(f"rows that are not whole blocks of {length}")
    return numpy.ascontiguousarray(data).reshape(-1, length)


def quantize(name, parts):
    """These parts of what the library makes of floats."""
    form = FORMATS[name]

    def run(library, case):
        x = blocks_of(case.operand("x").plain("f32"), form.block)
        fields = form.unpacked(library.quantize_row(name, x, form.bytes, form.block))
        return [fields[part] for part in parts]

    return run


def dequantize(name):
    form = FORMATS[name]

    def run(library, case):
        given = case.operand(CODES)
        codes = blocks_of(given.data, form.block).astype(form.code_type)
        fields = {CODES: codes}
        for parameter, (length, kind) in form.parameters.items():
            if parameter not in case.operands:
                continue
            values = case.operand(parameter).data
            shape = given.shape[:-1] + (given.shape[-1] // length,)
            fields[parameter] = numpy.ascontiguousarray(numpy.broadcast_to(values.reshape(()) if values.size == 1 else values, shape)).reshape(codes.shape[0], -1)
            if fields[parameter].dtype.itemsize != numpy.dtype(kind).itemsize:
                raise Unsupported(f"{parameter} in another width than it is stored in")
        return [library.dequantize_row(name, form.packed(fields), form.block).reshape(given.shape)]

    return run


def dequantize_vectors(name):
    width, parameters, packed = VECTORS[name]

    def run(library, case):
        grid = case.operand("grid").data
        count = 256 // width
        fields = {"grid": blocks_of(grid, count)}
        for parameter, vectors in parameters.items():
            values, shape = case.operand(parameter).data, grid.shape[:-1] + (grid.shape[-1] // vectors,)
            fields[parameter] = numpy.ascontiguousarray(numpy.broadcast_to(values.reshape(()) if values.size == 1 else values, shape)).reshape(-1, count // vectors)
        rows = numpy.ascontiguousarray(numpy.concatenate(packed(fields), axis=1))
        return [library.dequantize_row(name, rows, 256)]

    return run


def codes_of(name):
    """Codes by the parameters that a case states: they must be those that the library's search finds."""
    form = FORMATS[name]

    def run(library, case):
        fields = form.unpacked(library.quantize_row(name, blocks_of(case.operand("x").plain("f32"), 256), form.bytes, 256))
        for parameter in form.parameters:
            if not (raw(fields[parameter]).ravel() == raw(case.operand(parameter).data).ravel()).all():
                raise Unsupported(f"{parameter}: the library's search finds others")
        return [fields[CODES]]

    return run


# Pages have the parts of q6_K and iq4_xs as operators of their own, since there are not as many of them. Of other formats of 256 they have codes by known scales.
SEARCHED = ("q2_K", "q3_K", "q4_K", "q5_K", "q6_K", "iq4_xs")
OPS = {f"ggml.dequantize_row_{name}": dequantize(name) for name in FORMATS if name != "q8_1"}
OPS |= {f"ggml.dequantize_row_{name}": dequantize_vectors(name) for name in VECTORS}
OPS |= {f"ggml.quantize_row_{name}": quantize(name, (CODES, *form.parameters)) for name, form in FORMATS.items() if name not in SEARCHED}
OPS |= {f"ggml.codes_{name}": codes_of(name) for name in ("q2_K", "q3_K", "q4_K", "q5_K")}
for whole in ("q6_K", "iq4_xs"):
    OPS |= {f"ggml.quantize_row_{whole}": quantize(whole, (CODES,)), f"ggml.scales_{whole}": quantize(whole, ("scales",)), f"ggml.super_scales_{whole}": quantize(whole, ("d",))}
OPS["ggml.bsums_q8_K"] = quantize("q8_K", ("bsums",))
