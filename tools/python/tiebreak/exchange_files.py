# SPDX-License-Identifier: Apache-2.0
"""Golden files, requests and responses (docs/exchange.md), read by h5py. A file that has a table of checksums is held against it first: a byte that changed, a file
that is cut off or has more at its end is an Error before HDF5 sees it. Files without a table, such as responses of adapters, are parsed as they are."""
import struct
import zlib
from dataclasses import dataclass, field
from fractions import Fraction

import h5py
import numpy

from . import element_types
from .errors import Error
from .parameters import Parameters
from .tensors import Tensor

FORMATS = ("tiebreak.exchange/1", "tiebreak.exchange/2")
MAGIC = b"TIEBREAK1\r\n\x1a\n"
BLOCK = 4096
# What h5py raises for metadata that contradicts itself; Error for what is no file of ours.
DAMAGE = (OSError, KeyError, ValueError, TypeError, RuntimeError, OverflowError, MemoryError, AttributeError, IndexError)


@dataclass(eq=False, repr=False)
class Case:
    """One case of a file.

    inputs, outputs  Tensor by name, in the program's order
    op, version      page path and opset where the program is one op, else "" and 0
    attributes       by name: numbers, truth values, texts, lists, arrays; `attribute_text` has them exactly
    program          MLIR text, "" where the file has none
    profile, clauses whose expectation the outputs are, and the choices that were in force: {"tie": "even"}
    status, reason   of responses: ok, unsupported or error, and why
    """
    id: str
    op: str = ""
    version: int = 0
    attributes: dict = field(default_factory=dict)
    attribute_text: str = ""
    program: str = ""
    profile: str = ""
    clauses: dict = field(default_factory=dict)
    status: str = ""
    reason: str = ""
    inputs: dict = field(default_factory=dict)
    outputs: dict = field(default_factory=dict)

    def __repr__(self):
        return f"Case({self.id!r}, inputs {list(self.inputs.values())}, outputs {list(self.outputs.values())})"


def check_table(path):
    """Holds the file against its table of checksums. Whether it has one."""
    try:
        with open(path, "rb") as file:
            start = file.read(32)
            if start[:16] != MAGIC.ljust(16, b"\0"):
                return False
            length, block_size, own = struct.unpack("<QII", start[16:])
            size = file.seek(0, 2)
            if size != length:
                raise Error(f"truncated or extended: the file is {size} bytes, {length} were written ({path})")
            file.seek(0)
            block = file.read(block_size)
            if len(block) < 512 or zlib.crc32(block[:28] + bytes(4) + block[32:]) != own:
                raise Error(f"damaged: the table of checksums differs from what was written ({path})")
            count = -(-(length - block_size) // BLOCK)
            for number, wanted in enumerate(struct.unpack_from(f"<{count}I", block, 32)):
                if zlib.crc32(file.read(BLOCK)) != wanted:
                    first = block_size + number * BLOCK
                    raise Error(f"damaged: byte range {first}..{min(first + BLOCK, length) - 1} differs from what was written ({path})")
            return True
    except (OSError, struct.error) as error:
        raise Error(f"cannot be read: {getattr(error, 'strerror', None) or error} ({path})") from error


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _plain(value):
    """An attribute as Python has it."""
    if isinstance(value, numpy.ndarray):
        return [_text(item) for item in value.tolist()]
    return _text(value.item() if isinstance(value, numpy.generic) else value)


def _name(key):
    """A name as it was: `/`, `%` and a lone dot are escaped, the empty name is `%` alone."""
    return b"".join(bytes.fromhex(part[:2]) + part[2:].encode() if place else part.encode() for place, part in enumerate(key.split("%"))).decode()


def _parameters(attributes, word):
    """Of a quantized type, or what is known of plain codes; None."""
    if "scale_text" in attributes:
        lowest, highest = int(attributes["storage_min"]), int(attributes["storage_max"])
        bits, signed = int(word[1:]), word[0] == "i"
        whole = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        return Parameters(tuple(Fraction(text.decode()) for text in attributes["scale_text"]), tuple(map(int, attributes["zero_point"])), tuple(map(int, attributes["axes"])),
                          tuple(map(int, attributes["blocks"])), tuple(map(int, attributes["parameter_shape"])), word,
                          None if whole == (lowest, highest) else (lowest, highest), attributes["expressed_type"].decode())
    if "from" not in attributes or not ("scale" in attributes or "exact_scale" in attributes):
        return None
    exact = attributes["exact_scale"] if "exact_scale" in attributes else attributes["scale"]
    scales = tuple(Fraction(_text(scale)) for scale in numpy.ravel(exact).tolist())
    zero_points = tuple(int(code) for code in numpy.ravel(attributes["zero_point"] if "zero_point" in attributes else 0).tolist())
    axes = tuple(int(axis) for axis in numpy.ravel(attributes["axis"])) if "axis" in attributes else ()
    blocks = tuple(int(block) for block in numpy.ravel(attributes["block"])) if "block" in attributes else (1,) * len(axes)
    return Parameters(scales, zero_points * (len(scales) if len(zero_points) == 1 else 1), axes, blocks, (), word, None, _text(attributes.get("real_type", b"f32")))


def _tensor(key, dataset, case):
    attributes = dataset.attrs
    codes = dataset[()]
    codes = numpy.asarray(codes)
    word = element_types.element_word(attributes["type"].decode()) if "type" in attributes else element_types.word_of(codes.dtype)
    if word == "bool":
        codes = codes.astype(bool)
    parameters = _parameters(attributes, word)
    if parameters is not None and parameters.axes and not parameters.shape:
        counts = tuple(-(-codes.shape[axis] // max(block, 1)) for axis, block in zip(parameters.axes, parameters.blocks, strict=True))
        parameters = Parameters(parameters.scales, parameters.zero_points, parameters.axes, parameters.blocks, counts, word, None, parameters.expressed)

    def beside(group):
        return case[group][key][()] if group in case and key in case[group] else None

    undefined = beside("undefined")
    quantized = parameters is not None and "scale_text" in attributes
    return Tensor(codes, parameters.type_text() if quantized else word, _name(key), _text(attributes.get("operand", b"")), parameters, _text(attributes.get("from", b"")),
                  None if undefined is None else undefined.astype(bool), beside("before"), beside("distance"))


def _tensors(case, group):
    if group not in case:
        return {}
    made = sorted(case[group].items(), key=lambda item: int(item[1].attrs.get("order", 0)))
    return {_name(key): _tensor(key, dataset, case) for key, dataset in made}


def _case(group):
    attributes = {name: _plain(value) for name, value in group.attrs.items()}
    own = group["attributes"] if "attributes" in group else None
    values = {} if own is None else {name: _plain(value) for name, value in own.attrs.items()} | {_name(name): dataset[()] for name, dataset in own.items()}
    clauses = dict(part.split("=", 1) for part in attributes.get("clauses", "").split(", ") if "=" in part)
    text = {name: group[name].asstr()[()] if name in group else "" for name in ("attribute_text", "program")}
    return Case(attributes["id"], attributes.get("op", ""), attributes.get("version", 0), values, text["attribute_text"], text["program"], attributes.get("profile", ""), clauses,
                attributes.get("status", ""), attributes.get("reason", ""), _tensors(group, "inputs"), _tensors(group, "outputs"))


class ExchangeFile:
    """An open file: `with open_exchange(path) as file`. A case is read when it is asked for: file["onnx.Add/0"], or `for case in file`.

    kind     golden, request or response
    context  the root's other texts: tool_version, profile, spec_hash ...
    ids      of all cases, in order
    """

    def __init__(self, path):
        self.path = str(path)
        self.has_table = check_table(path)
        try:
            self._file = h5py.File(path, "r")
        except DAMAGE as error:
            raise Error(f"not an HDF5 file, or one that is cut off: {error} ({path})") from error
        try:
            root = {name: _plain(value) for name, value in self._file.attrs.items()}
            if root.get("format") not in FORMATS:
                raise Error(f"not an exchange file: its format is {root.get('format')}, not one of {', '.join(FORMATS)} ({path})")
            self.kind = root.pop("kind")
            self.context = root
            self.ids = [str(one) for one in self._file["ids"].asstr()] if "ids" in self._file else self._found_ids()
        except DAMAGE as error:
            raise Error(f"damaged: {error} ({path})") from error
        finally:
            if not hasattr(self, "ids"):
                self._file.close()

    def _found_ids(self):
        found = []
        self._file["cases"].visititems(lambda name, item: found.append(name) if "id" in item.attrs else None)
        return found

    def __getitem__(self, case_id):
        if not self._file:
            raise Error(f"the file is closed ({self.path})")
        try:
            group = self._file.get("cases/" + case_id)
            if group is not None and "id" in group.attrs:
                return _case(group)
        except (*DAMAGE, Error) as error:
            raise Error(f"damaged: {error} ({self.path}:/cases/{case_id})") from error
        raise Error(f"there is no case '{case_id}' ({self.path})")

    def __iter__(self):
        return (self[case_id] for case_id in self.ids)

    def __len__(self):
        return len(self.ids)

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def open_exchange(path):
    """The golden file, request or response at this path. Error where it cannot be read, is damaged or none of these."""
    return ExchangeFile(path)


def read_golden(path):
    """The cases of a golden file as a list of Case. Error for another file, and for one without a table of checksums, as the command has it."""
    with open_exchange(path) as file:
        if file.kind != "golden" or not file.has_table:
            raise Error(f"not a golden file: {'its kind is ' + file.kind if file.kind != 'golden' else 'it has no table of checksums'} ({path})")
        return list(file)
