# SPDX-License-Identifier: Apache-2.0
"""Operators of the older relay.quantize: a graph of simulated quantizations is realized by TVM's own pass, and the codes of the case stand for those that the pass makes of its inputs."""
import numpy
from contractions import window
from exchange_case import Unsupported
from function import Function, type_of
from pools import pool_attributes

INPUT = 1  # relay.quantize.QAnnotateKind
LEAST, GREATEST = -(2.0**31), 2.0**31  # bounds of a clip that is replaced together with its operand


def simulated(data, scale, least=LEAST, greatest=GREATEST):
    """The node that calibration leaves behind."""
    from tvm import relay
    from tvm.relay.quantize import _quantize

    bounds = [relay.const(numpy.float32(value)) for value in (scale, least, greatest)]
    return _quantize.simulated_quantize(data, *bounds, INPUT, True, "round")


def cast_hint(data, type_name):
    """The node that says which type the realized codes have."""
    import tvm
    from tvm import relay

    return relay.Call(relay.op.get("annotation.cast_hint"), [data], tvm.ir.make_node("relay.attrs.CastHintAttrs", dtype=type_name))


class Graph:
    """A graph of real numbers whose inputs are quantized as the case's codes are; after the pass the codes themselves are put in their place."""

    def __init__(self, case, backend):
        self.f = Function(case, backend)
        self.case = case
        self.codes = {}

    def operand(self, operand, scale=1.0):
        from tvm import relay

        operand = self.case.operand(operand) if isinstance(operand, str) else operand
        real = relay.var(f"real{len(self.codes)}", shape=operand.shape, dtype="float32")
        self.codes[real.name_hint] = (operand, self.f.argument(operand.plain("f32", "i8", "i16", "i32"), operand.type))
        result = simulated(real, scale)
        return result if operand.type == "f32" else cast_hint(result, type_of(operand.type))

    def realized(self, expression):
        """What the pass makes of the graph, as a real number."""
        import tvm
        from tvm import relay

        attribute = self.f.attribute
        types = {name: type_of(attribute(name, default)) for name, default in (("dtype_input", "i8"), ("dtype_weight", "i8"), ("dtype_activation", "i32"))}
        rest = {"rounding": attribute("rounding", "UPWARD"), "round_for_shift": bool(attribute("round_for_shift", 1))}
        module = tvm.IRModule.from_expr(relay.Function(relay.analysis.free_vars(expression), expression))
        with relay.quantize.qconfig(skip_conv_layers=[], **types, **rest), tvm.transform.PassContext(opt_level=3):
            module = relay.quantize.realize()(relay.transform.InferType()(module))
        return relay.transform.InferType()(module)["main"].body

    def codes_of(self, expression):
        """The codes alone: realized numbers end in a conversion and a product with the scale."""
        product = self.realized(expression)
        return self.with_codes(product.args[0].args[0])

    def with_codes(self, expression):
        """The expression with the case's codes for `cast(clip(round(real * inverse)))`."""
        from tvm import relay

        def quantized(node, real):
            for name in ("cast", "clip", "round", "multiply"):
                if not isinstance(node, relay.Call) or getattr(node.op, "name", "") != name:
                    if name == "cast":  # f32 codes have none
                        continue
                    return False
                node = node.args[0]
            return isinstance(node, relay.Var) and node.name_hint == real

        codes = self.codes

        class Substitution(relay.ExprMutator):
            def visit_call(self, call):
                for real, (operand, variable) in codes.items():
                    if quantized(call, real) and (call.op.name == "clip") == (operand.type == "f32"):
                        return variable
                return super().visit_call(call)

        return Substitution().visit(expression)

    def run(self, expression):
        # Fused: by itself the product of fixed point has another type than its variable says.
        return self.f.run(self.codes_of(expression), least_level=2)


def simulated_quantize(case, backend):
    from tvm import relay
    from tvm.relay.quantize import _quantize

    f = Function(case, backend)
    return f.run(_quantize.simulated_quantize(f.data("data"), *f.constants("dom_scale clip_min clip_max"), INPUT, True, "round"))


def quantize(case, backend):
    """The realized form of the node itself, of real numbers."""
    import tvm
    from tvm import relay

    graph = Graph(case, backend)
    parameters = [case.operand(name).one("f32") for name in ("dom_scale", "clip_min", "clip_max")]
    product = graph.realized(simulated(graph.f.data("data"), *parameters))
    # Typed anew: the pass may have dropped the conversion of what is f32 already.
    codes = product.args[0]
    return graph.f.run(codes.args[0] if codes.op.name == "cast" else codes)


def requantize(case, backend):
    graph = Graph(case, backend)
    bounds = [case.operand(name).one("f32") for name in ("clip_min", "clip_max")]
    codes = graph.operand("data", case.operand("input_scale").one("f32"))
    return graph.run(simulated(codes, case.operand("output_scale").one("f32"), *bounds))


def dequantize(case, backend):
    graph = Graph(case, backend)
    return graph.f.run(graph.with_codes(graph.realized(graph.operand("data", case.operand("dom_scale").one("f32")))))


def cast(case, backend):
    from tvm import relay

    f = Function(case, backend)
    return f.run(relay.cast(f.data("data"), type_of(case.outputs[0].type)))


def conv2d(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    attributes = window(graph.f, {"groups": 1, "channels": None, "kernel_size": None, "data_layout": "NCHW", "kernel_layout": "OIHW", "out_layout": ""})
    return graph.run(relay.nn.conv2d(graph.operand("data"), graph.operand("weight"), **attributes))


def dense(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    return graph.run(relay.nn.dense(graph.operand("data"), graph.operand("weight"), units=graph.f.attribute("units", None)))


def batch_matmul(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    return graph.run(relay.nn.batch_matmul(graph.operand("x"), graph.operand("y"), transpose_a=False, transpose_b=True))


def add(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    return graph.run(relay.add(*(graph.operand(name, case.operand(name + "_scale").one("f32")) for name in ("lhs", "rhs"))))


def multiply(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    return graph.run(relay.multiply(graph.operand("lhs"), graph.operand("rhs")))


def concatenate(case, backend):
    """The pass chooses the step and the type of the result; those of the case must be the same."""
    from tvm import relay

    graph = Graph(case, backend)
    tensors, scales = ([operand for operand in case.inputs if operand.operand == name] for name in ("data", "input_scales"))
    if len(tensors) != len(scales):
        raise Unsupported("tensors and steps that are not as many")
    parts = [graph.operand(tensor, scale.one("f32")) for tensor, scale in zip(tensors, scales)]
    product = graph.realized(relay.concatenate(parts, axis=graph.f.attribute("axis", 0)))
    step, codes = product.args[1].data.numpy().item(), product.args[0].args[0]
    if step != case.operand("output_scale").one("f32"):
        raise Unsupported(f"a result of another step than {step}")
    if codes.checked_type.dtype != type_of(case.outputs[0].type):
        raise Unsupported(f"a result of another type than {codes.checked_type.dtype}")
    return graph.f.run(graph.with_codes(codes), least_level=2)


def clip(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    codes = graph.operand("data", case.operand("dom_scale").one("f32"))
    return graph.run(relay.clip(codes, float(graph.f.attribute("a_min", 0)), float(graph.f.attribute("a_max", 0))))


def relu(case, backend):
    from tvm import relay

    graph = Graph(case, backend)
    return graph.run(relay.nn.relu(graph.operand("data")))


def pool(name, attributes_of):
    def run(case, backend):
        from tvm import relay

        graph = Graph(case, backend)
        return graph.run(getattr(relay.nn, name)(graph.operand("data"), **attributes_of(graph.f, case)))

    return run


def averaged(f, case):
    return pool_attributes(f, case) | {"count_include_pad": bool(f.attribute("count_include_pad", 0))}


def layouts(f, case):
    return {name: f.attribute(name, default) for name, default in (("layout", "NCHW"), ("out_layout", ""))}


OPS = {
    "qnn.legacy_simulated_quantize": simulated_quantize,
    "qnn.legacy_quantize": quantize,
    "qnn.legacy_requantize": requantize,
    "qnn.legacy_dequantize": dequantize,
    "qnn.legacy_cast": cast,
    "qnn.legacy_conv2d": conv2d,
    "qnn.legacy_dense": dense,
    "qnn.legacy_batch_matmul": batch_matmul,
    "qnn.legacy_add": add,
    "qnn.legacy_multiply": multiply,
    "qnn.legacy_concatenate": concatenate,
    "qnn.legacy_clip": clip,
    "qnn.legacy_relu": relu,
    "qnn.legacy_max_pool2d": pool("max_pool2d", pool_attributes),
    "qnn.legacy_avg_pool2d": pool("avg_pool2d", averaged),
    "qnn.legacy_global_avg_pool2d": pool("global_avg_pool2d", layouts),
}
