# SPDX-License-Identifier: Apache-2.0
"""A case as a Relay function: operands become variables or constants, the result is compiled and run. TVM is imported where it is used, so that
its absence is told by the adapter and not by this file."""
import numpy
from exchange_case import Unsupported

TYPES = {"i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32", "u32": "uint32", "i64": "int64", "u64": "uint64"}
TYPES |= {"f16": "float16", "f32": "float32", "f64": "float64"}


def type_of(word):
    """TVM's name of an element type."""
    if word not in TYPES:
        raise Unsupported(f"no tensors of type {word}")
    return TYPES[word]


class Function:
    """The function of one case. `data` are operands that a program gets as arguments, `constant` parameters that it is compiled with."""

    def __init__(self, case, backend):
        self.case = case
        self.backend = backend
        self.arguments = {}

    def data(self, operand):
        from tvm import relay

        operand = self.case.operand(operand) if isinstance(operand, str) else operand
        values = operand.plain(*TYPES)
        if self.backend.options["inputs"] == "constants":
            return relay.const(values, type_of(operand.type))
        return self.argument(values, operand.type)

    def argument(self, values, word):
        """A variable of a name of its own, as two operands of a program may be one input."""
        from tvm import relay

        name = f"x{len(self.arguments)}"
        self.arguments[name] = numpy.array(values, order="C")  # ascontiguousarray gives scalars a dimension
        return relay.var(name, shape=values.shape, dtype=type_of(word))

    def constant(self, name, vector=False):
        from tvm import relay

        operand = self.case.operand(name)
        values = operand.plain(*TYPES)
        return relay.const(numpy.atleast_1d(values) if vector else values, type_of(operand.type))

    def constants(self, names):
        return [self.constant(name) for name in names.split()]

    def attribute(self, name, default):
        value = self.case.attributes.get(name)
        return default if value is None or value == "none" else value

    def run(self, expression, least_level=0):
        """The values of the expression."""
        import tvm
        from tvm import relay

        options = self.backend.options
        module = tvm.IRModule.from_expr(relay.Function(relay.analysis.free_vars(expression), expression))
        with self.backend.target, relay.qnn.op.requantize_config(rounding=options["rounding"], compute_dtype=self.backend.compute()):
            with tvm.transform.PassContext(opt_level=3):
                module = self.lowered(relay.transform.InferType()(module))
                if options["inputs"] == "constants":
                    module = relay.transform.FoldConstant()(module)
            with tvm.transform.PassContext(opt_level=max(least_level, options["level"])):
                library = relay.build(module, self.backend.target)
        return self.executed(library)

    def lowered(self, module):
        """Without operations of QNN. Some have no other form than the one of their legalization."""
        from tvm import relay

        if self.backend.options["form"] == "legalized" or self.case.op in ("qnn." + name for name in (*TABLES, "conv2d_transpose")):
            return relay.qnn.transform.Legalize()(module)
        return relay.qnn.transform.CanonicalizeOps()(module)

    def executed(self, library):
        import tvm
        from tvm.contrib import graph_executor

        executor = graph_executor.GraphModule(library["default"](tvm.cpu(0)))
        executor.set_input(**self.arguments)
        executor.run()
        return [executor.get_output(place).numpy() for place in range(executor.get_num_outputs())]


# Operators of one operand, which become tables.
TABLES = ("tanh", "exp", "sqrt", "rsqrt", "erf", "sigmoid", "hardswish", "log", "abs")
