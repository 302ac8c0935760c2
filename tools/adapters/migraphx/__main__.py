# SPDX-License-Identifier: Apache-2.0
"""The backend `migraphx`: one operator a case, as a program of MIGraphX on its target `ref`, by the Python module that belongs to it."""
import platform
import sys

import exchange_case
import operators
from exchange_case import Unsupported
from graph import Graph


class MIGraphX:
    def __init__(self, options):
        try:
            import migraphx
        except ImportError as error:
            raise ImportError(f"MIGraphX's Python module is not installed: {error}") from error
        self.migraphx, self.commit = migraphx, options["commit"]
        self.migraphx.get_target("ref")  # a build without it says so here

    def describe(self):
        details = {"isa": platform.machine(), "target": "ref", "threads": "1"} | ({"commit": self.commit} if self.commit else {})
        return {"name": "migraphx", "version": self.migraphx.__version__, "profile": "migraphx-ref", "ops": sorted(operators.OPS), "details": details}

    def run(self, case):
        if case.op not in operators.OPS:
            raise Unsupported(f"no {case.op}")
        graph = Graph(self.migraphx)
        try:
            return [graph.run(operators.OPS[case.op](graph, case), case.outputs[0])]
        except RuntimeError as refusal:
            raise Unsupported(_message(str(refusal))) from refusal


def _message(text):
    """What MIGraphX says, without the place in its sources."""
    line = (text.strip().splitlines() or ["refused without a message"])[0]
    return line.split(": ", 1)[-1][:300]


OPTIONS = {"--commit": ("what it was built from, told among the details", "")}
sys.exit(exchange_case.main(OPTIONS, MIGraphX))
