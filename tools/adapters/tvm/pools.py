# SPDX-License-Identifier: Apache-2.0
"""Windows, rows and images of codes: QNN's average pool, and the integer operations of Relay that stand between its operators."""
from contractions import pair, window
from exchange_case import Unsupported
from function import Function

PARAMETERS = "input_scale input_zero_point output_scale output_zero_point"


def pool_attributes(f, case):
    attributes = window(f, {"layout": "NCHW", "out_layout": ""}) | {"ceil_mode": bool(f.attribute("ceil_mode", 0))}
    attributes["pool_size"] = pair(f.attribute("pool_size", None), None)
    if attributes["pool_size"] is None:
        raise Unsupported("a window without a size")
    return attributes


def avg_pool2d(case, backend):
    from tvm import relay

    f = Function(case, backend)
    attributes = pool_attributes(f, case) | {"count_include_pad": bool(f.attribute("count_include_pad", 0))}
    size, strides, padding, dilation = (attributes.pop(name) for name in ("pool_size", "strides", "padding", "dilation"))
    return f.run(relay.qnn.op.avg_pool2d(f.data("data"), *f.constants(PARAMETERS), size, strides, padding, dilation, **attributes))


def max_pool2d(case, backend):
    from tvm import relay

    f = Function(case, backend)
    return f.run(relay.nn.max_pool2d(f.data("data"), **pool_attributes(f, case)))


def global_max_pool2d(case, backend):
    from tvm import relay

    f = Function(case, backend)
    return f.run(relay.nn.global_max_pool2d(f.data("data"), layout=f.attribute("layout", "NCHW"), out_layout=f.attribute("out_layout", "")))


def resize2d(case, backend):
    from tvm import relay

    f = Function(case, backend)
    words = {name: f.attribute(name, default) for name, default in (("layout", "NCHW"), ("method", "nearest_neighbor"), ("coordinate_transformation_mode", "half_pixel"), ("rounding_method", ""))}
    return f.run(relay.image.resize2d(f.data("data"), size=pair(f.attribute("size", None), None), **words))


OPS = {
    "qnn.avg_pool2d": avg_pool2d,
    "qnn.max_pool2d": max_pool2d,
    "qnn.global_max_pool2d": global_max_pool2d,
    "qnn.resize2d": resize2d,
}
