# SPDX-License-Identifier: Apache-2.0
"""QNN's sums of products: convolutions and matrix products, and the bias behind them."""
from exchange_case import Unsupported
from function import Function, type_of

PARAMETERS = "input_zero_point kernel_zero_point input_scale kernel_scale"


def pair(value, default):
    """A number for both dimensions, or one for each."""
    if value is None:
        return default
    return (value, value) if isinstance(value, int) else tuple(value)


def window(f, names):
    """Attributes of a window over two dimensions, as TVM calls them."""
    attributes = {name: pair(f.attribute(name, None), default) for name, default in (("strides", (1, 1)), ("padding", (0, 0)), ("dilation", (1, 1)))}
    return attributes | {name: f.attribute(name, default) for name, default in names.items()}


def kernel_shape(operand, layout, f):
    """The window's extents and the features, which Relay's constructor wants in words."""
    extent = dict(zip(layout, operand.shape))
    size = pair(f.attribute("kernel_size", None), (extent["H"], extent["W"]))
    return size, extent


def conv2d(case, backend):
    from tvm import relay

    f = Function(case, backend)
    attributes = window(f, {"groups": 1, "data_layout": "NCHW", "kernel_layout": "OIHW", "out_layout": ""})
    if len(attributes["kernel_layout"]) != len(case.operand("kernel").shape):
        raise Unsupported(f"a kernel of layout {attributes['kernel_layout']} with {len(case.operand('kernel').shape)} dimensions")
    size, extent = kernel_shape(case.operand("kernel"), attributes["kernel_layout"], f)
    channels = f.attribute("channels", None) or extent["O"]
    result = relay.qnn.op.conv2d(f.data("data"), f.data("kernel"), *f.constants(PARAMETERS), kernel_size=size, channels=channels, **attributes, out_dtype=type_of(case.outputs[0].type))
    return f.run(result)


def conv2d_transpose(case, backend):
    from tvm import relay

    f = Function(case, backend)
    attributes = window(f, {"groups": 1, "data_layout": "NCHW", "kernel_layout": "IOHW", "out_layout": ""})
    attributes["output_padding"] = pair(f.attribute("output_padding", None), (0, 0))
    size, extent = kernel_shape(case.operand("weight"), attributes["kernel_layout"], f)
    channels = f.attribute("channels", None) or extent["O"] * attributes["groups"]
    result = relay.qnn.op.conv2d_transpose(f.data("data"), f.data("weight"), *f.constants(PARAMETERS), kernel_size=size, channels=channels, **attributes, out_dtype=type_of(case.outputs[0].type))
    return f.run(result)


def dense(case, backend):
    from tvm import relay

    f = Function(case, backend)
    units = f.attribute("units", None) or case.operand("weight").shape[0]
    return f.run(relay.qnn.op.dense(f.data("data"), f.data("weight"), *f.constants(PARAMETERS), units=units, out_dtype=type_of(case.outputs[0].type)))


def contrib_dense_pack(case, backend):
    from tvm import relay

    f = Function(case, backend)
    layout = f.attribute("weight_layout", "NC32n4c")
    result = relay.qnn.op.contrib_dense_pack(f.data("data"), f.data("weight"), *f.constants(PARAMETERS), kernel_layout=layout, units=f.attribute("units", None), out_dtype=type_of(case.outputs[0].type))
    return f.run(result)


def batch_matmul(case, backend):
    from tvm import relay

    f = Function(case, backend)
    if f.attribute("transpose_a", 0) or not f.attribute("transpose_b", 1):
        raise Unsupported("operands that lie another way")
    return f.run(relay.qnn.op.batch_matmul(f.data("x"), f.data("y"), *f.constants("x_zero_point y_zero_point x_scale y_scale"), out_dtype=type_of(case.outputs[0].type)))


def bias_add(case, backend):
    from tvm import relay

    f = Function(case, backend)
    return f.run(relay.nn.bias_add(f.data("data"), f.data("bias"), axis=f.attribute("axis", 1)))


OPS = {
    "qnn.conv2d": conv2d,
    "qnn.conv2d_transpose": conv2d_transpose,
    "qnn.dense": dense,
    "qnn.contrib_dense_pack": contrib_dense_pack,
    "qnn.batch_matmul": batch_matmul,
    "qnn.bias_add": bias_add,
}
