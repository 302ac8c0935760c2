# SPDX-License-Identifier: Apache-2.0
"""Operators that QNN does not have, as TVM's pass FakeQuantizationToInteger makes them: the operator of real numbers between a dequantization and a
quantization becomes operations of codes."""
from exchange_case import Unsupported
from function import Function, type_of
from plain import relay


def between(case, backend, operator, result="output"):
    """The operator with the operand's parameters before it and the result's behind it, after the pass."""
    import tvm

    f = Function(case, backend)
    qnn = relay().qnn.op
    real = operator(f, qnn.dequantize(f.data("data"), *f.constants("input_scale input_zero_point")))
    codes = qnn.quantize(real, *f.constants(f"{result}_scale {result}_zero_point"), out_dtype=type_of(case.outputs[0].type))
    module = relay().transform.InferType()(tvm.IRModule.from_expr(codes))
    with tvm.transform.PassContext(opt_level=3):
        body = relay().transform.FakeQuantizationToInteger(True)(module)["main"].body
    if f.arguments:  # variables are those of the new function, by the same names
        return f.run(body)
    raise Unsupported("constants alone, which are folded before the pass")


def mean(case, backend):
    words = lambda f: {name: bool(f.attribute(name, 0)) for name in ("keepdims", "exclude")}
    return between(case, backend, lambda f, x: relay().mean(x, axis=f.attribute("axis", None), **words(f)))


def relu(case, backend):
    return between(case, backend, lambda f, x: relay().nn.relu(x))


def global_avg_pool2d(case, backend):
    return between(case, backend, lambda f, x: relay().nn.global_avg_pool2d(x, layout=f.attribute("layout", "NCHW"), out_layout=f.attribute("out_layout", "")))


def clip(case, backend):
    if backend.options["clip"] != "fq2i":
        raise Unsupported("a clip of frontends, other than that of the pass (--clip fq2i)")
    return between(case, backend, lambda f, x: relay().clip(x, float(f.attribute("a_min", None)), float(f.attribute("a_max", None))), "input")


OPS = {
    "qnn.mean": mean,
    "qnn.relu": relu,
    "qnn.global_avg_pool2d": global_avg_pool2d,
    "qnn.clip": clip,
}
