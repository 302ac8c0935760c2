# SPDX-License-Identifier: Apache-2.0
"""The backend `tvm`: one operator a case, as a Relay function that TVM compiles with LLVM and the graph executor runs, on one thread."""
import os
import re
import sys

import codes
import contractions
import exchange_case
import images
import legacy
import legacy_moved
import moved
import passed
import plain
import pools
import rewritten
from exchange_case import Unsupported

OPS = codes.OPS | contractions.OPS | pools.OPS | passed.OPS | legacy.OPS | legacy_moved.OPS | plain.OPS | moved.OPS | images.OPS
WORDS = {"form": ("canonical", "legalized"), "inputs": ("arguments", "constants"), "rounding": ("UPWARD", "TONEAREST"), "compute": ("target", "int64", "float32", "float64")}
WORDS |= {"pass": ("fq2i", "none"), "clip": ("none", "fq2i")}


class TVM:
    def __init__(self, options):
        os.environ.setdefault("TVM_NUM_THREADS", "1")
        os.environ.setdefault("TOPHUB_LOCATION", "NONE")  # no schedules from the network
        try:
            import tvm
            from tvm import relay  # gone since 0.20
        except ImportError as error:
            raise ImportError(f"TVM with Relay (up to 0.19) is not installed: {error}") from error
        self.options = options
        for name, words in WORDS.items():
            if options[name] not in words:
                raise ValueError(f"{name} '{options[name]}': {' or '.join(words)}")
        options["level"] = int(options["level"])
        self.tvm, self.relay = tvm, relay
        self.target = tvm.target.Target(options["target"])
        self.diagnostics = []
        # The text of what the type checker refuses goes to a renderer alone, not into the exception.
        told = lambda context: self.diagnostics.extend(str(diagnostic.message) for diagnostic in context.diagnostics)
        tvm.ir.diagnostics.override_renderer(told)

    def describe(self):
        from tvm.support import libinfo

        details = {name: str(value) for name, value in self.options.items() if name != "target"}
        details |= {"target": str(self.target), "isa": " ".join(self.features()), "threads": "1", "llvm": str(libinfo().get("LLVM_VERSION", "")), "executor": "graph"}
        return {"name": "tvm", "version": self.tvm.__version__, "profile": self.profile(), "ops": sorted(OPS), "details": details}

    def features(self):
        """What the target has of the features on which arithmetic depends."""
        from tvm.target.x86 import target_has_features

        return [feature for feature in ("sse4.1", "fma", "avx512vnni") if target_has_features(feature, self.target)]

    def compute(self):
        if self.options["compute"] != "target":
            return self.options["compute"]
        return "float32" if "sse4.1" in self.features() else "int64"

    def profile(self):
        if self.options["clip"] == "fq2i":  # the one profile that has its bounds; requantization is as by default
            return "tvm-0.18-fq2i"
        words = [self.compute().replace("float", "f"), self.options["rounding"].lower()]
        return "-".join(["tvm-0.18"] + words + ([] if "sse4.1" in self.features() else ["emulated"]))

    def takes_program(self, case_id):
        return case_id.startswith(rewritten.PREFIX)

    def run(self, case):
        of_a_rule = self.takes_program(case.id)
        if not of_a_rule and case.op not in OPS:
            raise Unsupported(f"no {case.op}")
        if case.tensor_attributes:
            raise Unsupported("attributes that are tensors")
        self.diagnostics.clear()
        try:
            return rewritten.answer(case, self) if of_a_rule else OPS[case.op](case, self)
        except (self.tvm.TVMError, TypeError, AttributeError, AssertionError) as refusal:  # TVM's own checks, in C++ and in Python
            raise Unsupported(_message("\n".join(self.diagnostics) or str(refusal))) from refusal


def _message(text):
    """The line of a TVM error that says what is wrong, without the stack and the paths of whoever built it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    checks = [line for line in lines if re.search(r"Check failed|InternalError|TVMError|error:|Error:", line)]
    line = (checks or lines or ["refused without a message"])[-1]
    return re.sub(r"File \"[^\"]*/([^/\"]+)\", line \d+", r"\1", line)[:300]


OPTIONS = {
    "--target": ("the target, as TVM writes it", "llvm"),
    "--rounding": ("of requantization where the op says nothing: UPWARD or TONEAREST", "UPWARD"),
    "--compute": ("of requantization where the op says nothing: int64, float32, float64, or what the target gets", "target"),
    "--form": ("canonical: ops of QNN as their canonical form; legalized: as the target's legalization wants them first", "canonical"),
    "--inputs": ("arguments, or constants that the compiler folds", "arguments"),
    "--pass": ("on the graphs of rules: fq2i, FakeQuantizationToInteger; or none", "fq2i"),
    "--clip": ("qnn.clip, which is no operator of QNN: none, or as FakeQuantizationToInteger makes it: fq2i", "none"),
    "--level": ("TVM's optimization level: 0: each operation of the canonical form is a kernel of its own; 2: what relay.build takes", "0"),
}
sys.exit(exchange_case.main(OPTIONS, TVM))
