# SPDX-License-Identifier: Apache-2.0
"""Operators of Relay over windows and whole images: pools along one to three axes, and other numbers of rows and columns."""
from contractions import pair
from exchange_case import Unsupported
from function import Function, type_of
from plain import relay, truth


def as_many(value, number, default):
    """A number for every dimension, or one for each."""
    return (default if value is None else value,) * number if value is None or isinstance(value, int) else tuple(value)


def pool(name, dimensions, averages=False):
    def run(case, backend):
        f = Function(case, backend)
        if f.attribute("pool_size", None) is None:
            raise Unsupported("a window without a size")
        attributes = {word: as_many(f.attribute(word, None), dimensions, default) for word, default in (("pool_size", None), ("strides", 1), ("dilation", 1))}
        padding = f.attribute("padding", None)
        attributes["padding"] = (0,) * dimensions if padding is None else (padding,) if isinstance(padding, int) else tuple(padding)
        layout = f.attribute("layout", {1: "NCW", 2: "NCHW", 3: "NCDHW"}[dimensions])
        more = {"count_include_pad": truth(f, "count_include_pad", 0)} if averages else {}
        result = getattr(relay().nn, name)(f.data("data"), **attributes, layout=layout, out_layout=f.attribute("out_layout", ""), ceil_mode=truth(f, "ceil_mode", 0), **more)
        return f.run(result)

    return run


def global_pool(name):
    def run(case, backend):
        f = Function(case, backend)
        return f.run(getattr(relay().nn, name)(f.data("data"), layout=f.attribute("layout", "NCHW"), out_layout=f.attribute("out_layout", "")))

    return run


def adaptive_avg_pool1d(case, backend):
    f = Function(case, backend)
    size = f.attribute("output_size", None)
    words = {"layout": f.attribute("layout", "NCW"), "out_layout": f.attribute("out_layout", "")}
    return f.run(relay().nn.adaptive_avg_pool1d(f.data("data"), (size,) if isinstance(size, int) else size, **words))


def resize2d(case, backend):
    f = Function(case, backend)
    words = {name: f.attribute(name, default) for name, default in (("layout", "NCHW"), ("method", "linear"), ("coordinate_transformation_mode", "half_pixel"), ("rounding_method", "round"))}
    wanted = f.attribute("out_dtype", None)
    return f.run(relay().image.resize2d(f.data("data"), size=pair(f.attribute("size", None), None), roi=f.attribute("roi", None), **words, out_dtype=type_of(wanted) if wanted else None))


IMAGES = {f"nn.max_pool{n}d": pool(f"max_pool{n}d", n) for n in (1, 2, 3)}
IMAGES |= {f"nn.avg_pool{n}d": pool(f"avg_pool{n}d", n, averages=True) for n in (1, 2, 3)}
IMAGES |= {"nn." + name: global_pool(name) for name in ("global_avg_pool2d", "global_max_pool2d")}
IMAGES |= {"nn.adaptive_avg_pool1d": adaptive_avg_pool1d, "image.resize2d": resize2d}
OPS = {"relay." + name: run for name, run in IMAGES.items()}
