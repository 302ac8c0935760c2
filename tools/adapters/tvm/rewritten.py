# SPDX-License-Identifier: Apache-2.0
"""Graphs of graphs.py as Relay text and as results, before and after the pass FakeQuantizationToInteger."""
import re

import moving_graphs  # noqa: F401  its graphs enter the table
import numpy
from exchange_case import Unsupported
from graphs import GRAPHS

PREFIX = "rule/tvm-tests/"  # of the requests of `rule verify`


def modules(graph):
    """Before and after the pass."""
    import tvm
    from tvm import relay

    before = relay.transform.InferType()(tvm.IRModule.from_expr(graph.make()))
    after = relay.transform.FakeQuantizationToInteger(False, graph.qat, graph.optional)(before)
    return before, relay.transform.InferType()(after)


def _written_out(values):
    """A constant as calls on scalars of int32 and float32, the only ones that have a text of their own."""
    words = [f"{word}f" if values.dtype == numpy.float32 else str(word) for word in values.flatten()]
    if values.ndim == 0:
        text = words[0]
    else:
        parts = [f"reshape({word}, newshape=[1])" for word in words]
        text = parts[0] if len(parts) == 1 else f"concatenate(({', '.join(parts)}), axis=0)"
    if values.ndim > 1:
        text = f"reshape({text}, newshape={list(values.shape)})"
    return text if values.dtype in (numpy.float32, numpy.int32) else f'cast({text}, dtype="{values.dtype}")'


def _constants_as_variables(function):
    """Constants that Relay prints as references to its metadata, as variables, and the text of each."""
    from tvm import relay

    texts = {}

    class Replaced(relay.ExprMutator):
        def visit_constant(self, const):
            values = const.data.numpy()
            if values.ndim == 0 and values.dtype in (numpy.float32, numpy.int32):
                return const
            name = f"c{len(texts)}"
            texts[name] = _written_out(values)
            return relay.var(name, shape=values.shape, dtype=str(values.dtype))

    return Replaced().visit(function.body), texts


def _boxed(body):
    """The numbers that Relay prints as references, in the order of its text: those of `split`."""
    from tvm import relay

    numbers = []

    def visit(node):
        if isinstance(node, relay.Call) and getattr(node.op, "name", "") == "split":
            parts = node.attrs.indices_or_sections
            numbers.extend(int(part) for part in (parts if hasattr(parts, "__len__") else [parts]))

    relay.analysis.post_order_visit(body, visit)
    return numbers


def text(module, name):
    """One function of a rule page: Relay's text without its notes, with the name, and with constants written out."""
    import tvm
    from tvm import relay

    body, texts = _constants_as_variables(module["main"])
    function = relay.Function(list(module["main"].params) + [one for one in relay.analysis.free_vars(body) if one.name_hint in texts], body)
    lines = tvm.IRModule.from_expr(function).astext(show_meta_data=False)
    lines = re.sub(r"/\*.*?\*/", "", lines, flags=re.S)
    for place, value in enumerate(_boxed(body)):
        lines = lines.replace(f"meta[runtime.BoxInt][{place}]", str(value))
    lines = re.sub(r", %c\d+: (Tensor\[[^\]]*\]|\w+)", "", lines[lines.index("def @main"):])
    lines = re.sub(r"[ \t]+([,;)\n])", r"\1", lines).replace("def @main", f"def @{name}")
    head, _, rest = lines.partition("{\n")
    constants = "".join(f"  %{key} = {value};\n" for key, value in texts.items())
    return head.rstrip() + " {\n" + constants + rest.rstrip() + "\n"


def answer(case, backend):
    """What the graph of the request's name gives; of the program before the rewrite, after the pass if the backend's option says so."""
    import tvm
    from tvm import relay

    name, _, side = case.id.removeprefix(PREFIX).rpartition("/")
    if name not in GRAPHS:
        raise Unsupported(f"no graph {name}")
    before, after = modules(GRAPHS[name])
    module = after if side == "after" or backend.options["pass"] == "fq2i" else before
    with backend.target, relay.qnn.op.requantize_config(rounding=backend.options["rounding"], compute_dtype=backend.compute()):
        with tvm.transform.PassContext(opt_level=3):
            module = relay.qnn.transform.CanonicalizeOps()(relay.qnn.transform.Legalize()(module))
        with tvm.transform.PassContext(opt_level=backend.options["level"]):
            library = relay.build(module, backend.target)
    return run(library, {operand.name: numpy.array(operand.plain("i8", "u8", "i32", "f32"), order="C") for operand in case.inputs})


def run(library, arguments):
    import tvm
    from tvm.contrib import graph_executor

    executor = graph_executor.GraphModule(library["default"](tvm.cpu(0)))
    executor.set_input(**arguments)
    executor.run()
    return [executor.get_output(place).numpy() for place in range(executor.get_num_outputs())]
