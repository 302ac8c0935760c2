# SPDX-License-Identifier: Apache-2.0
"""The backend `mlir`: TOSA ops and quant casts as MLIR lowers them to machine code on this processor. All cases of a request become one
module, because starting the tools costs more than running a case."""
import platform
import sys

import casts
import elementwise
import exchange_case
import functions
import numpy
import operators
import pools
import programs
import reductions
import runner
from exchange_case import Unsupported
from text import stored

OPS = functions.OPS | pools.OPS | casts.OPS | elementwise.OPS | reductions.OPS | operators.OPS


class Mlir:
    def __init__(self, options):
        self.tools = runner.Tools(options["bin"])
        self.answers = {}

    def describe(self):
        bf16 = exchange_case.processor_has("avx512_bf16")  # the compiler then takes its instruction
        details = {"isa": platform.machine(), "bf16": "rounded by one instruction, which has no subnormals" if bf16 else "rounded by code", "tools": str(self.tools.folder), "layout": "NHWC, as TOSA has it, transposed by the adapter", "pipeline": "tosa-to-linalg, tosa-to-arith, lower-quant-ops, loops, LLVM", "threads": "1"}
        return {"name": "mlir", "version": self.tools.version, "profile": "mlir-22" + ("-avx512-bf16" if bf16 else ""), "ops": sorted(OPS), "details": details}

    def prepare(self, cases):
        """Every case that has a function, in one module; where that fails, none is answered yet."""
        batch = []
        for case_id, group in cases:
            try:
                batch.append((case_id, self._function(exchange_case.Case(group))))
            except Exception:  # told when the case itself is asked
                continue
        try:
            words = runner.run(self.tools, [function for _, function in batch]) if batch else []
            self.answers = {case_id: answer for (case_id, _), answer in zip(batch, words, strict=True)}
        except (Unsupported, RuntimeError):
            self.answers = {}

    def _function(self, case):
        if any(output.data.size == 0 for output in case.outputs):
            raise Unsupported("an empty result")
        if case.op in OPS:
            make, names = OPS[case.op]
            case.name_operands(names.split())
            function = make(case)
        else:
            function = programs.function(case)
        runner.widened(function)
        return function

    def run(self, case):
        function = self._function(case)
        words = self.answers[case.id] if case.id in self.answers else runner.run(self.tools, [function])[0]
        result = stored(words, case.outputs[0]).reshape(function.shape)
        return [numpy.moveaxis(result, -1, 1) if function.channels_second else result]


sys.exit(exchange_case.main({"--bin": ("folder of mlir-opt and mlir-runner", "")}, Mlir))
