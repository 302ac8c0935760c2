# SPDX-License-Identifier: Apache-2.0
"""Operators of Relay itself: what relay.quantize and the canonical forms of QNN leave in a program."""
import json

from contractions import window
from exchange_case import Unsupported
from function import Function, type_of
from pools import pool_attributes


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


def bias_add(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.bias_add(f.data("data"), f.data("bias"), axis=f.attribute("axis", 1)))


def pool(name):
    def run(case, backend):
        f = Function(case, backend)
        more = {"count_include_pad": truth(f, "count_include_pad", 0)} if name == "avg_pool2d" else {}
        return f.run(getattr(relay().nn, name)(f.data("data"), **pool_attributes(f, case), **more))

    return run


def global_avg_pool2d(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.global_avg_pool2d(f.data("data"), layout=f.attribute("layout", "NCHW"), out_layout=f.attribute("out_layout", "")))


def mean(case, backend):
    f = Function(case, backend)
    return f.run(relay().mean(f.data("data"), axis=f.attribute("axis", None), keepdims=truth(f, "keepdims", 0), exclude=truth(f, "exclude", 0)))


def reshape(case, backend):
    f = Function(case, backend)
    return f.run(relay().reshape(f.data("data"), newshape=f.attribute("newshape", None), allowzero=truth(f, "allowzero", 0)))


def transpose(case, backend):
    f = Function(case, backend)
    return f.run(relay().transpose(f.data("data"), axes=f.attribute("axes", None)))


def pad(case, backend):
    f = Function(case, backend)
    if case.operand("pad_value").shape:
        raise Unsupported("a value of padding with dimensions")
    pairs = f.attribute("pad_width", None)
    if isinstance(pairs, str):  # a list of lists goes as text: {"pad_width" = [[0, 0], [1, 2]]}
        pairs = json.loads(pairs.partition("=")[2].rstrip("}"))
    return f.run(relay().nn.pad(f.data("data"), pad_width=[[int(amount) for amount in pair] for pair in pairs], pad_value=f.constant("pad_value"), pad_mode=f.attribute("pad_mode", "constant")))


def concatenate(case, backend):
    f = Function(case, backend)
    return f.run(relay().concatenate([f.data(operand) for operand in case.inputs], axis=f.attribute("axis", 0)))


PLAIN = {
    "cast": cast,
    "clip": clip,
    "annotation.cast_hint": cast_hint,
    "annotation.stop_fusion": call("annotation.stop_fusion", "data"),
    "annotation.checkpoint": call("annotation.checkpoint", "data"),
    "op.annotation.simulated_quantize": simulated_quantize,
    "nn.dense": dense,
    "nn.batch_matmul": batch_matmul,
    "nn.conv2d": conv2d,
    "nn.bias_add": bias_add,
    "nn.relu": call("nn.relu", "data"),
    "nn.max_pool2d": pool("max_pool2d"),
    "nn.avg_pool2d": pool("avg_pool2d"),
    "nn.global_avg_pool2d": global_avg_pool2d,
    "nn.batch_flatten": call("nn.batch_flatten", "data"),
    "nn.pad": pad,
    "mean": mean,
    "reshape": reshape,
    "transpose": transpose,
    "concatenate": concatenate,
}
PLAIN |= {name: call(name, "data") for name in ("round", "floor", "ceil")}
PLAIN |= {name: call(name, "lhs", "rhs") for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "left_shift", "right_shift")}
OPS = {"relay." + name: run for name, run in PLAIN.items()}
