# SPDX-License-Identifier: Apache-2.0
"""The backend `tosa_reference_model`: the program of that name that belongs to the specification of TOSA, for people who have built it."""
import platform
import sys

import exchange_case
from graph import Graph
from model import Model
from operators import OPS


class ReferenceModel:
    def __init__(self, options):
        self.model = Model(options["model"], options["schema"])
        self.commit = options["commit"]

    def describe(self):
        details = {"isa": platform.machine(), "floats": "in the types of the graph", "layout": "NHWC, as TOSA has it", "program": str(self.model.program), "threads": "1"}
        details |= {"commit": self.commit} if self.commit else {}
        return {"name": "tosa_reference_model", "version": self.model.version, "profile": "tosa-reference-model", "ops": sorted(OPS), "details": details}

    def run(self, case):
        return self.model.run(Graph(case))


OPTIONS = {
    "--model": ("the program (default: tosa_reference_model on PATH)", ""),
    "--schema": ("the tosa.fbs that it was built with (default: beside the program)", ""),
    "--commit": ("what it was built from, told among the details", ""),
}
sys.exit(exchange_case.main(OPTIONS, ReferenceModel))
