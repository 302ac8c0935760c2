# SPDX-License-Identifier: Apache-2.0
"""What the operators of torch.ops.quantized share: quantized tensors of a request as tensors of the library and back, with one scale or one
along an axis, and the library's operators by name. PyTorch is imported where it is used. What the library refuses is raised as Unsupported,
here before a process is spent on it, or by the adapter where the library's own check speaks.

An answer is a function of (case, engine) that looks at the request and gives a call without arguments; the call gives the list of results:

    def relu6(case, engine):
        x, y = of(case.operand("qx")), case.outputs[0]
        same_parameters(case.operand("qx"), y)
        return lambda: [codes(op("relu6")(x, False), y)]

    OPS = {"torch.relu6": (relu6, "qx")}
"""
import numpy
from exchange_case import Unsupported

CODES = {"u8": ("quint8", 0, 255), "i8": ("qint8", -128, 127), "i32": ("qint32", -(2**31), 2**31 - 1)}


def code_type(word):
    """The library's quantized type for codes of this type."""
    import torch

    if word not in CODES:
        raise Unsupported(f"the library has no codes of type {word}")
    return getattr(torch, CODES[word][0])


def checked(tensor):
    """An operand or output whose quantized type the library has: whole range of codes, numbers in f32, one scale or one along an axis."""
    if tensor.scales is None:
        raise Unsupported(f"{tensor.name} of type {tensor.type}, which is not quantized")
    code_type(tensor.type)
    if tensor.storage != CODES[tensor.type][1:]:
        raise Unsupported(f"{tensor.name} with a narrower range of codes")
    if tensor.expressed != "f32":
        raise Unsupported(f"{tensor.name} of codes for {tensor.expressed}")
    if len(tensor.axes) > 1 or any(block != 1 for block in tensor.blocks):
        raise Unsupported(f"{tensor.name} with blocks of scales")
    return tensor


def plain(data):
    """Numbers or codes as a tensor of the library."""
    import torch

    return torch.from_numpy(numpy.ascontiguousarray(data))


def floats(operand):
    """An operand of f32 as a tensor of the library."""
    return plain(operand.plain("f32"))


def optional_floats(case, name):
    return floats(case.operands[name]) if name in case.operands else None


def parameters(tensor):
    """Scale and zero point of an operand or output that has one of each."""
    if checked(tensor).axes:
        raise Unsupported(f"{tensor.name} with scales along an axis")
    return tensor.scales[0], tensor.zero_points[0]


def of(operand, data=None):
    """A quantized operand as a tensor of the library; `data` are its codes in another shape, or moved, with the axis of the scales where it was."""
    import torch

    checked(operand)
    values = plain(operand.data if data is None else data)
    if not operand.axes:
        return torch._make_per_tensor_quantized_tensor(values, *parameters(operand))
    scales, zero_points = torch.tensor(operand.scales, dtype=torch.float64), torch.tensor(operand.zero_points, dtype=torch.int64)
    return torch._make_per_channel_quantized_tensor(values, scales, zero_points, operand.axes[0])


def same_parameters(operand, output):
    """Refuses a result that is asked for with other parameters than the operand's, whose it has."""
    if operand.type != output.type or parameters(operand) != parameters(output):
        raise Unsupported("a result with parameters of its own: the library's has the operand's")


def codes(tensor, output):
    """The codes of a quantized result, which has the parameters that the request asks for; they are compared as the library says them."""
    if tensor.dtype != code_type(output.type):
        raise Unsupported(f"a result of type {output.type}: the library gives {tensor.dtype}")
    if (tensor.q_scale(), tensor.q_zero_point()) != parameters(output):
        raise Unsupported(f"a result with other parameters: the library gives {tensor.q_scale()} and {tensor.q_zero_point()}")
    return tensor.int_repr().contiguous().numpy()


def op(name, overload=None):
    """An operator of torch.ops.quantized, or one of its overloads."""
    import torch

    if not hasattr(torch.ops.quantized, name):
        raise Unsupported(f"the library has no quantized::{name}")
    packet = getattr(torch.ops.quantized, name)
    if overload is None:
        return packet
    if not hasattr(packet, overload):
        raise Unsupported(f"the library has no quantized::{name}.{overload}")
    return getattr(packet, overload)
