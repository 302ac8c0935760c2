# SPDX-License-Identifier: Apache-2.0
"""QNN's operators from code to code: requantize, quantize, dequantize, their simulations, sums, products, tables."""
from exchange_case import Unsupported
from function import TABLES, Function, type_of


def qnn():
    from tvm import relay

    return relay.qnn.op


def requantize(case, backend):
    f = Function(case, backend)
    parameters = f.constants("input_scale input_zero_point output_scale output_zero_point")
    compute = f.attribute("compute_dtype", None)
    return f.run(qnn().requantize(f.data("data"), *parameters, axis=f.attribute("axis", -1), rounding=f.attribute("rounding", "None"),
                                  compute_dtype=type_of(compute) if compute else "None", out_dtype=type_of(case.outputs[0].type)))


def quantize(case, backend):
    f = Function(case, backend)
    return f.run(qnn().quantize(f.data("data"), *f.constants("output_scale output_zero_point"), axis=f.attribute("axis", -1), out_dtype=type_of(case.outputs[0].type)))


def dequantize(case, backend):
    f = Function(case, backend)
    return f.run(qnn().dequantize(f.data("data"), *f.constants("input_scale input_zero_point"), axis=f.attribute("axis", -1), out_dtype=type_of(case.outputs[0].type)))


def simulated(name, scale, zero_point):
    """The type is a value at run time; a number that is no type passes the data through. One scale is a vector of one: TVM indexes it."""

    def run(case, backend):
        f = Function(case, backend)
        make = getattr(qnn()._make, name)
        parameters = [f.constant(name, vector=True) for name in (scale, zero_point)]
        return f.run(make(f.data("data"), f.constant("dtype"), *parameters, f.attribute("axis", -1)))

    return run


def binary(name):
    def run(case, backend):
        f = Function(case, backend)
        parameters = f.constants("lhs_scale lhs_zero_point rhs_scale rhs_zero_point output_scale output_zero_point")
        return f.run(getattr(qnn(), name)(f.data("lhs"), f.data("rhs"), *parameters, lhs_axis=f.attribute("lhs_axis", -1), rhs_axis=f.attribute("rhs_axis", -1)))

    return run


def unary(name):
    def run(case, backend):
        f = Function(case, backend)
        return f.run(getattr(qnn(), name)(f.data("x"), *f.constants("scale zero_point output_scale output_zero_point")))

    return run


def leaky_relu(case, backend):
    f = Function(case, backend)
    parameters = f.constants("input_scale input_zero_point output_scale output_zero_point")
    return f.run(qnn().leaky_relu(f.data("x"), float(f.attribute("alpha", None)), *parameters))


def softmax(case, backend):
    f = Function(case, backend)
    parameters = f.constants("input_scale input_zero_point output_scale output_zero_point")
    return f.run(qnn().softmax(f.data("data"), *parameters, axis=f.attribute("axis", -1)))


def concatenate(case, backend):
    from tvm import relay

    f = Function(case, backend)
    tensors = [operand for operand in case.inputs if operand.operand == "data"]
    parameters = [[relay.const(operand.plain("f32", "i32"), type_of(operand.type)) for operand in case.inputs if operand.operand == name] for name in ("input_scales", "input_zero_points")]
    if not tensors or any(len(group) != len(tensors) for group in parameters):
        raise Unsupported("tensors and parameters that are not as many")
    return f.run(qnn().concatenate(relay.Tuple([f.data(tensor) for tensor in tensors]), *(relay.Tuple(group) for group in parameters),
                                   *f.constants("output_scale output_zero_point"), axis=f.attribute("axis", 0)))


def concatenate_operand(case, backend):
    """A concatenation of one tensor."""
    from tvm import relay

    f = Function(case, backend)
    parameters = [relay.Tuple([f.constant(name)]) for name in ("input_scale", "input_zero_point")]
    return f.run(qnn().concatenate(relay.Tuple([f.data("data")]), *parameters, *f.constants("output_scale output_zero_point"), axis=0))


def fixed_point_multiply(case, backend):
    from tvm import relay

    f = Function(case, backend)
    return f.run(relay.fixed_point_multiply(f.data("data"), int(f.attribute("multiplier", 0)), int(f.attribute("shift", 0))))


OPS = {
    "qnn.requantize": requantize,
    "qnn.quantize": quantize,
    "qnn.dequantize": dequantize,
    "qnn.simulated_quantize": simulated("simulated_quantize", "output_scale", "output_zero_point"),
    "qnn.simulated_dequantize": simulated("simulated_dequantize", "input_scale", "input_zero_point"),
    "qnn.leaky_relu": leaky_relu,
    "qnn.softmax": softmax,
    "qnn.concatenate": concatenate,
    "qnn.concatenate_operand": concatenate_operand,
    "qnn.fixed_point_multiply": fixed_point_multiply,
}
OPS |= {"qnn." + name: binary(name) for name in ("add", "subtract", "mul")}
OPS |= {"qnn." + name: unary(name) for name in TABLES}
