# SPDX-License-Identifier: Apache-2.0
"""What an adapter in Python needs (docs/adding-a-backend.md): the module `exchange_case`, which is installed with the command for adapters of every kind, under
this name, and `serve`, with which a backend is a function for each op:

    import numpy
    from tiebreak.adapter import serve

    def relu(case):
        return numpy.maximum(case.operand("X").plain("f32"), 0)

    serve("mine", numpy.__version__, {"onnx.Relu": relu})
"""
import importlib.util
import pathlib
import sys

from .errors import Error
from .running import PACKAGE, find_command


def _folders():
    """Where exchange_case.py may lie: beside this package in a build folder, in an installation's libexec, around the command."""
    yield PACKAGE.parent
    yield from (above / "libexec/tiebreak/python" for above in PACKAGE.parents[3:4])
    beside = pathlib.Path(find_command()).resolve().parent
    yield from (beside / "python", beside.parent / "libexec/tiebreak/python")


def _load():
    """The one module, which an adapter that imports `exchange_case` has, too: its exceptions are the same classes."""
    name = "exchange_case"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.find_spec(name)  # an adapter that the command started has its folder on PYTHONPATH
    if found is None:
        path = next((folder / "exchange_case.py" for folder in _folders() if (folder / "exchange_case.py").is_file()), None)
        if path is None:
            raise Error("exchange_case.py, which is installed with the command, is not found")
        found = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


_shared = _load()
Case, Operand, Unsupported, Undefined, main, processor_has = (
    _shared.Case, _shared.Operand, _shared.Unsupported, _shared.Undefined, _shared.main, _shared.processor_has)


class _Functions:
    def __init__(self, description, functions):
        self.description, self.functions = description, functions

    def describe(self):
        return self.description

    def run(self, case):
        if case.op not in self.functions:
            raise Unsupported(f"no {case.op}")
        results = self.functions[case.op](case)
        return list(results) if isinstance(results, (list, tuple)) else [results]


def serve(name, version, functions, profile=None, details=None):
    """Answers the command line and ends the process. `functions` has a function of a Case for each op, which gives the result, or a list of results, and raises
    Unsupported with a reason for what the backend does not do. `profile`: whose semantics it declares; `details`: texts that a result may depend on. A result is
    converted to the type that is asked for, as numpy.asarray does it."""
    description = {"name": name, "version": version, "ops": sorted(functions)}
    description |= ({"profile": profile} if profile else {}) | ({"details": details} if details else {})
    sys.exit(main({}, lambda options: _Functions(description, functions)))
