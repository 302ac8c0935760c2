# SPDX-License-Identifier: Apache-2.0
"""Normalizations, softmax, embeddings and recurrent cells of torch.ops.quantized. What the library packs beforehand, weights of embeddings and
cells, pages have as operands, so that each call packs anew."""
import ctypes

import numpy
import torch_tensors
from exchange_case import Unsupported


def normalization(name, operand, attribute):
    def answer(case, engine):
        output = case.outputs[0]
        x = torch_tensors.of(case.operand(operand))
        shape = [] if attribute is None else [case.attributes[attribute]]
        weight, bias = (torch_tensors.optional_floats(case, which) for which in ("weight", "bias"))
        last = float(case.attributes["eps"]), *torch_tensors.parameters(output)
        return lambda: [torch_tensors.codes(torch_tensors.op(name)(x, *shape, weight, bias, *last), output)]

    return answer


def softmax(case, engine):
    output = case.outputs[0]
    x, dim = torch_tensors.of(case.operand("qx")), int(case.attributes["dim"])
    return lambda: [torch_tensors.codes(torch_tensors.op("softmax")(x, dim, *torch_tensors.parameters(output)), output)]


def integers(case, name):
    return torch_tensors.plain(case.operands[name].plain("i32", "i64")) if name in case.operands else None


def packed_rows(case, bits):
    """A weight with a scale and a zero point for each row, as the library packs it; codes of 4 bits lie two in a byte, the first one lowest."""
    import torch

    codes = case.operand("weight").plain(f"u{bits}")
    scales, zero_points = (torch_tensors.floats(case.operand(name)) for name in ("scales", "zero_points"))
    if bits == 8:
        weight = torch._make_per_channel_quantized_tensor(torch_tensors.plain(codes), scales, zero_points, 0)
        return torch_tensors.op("embedding_bag_prepack")(weight)
    if codes.shape[1] % 2 != 0:
        raise Unsupported("an odd number of columns: the result has one more")
    weight = torch._empty_per_channel_affine_quantized(codes.shape, scales=scales, zero_points=zero_points, axis=0, dtype=torch.quint4x2)
    data = numpy.ascontiguousarray(codes[:, 0::2] | codes[:, 1::2] << 4).tobytes()
    ctypes.memmove(weight.data_ptr(), data, len(data))
    return torch_tensors.op("embedding_bag_prepack")(weight)


def embedding(name, bits):
    def answer(case, engine):
        indices, pruned = integers(case, "indices"), bool(case.attributes.get("pruned_weights", False))
        return lambda: [torch_tensors.op(name)(packed_rows(case, bits), indices, pruned).numpy()]

    return answer


def embedding_bag(name, bits=None):
    """A bag of rows of a packed weight, or of bytes with each row's scale and bias behind its codes."""

    def answer(case, engine):
        indices, offsets, mapping = (integers(case, which) for which in ("indices", "offsets", "compressed_indices_mapping"))
        weights = torch_tensors.plain(case.operands["per_sample_weights"].plain("f32", "f16")) if "per_sample_weights" in case.operands else None
        pruned, last = (bool(case.attributes.get(which, False)) for which in ("pruned_weights", "include_last_offset"))
        if "compressed_indices_mapping" in case.operands:
            case.operands["compressed_indices_mapping"].plain("i32")  # the library takes no other

        def call():
            rows = torch_tensors.plain(case.operand("weight").plain("u8")) if bits is None else packed_rows(case, bits)
            return [torch_tensors.op(name)(rows, indices, offsets, False, 0, pruned, weights, mapping, last).numpy()]

        return call

    return answer


def cell(name, states):
    def answer(case, engine):
        x, hidden = torch_tensors.floats(case.operand("input")), [torch_tensors.floats(case.operand(state)) for state in states]
        biases = [torch_tensors.floats(case.operand(bias)) for bias in ("b_ih", "b_hh")]
        weights = [torch_tensors.of(case.operand(weight)) for weight in ("w_ih", "w_hh")]

        def call():
            packed = [torch_tensors.op("linear_prepack")(weight, bias) for weight, bias in zip(weights, biases, strict=True)]
            result = torch_tensors.op(name)(x, hidden if len(states) > 1 else hidden[0], *packed, *biases)
            return [one.contiguous().numpy() for one in (result if len(states) > 1 else [result])]

        return call

    return answer


PACKED = "weight scales zero_points indices"
BAG = " offsets per_sample_weights compressed_indices_mapping"
CELL = "input hx w_ih w_hh b_ih b_hh"
OPS = {
    "torch.layer_norm": (normalization("layer_norm", "input", "normalized_shape"), "input weight bias"),
    "torch.group_norm": (normalization("group_norm", "qx", "num_groups"), "qx weight bias"),
    "torch.instance_norm": (normalization("instance_norm", "qx", None), "qx weight bias"),
    "torch.softmax": (softmax, "qx"),
    "torch.embedding_byte": (embedding("embedding_byte", 8), PACKED),
    "torch.embedding_4bit": (embedding("embedding_4bit", 4), PACKED),
    "torch.embedding_bag_byte": (embedding_bag("embedding_bag_byte", 8), PACKED + BAG),
    "torch.embedding_bag_4bit": (embedding_bag("embedding_bag_4bit", 4), PACKED + BAG),
    **{f"torch.embedding_bag_{bits}_rowwise_offsets": (embedding_bag(f"embedding_bag_{bits}_rowwise_offsets"), "weight indices" + BAG) for bits in ("byte", "4bit", "2bit")},
    **{f"torch.quantized_{kind}_cell_dynamic": (cell(f"quantized_{kind}_cell_dynamic", ["hx"]), CELL) for kind in ("gru", "rnn_relu", "rnn_tanh")},
    "torch.quantized_lstm_cell_dynamic": (cell("quantized_lstm_cell_dynamic", ["hx", "cx"]), "input hx cx w_ih w_hh b_ih b_hh"),
}
