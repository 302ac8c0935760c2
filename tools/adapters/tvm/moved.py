# SPDX-License-Identifier: Apache-2.0
"""Operators of Relay that give elements other places, take parts of a tensor, and join tensors."""
import json

from exchange_case import Unsupported
from function import Function, type_of
from plain import relay, truth


def reshape(case, backend):
    f = Function(case, backend)
    return f.run(relay().reshape(f.data("data"), newshape=f.attribute("newshape", None), allowzero=truth(f, "allowzero", 0)))


def batch_flatten(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.batch_flatten(f.data("data")))


def expand_dims(case, backend):
    f = Function(case, backend)
    return f.run(relay().expand_dims(f.data("data"), f.attribute("axis", 0), f.attribute("num_newaxis", 1)))


def squeeze(case, backend):
    f = Function(case, backend)
    return f.run(relay().squeeze(f.data("data"), f.attribute("axis", None)))


def transpose(case, backend):
    f = Function(case, backend)
    return f.run(relay().transpose(f.data("data"), axes=f.attribute("axes", None)))


def broadcast_to(case, backend):
    f = Function(case, backend)
    return f.run(relay().broadcast_to(f.data("data"), f.attribute("shape", None)))


def strided_slice(case, backend):
    f = Function(case, backend)
    places = [f.attribute(name, None) for name in ("begin", "end", "strides")]
    return f.run(relay().strided_slice(f.data("data"), *places, axes=f.attribute("axes", None), slice_mode=f.attribute("slice_mode", "end")))


def split(case, backend):
    f = Function(case, backend)
    return f.run(relay().split(f.data("data"), f.attribute("indices_or_sections", None), f.attribute("axis", 0)).astuple())


def take(case, backend):
    f = Function(case, backend)
    words = {name: f.attribute(name, default) for name, default in (("axis", None), ("batch_dims", 0), ("mode", "clip"))}
    return f.run(relay().take(f.data("data"), f.data("indices"), **words))


def topk(case, backend):
    f = Function(case, backend)
    words = {name: f.attribute(name, default) for name, default in (("k", 1), ("axis", -1), ("ret_type", "both"))}
    result = relay().topk(f.data("data"), **words, is_ascend=truth(f, "is_ascend", 0), dtype=type_of(f.attribute("dtype", "i32")))
    return f.run(result if words["ret_type"] != "both" else result.astuple())


def depth_to_space(case, backend):
    f = Function(case, backend)
    words = {name: f.attribute(name, default) for name, default in (("block_size", 1), ("layout", "NCHW"), ("mode", "DCR"))}
    return f.run(relay().nn.depth_to_space(f.data("data"), **words))


def space_to_depth(case, backend):
    f = Function(case, backend)
    return f.run(relay().nn.space_to_depth(f.data("data"), f.attribute("block_size", 1), f.attribute("layout", "NCHW")))


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


MOVED = {
    "reshape": reshape,
    "nn.batch_flatten": batch_flatten,
    "expand_dims": expand_dims,
    "squeeze": squeeze,
    "transpose": transpose,
    "broadcast_to": broadcast_to,
    "strided_slice": strided_slice,
    "split": split,
    "take": take,
    "topk": topk,
    "nn.depth_to_space": depth_to_space,
    "nn.space_to_depth": space_to_depth,
    "nn.pad": pad,
    "concatenate": concatenate,
}
OPS = {"relay." + name: run for name, run in MOVED.items()}
