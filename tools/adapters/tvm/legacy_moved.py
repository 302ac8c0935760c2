# SPDX-License-Identifier: Apache-2.0
"""Operators that only move codes, as the older relay.quantize realizes them. Realized codes are followed by a conversion and a product with the step, which are left out."""
from legacy import Graph
from plain import relay, truth


def moved(operator):
    def run(case, backend):
        graph = Graph(case, backend)
        return graph.run(operator(graph.f, graph.operand("data")))

    return run


def strided_slice(f, x):
    places = [f.attribute(name, None) for name in ("begin", "end", "strides")]
    return relay().strided_slice(x, *places, axes=f.attribute("axes", None), slice_mode=f.attribute("slice_mode", "end"))


OPS = {
    "qnn.legacy_reshape": moved(lambda f, x: relay().reshape(x, newshape=f.attribute("newshape", None), allowzero=truth(f, "allowzero", 0))),
    "qnn.legacy_batch_flatten": moved(lambda f, x: relay().nn.batch_flatten(x)),
    "qnn.legacy_transpose": moved(lambda f, x: relay().transpose(x, axes=f.attribute("axes", None))),
    "qnn.legacy_strided_slice": moved(strided_slice),
}
