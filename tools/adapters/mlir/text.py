# SPDX-License-Identifier: Apache-2.0
"""Tensors as MLIR writes them: types, constants by their bytes, and numbers of any width read back from 32-bit words."""
import numpy

WIDTHS = {"bool": 1, "i1": 1, "i4": 4, "u4": 4, "i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i48": 48, "i64": 64, "f16": 16, "bf16": 16, "f32": 32}


def type_of(word):
    """An integer of MLIR has no sign of its own."""
    return word if word in ("f16", "bf16", "f32") else f"i{WIDTHS[word]}"


def tensor_type(shape, element):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def constant(data, word):
    """A dense constant with all its bytes; 1, 4 and 48 bits have no whole bytes of their own and are written as numbers."""
    width, shape = WIDTHS[word], tensor_type(data.shape, type_of(word))
    if data.size == 0:
        return f"dense<> : {shape}"
    if width in (8, 16, 32, 64):
        return f'dense<"0x{numpy.ascontiguousarray(data).tobytes().hex().upper()}"> : {shape}'
    numbers = [code - 2**width if 1 < width and code >= 2 ** (width - 1) else code for code in numpy.ravel(data).tolist()]
    return f"dense<{_nested(numpy.reshape(numpy.array(numbers, dtype=numpy.int64), data.shape).tolist())}> : {shape}"


def _nested(value):
    return "[" + ", ".join(_nested(item) for item in value) + "]" if isinstance(value, list) else str(value)


def number(value):
    """A finite scale as MLIR reads it: the shortest decimal that gives the double back, with a point."""
    text = repr(float(value))
    return text if "." in text or "inf" in text or "nan" in text else text.replace("e", ".0e")


def stored(words, output):
    """Words that were printed, as the output's storage type: the lowest bits are the element."""
    bits = numpy.array(words, dtype=numpy.int64)
    width = WIDTHS[output.type]
    if width == 64:
        return bits
    low = bits & (2**width - 1)
    if output.type.startswith("i"):
        low = numpy.where(low >= 2 ** (width - 1), low - 2**width, low)
    if output.type in ("f16", "f32"):
        unsigned = low.astype(numpy.uint16 if width == 16 else numpy.uint32)
        return unsigned.view(numpy.float16 if width == 16 else numpy.float32)
    return low
