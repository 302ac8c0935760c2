# SPDX-License-Identifier: Apache-2.0
"""The backend `pytorch`: quantized tensors and quantized:: ops of PyTorch, one op a case, on one thread. The engine (qnnpack, onednn, fbgemm
or none) chooses the kernels of contractions, and whether codes are saturated by them; `cuda` in its place is the GPU, where conversions alone
have kernels. (The engine x86 is fbgemm or onednn, by rules of its own.)"""
import os
import pickle
import sys

import contractions
import conversions
import elementwise
import exchange_case
import torch_contractions
import torch_elementwise
import torch_rows
from exchange_case import Unsupported

OPS = elementwise.OPS | conversions.OPS | contractions.OPS | torch_contractions.OPS | torch_elementwise.OPS | torch_rows.OPS
PROFILES = {"qnnpack": "pytorch-qnnpack", "onednn": "pytorch-onednn", "none": "pytorch-scalar", "fbgemm": "pytorch-fbgemm", "cuda": "pytorch-cuda"}


def in_a_child(function):
    """What `function` returns or raises, from a process that has run nothing before: the library keeps state from call to call."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            result = ("result", function())
        except Exception as error:
            result = ("refusal" if isinstance(error, Unsupported) else "error", str(error))
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    if not data or status != 0:
        raise RuntimeError(f"the library ended with status {status}")
    kind, value = pickle.loads(data)
    if kind == "result":
        return value
    raise Unsupported(value) if kind == "refusal" else ValueError(value)


class PyTorch:
    def __init__(self, options):
        self.isa = options["isa"]
        if self.isa:
            os.environ["ONEDNN_MAX_CPU_ISA"] = self.isa  # read when the library begins
        try:
            import torch
        except ImportError as error:
            raise ImportError(f"PyTorch is not installed ({error}): tools/setup-backends pytorch") from error
        self.engine = options["engine"]
        self.state = options["state"]
        if self.state not in ("fresh", "kept"):
            raise ValueError(f"state '{self.state}': fresh or kept")
        engines = [engine for engine in torch.backends.quantized.supported_engines if engine in PROFILES] + (["cuda"] if torch.cuda.is_available() else [])
        if self.engine not in engines:
            raise ValueError(f"engine '{self.engine}': this PyTorch has {', '.join(engines)}")
        torch.set_num_threads(1)
        if self.engine != "cuda":
            torch.backends.quantized.engine = self.engine
        self.torch = torch

    def describe(self):
        details = {"engine": self.engine, "state": self.state, "isa": self.capability(), "isa of onednn": self.isa or "the processor's", "layout": "NCHW, contiguous", "threads": "1", "mkldnn": _library_line(self.torch)}
        if self.engine == "cuda":
            details = {"engine": self.engine, "state": self.state, "device": self.torch.cuda.get_device_name(), "cuda": self.torch.version.cuda}
        return {"name": "pytorch", "version": self.torch.__version__, "profile": self.profile(), "ops": self.ops(), "details": details}

    def ops(self):
        if self.engine == "cuda":
            return sorted(elementwise.ON_CUDA | conversions.OPS.keys())
        left_out = torch_contractions.BY_ENGINE if self.engine == "none" else {"quant.dynamic", "torch.dynamic_codes"}
        return sorted(OPS.keys() - left_out)

    def capability(self):
        return " ".join(line.strip("- ").split(": ")[-1] for line in self.torch.__config__.show().splitlines() if "CPU capability" in line)

    def profile(self):
        if self.engine == "none" and self.capability() == "AVX512":  # ATEN_CPU_CAPABILITY=avx512: wider vectors
            return PROFILES[self.engine] + "-avx512"
        # Without VNNI oneDNN and FBGEMM add pairs of products in int16.
        if self.engine not in ("onednn", "fbgemm") or (exchange_case.processor_has("avx512_vnni") and self.isa in ("", "AVX512_CORE_VNNI")):
            return PROFILES[self.engine]
        wide = self.engine == "onednn" and exchange_case.processor_has("avx512bw") and self.isa in ("", "AVX512_CORE", "AVX512_CORE_VNNI")
        return PROFILES[self.engine] + ("-avx512" if wide else "-avx2")

    def run(self, case):
        if case.op not in self.ops():
            raise Unsupported(f"no kernel behind {case.op}")
        if case.tensor_attributes:
            raise Unsupported("attributes that are tensors")
        function, names = OPS[case.op]
        if names is not None:  # else any number of operands, in the program's order
            case.name_operands(names.split())
        # What is refused here needs no process: a process costs more than most calls.
        call = _refusals_told(lambda: function(case, self.engine))
        return in_a_child(lambda: _refusals_told(call)) if self.state == "fresh" else _refusals_told(call)


def _refusals_told(call):
    try:
        return call()
    except RuntimeError as refusal:  # the library's own checks
        raise Unsupported((str(refusal).splitlines() or ["refused without a message"])[0]) from refusal


def _library_line(torch):
    lines = [line.strip("- ") for line in torch.__config__.show().splitlines() if "MKL-DNN" in line]
    return lines[0] if lines else "absent"


OPTIONS = {
    "--engine": ("qnnpack, onednn, fbgemm or none: which kernels run; cuda: those of the GPU", "qnnpack"),
    "--isa": ("of the engine onednn: the highest instruction set, as ONEDNN_MAX_CPU_ISA has it: AVX512_CORE_VNNI, AVX512_CORE or AVX2; without it the processor's", ""),
    "--state": ("fresh: each case in a process of its own; kept: all in one", "fresh"),
}
sys.exit(exchange_case.main(OPTIONS, PyTorch))
