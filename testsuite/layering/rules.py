# SPDX-License-Identifier: Apache-2.0
"""Who may use whom, as data: the arrows of docs/design.md."""

NUMBERS = ["interpreter/exact"]
BELOW_MEANING = NUMBERS + ["interpreter/notation", "interpreter/tensor"]
PLACES = BELOW_MEANING + ["interpreter/geometry", "interpreter/movement", "interpreter/structure"]
FORMULA = PLACES + ["interpreter/operations", "interpreter/formula"]
BOUND = FORMULA + ["interpreter/semantics", "interpreter/program", "interpreter/ranges", "interpreter/simd", "interpreter/fast", "interpreter/bind"]
LIBRARY = BOUND + ["interpreter/relay", "interpreter/lite", "interpreter/resolve", "interpreter/stairs", "interpreter/elementwise", "interpreter/evaluate", "interpreter/orders"]
CASES = LIBRARY + ["interpreter/json", "testsuite/exchange", "testsuite/generate", "testsuite/text", "testsuite/compare", "testsuite/case"]
SOURCES = CASES + ["testsuite/arrays", "testsuite/sources"]
CAUSES = CASES + ["testsuite/candidates", "testsuite/causes"]
CHECK = CAUSES + ["testsuite/arrays", "testsuite/sources", "testsuite/backends", "testsuite/check"]
SUITE = CHECK + [
    "testsuite/tflite", "testsuite/golden", "testsuite/layers", "testsuite/examples", "testsuite/diff", "testsuite/identify", "testsuite/survey",
    "testsuite/prove", "testsuite/equal", "testsuite/rules", "testsuite/rewrite", "testsuite/parameters", "testsuite/calibrate", "testsuite/regions", "testsuite/recover",
    "testsuite/quantize", "testsuite/score", "testsuite/reduce", "testsuite/report", "testsuite/statistics", "testsuite/accuracy", "testsuite/export"]

# Folder -> folders whose headers it may include, besides its own and the shared ones. A folder that is not named here may not
# include a project header at all; the longest name that fits counts.
ROOMS = {
    "interpreter": [],
    "interpreter/exact": [],
    "interpreter/json": [],
    "interpreter/notation": NUMBERS,
    "interpreter/tensor": NUMBERS,
    "interpreter/semantics": BELOW_MEANING + ["interpreter/json"],
    "interpreter/program": BELOW_MEANING,
    "interpreter/relay": BELOW_MEANING + ["interpreter/program"],
    "interpreter/lite": BELOW_MEANING + ["interpreter/program"],
    "interpreter/resolve": BELOW_MEANING + ["interpreter/semantics"],
    "interpreter/geometry": BELOW_MEANING,
    "interpreter/movement": BELOW_MEANING + ["interpreter/geometry"],
    "interpreter/structure": PLACES,
    "interpreter/operations": NUMBERS + ["interpreter/notation"],
    "interpreter/formula": FORMULA,
    "interpreter/ranges": FORMULA,
    "interpreter/simd": [],  # plain numbers: what they mean is the caller's
    "interpreter/fast": FORMULA + ["interpreter/ranges", "interpreter/simd"],
    "interpreter/bind": BOUND,
    "interpreter/stairs": BOUND,
    "interpreter/elementwise": BOUND + ["interpreter/stairs"],
    "interpreter/evaluate": BOUND + ["interpreter/elementwise"],
    "interpreter/orders": BOUND + ["interpreter/evaluate"],
    "testsuite/exchange": ["interpreter/tensor"],
    "testsuite/backends": ["interpreter/json", "interpreter/tensor", "testsuite/exchange"],
    "testsuite/arrays": BELOW_MEANING + ["interpreter/json", "interpreter/program", "testsuite/exchange"],
    "testsuite/generate": LIBRARY,
    "testsuite/tflite": ["interpreter/exact", "interpreter/tensor", "interpreter/lite", "interpreter/program"],
    "testsuite/text": BELOW_MEANING + ["interpreter/json"],
    "testsuite/compare": LIBRARY + ["interpreter/json", "testsuite/text"],
    "testsuite/case": CASES + ["testsuite/recover", "testsuite/parameters"],
    "testsuite/sources": CASES + ["testsuite/arrays", "testsuite/backends", "testsuite/recover", "testsuite/parameters"],
    "testsuite/golden": SOURCES,
    "testsuite/candidates": CASES,
    "testsuite/causes": CASES + ["testsuite/candidates"],
    "testsuite/check": CHECK,
    "testsuite/layers": CHECK,
    "testsuite/examples": CHECK,
    "testsuite/diff": CASES + ["testsuite/candidates"],
    "testsuite/identify": CHECK + ["testsuite/diff", "testsuite/layers"],
    "testsuite/survey": CHECK + ["testsuite/identify"],
    "testsuite/prove": LIBRARY,
    "testsuite/equal": CASES + ["testsuite/diff", "testsuite/prove"],
    "testsuite/rules": SOURCES + ["testsuite/equal", "testsuite/backends"],
    "testsuite/rewrite": SOURCES + ["testsuite/equal", "testsuite/rules"],
    "testsuite/parameters": BELOW_MEANING + ["interpreter/json", "interpreter/program"],
    "testsuite/calibrate": SOURCES + ["testsuite/backends", "testsuite/candidates", "testsuite/parameters"],
    "testsuite/regions": BOUND + ["interpreter/evaluate"],
    "testsuite/recover": LIBRARY + ["interpreter/json", "testsuite/text", "testsuite/parameters"],
    "testsuite/quantize": SOURCES + ["testsuite/calibrate", "testsuite/candidates", "testsuite/parameters"],
    "testsuite/statistics": SOURCES + ["testsuite/parameters", "testsuite/report"],
    "testsuite/accuracy": SOURCES + ["testsuite/backends", "testsuite/statistics"],
    "testsuite/export": CHECK + ["testsuite/layers"],
    "testsuite/score": CASES + ["testsuite/candidates", "testsuite/prove"],
    "testsuite/reduce": CHECK + ["testsuite/tflite"],
    "testsuite/report": CHECK,
    "testsuite/oracle": [],  # the second implementation shares nothing with the first
    "testsuite/models": LIBRARY + ["testsuite/generate"],
    "testsuite/unit": SUITE + ["testsuite/oracle", "testsuite/models"],
    "testsuite/unit/node": SUITE + ["tools/adapters"],
    "testsuite/bench": SUITE + ["testsuite/oracle"],
    "testsuite/bench/onnxruntime": SUITE + ["testsuite/bench", "tools/adapters"],
    "testsuite/engines": SUITE,
    "testsuite/fuzz": SUITE + ["tools/tiebreak/line", "testsuite/fuzz"],
    "testsuite/packaging": LIBRARY,
    "tools/tiebreak/line": SUITE,
    "tools/tiebreak": SUITE + ["tools/tiebreak/line"],
    "tools/adapters": SUITE + ["testsuite/oracle"],
}
SHARED_HEADERS = ["interpreter/error.hpp", "interpreter/hint.hpp", "interpreter/large_pages.hpp", "interpreter/sha256.hpp", "interpreter/sha256_blocks.hpp", "interpreter/stop.hpp"]
WITHOUT_SHARED_HEADERS = ["testsuite/oracle"]

# Start of an include -> patterns of the files that may have it, of their own or by a header. A library that is not named here is used
# nowhere.
EVERYWHERE = ["*"]
LIBRARIES = {
    "boost/": ["interpreter/exact/*"],
    "gmp": ["interpreter/exact/*"],
    "mpfr": ["interpreter/exact/*", "testsuite/unit/exact/*", "testsuite/unit/stablehlo/*", "testsuite/unit/helpers/*"],
    "mpfi": ["interpreter/exact/*"],
    "hwy/": ["interpreter/simd/*.cpp"],
    "CLI/": ["tools/tiebreak/line/parse_line.cpp"],
    "hdf5": ["testsuite/exchange/hdf5_file.cpp"],
    "H5": ["testsuite/exchange/hdf5_file.cpp"],
    "zlib.h": ["testsuite/exchange/crc_table.cpp", "testsuite/exchange/compressed_text.cpp", "testsuite/arrays/zip.cpp", "testsuite/unit/exchange/*", "testsuite/unit/arrays/*"],
    "nlohmann/": ["interpreter/json/*.cpp", "testsuite/unit/*", "tools/*.cpp"],
    "onnx/": ["interpreter/program/onnx_*", "testsuite/unit/program/onnx_schemas_test.cpp"],
    "google/protobuf/": ["interpreter/program/onnx_*"],
    "flatbuffers/": ["interpreter/lite/*.cpp", "interpreter/lite/flat_table.hpp", "interpreter/lite/read_parts.hpp", "testsuite/unit/tflite/*"],
    "dnnl": ["tools/adapters/onednn/*", "testsuite/bench/onednn/*"],
    "oneapi/": ["tools/adapters/onednn/*", "testsuite/bench/onednn/*"],
    "armnn/": ["tools/adapters/armnn/*"],
    "cpuinfo.h": ["tools/adapters/xnnpack/*"],
    "opencv2/": ["tools/adapters/opencv/*"],
    "public/gemmlowp.h": ["tools/adapters/gemmlowp/*"],
    "xnnpack.h": ["tools/adapters/xnnpack/*", "testsuite/bench/xnnpack/*"],
    "arm_nn": ["tools/adapters/cmsis-nn/*"],
    "gtest/": ["testsuite/unit/*"],
    "gmock/": ["testsuite/unit/*"],
    "benchmark/": ["testsuite/bench/*"],
    "fmt/": EVERYWHERE,
    "tl/": EVERYWHERE,
}
# Headers of the C library and the system, which have a dot or a slash in their names as libraries have.
SYSTEM = {"dlfcn.h", "fcntl.h", "poll.h", "pthread.h", "signal.h", "spawn.h", "termios.h", "unistd.h", "cpuid.h", "immintrin.h", "malloc.h", "cxxabi.h"}
SYSTEM_FOLDERS = ("sys/", "linux/")

# The rounding mode and the locale are nobody's to change.
FORBIDDEN_CALLS = ["fesetround", "setlocale", "std::locale::global"]

LONGEST_FILE = 400
FULLEST_FOLDER = 40  # files of its own
FIRST_LINE = "// SPDX-License-Identifier: Apache-2.0"
