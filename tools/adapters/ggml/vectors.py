# SPDX-License-Identifier: Apache-2.0
"""Blocks whose codes are numbers of vectors: their fields to bytes. There is no way back from floats by a search that pages have, so that these are
only read."""
import numpy
from layouts import halves, neighbours


def raw(values, kind):
    return numpy.ascontiguousarray(values.astype(kind)).view(numpy.uint8)


def interleaved(*parts):
    """Runs of bytes in turn: of each part so many a row as its last dimension says."""
    rows = parts[0].shape[0]
    return numpy.concatenate(parts, axis=2).reshape(rows, -1)


def groups(values, count):
    return values.reshape(values.shape[0], -1, count)


def words(signs, scales):
    """For each four numbers of seven bits one of 32 bits, with a scale of four bits above them."""
    fours = groups(signs, 4).astype(numpy.uint32)
    joined = fours[:, :, 0] | fours[:, :, 1] << 7 | fours[:, :, 2] << 14 | fours[:, :, 3] << 21 | scales.astype(numpy.uint32) << 28
    return raw(joined, numpy.uint32)


def iq2_xxs(f):
    return [raw(f["d"], numpy.float16), interleaved(groups(f["grid"].astype(numpy.uint8), 4), groups(words(f["signs"], f["scales"]), 4))]


def iq2_xs(f):
    return [raw(f["d"], numpy.float16), raw(f["grid"].astype(numpy.uint16) | f["signs"].astype(numpy.uint16) << 9, numpy.uint16), neighbours(f["scales"], 4)]


def iq2_s(f):
    grid = f["grid"].astype(numpy.uint16)
    return [raw(f["d"], numpy.float16), raw(grid & 255, numpy.uint8), f["signs"], neighbours((grid >> 8).astype(numpy.uint8), 2), neighbours(f["scales"], 4)]


def iq3_xxs(f):
    return [raw(f["d"], numpy.float16), f["grid"], words(f["signs"], f["scales"])]


def iq3_s(f):
    grid = f["grid"].astype(numpy.uint16)
    return [raw(f["d"], numpy.float16), raw(grid & 255, numpy.uint8), neighbours((grid >> 8).astype(numpy.uint8), 1), f["signs"], neighbours(f["scales"], 4)]


def iq1_s(f):
    grid = f["grid"].astype(numpy.uint16)
    high = groups(grid >> 8, 4)
    joined = high[:, :, 0] | high[:, :, 1] << 3 | high[:, :, 2] << 6 | high[:, :, 3] << 9 | f["scales"].astype(numpy.uint16) << 12 | f["down"].astype(numpy.uint16) << 15
    return [raw(f["d"], numpy.float16), raw(grid & 255, numpy.uint8), raw(joined, numpy.uint16)]


def iq1_m(f):
    grid = f["grid"].astype(numpy.uint16)
    fours = groups(f["scales"].astype(numpy.uint16), 4)
    scale = numpy.ascontiguousarray(f["d"]).view(numpy.uint16)
    quarters = numpy.concatenate([scale >> shift & 15 for shift in (0, 4, 8, 12)], axis=1)
    joined = fours[:, :, 0] | fours[:, :, 1] << 3 | fours[:, :, 2] << 6 | fours[:, :, 3] << 9 | quarters << 12
    return [raw(grid & 255, numpy.uint8), halves_of_pairs(((grid >> 8).astype(numpy.uint8)) | f["down"] << 3), raw(joined, numpy.uint16)]


def halves_of_pairs(codes):
    """Two neighbours in a byte, the first in the low half."""
    return halves(codes, 2)


# By format: elements of a vector, parameters as vectors that share one, and how a block is stored.
VECTORS = {
    "iq2_xxs": (8, {"signs": 1, "scales": 4, "d": 32}, iq2_xxs),
    "iq2_xs": (8, {"signs": 1, "scales": 2, "d": 32}, iq2_xs),
    "iq2_s": (8, {"signs": 1, "scales": 2, "d": 32}, iq2_s),
    "iq3_xxs": (4, {"signs": 2, "scales": 8, "d": 64}, iq3_xxs),
    "iq3_s": (4, {"signs": 2, "scales": 8, "d": 64}, iq3_s),
    "iq1_s": (8, {"scales": 4, "down": 4, "d": 32}, iq1_s),
    "iq1_m": (8, {"scales": 2, "down": 1, "d": 32}, iq1_m),
}
