# SPDX-License-Identifier: Apache-2.0
"""Quantization parameters: scales and zero points, for a tensor, along an axis or in blocks; the text of a quantized type and back."""
import re
from dataclasses import dataclass
from fractions import Fraction

import numpy

from .element_types import element_word
from .errors import Error


def ratio(text):
    """An exact scale: a fraction or a hex float is itself, a decimal the double nearest to it."""
    text = text.strip()
    if "/" in text:
        return Fraction(text)
    return Fraction(float.fromhex(text) if "x" in text.lower() else float(text))


@dataclass(frozen=True)
class Parameters:
    """Scales and zero points in row-major order of `shape`, the parameters along each of `axes`; position i of axis k has parameter i // blocks[k]. Without axes
    there is one of each for the tensor."""
    scales: tuple
    zero_points: tuple
    axes: tuple = ()
    blocks: tuple = ()
    shape: tuple = ()
    storage: str = "i8"
    storage_range: tuple | None = None  # None: all codes of the storage type
    expressed: str = "f32"

    def places(self, shape):
        """For each element of a tensor of this shape the index of its parameter."""
        place = numpy.zeros(shape, dtype=numpy.int64)
        for axis, block, count in zip(self.axes, self.blocks, self.shape, strict=True):
            along = numpy.arange(shape[axis]) // block
            place = place * count + along.reshape([-1 if dimension == axis else 1 for dimension in range(len(shape))])
        return place

    def real(self, codes, nearest=False):
        """scale * (code - zero point) of each code, as float64 that are exactly these numbers. Where one is no float64: an Error, or with `nearest` the float64 next
        to it, ties to even."""
        exact, places = self._exact(codes)
        values = [float(number) for number in exact]
        for number, value in zip(exact, values, strict=True):
            if not nearest and Fraction(value) != number:
                raise Error(f"{number} is no float64: nearest=True rounds once, fractions() has the exact numbers")
        return numpy.array(values, dtype=numpy.float64)[places].reshape(codes.shape)

    def fractions(self, codes):
        """The same as an array of fractions.Fraction."""
        exact, places = self._exact(codes)
        result = numpy.empty(len(exact), dtype=object)
        result[:] = exact
        return result[places].reshape(codes.shape)

    def _exact(self, codes):
        """Each number that there is, once, as a fraction, and for each code, flat, which of them it is."""
        known, code_of = numpy.unique(codes, return_inverse=True)
        pairs = numpy.stack([numpy.broadcast_to(self.places(codes.shape), codes.shape).ravel(), code_of.ravel()])
        found, place_of = numpy.unique(pairs, axis=1, return_inverse=True)
        known = known.tolist()
        return [self.scales[place] * (int(known[code]) - self.zero_points[place]) for place, code in found.T.tolist()], place_of.ravel()

    def type_text(self):
        """`!quant.uniform<i8:f32:1, {1/2:3, 1/4}>`."""
        limits = "" if self.storage_range is None else f"<{self.storage_range[0]}:{self.storage_range[1]}>"
        each = [str(scale) + (f":{zero_point}" if zero_point else "") for scale, zero_point in zip(self.scales, self.zero_points, strict=True)]
        if not self.axes:
            return f"!quant.uniform<{self.storage}{limits}:{self.expressed}, {each[0]}>"
        if self.blocks == (1,):
            return f"!quant.uniform<{self.storage}{limits}:{self.expressed}:{self.axes[0]}, {{{', '.join(each)}}}>"
        for count in reversed(self.shape):
            each = ["{" + ", ".join(each[start:start + count]) + "}" for start in range(0, len(each), count)]
        along = ", ".join(f"{axis}:{block}" for axis, block in zip(self.axes, self.blocks, strict=True))
        return f"!quant.uniform<{self.storage}{limits}:{self.expressed}:{{{along}}}, {each[0]}>"


TYPE = re.compile(r"!quant\.uniform<\s*(\w+)\s*(?:<\s*(-?\d+)\s*:\s*(-?\d+)\s*>)?\s*:\s*(\w+)\s*(?::\s*(\d+|\{[^}]*\}))?\s*,\s*(.*)>\s*", re.DOTALL)


def parse_quantized(text, shape):
    """Parameters of a quantized type's text for a tensor of this shape. Error where it is none."""
    match = TYPE.fullmatch(text)
    if match is None:
        raise Error(f"'{text}' is no quantized type")
    storage, least, greatest, expressed, along, written = match.groups()
    pairs = re.findall(r"([^\s{},:]+)(?:\s*:\s*(-?\d+))?", written)
    axes, blocks = (), ()
    if along is not None and along.startswith("{"):
        axes, blocks = zip(*((int(axis), int(block)) for axis, block in re.findall(r"(\d+)\s*:\s*(\d+)", along)), strict=True)
    elif along is not None:
        axes, blocks = (int(along),), (1,)
    if any(axis >= len(shape) for axis in axes):
        raise Error(f"'{text}' has an axis that a tensor of {len(shape)} dimensions lacks")
    if 0 in blocks:
        raise Error(f"'{text}' has a block of no elements")
    counts = tuple(-(-shape[axis] // block) for axis, block in zip(axes, blocks, strict=True))
    if len(pairs) != int(numpy.prod(counts, dtype=numpy.int64)):
        raise Error(f"'{text}' has {len(pairs)} scales, a tensor of shape {list(shape)} has {int(numpy.prod(counts, dtype=numpy.int64))} of them")
    limits = None if least is None else (int(least), int(greatest))
    try:
        scales = tuple(ratio(scale) for scale, _ in pairs)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise Error(f"'{text}' has a scale that is no number: {error}") from error
    return Parameters(scales, tuple(int(point or 0) for _, point in pairs), axes, blocks, counts, element_word(storage), limits, element_word(expressed))
