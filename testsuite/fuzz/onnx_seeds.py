# SPDX-License-Identifier: Apache-2.0
"""ONNX models and tensors as protobuf bytes, written field by field: every data type, every way to store elements, every kind of attribute."""
import struct

# name, number, bits of an element in raw_data, and the field that holds typed elements
TYPES = [("float", 1, 32, 4), ("uint8", 2, 8, 5), ("int8", 3, 8, 5), ("uint16", 4, 16, 5), ("int16", 5, 16, 5), ("int32", 6, 32, 5), ("int64", 7, 64, 7),
         ("string", 8, 0, 6), ("bool", 9, 8, 5), ("float16", 10, 16, 5), ("double", 11, 64, 10), ("uint32", 12, 32, 11), ("uint64", 13, 64, 11), ("complex64", 14, 64, 4),
         ("bfloat16", 16, 16, 5), ("float8e4m3fn", 17, 8, 5), ("float8e4m3fnuz", 18, 8, 5), ("float8e5m2", 19, 8, 5), ("float8e5m2fnuz", 20, 8, 5),
         ("uint4", 21, 4, 5), ("int4", 22, 4, 5), ("float4e2m1", 23, 4, 5), ("float8e8m0", 24, 8, 5), ("uint2", 25, 2, 5), ("int2", 26, 2, 5)]


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while True:
        byte, value = value & 0x7F, value >> 7
        out += bytes([byte | (0x80 if value else 0)])
        if not value:
            return out


def integer(field, value):
    return varint(field << 3) + varint(value)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def float32(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def tensor(name, dims, number, data):
    return b"".join(integer(1, d) for d in dims) + integer(2, number) + block(8, name) + data


def raw(bits, count):
    return block(9, bytes(range(1, 1 + (bits * count + 7) // 8)))


def typed(field, count):
    values = range(1, count + 1)
    if field == 4:
        return block(4, struct.pack(f"<{count}f", *values))
    if field == 10:
        return block(10, struct.pack(f"<{count}d", *values))
    if field == 6:
        return b"".join(block(6, str(v)) for v in values)
    return block(field, b"".join(varint(v) for v in values))


def tensors():
    for name, number, bits, field in TYPES:
        if bits:
            yield f"raw-{name}", tensor("x", [3], number, raw(bits, 3))
        yield f"typed-{name}", tensor("x", [2, 1], number, typed(field, 2 if bits != 4 else 1))
    yield "scalar", tensor("", [], 1, raw(32, 1))
    yield "empty", tensor("x", [0, 3], 1, b"")
    yield "external", tensor("x", [1], 1, integer(14, 1) + block(13, block(1, "location") + block(2, "weights")))
    yield "segment", tensor("x", [1], 1, raw(32, 1) + block(3, integer(1, 0) + integer(2, 1)))


def attribute(name, kind, content):
    return block(5, block(1, name) + content + integer(20, kind))


ATTRIBUTES = {"f": (1, float32(2, 0.5)), "i": (2, integer(3, -1)), "s": (3, block(4, "SAME_UPPER")), "t": (4, block(5, tensor("t", [1], 1, raw(32, 1)))),
              "floats": (6, float32(7, 1.5) + float32(7, -0.0)), "ints": (7, integer(8, 0) + integer(8, -2)), "strings": (8, block(9, "a") + block(9, "b"))}


def node(op, inputs, outputs, more=b"", domain="", name="n", field=1):
    return block(field, b"".join(block(1, n) for n in inputs) + b"".join(block(2, n) for n in outputs) + block(3, name) + block(4, op) + more + (block(7, domain) if domain else b""))


def call(op, inputs, outputs, more=b"", domain=""):
    return node(op, inputs, outputs, more, domain, f"{op}_{outputs[0]}")


def step(op, inputs, outputs, more=b"", domain=""):
    return node(op, inputs, outputs, more, domain, "", 7)


def reference(name, kind, to):
    return attribute(name, kind, block(21, to))


def function(name, inputs, outputs, steps, more=b"", domain="d", opset=21):
    names = b"".join(block(4, n) for n in inputs) + b"".join(block(5, n) for n in outputs)
    return block(1, name) + names + b"".join(steps) + more + block(9, block(1, "") + integer(2, opset)) + block(9, block(1, domain) + integer(2, 1)) + block(10, domain)


def value_info(name, number, dims):
    shape = b"".join(block(1, integer(1, d) if isinstance(d, int) else block(2, d)) for d in dims)
    return block(1, name) + block(2, block(1, integer(1, number) + block(2, shape)))


def model(nodes, inputs=(), outputs=(), initializers=(), opset=21, domains=(), functions=()):
    graph = b"".join(nodes) + block(2, "g") + b"".join(block(5, t) for t in initializers) + b"".join(block(11, i) for i in inputs) + b"".join(block(12, o) for o in outputs)
    imports = block(8, block(1, "") + integer(2, opset)) + b"".join(block(8, block(1, d) + integer(2, 1)) for d in domains)
    return integer(1, 10) + imports + block(7, graph) + b"".join(block(25, f) for f in functions)


def models():
    for name, number, bits, field in TYPES:
        if bits:
            yield f"cast-{name}", model([node("Cast", ["x"], ["y"], attribute("to", 2, integer(3, number)))], [value_info("x", 1, [2])], [value_info("y", number, [2])])
            yield f"initializer-{name}", model([node("Identity", ["w"], ["y"])], (), [value_info("y", number, [3])], [tensor("w", [3], number, raw(bits, 3))])
    for kind, (number, content) in ATTRIBUTES.items():
        yield f"attribute-{kind}", model([node("Relu", ["x"], ["y"], attribute(kind, number, content))], [value_info("x", 1, [1])], [value_info("y", 1, [1])])
    scale, zero = tensor("s", [], 1, block(4, struct.pack("<f", 0.1))), tensor("z", [], 3, integer(5, 3))
    x, y = value_info("x", 1, [2, "n"]), value_info("y", 3, [2, "n"])
    for opset in (7, 10, 13, 19, 21, 23, 25):
        yield f"quantize-{opset}", model([node("QuantizeLinear", ["x", "s", "z"], ["y"])], [x], [y], [scale, zero], opset)
    yield "absent-operand", model([node("Clip", ["x", "", "s"], ["y"])], [x], [value_info("y", 1, [2, 2])], [scale])
    yield "constant", model([node("Constant", [], ["c"], attribute("value", 4, block(5, scale))), node("Add", ["x", "c"], ["y"])], [x], [value_info("y", 1, [])])
    yield "microsoft", model([node("QLinearAdd", ["x", "s", "z", "x", "s", "z", "s", "z"], ["y"], b"", "com.microsoft")], [value_info("x", 3, [2])], [value_info("y", 3, [2])], [scale, zero], 21, ["com.microsoft"])
    yield "branches", model([node("If", ["c"], ["y"], attribute("then_branch", 5, block(6, node("Identity", ["x"], ["b"]) + block(2, "branch") + block(12, value_info("b", 1, [2])))))], [value_info("c", 9, []), x], [y])
    yield from models_with_functions()
    yield "cycle", model([node("Relu", ["b"], ["a"]), node("Relu", ["a"], ["b"])], (), [value_info("b", 1, [1])])
    yield "unsorted", model([node("Relu", ["a"], ["y"]), node("Relu", ["x"], ["a"])], [x], [value_info("y", 1, [2, 2])])


def scalar(name, number, content):
    return tensor(name, [], number, content)


def branch(name, steps, output):
    return attribute(name, 5, block(6, b"".join(steps) + block(2, name) + block(12, value_info(output, 1, [4]))))


def models_with_functions():
    """Read as any model, and run by ONNX Runtime as they are (testsuite/unit/node): numbers are such that no sum is rounded."""
    x, y = value_info("x", 1, [4]), value_info("y", 1, [4])
    through_codes = function("through_codes", ["a", "scale", "zero"], ["b", "codes"],
                             [step("QuantizeLinear", ["a", "scale", "zero"], ["codes"]), step("DequantizeLinear", ["codes", "scale", "zero"], ["b"])])
    activation = function("activation", ["a", "low", "high"], ["c"],
                          [step("LeakyRelu", ["a"], ["b"], reference("alpha", 1, "slope")), step("Constant", [], ["k"], reference("value_float", 1, "factor")),
                           step("Mul", ["b", "k"], ["m"]), step("Clip", ["m", "low", "high"], ["c"])],
                          block(6, "factor") + block(11, block(1, "slope") + float32(2, 0.25) + integer(20, 1)))
    layer = function("layer", ["a", "scale", "zero", "high"], ["d"],
                     [step("through_codes", ["a", "scale", "zero"], ["b", "codes"], b"", "d"), step("activation", ["b", "", "high"], ["c"], reference("factor", 1, "factor"), "d"),
                      step("Add", ["c", "a"], ["d"])], block(6, "factor"))
    parameters = [scalar("s", 1, float32(4, 0.25)), scalar("t", 1, float32(4, 0.5)), scalar("z", 2, integer(5, 128)), scalar("h", 1, float32(4, 5.5))]
    calls = [call("layer", ["x", "s", "z"], ["m"], attribute("factor", 1, float32(2, 2.0)), "d"),
             call("layer", ["m", "t", "z", "h"], ["n"], attribute("factor", 1, float32(2, -0.5)), "d"),
             call("activation", ["n"], ["y"], attribute("slope", 1, float32(2, 0.5)) + attribute("factor", 1, float32(2, 4.0)), "d")]
    yield "functions-attributes", model(calls, [x], [y], parameters, 21, ["d"], [layer, activation, through_codes])

    larger = function("larger", ["a", "b"], ["c"], [
        step("ReduceSum", ["a"], ["p"], attribute("keepdims", 2, integer(3, 0))), step("ReduceSum", ["b"], ["q"], attribute("keepdims", 2, integer(3, 0))), step("Greater", ["p", "q"], ["is_larger"]),
        step("If", ["is_larger"], ["c"], branch("then_branch", [call("Mul", ["a", "a"], ["square"])], "square") + branch("else_branch", [call("distance", ["a", "b"], ["e"], b"", "d")], "e"))])
    distance = function("distance", ["a", "b"], ["c"], [step("Sub", ["a", "b"], ["s"]), step("Abs", ["s"], ["c"])])
    calls = [call("distance", ["x", "w"], ["s"], b"", "d"), call("larger", ["x", "s"], ["m"], b"", "d"), call("larger", ["m", "x"], ["n"], b"", "d"), call("ReduceMax", ["n"], ["r"], attribute("keepdims", 2, integer(3, 0))),
             call("Cast", ["r"], ["c"], attribute("to", 2, integer(3, 9))),
             call("If", ["c"], ["y"], branch("then_branch", [call("larger", ["n", "m"], ["u"], b"", "d")], "u") + branch("else_branch", [call("Neg", ["n"], ["v"])], "v"))]
    yield "functions-branches", model(calls, [x], [y], [tensor("w", [4], 1, block(4, struct.pack("<4f", 1, -2, 3, 0.5)))], 21, ["d"], [larger, distance])
    # Twice the same function, once in a branch of a function that is called in a branch which a constant chooses (docs/bugs-found.md).
    least = function("least", ["a", "b"], ["c"], [step("Add", ["a", "b"], ["m"]), step("Min", ["b", "m"], ["c"])])
    twice = function("twice", ["a"], ["c"], [
        step("least", ["a", "a"], ["b"], b"", "d"), step("ReduceMax", ["a"], ["r"], attribute("keepdims", 2, integer(3, 0))), step("Cast", ["r"], ["g"], attribute("to", 2, integer(3, 9))),
        step("If", ["g"], ["c"], branch("then_branch", [call("least", ["a", "b"], ["d"], b"", "d")], "d") + branch("else_branch", [call("Neg", ["b"], ["e"])], "e"))])
    calls = [call("ReduceMax", ["w"], ["r"], attribute("keepdims", 2, integer(3, 0))), call("Cast", ["r"], ["g"], attribute("to", 2, integer(3, 9))),
             call("If", ["g"], ["y"], branch("then_branch", [call("twice", ["x"], ["u"], b"", "d")], "u") + branch("else_branch", [call("Neg", ["x"], ["v"])], "v"))]
    yield "functions-nested", model(calls, [x], [y], [tensor("w", [4], 1, block(4, struct.pack("<4f", 1, -2, 3, 0.5)))], 21, ["d"], [twice, least])
    yield "functions-cycle", model([call("f", ["x"], ["y"], b"", "d")], [x], [y], (), 21, ["d"], [function("f", ["a"], ["b"], [step("g", ["a"], ["b"], b"", "d")]), function("g", ["a"], ["b"], [step("f", ["a"], ["b"], b"", "d")])])
