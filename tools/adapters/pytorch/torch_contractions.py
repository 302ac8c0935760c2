# SPDX-License-Identifier: Apache-2.0
"""Convolutions, linear layers and the product of matrices of torch.ops.quantized. The library packs weights and what belongs to them beforehand;
pages have them as operands and attributes, so that each call packs anew."""
import re

import torch_tensors
from exchange_case import Unsupported


def result(tensor, output):
    """Codes of a quantized result, or its numbers."""
    if output.scales is not None:
        return [torch_tensors.codes(tensor, output)]
    return [tensor.contiguous().numpy()]


def reduced(case):
    return bool(case.attributes.get("reduce_range", False))


def geometry(case, rank, names):
    """The attributes in the order of the packing operator; a list has one number for each dimension."""
    defaults = {"stride": 1, "padding": 0, "output_padding": 0, "dilation": 1}
    return [[int(number) for number in case.attributes.get(name, [defaults[name]] * rank)] for name in names]


def convolution(name):
    rank = int(re.search(r"(\d)d", name)[1])
    dynamic, transposed = name.endswith("_dynamic"), "transpose" in name
    packing = f"conv_transpose{rank}d_prepack" if transposed else f"conv{rank}d_prepack"
    lists = ["stride", "padding", "output_padding", "dilation"] if transposed else ["stride", "padding", "dilation"]

    def answer(case, engine):
        if (engine, transposed, rank) == ("qnnpack", True, 3):
            raise Unsupported("not asked: the library takes extents of this operator from memory that is not the tensor's")
        output = case.outputs[0]
        x = torch_tensors.floats(case.operand("qx")) if dynamic else torch_tensors.of(case.operand("qx"))
        w, bias = torch_tensors.of(case.operand("weight")), torch_tensors.optional_floats(case, "bias")
        groups = int(case.attributes.get("groups", 1))
        arguments = geometry(case, rank, lists)
        last = [reduced(case)] if dynamic else list(torch_tensors.parameters(output))
        return lambda: result(torch_tensors.op(name)(x, torch_tensors.op(packing)(w, bias, *arguments, groups), *last), output)

    return answer


def linear(name):
    dynamic = "_dynamic" in name

    def answer(case, engine):
        output = case.outputs[0]
        x = torch_tensors.floats(case.operand("X")) if dynamic else torch_tensors.of(case.operand("X"))
        w, bias = torch_tensors.of(case.operand("W")), torch_tensors.optional_floats(case, "B")
        last = [reduced(case)] if dynamic else list(torch_tensors.parameters(output))
        return lambda: result(torch_tensors.op(name)(x, torch_tensors.op("linear_prepack")(w, bias), *last), output)

    return answer


def linear_of_halves(name):
    def answer(case, engine):
        x, w, bias = torch_tensors.floats(case.operand("X")), torch_tensors.floats(case.operand("W")), torch_tensors.optional_floats(case, "B")
        return lambda: result(torch_tensors.op(name)(x, torch_tensors.op("linear_prepack_fp16")(w, bias)), case.outputs[0])

    return answer


def matmul(case, engine):
    a, b, output = torch_tensors.of(case.operand("qa")), torch_tensors.of(case.operand("qb")), case.outputs[0]
    return lambda: result(torch_tensors.op("matmul")(a, b, *torch_tensors.parameters(output)), output)


def dynamic_codes(case, engine):
    """What a dynamic convolution begins with; no engine takes part."""
    import torch

    if engine != "none":
        raise Unsupported("asked with --engine none: with qnnpack the library does not follow reduce_range")
    x = torch_tensors.floats(case.operand("x"))
    if case.attributes.get("of_linear", False):
        raise Unsupported("codes of a linear layer: the library does not give them")
    if x.numel() == 0:
        raise Unsupported("an empty tensor")

    def call():
        quantized = torch.quantize_per_tensor_dynamic(x, torch.quint8, reduced(case))
        return [quantized.int_repr().numpy(), quantized.q_scale(), quantized.q_zero_point()]

    return call


CONVOLUTIONS = [f"conv{rank}d{form}" for rank in (1, 2, 3) for form in ("", "_relu", "_dynamic")]
CONVOLUTIONS += [f"conv_transpose{rank}d{form}" for rank in (1, 2, 3) for form in ("", "_dynamic")]
OPS = {f"torch.{name}": (convolution(name), "qx weight bias") for name in CONVOLUTIONS}
OPS |= {f"torch.{name}": (linear(name), "X W B") for name in ("linear", "linear_relu", "linear_dynamic", "linear_relu_dynamic")}
OPS |= {f"torch.{name}": (linear_of_halves(name), "X W B") for name in ("linear_dynamic_fp16", "linear_relu_dynamic_fp16")}
BY_ENGINE = set(OPS)  # without an engine the library refuses them
OPS |= {"torch.matmul": (matmul, "qa qb"), "torch.dynamic_codes": (dynamic_codes, "x")}
