# SPDX-License-Identifier: Apache-2.0
"""Operators of Relay itself: what relay.quantize and the canonical forms of QNN leave in a program."""
from contractions import kernel_shape, pair, window
from function import Function, type_of


def relay():
    from tvm import relay

    return relay


def truth(f, name, default):
    return bool(f.attribute(name, default))


def call(name, *operands):
    """An operator without attributes of its own."""

    def run(case, backend):
        f = Function(case, backend)
        function = relay()
        for word in name.split("."):
            function = getattr(function, word)
        return f.run(function(*(f.data(operand) for operand in operands)))

    return run


def cast(case, backend):
    f = Function(case, backend)
    return f.run(relay().cast(f.data("data"), type_of(f.attribute("dtype", case.outputs[0].type))))


def clip(case, backend):
    f = Function(case, backend)
    return f.run(relay().clip(f.data("data"), float(f.attribute("a_min", None)), float(f.attribute("a_max", None))))


def cast_hint(case, backend):
    import tvm

    f = Function(case, backend)
    data = f.data("data")
    return f.run(relay().Call(relay().op.get("annotation.cast_hint"), [data], tvm.ir.make_node("relay.attrs.CastHintAttrs", dtype=type_of(case.outputs[0].type))))


def simulated_quantize(case, backend):
    from tvm.relay.quantize import _quantize

    f = Function(case, backend)
    kind, sign = int(f.attribute("kind", 1)), truth(f, "sign_", 1)
    return f.run(_quantize.simulated_quantize(f.data("data"), *f.constants("dom_scale clip_min clip_max"), kind, sign, f.attribute("rounding", "round")))


def on_device(case, backend):
    import tvm

    f = Function(case, backend)
    words = {name: truth(f, name, default) for name, default in (("constrain_result", 0), ("constrain_body", 1))}
    return f.run(relay().op.annotation.on_device(f.data("data"), tvm.cpu(0), **words))


def out_type(f, case):
    return type_of(case.outputs[0].type) if f.attribute("out_dtype", None) else ""


def dense(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.dense(f.data("data"), f.data("weight"), units=f.attribute("units", None), out_dtype=out_type(f, case)))


def batch_matmul(case, backend):
    f = Function(case, backend)
    transposed = {name: truth(f, name, default) for name, default in (("transpose_a", 0), ("transpose_b", 1))}
    return f.run(relay().nn.batch_matmul(f.data("tensor_a"), f.data("tensor_b"), out_dtype=out_type(f, case), **transposed))


def conv2d(case, backend):
    f = Function(case, backend)
    attributes = window(f, {"groups": 1, "channels": None, "kernel_size": None, "data_layout": "NCHW", "kernel_layout": "OIHW", "out_layout": ""})
    return f.run(relay().nn.conv2d(f.data("data"), f.data("weight"), **attributes, out_dtype=out_type(f, case)))


def conv2d_transpose(case, backend):
    f = Function(case, backend)
    attributes = window(f, {"groups": 1, "data_layout": "NCHW", "kernel_layout": "IOHW", "out_layout": ""})
    attributes["output_padding"] = pair(f.attribute("output_padding", None), (0, 0))
    size, extent = kernel_shape(case.operand("weight"), attributes["kernel_layout"], f)
    channels = f.attribute("channels", None) or extent["O"] * attributes["groups"]
    return f.run(relay().nn.conv2d_transpose(f.data("data"), f.data("weight"), kernel_size=size, channels=channels, **attributes, out_dtype=out_type(f, case)))


def bias_add(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.bias_add(f.data("data"), f.data("bias"), axis=f.attribute("axis", 1)))


def along_axes(name):
    def run(case, backend):
        f = Function(case, backend)
        return f.run(getattr(relay(), name)(f.data("data"), axis=f.attribute("axis", None), keepdims=truth(f, "keepdims", 0), exclude=truth(f, "exclude", 0)))

    return run


def leaky_relu(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.leaky_relu(f.data("data"), float(f.attribute("alpha", 0.25))))


def softmax(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.softmax(f.data("data"), axis=f.attribute("axis", -1)))


PLAIN = {
    "cast": cast,
    "clip": clip,
    "annotation.cast_hint": cast_hint,
    "annotation.stop_fusion": call("annotation.stop_fusion", "data"),
    "annotation.checkpoint": call("annotation.checkpoint", "data"),
    "on_device": on_device,
    "op.annotation.simulated_quantize": simulated_quantize,
    "nn.dense": dense,
    "nn.batch_matmul": batch_matmul,
    "nn.conv2d": conv2d,
    "nn.conv2d_transpose": conv2d_transpose,
    "nn.bias_add": bias_add,
    "nn.relu": call("nn.relu", "data"),
    "nn.leaky_relu": leaky_relu,
    "nn.softmax": softmax,
}
PLAIN |= {name: call(name, "data") for name in ("round", "floor", "ceil", "abs")}
PLAIN |= {name: along_axes(name) for name in ("mean", "max", "min")}
PLAIN |= {name: call(name, "lhs", "rhs") for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "left_shift", "right_shift")}
OPS = {"relay." + name: run for name, run in PLAIN.items()}
