# SPDX-License-Identifier: Apache-2.0
"""Element types: their words, how arrays hold them, and the numbers that codes stand for.

numpy has the integers of 8, 16, 32 and 64 bits, bool, float16, float32 and float64. Of everything else an array has the codes: an integer of 1 to 63 bits lies in the
next wider one that numpy has (an i4 in int8, a u2 in uint8), and a float that numpy lacks as its bits, without a sign, in uint8, uint16 or uint32 (bf16, f8e4m3fn,
f4e2m1, f8e8m0, tf32). The type's word stands beside the array."""
import functools
import re
from typing import NamedTuple

import numpy

from .errors import Error


class FloatFormat(NamedTuple):
    """Widths, bias, and what the codes at the top stand for: ieee (infinities and nan), fn (all ones is nan), fnuz (the code of -0 is nan), finite, scale (powers of
    two without sign and zero)."""
    exponent_bits: int
    fraction_bits: int
    bias: int
    kind: str

    @property
    def bits(self):
        return self.exponent_bits + self.fraction_bits + (self.kind != "scale")


FLOATS = {
    "f64": FloatFormat(11, 52, 1023, "ieee"), "f32": FloatFormat(8, 23, 127, "ieee"), "tf32": FloatFormat(8, 10, 127, "ieee"),
    "f16": FloatFormat(5, 10, 15, "ieee"), "bf16": FloatFormat(8, 7, 127, "ieee"), "f8e5m2": FloatFormat(5, 2, 15, "ieee"),
    "f8e4m3": FloatFormat(4, 3, 7, "ieee"), "f8e3m4": FloatFormat(3, 4, 3, "ieee"), "f8e4m3fn": FloatFormat(4, 3, 7, "fn"),
    "f8e4m3fnuz": FloatFormat(4, 3, 8, "fnuz"), "f8e5m2fnuz": FloatFormat(5, 2, 16, "fnuz"), "f8e4m3b11fnuz": FloatFormat(4, 3, 11, "fnuz"),
    "f6e3m2": FloatFormat(3, 2, 3, "finite"), "f6e2m3": FloatFormat(2, 3, 1, "finite"), "f4e2m1": FloatFormat(2, 1, 1, "finite"),
    "f8e8m0": FloatFormat(8, 0, 127, "scale"),
}
NATIVE = {"f16": numpy.float16, "f32": numpy.float32, "f64": numpy.float64}  # floats that numpy has
WORDS = {numpy.dtype(dtype): word for word, dtype in NATIVE.items()} | {numpy.dtype(bool): "bool"}
WORDS |= {numpy.dtype(f"{kind}{bits // 8}"): kind + str(bits) for kind in "iu" for bits in (8, 16, 32, 64)}
# MLIR's names that are not ours in other letters.
MLIR = {"i1": "bool", "f4e2m1fn": "f4e2m1", "f6e2m3fn": "f6e2m3", "f6e3m2fn": "f6e3m2", "f8e8m0fnu": "f8e8m0"}


def element_word(text):
    """The word of an element type, of ours (`u8`) or as MLIR writes it (`ui8`, `f8E4M3FN`). Error where it is none."""
    word = text.strip().lower()
    word = MLIR.get(word, word)
    whole = re.fullmatch(r"(ui|u|si|i)([1-9][0-9]?)", word)
    if whole and int(whole[2]) <= 64:
        return whole[1][0].replace("s", "i") + whole[2]
    if word in FLOATS or word == "bool":
        return word
    raise Error(f"'{text}' is no element type: i4, u8, i32, bool, " + ", ".join(FLOATS))


def is_float(word):
    return word in FLOATS


def storage(word):
    """The numpy dtype that holds codes of this type."""
    if word == "bool":
        return numpy.dtype(bool)
    if word in NATIVE:
        return numpy.dtype(NATIVE[word])
    bits = FLOATS[word].bits if word in FLOATS else int(word[1:])
    size = next(size for size in (1, 2, 4, 8) if bits <= 8 * size)
    return numpy.dtype(f"{'u' if word in FLOATS else word[0]}{size}")


def word_of(dtype):
    """The element type of arrays with this dtype. Error where there is none."""
    word = WORDS.get(numpy.dtype(dtype).newbyteorder("="))
    if word is None:
        raise Error(f"there is no element type for arrays of {numpy.dtype(dtype)}")
    return word


@functools.cache
def _all_numbers(word):
    """The number of each code of a float that numpy lacks."""
    form = FLOATS[word]
    code = numpy.arange(1 << form.bits, dtype=numpy.int64)
    if form.kind == "scale":
        return numpy.where(code == code[-1], numpy.nan, numpy.ldexp(1.0, code - form.bias))
    fraction = code & ((1 << form.fraction_bits) - 1)
    exponent = (code >> form.fraction_bits) & ((1 << form.exponent_bits) - 1)
    normal = exponent > 0
    value = numpy.ldexp((fraction + (normal << form.fraction_bits)).astype(float), numpy.maximum(exponent, 1) - form.bias - form.fraction_bits)
    top = exponent == (1 << form.exponent_bits) - 1
    negative = code >> (form.bits - 1) == 1
    if form.kind == "ieee":
        value = numpy.where(top, numpy.where(fraction == 0, numpy.inf, numpy.nan), value)
    if form.kind == "fn":
        value = numpy.where(top & (fraction == (1 << form.fraction_bits) - 1), numpy.nan, value)
    value = numpy.where(negative, -value, value)
    if form.kind == "fnuz":
        value[1 << (form.bits - 1)] = numpy.nan
    return value


def numbers(codes, word):
    """What the codes stand for: float64 of floats, each exactly the number; integers and truth values as they are."""
    if word not in FLOATS:
        return codes
    if word in NATIVE:
        return codes.astype(numpy.float64)
    return _all_numbers(word)[codes.astype(numpy.int64) & ((1 << FLOATS[word].bits) - 1)]


def _nan(word):
    """The nan that is written: quiet, without sign where there is one."""
    form = FLOATS[word]
    if form.kind == "ieee":
        return ((1 << form.exponent_bits) * 2 - 1) << (form.fraction_bits - 1)
    return 1 << (form.bits - 1) if form.kind == "fnuz" else (1 << (form.bits - (form.kind == "fn"))) - 1


def codes_of(texts, word):
    """Codes of exact values as the command prints them: decimals, hex floats, `nan`, `inf`; what is undefined reads as zero."""
    texts = ["0" if text == "undefined" else text for text in texts]
    if word not in FLOATS:
        return numpy.array([int(text) for text in texts], dtype=storage(word))
    values = numpy.array([float.fromhex(text) if "x" in text else float(text) for text in texts], dtype=numpy.float64)
    if word in NATIVE:
        return values.astype(NATIVE[word])
    return encode(values, word)


def encode(values, word):
    """Codes of float64 numbers that are values of the type. Error for one that is not."""
    table = _all_numbers(word)
    bits = table.view(numpy.uint64)
    order = numpy.argsort(bits, kind="stable")
    places = numpy.minimum(numpy.searchsorted(bits, values.view(numpy.uint64), sorter=order), table.size - 1)
    codes = order[places]
    wrong = (bits[codes] != values.view(numpy.uint64)) & ~numpy.isnan(values)
    if wrong.any():
        raise Error(f"{values[wrong][0].hex()} is no value of {word}")
    return numpy.where(numpy.isnan(values), _nan(word), codes).astype(storage(word))
