# SPDX-License-Identifier: Apache-2.0
"""How blocks are stored: codes and parameters to bytes and back, for the operators of spec/ggml, whose pages say the same in words. Everything is
one block a row; a function that packs has one that unpacks beside it."""
import numpy


def bits(values, shift, mask):
    return (values >> shift) & mask


def halves(codes, run):
    """In each run of codes the first half lies in low nibbles, the second in high ones."""
    parts = codes.reshape(codes.shape[0], -1, 2, run // 2)
    return (parts[:, :, 0] | parts[:, :, 1] << 4).reshape(codes.shape[0], -1)


def from_halves(packed, run):
    parts = packed.reshape(packed.shape[0], -1, 1, run // 2)
    return numpy.concatenate([parts & 15, parts >> 4], axis=2).reshape(packed.shape[0], -1)


def strided(codes, run, width):
    """In each run the codes lie over each other: byte j has codes j, j + n, j + 2 n ..., the first lowest."""
    count = 8 // width
    parts = codes.reshape(codes.shape[0], -1, count, run // count)
    shifts = (numpy.arange(count) * width).reshape(1, 1, count, 1)
    return (parts.astype(numpy.uint32) << shifts).sum(axis=2).astype(numpy.uint8).reshape(codes.shape[0], -1)


def from_strided(packed, run, width):
    count = 8 // width
    parts = packed.reshape(packed.shape[0], -1, 1, run // count)
    shifts = (numpy.arange(count) * width).reshape(1, 1, count, 1)
    return bits(parts, shifts, (1 << width) - 1).astype(numpy.uint8).reshape(packed.shape[0], -1)


def neighbours(codes, width):
    """A byte has codes that stand beside each other, the first lowest."""
    return strided(codes, 8 // width, width)


def from_neighbours(packed, width):
    return from_strided(packed, 8 // width, width)


def k_scales(scales, mins):
    """Eight scales and eight minima of six bits in 12 bytes."""
    first = scales[:, :4] | scales[:, 4:] >> 4 << 6
    second = mins[:, :4] | mins[:, 4:] >> 4 << 6
    return numpy.concatenate([first, second, scales[:, 4:] & 15 | (mins[:, 4:] & 15) << 4], axis=1)


def from_k_scales(packed):
    first, second, third = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    scales = numpy.concatenate([first & 63, third & 15 | first >> 6 << 4], axis=1)
    return scales, numpy.concatenate([second & 63, third >> 4 | second >> 6 << 4], axis=1)


def q3_scales(scales):
    """Sixteen scales of six bits in 12 bytes: the low four bits, then the upper two."""
    return numpy.concatenate([halves(scales & 15, 16), strided(scales >> 4, 16, 2)], axis=1)


def from_q3_scales(packed):
    return from_halves(packed[:, :8], 16) | from_strided(packed[:, 8:], 16, 2) << 4


def iq4_scales(scales):
    """Eight scales of six bits: the upper two of each as 16 bits, then the low four."""
    return numpy.concatenate([neighbours(scales >> 4, 2), neighbours(scales & 15, 4)], axis=1)


def from_iq4_scales(packed):
    return from_neighbours(packed[:, 2:], 4) | from_neighbours(packed[:, :2], 2) << 4


def base_3(digits):
    """Digits along axis 1, most significant first, as a fraction of 256, rounded up."""
    number = numpy.zeros(digits[:, 0].shape, dtype=numpy.uint32)
    for place in range(5):
        number = number * 3 + (digits[:, place] if place < digits.shape[1] else 0)
    return ((number * 256 + 242) // 243).astype(numpy.uint8)


def from_base_3(packed, count):
    digits = [((packed.astype(numpy.uint32) * 3**place & 255) * 3 >> 8).astype(numpy.uint8) for place in range(count)]
    return numpy.stack(digits, axis=1).reshape(packed.shape[0], -1)


def ternary(codes):
    rows = codes.shape[0]
    parts = codes[:, :160].reshape(rows, 5, 32), codes[:, 160:240].reshape(rows, 5, 16), codes[:, 240:].reshape(rows, 4, 4)
    return numpy.concatenate([base_3(part) for part in parts], axis=1)


def from_ternary(packed):
    return numpy.concatenate([from_base_3(packed[:, :32], 5), from_base_3(packed[:, 32:48], 5), from_base_3(packed[:, 48:], 4)], axis=1)


def fifth_bits(codes):
    return neighbours(codes >> 4, 1)


def six_bits(codes):
    """The low four bits of each 128 codes in 64 bytes, and the upper two in 32."""
    return numpy.concatenate([halves(codes & 15, 128), strided(codes >> 4, 128, 2)], axis=1)


def from_six_bits(packed):
    return from_halves(packed[:, :128], 128) | from_strided(packed[:, 128:], 128, 2) << 4
