# SPDX-License-Identifier: Apache-2.0
"""One tensor: an array of codes, the text of its type beside it, and what is known of its numbers."""
import re
from dataclasses import dataclass

import numpy

from . import element_types
from .errors import Error
from .parameters import Parameters, parse_quantized


@dataclass(eq=False, repr=False)
class Tensor:
    """`Tensor(codes, "bf16")` for an input whose type numpy lacks, `Tensor(codes, "!quant.uniform<i8:f32, 0.5:3>")` for a quantized one; what is read or evaluated
    has the rest, too.

    codes       numpy array in the storage type (element_types): integers as they are, f16, f32 and f64 as floats, other floats as their bits
    type        the element type's word, or the text of the quantized type; "" takes that of the array
    name        as the file or the op calls it
    operand     of inputs of requests: the operand of the op's page
    parameters  scales and zero points: of the quantized type, or what the file says of plain codes; None where nothing is known
    origin      where the file has the latter from (`from` in docs/exchange.md), else ""
    undefined   array of bool, True where any value conforms; None where none is
    before      float64, the exact value before the last rounding; with a last dimension of 2 where hi and lo are needed. None where the file has none
    distance    float32, from there to the nearest rounding boundary; None likewise
    """
    codes: numpy.ndarray
    type: str = ""
    name: str = ""
    operand: str = ""
    parameters: Parameters | None = None
    origin: str = ""
    undefined: numpy.ndarray | None = None
    before: numpy.ndarray | None = None
    distance: numpy.ndarray | None = None

    def __post_init__(self):
        self.codes = _array(self.codes, self.name)
        self.type = self.type or element_types.word_of(self.codes.dtype)
        if self.is_quantized and self.parameters is None:
            self.parameters = parse_quantized(self.type, self.codes.shape)
        if not self.is_quantized:
            self.type = element_types.element_word(self.type)
        wanted = element_types.storage(self.element)
        if self.codes.dtype != wanted:
            raise Error(f"{self.name or 'a tensor'}: codes of {self.element} lie in an array of {wanted}, not of {self.codes.dtype}")

    @property
    def is_quantized(self):
        """Whether the type itself states scales and zero points."""
        return self.type.startswith("!")

    @property
    def element(self):
        """The element type's word; of a quantized type its storage type."""
        return self.parameters.storage if self.is_quantized else self.type

    @property
    def shape(self):
        return self.codes.shape

    @property
    def scale(self):
        """float64: each scale, or the float64 next to it (`parameters.scales` are fractions). None where nothing is known."""
        return None if self.parameters is None else numpy.array([float(scale) for scale in self.parameters.scales]).reshape(self.parameters.shape)

    @property
    def zero_point(self):
        """int64, in the shape of `scale`."""
        return None if self.parameters is None else numpy.array(self.parameters.zero_points, dtype=numpy.int64).reshape(self.parameters.shape)

    def numbers(self):
        """What the codes are as numbers of the element type: float64 of floats, each exact; integers and truth values as they are."""
        return element_types.numbers(self.codes, self.element)

    def dequantized(self, nearest=False):
        """scale * (code - zero point), float64, each exactly that number and rounded nowhere. Error where one is no float64 (a scale of 1/3, or of 53 digits as the double
        next to 0.1), unless `nearest` asks for the float64 next to it; Error where no parameters are known."""
        return self._known().real(self.codes, nearest)

    def fractions(self):
        """The same as fractions.Fraction, whatever the scales."""
        return self._known().fractions(self.codes)

    def _known(self):
        if self.parameters is None:
            raise Error(f"{self.name or 'the tensor'} of type {self.type} has no scale and zero point")
        return self.parameters

    def __repr__(self):
        return f"Tensor({self.name!r}, {self.type}, shape {self.shape})"

    def array(self):
        """The codes; a masked array where elements are undefined."""
        return self.codes if self.undefined is None else numpy.ma.masked_array(self.codes, self.undefined)


def _array(codes, name):
    if not isinstance(codes, (numpy.ndarray, numpy.generic)):
        raise Error(f"{name or 'a tensor'} is {codes!r}: give an array or number of numpy, whose type is stated, such as numpy.float32(0.5)")
    if numpy.ma.isMaskedArray(codes):
        raise Error(f"{name or 'a tensor'} is a masked array: every element has a value")
    array = numpy.asarray(codes)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def split_type(text):
    """Shape and element text of `tensor<2x3xui8>`."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", text, re.DOTALL)
    if match is None:
        raise Error(f"'{text}' is no tensor type")
    return tuple(int(extent) for extent in match[1].split("x")[:-1]), match[2]
