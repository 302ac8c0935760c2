# SPDX-License-Identifier: Apache-2.0
"""The backend `ggml`: the block formats of llama.cpp, by the library's own row functions. Its formats take their scale from the data, so that
a case with a given scale becomes blocks that have just this scale (blocks.py). Products take blocks as they are (products.py)."""
import ctypes
import os
import pathlib
import sys

import blocks
import exchange_case
import formats
import products
from exchange_case import Unsupported

PACKAGE = "node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"
REFERENCE = "reference"
PLAIN = "x64"  # the variant without vector kernels, which has the generic products
# What a variant follows: by kernels for AVX2, for AVX with and without fused multiply-add, for SSE, or by plain loops.
PROFILES = {
    REFERENCE: "ggml-reference",
    PLAIN: "ggml-reference",
    "sse42": "ggml-sse42",
    "sandybridge": "ggml-avx",
    "ivybridge": "ggml-avx",
    "piledriver": "ggml-avx-fma",
}


class InitParameters(ctypes.Structure):
    _fields_ = [("memory_size", ctypes.c_size_t), ("memory", ctypes.c_void_p), ("no_allocation", ctypes.c_bool)]


def library_folder(given):
    """--library, $TIEBREAK_GGML, or the npm package beside the adapter, one folder up, or in build/."""
    beside = pathlib.Path(sys.argv[0]).resolve().parent
    places = [given] if given else [os.environ.get("TIEBREAK_GGML", ""), beside / PACKAGE, beside.parent / PACKAGE, pathlib.Path("build") / PACKAGE]
    for place in places:
        if str(place) and (pathlib.Path(place) / "libggml-base.so").exists():
            return pathlib.Path(place)
    raise OSError("no libggml-base.so: tools/setup-backends ggml, or --library FOLDER")


class Ggml:
    def __init__(self, options):
        self.folder, self.variant = library_folder(options["library"]), options["variant"]
        self.base = ctypes.CDLL(str(self.folder / "libggml-base.so"), mode=ctypes.RTLD_GLOBAL)
        self.base.ggml_version.restype = ctypes.c_char_p
        self.base.ggml_init(InitParameters(1 << 20, None, False))
        self.rows = self.base
        if self.variant != REFERENCE:
            self.rows = self.kernels(self.variant)
        self.products = self.kernels(PLAIN) if self.variant == REFERENCE else self.rows

    def kernels(self, variant):
        path = self.folder / f"libggml-cpu-{variant}.so"
        if not path.exists():
            known = sorted(found.stem.removeprefix("libggml-cpu-") for found in self.folder.glob("libggml-cpu-*.so"))
            raise ValueError(f"no variant '{variant}': {REFERENCE}, {', '.join(known)}")
        library = ctypes.CDLL(str(path))
        if library.ggml_backend_score() == 0:
            raise OSError(f"this processor cannot run the variant {variant}")
        library.ggml_cpu_init()
        return library

    def describe(self):
        profile = PROFILES.get(self.variant, "ggml-x86")
        details = {"variant": self.variant, "package": self.folder.as_posix(), "layout": "rows of blocks of 32", "mapping": "a case's scale is met by a block whose extreme element gives it"}
        return {"name": "ggml", "version": self.base.ggml_version().decode(), "profile": profile, "ops": sorted(OPS), "details": details}

    def quantize_row(self, format_name, x, block_bytes, block=blocks.BLOCK):
        """Floats in whole blocks to the format's bytes."""
        name = f"quantize_row_{format_name}" + ("_ref" if self.variant == REFERENCE else "")
        result = (ctypes.c_uint8 * (x.size // block * block_bytes))()
        getattr(self.rows, name)(x.ctypes.data_as(ctypes.c_void_p), result, ctypes.c_int64(x.size))
        return blocks.as_rows(result, block_bytes)

    def dequantize_row(self, format_name, rows, block=blocks.BLOCK):
        result = (ctypes.c_float * (rows.shape[0] * block))()
        getattr(self.base, f"dequantize_row_{format_name}")(rows.ctypes.data_as(ctypes.c_void_p), result, ctypes.c_int64(len(result)))
        return blocks.as_floats(result)

    def product_of(self, formats):
        """The product of two rows: n, result, its stride, w and its stride, x and its stride, how many rows."""
        function = getattr(self.products, f"ggml_vec_dot_{formats}" + ("_generic" if self.variant == REFERENCE else ""))
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        function.argtypes, function.restype = [ctypes.c_int, pointer, size, pointer, size, pointer, size, ctypes.c_int], None
        return function

    def run(self, case):
        if case.op not in OPS:
            raise Unsupported(f"no row function behind {case.op}")
        function, names = OPS[case.op]
        if names:
            case.name_operands(names.split())
        return function(self, case)


OPS = {
    "quant.quantize": (blocks.quantize, "x scale zero_point magnitude"),
    "quant.dequantize": (blocks.dequantize, "code scale zero_point minimum"),
    "quant.mx": (blocks.mx, "x"),
    "quant.block_dot": (products.block_dot, "x w x_scale w_scale w_zero_point w_minimum x_sum"),
} | {name: (function, "") for name, function in formats.OPS.items()}
OPTIONS = {
    "--library": ("folder of libggml-base.so", ""),
    "--variant": ("reference, or the kernels of one processor family: haswell, zen4 ...", REFERENCE),
}
sys.exit(exchange_case.main(OPTIONS, Ggml))
