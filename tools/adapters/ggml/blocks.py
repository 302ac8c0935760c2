# SPDX-License-Identifier: Apache-2.0
"""Cases as blocks of 32. A block's scale follows from its largest magnitude: 1/127 of it in q8_0, and -1/8 of the element that has it in q4_0. So a
given scale is met by 31 elements of the case and one more that is as large as that; elements beyond it would change the scale and are refused."""
import numpy
from exchange_case import Unsupported

BLOCK = 32


def as_rows(data, width):
    return numpy.frombuffer(data, dtype=numpy.uint8).reshape(-1, width)


def as_floats(data):
    return numpy.frombuffer(data, dtype=numpy.float32)


def nibbles(rows):
    """The low halves of all bytes, then the high ones."""
    return numpy.concatenate([rows & 15, rows >> 4], axis=1)


def packed(codes):
    return (codes[:, :16] | codes[:, 16:] << 4).astype(numpy.uint8)


def slices(case, data, scale):
    """The elements that share one scale, with it: everything, or slices along the axis. The slices' places come back by `restored`."""
    scales = numpy.ravel(scale)
    if scale.ndim == 0:
        return scales, data.reshape(1, -1), lambda parts: parts.reshape(data.shape)
    axis = case.attributes.get("axis", -1) % data.ndim
    moved = numpy.moveaxis(data, axis, 0)
    if scale.ndim != 1 or scales.size != moved.shape[0]:
        raise Unsupported("scales that do not go along one axis")
    return scales, moved.reshape(scales.size, -1), lambda parts: numpy.moveaxis(parts.reshape(moved.shape), 0, axis)


def format_of(case, word):
    """q8_0 has signed codes and no zero point, q4_0 unsigned ones of 4 bits, whose middle is 8.5 on the way in and 8 on the way out."""
    if {"least", "greatest"} & set(case.attributes) or "magnitude" in case.operands and word != "i8":
        raise Unsupported("a range of codes")
    zero_points = numpy.ravel(case.operands["zero_point"].data) if "zero_point" in case.operands else numpy.zeros(1)
    middle = 8.5 if case.op == "quant.quantize" else 8
    if word == "i8" and not zero_points.any():
        return "q8_0"
    if word == "u4" and (zero_points == middle).all() and "minimum" not in case.operands:
        return "q4_0"
    if word == "u4" and not zero_points.any() and "minimum" in case.operands:
        return "q4_1"
    raise Unsupported(f"no block format with codes of type {word} and this zero point")


def quantize(library, case):
    x, scale = case.operand("x").plain("f32"), case.operand("scale").plain("f32")
    name = format_of(case, case.outputs[0].type)
    extreme = numpy.float32(127 if name == "q8_0" else -8)
    scales, parts, restored = slices(case, x, scale)
    with numpy.errstate(all="ignore"):
        largest = scales * extreme
        if not (largest / extreme == scales).all() or not numpy.isfinite(largest).all() or (largest == 0).any():
            raise Unsupported("a scale that no block has")
    if "magnitude" in case.operands and not (numpy.ravel(case.operands["magnitude"].data) == numpy.abs(largest)).all():
        raise Unsupported("a largest magnitude that the scale does not come from")
    if not numpy.isfinite(x).all() or (numpy.abs(parts) > numpy.abs(largest)[:, None]).any():
        raise Unsupported("values beyond those that the scale comes from")
    runs = -(-parts.shape[1] // (BLOCK - 1))
    padded = numpy.zeros((scales.size, runs * (BLOCK - 1)), dtype=numpy.float32)
    padded[:, : parts.shape[1]] = parts
    chunks = numpy.concatenate([numpy.broadcast_to(largest[:, None, None], (scales.size, runs, 1)), padded.reshape(scales.size, runs, -1)], axis=2)
    rows = library.quantize_row(name, numpy.ascontiguousarray(chunks, dtype=numpy.float32), 34 if name == "q8_0" else 18)
    codes = rows[:, 2:].view(numpy.int8) if name == "q8_0" else nibbles(rows[:, 2:])
    return [restored(codes[:, 1:].reshape(scales.size, -1)[:, : parts.shape[1]])]


def half(values, what):
    stored = numpy.asarray(values, dtype=numpy.float16)
    if not (stored.astype(numpy.float32) == numpy.asarray(values, dtype=numpy.float32)).all():
        raise Unsupported(f"{what} that is no f16: blocks store it so")
    return stored


def dequantize(library, case):
    if case.outputs[0].type != "f32":
        raise Unsupported("results other than f32")
    code = case.operand("code")
    name, scale = format_of(case, code.type), case.operand("scale").plain("f16", "f32")
    scales, parts, restored = slices(case, code.data, scale)
    runs = -(-parts.shape[1] // BLOCK)
    padded = numpy.zeros((scales.size, runs * BLOCK), dtype=numpy.uint8)
    padded[:, : parts.shape[1]] = parts.view(numpy.uint8)
    chunks = padded.reshape(-1, BLOCK)
    headers = [numpy.repeat(half(scales, "a scale"), runs)]
    if name == "q4_1":
        headers.append(numpy.repeat(numpy.broadcast_to(half(numpy.ravel(case.operands["minimum"].data), "a minimum"), scales.shape), runs))
    header = numpy.stack(headers, axis=1).view(numpy.uint8)
    rows = numpy.ascontiguousarray(numpy.concatenate([header, chunks if name == "q8_0" else packed(chunks)], axis=1))
    return [restored(library.dequantize_row(name, rows).reshape(scales.size, -1)[:, : parts.shape[1]])]


def mx(library, case):
    """mxfp4: shared exponents and 4-bit codes, along the last axis."""
    x = case.operand("x").plain("f32")
    if case.outputs[0].type != "f4e2m1" or x.ndim == 0 or case.attributes.get("axis", -1) % x.ndim != x.ndim - 1 or x.shape[-1] % BLOCK or x.size == 0:
        raise Unsupported("another format than mxfp4, or rows that are not whole blocks of 32 along the last axis")
    rows = library.quantize_row("mxfp4", numpy.ascontiguousarray(x), 17)
    return [nibbles(rows[:, 1:]).reshape(x.shape), rows[:, 0]]
