# SPDX-License-Identifier: Apache-2.0
"""Files of the .npy form as the model reads and writes them: a header of 128 bytes, whose words for floats of 8 and 16 bits numpy does not have."""
import numpy

WORDS = {"bool": "|b1", "f16": "<f2", "bf16": "<V2", "f32": "<f4", "f8e4m3fn": "<V1", "f8e5m2": "|u1"}
HEADER = 128


def write(path, element, data):
    array = numpy.ascontiguousarray(data)
    word = WORDS.get(element) or array.dtype.str
    extents = ", ".join(str(extent) for extent in data.shape) + ("," if data.ndim == 1 else "")
    text = f"{{'descr': '{word}', 'fortran_order': False, 'shape': ({extents}), }}"
    start = b"\x93NUMPY\x01\x00" + (HEADER - 10).to_bytes(2, "little")
    with open(path, "wb") as file:
        file.write(start + text.encode("ascii").ljust(HEADER - len(start) - 1) + b"\n" + array.tobytes())


def read(path, dtype, shape):
    """The data as the storage type of the exchange file: the bytes are the same."""
    with open(path, "rb") as file:
        content = file.read()
    length = 10 + int.from_bytes(content[8:10], "little")
    values = numpy.frombuffer(content[length:], dtype=dtype)
    if values.size != int(numpy.prod(shape)):
        raise RuntimeError(f"the model wrote {values.size} elements, not {shape}")
    return values.reshape(shape)
