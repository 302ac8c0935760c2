# SPDX-License-Identifier: Apache-2.0
"""mlir-opt and the runner: functions become one module, the module machine code, and what its main prints the answers."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from exchange_case import Unsupported
from text import WIDTHS, constant, tensor_type, type_of

PIPELINE = (
    "builtin.module(func.func(lower-quant-ops,tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor),"
    "canonicalize,func.func(convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries},"
    "func.func(linalg-generalize-named-ops,convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,"
    "func.func(arith-expand),convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,finalize-memref-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
PRINTED = (32, 64)  # bits of integers that the runner's library prints
OLDEST = 20  # parameters of TOSA as operands, and lower-quant-ops


class Tools:
    """The two programs and the runner's libraries, of one LLVM version."""

    def __init__(self, folder):
        candidates = [pathlib.Path(folder)] if folder else sorted(pathlib.Path("/usr/lib").glob("llvm-*/bin"), key=_version_number, reverse=True)
        candidates += [pathlib.Path(found).resolve().parent for found in [shutil.which("mlir-opt")] if found and not folder]
        for candidate in candidates:
            if (candidate / "mlir-opt").exists() and (candidate / "mlir-runner").exists():
                self.folder = candidate
                break
        else:
            raise OSError("no mlir-opt with mlir-runner in /usr/lib/llvm-*/bin or on PATH: tools/setup-backends mlir")
        text = subprocess.run([self.folder / "mlir-opt", "--version"], capture_output=True, text=True, check=True).stdout
        self.version = re.search(r"version (\S+)", text).group(1)
        if int(self.version.split(".")[0]) < OLDEST:
            raise OSError(f"{self.folder}/mlir-opt is of LLVM {self.version}: {OLDEST} or later is needed")
        self.libraries = [self._library(name) for name in ("libmlir_runner_utils.so", "libmlir_c_runner_utils.so")]

    def _library(self, name):
        found = sorted((self.folder.parent / "lib").glob(name + "*"))
        if not found:
            raise OSError(f"no {name} in {self.folder.parent}/lib")
        return str(found[0])


def _version_number(folder):
    return int(re.search(r"llvm-(\d+)", str(folder)).group(1))


def widened(function):
    """The lines that bring a result to integers of 32 or 64 bits, which print without loss, and the type of these."""
    width = 32 if function.element == "f32" else WIDTHS[function.element]
    if width not in PRINTED and width > min(PRINTED):
        raise Unsupported(f"a result of type {function.element}")
    lines, value = [], "%r"
    plain = tensor_type(function.shape, f"i{width}")
    if function.element in ("f16", "bf16", "f32"):
        lines.append(f"%b = arith.bitcast {value} : {tensor_type(function.shape, function.element)} to {plain}")
        value = "%b"
    if width < 32:
        lines.append(f"%w = arith.extui {value} : {plain} to {tensor_type(function.shape, 'i32')}")
        value = "%w"
    return lines, value, f"i{max(width, 32)}"


def caller(function, index):
    """A function that makes the arguments, calls and prints."""
    lines = [f"%x{i} = arith.constant {constant(data, word)}" for i, (data, word) in enumerate(function.arguments)]
    types = ", ".join(tensor_type(data.shape, type_of(word)) for data, word in function.arguments)
    names = ", ".join(f"%x{i}" for i in range(len(function.arguments)))
    lines.append(f"%r = call @case{index}({names}) : ({types}) -> {tensor_type(function.shape, function.element)}")
    more, value, word = widened(function)
    wide = tensor_type(function.shape, word)
    lines += [*more, f"%u = tensor.cast {value} : {wide} to tensor<*x{word}>", f"call @printMemref{word.upper()}(%u) : (tensor<*x{word}>) -> ()", "return"]
    return f"func.func @call{index}() {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def module(functions):
    text = "".join(f"func.func private @printMemrefI{width}(tensor<*xi{width}>)\n" for width in PRINTED)
    for index, function in enumerate(functions):
        text += function.text(f"case{index}") + caller(function, index)
    calls = "".join(f"  call @call{index}() : () -> ()\n" for index in range(len(functions)))
    return text + "func.func @main() {\n" + calls + "  return\n}\n"


def run(tools, functions):
    """The printed words of each function, in order. A refusal of mlir-opt is Unsupported, any other end an error."""
    with tempfile.TemporaryDirectory() as folder:
        source, lowered = os.path.join(folder, "cases.mlir"), os.path.join(folder, "lowered.mlir")
        with open(source, "w", encoding="ascii") as file:
            file.write(module(functions))
        opt = subprocess.run([tools.folder / "mlir-opt", source, f"--pass-pipeline={PIPELINE}", "-o", lowered], capture_output=True, text=True, check=False)
        if opt.returncode != 0:
            message = next((line for line in opt.stderr.splitlines() if "error: " in line), opt.stderr[-300:])
            raise Unsupported("mlir-opt: " + message.split("error: ")[-1])
        words = [tools.folder / "mlir-runner", lowered, "-e", "main", "--entry-point-result=void", "--shared-libs=" + ",".join(tools.libraries)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise RuntimeError(f"mlir-runner ended with {ran.returncode}: {ran.stderr[-300:]}")
    printed = ran.stdout.split("Unranked Memref")[1:]
    if len(printed) != len(functions):
        raise RuntimeError(f"mlir-runner printed {len(printed)} tensors of {len(functions)}")
    return [[int(word) for word in re.findall(r"-?\d+", part.split("data =", 1)[1])] for part in printed]
