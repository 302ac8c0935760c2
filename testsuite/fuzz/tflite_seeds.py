# SPDX-License-Identifier: Apache-2.0
"""Models of TensorFlow Lite as FlatBuffers bytes, written table by table: every kind of tensor, parameter, option and graph that the reader knows."""
import struct


class Table:
    """Field number -> (format letter, number), a Table, a list of Tables, a text or a Numbers."""

    def __init__(self, **fields):
        self.fields = {int(name[1:]): value for name, value in fields.items() if value is not None}


class Numbers:
    def __init__(self, letter, values):
        self.letter, self.values = letter, list(values)


class File:
    def __init__(self, root):
        self.bytes = bytearray(b"\0\0\0\0TFL3")
        self.patch(0, self.put(root))

    def align(self, size):
        self.bytes += b"\0" * (-len(self.bytes) % size)

    def patch(self, place, target):
        self.bytes[place:place + 4] = struct.pack("<I", target - place)

    def put(self, value):
        """Writes what is pointed at, and gives its place."""
        if isinstance(value, Table):
            return self.table(value)
        self.align(4)
        place = len(self.bytes)
        if isinstance(value, str):
            content = value.encode()
            self.bytes += struct.pack("<I", len(content)) + content + b"\0"
        elif isinstance(value, Numbers):
            self.bytes += struct.pack("<I", len(value.values)) + struct.pack(f"<{len(value.values)}{value.letter}", *value.values)
        else:
            self.bytes += struct.pack("<I", len(value)) + b"\0\0\0\0" * len(value)
            for index, entry in enumerate(value):
                self.patch(place + 4 + 4 * index, self.put(entry))
        return place

    def table(self, table):
        fields = sorted(table.fields.items())
        count = fields[-1][0] + 1 if fields else 0
        self.align(8)
        start = len(self.bytes)
        places, inside = {}, 4
        for number, value in fields:
            size = struct.calcsize(value[0]) if isinstance(value, tuple) else 4
            inside += -inside % size
            places[number] = inside
            inside += size
        vtable = 4 + 2 * count
        place = start + vtable + -(start + vtable) % 8
        self.bytes += struct.pack(f"<HH{count}H", vtable, inside, *(places.get(n, 0) for n in range(count)))
        self.bytes += b"\0" * (place - len(self.bytes)) + struct.pack("<i", place - start) + b"\0" * (inside - 4)
        for number, value in fields:
            at = place + places[number]
            if isinstance(value, tuple):
                self.bytes[at:at + struct.calcsize(value[0])] = struct.pack("<" + value[0], value[1])
            else:
                self.patch(at, self.put(value))
        return place


def parameters(scales=(0.5,), zero_points=(3,), axis=0, **more):
    return Table(f2=Numbers("f", scales), f3=Numbers("q", zero_points), f6=("i", axis), **more)


def tensor(name, shape, kind=9, buffer=0, quantization=None, **more):
    return Table(f0=Numbers("i", shape), f1=("b", kind), f2=("I", buffer), f3=name, f4=quantization, **more)


def operator(code, inputs, outputs, table=0, options=None):
    return Table(f0=("I", code), f1=Numbers("i", inputs), f2=Numbers("i", outputs), f3=("B", table) if table else None, f4=options)


def code(number, version=1, custom=None):
    return Table(f0=("b", min(number, 127)), f1=custom, f2=("i", version), f3=("i", number))


def graph(tensors, operators, inputs, outputs, name="main"):
    return Table(f0=tensors, f1=Numbers("i", inputs), f2=Numbers("i", outputs), f3=operators, f4=name)


def model(codes, graphs, buffers=()):
    data = [Table()] + [Table(f0=Numbers("B", content)) if isinstance(content, bytes) else content for content in buffers]
    return bytes(File(Table(f0=("I", 3), f1=codes, f2=graphs, f3="seed", f4=data)).bytes)


def X(**more):
    return tensor("x", [1, 2], quantization=parameters(), **more)


def Y(**more):
    return tensor("y", [1, 2], quantization=parameters((0.25,), (-1,)), **more)


def levels(row_segments, indices, letter, kind):
    segments, places = Table(f0=Numbers(letter, row_segments)), Table(f0=Numbers(letter, indices))
    return [Table(f1=("i", len(row_segments) - 1)), Table(f0=("b", 1), f2=("B", kind), f3=segments, f4=("B", kind), f5=places)]


def models():
    add = Table(f0=("b", 3))
    yield "add", model([code(0, 2)], [graph([X(), Y()], [operator(0, [0, 0], [1], 11, add)], [0], [1])])
    open_shape = {"f7": Numbers("i", [-1, 2])}
    yield "open-shape", model([code(0)], [graph([X(**open_shape), Y(**open_shape)], [operator(0, [0, 0], [1], 11, add)], [0], [1])])
    for name, number in (("f32", 0), ("f16", 1), ("i32", 2), ("u8", 3), ("i64", 4), ("string", 5), ("bool", 6), ("i16", 7), ("f64", 10), ("resource", 13), ("u32", 15), ("bf16", 18)):
        size = {0: 4, 1: 2, 2: 4, 3: 1, 4: 8, 5: 4, 6: 1, 7: 2, 10: 8, 13: 4, 15: 4, 18: 2}[number]
        yield f"constant-{name}", model([code(6)], [graph([tensor("w", [2], number, 1), tensor("y", [2], 0)], [operator(0, [0], [1], 38, Table())], [], [1])], [bytes([0, 1] * size)])
    for name, number, content in (("i4", 17, b"\x7f\x01"), ("i2", 19, b"\x1b"), ("u4", 20, b"\xf0\x0f")):
        yield f"narrow-{name}", model([code(6)], [graph([tensor("w", [3], number, 1, parameters(zero_points=(0,))), tensor("y", [3], 0)], [operator(0, [0], [1], 38)], [], [1])], [content])
    options = Table(f1=("i", 1), f2=("i", 1), f3=("b", 1))
    channels = parameters((0.5, 0.25), (0, 0))
    image = lambda name, depth: tensor(name, [1, 1, 1, depth], quantization=parameters())
    yield "convolution", model([code(3, 3)], [graph([image("x", 1), tensor("w", [2, 1, 1, 1], 9, 1, channels), tensor("b", [2], 2, 2), image("y", 2)],
                                                    [operator(0, [0, 1, 2], [3], 1, options)], [0], [3])], [b"\x01\xff", bytes(8)])
    yield "absent-bias", model([code(9)], [graph([X(), tensor("w", [2, 2], 9, 1, parameters((0.5,), (0,))), Y()], [operator(0, [0, 1, -1], [2], 8, Table(f2=("b", 1)))], [0], [2])], [bytes(4)])
    yield "old-reshape", model([code(22)], [graph([X(), tensor("y", [2], quantization=parameters())], [operator(0, [0], [1], 17, Table(f0=Numbers("i", [-1])))], [0], [1])])
    yield "variable", model([code(0)], [graph([X(), X(f5=("B", 1)), Y()], [operator(0, [0, 1], [2], 11, add)], [0], [2])])
    yield "custom", model([code(32, 1, "Mine")], [graph([X(), Y()], [operator(0, [0], [1])], [0], [1])])
    yield "custom-named-as-another", model([code(32, 1, "ADD"), code(32, 2, 'a "b"\n\u00e9'), code(32)], [graph([X(), Y(), tensor("z", [1, 2], 0), tensor("q", [1, 2], 0)], [operator(0, [0, 0], [1], 11, add), operator(1, [1], [2]), operator(2, [2], [3])], [0], [1, 3])])
    floats = [tensor("x", [1, 1, 1, 2], 0), tensor("h", [1, 1, 1, 2], 1, 1), tensor("w", [1, 1, 1, 2], 0), tensor("y", [1, 1, 1, 1], 0)]
    yield "floats", model([code(6, 2), code(3)], [graph(floats, [operator(0, [1], [2]), operator(1, [0, 2], [3], 1, Table(f1=("i", 1), f2=("i", 1)))], [0], [3])], [b"\x00\x3c\x00\x42"])
    yield "without-a-page", model([code(45)], [graph([X(), Y()], [operator(0, [0], [1], 32, Table(f0=("i", 1)))], [0], [1])])
    yield "kind-of-its-own", model([code(19)], [graph([tensor("x", [2], 9, 0, parameters(f4=("B", 2), f5=Table())), Y()], [operator(0, [0], [1])], [0], [1])])
    for name, letter, kind in (("i32", "i", 1), ("u16", "H", 2), ("u8", "B", 3)):
        sparsity = Table(f0=Numbers("i", [0, 1]), f1=Numbers("i", []), f2=levels([0, 1, 1, 3], [2, 0, 1], letter, kind))
        yield f"sparse-{name}", model([code(9)], [graph([tensor("x", [1, 3], quantization=parameters()), tensor("w", [3, 3], 9, 1, parameters((1.0,), (0,)), f6=sparsity),
                                                        tensor("y", [1, 3], quantization=parameters())], [operator(0, [0, 1], [2], 8)], [0], [2])], [b"\x01\x02\x03"])
    blocks = Table(f0=Numbers("i", [0, 1, 2]), f1=Numbers("i", [1]), f2=levels([0, 1, 1], [1], "i", 1) + [Table(f1=("i", 2))])
    yield "sparse-blocks", model([code(19)], [graph([tensor("w", [2, 4], 9, 1, parameters(), f6=blocks), Y()], [operator(0, [0], [1])], [], [1])], [b"\x01\x02"])
    inner = lambda name: graph([X(), X()], [operator(1, [0], [1])], [0], [1], name)
    condition = graph([X(), tensor("p", [], 6)], [operator(2, [0], [1])], [0], [1], "cond")
    codes = [code(118), code(19), code(71)]
    yield "if", model(codes, [graph([tensor("p", [], 6), X(), X()], [operator(0, [0, 1], [2], 92, Table(f0=("i", 1), f1=("i", 2)))], [0, 1], [2]), inner("then"), inner("else")])
    yield "while", model([code(119), code(19), code(71)], [graph([X(), X()], [operator(0, [0], [1], 93, Table(f0=("i", 1), f1=("i", 2)))], [0], [1]), condition, inner("body")])
    yield "while-in-itself", model([code(119)], [graph([X(), X()], [operator(0, [0], [1], 93, Table(f0=("i", 0), f1=("i", 0)))], [0], [1])])
    yield "cycle", model([code(19)], [graph([X(), Y()], [operator(0, [1], [0]), operator(0, [0], [1])], [], [1])])
    yield "index-beyond", model([code(19)], [graph([X(), Y()], [operator(0, [7], [1])], [0], [1])])
    yield "negative-extent", model([code(19)], [graph([tensor("x", [1, -2]), Y()], [operator(0, [0], [1])], [0], [1])])
    yield "huge-extents", model([code(19)], [graph([tensor("x", [2**31 - 1] * 3), Y()], [operator(0, [0], [1])], [0], [1])])
    yield "short-buffer", model([code(19)], [graph([tensor("x", [4], 9, 1), Y()], [operator(0, [0], [1])], [], [1])], [b"\x01"])
    behind = Table(f1=("Q", 8), f2=("Q", 2))
    yield "data-behind-the-tables", model([code(19)], [graph([tensor("x", [2], 9, 1, parameters()), Y()], [operator(0, [0], [1])], [], [1])], [behind])
    yield "data-beyond-the-file", model([code(19)], [graph([tensor("x", [2], 9, 1), Y()], [operator(0, [0], [1])], [], [1])], [Table(f1=("Q", 2**40), f2=("Q", 2))])
