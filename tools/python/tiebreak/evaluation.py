# SPDX-License-Identifier: Apache-2.0
"""Outputs of an op, of a program or of cases, as the command computes them: `tiebreak eval`."""
import pathlib
import tempfile
import warnings

import numpy

from . import element_types
from .case_text import case_text, named, without_path
from .errors import Error
from .parameters import parse_quantized
from .running import fault, parse_json, run, run_json
from .tensors import Tensor, split_type


def _output(written):
    shape, text = split_type(written["type"])
    values = written["values"]
    parameters = parse_quantized(text, shape) if text.startswith("!") else None
    word = parameters.storage if parameters else element_types.element_word(text)
    text = text if parameters else word
    undefined = numpy.array([value == "undefined" for value in values], dtype=bool).reshape(shape)
    return Tensor(element_types.codes_of(values, word).reshape(shape), text, written["name"], parameters=parameters, undefined=undefined if undefined.any() else None)


def _outputs(data, depth):
    """By case, in order: the outputs. `depth`: of the user's call, for a warning."""
    if data.get("not_declared"):
        warnings.warn(f"profile {data['profile']} says nothing of {', '.join(data['not_declared'])}: what is computed is the page's own reading", stacklevel=depth)
    found = {}
    for case in data["cases"]:
        if "error" in case:
            found[case["id"]] = Error(case["error"])
        else:
            found[case["id"]] = [_output(written) for written in case["outputs"]]
    return found


def _evaluated(op, operands, profile, inputs, attributes, results, version, program, timeout):
    text = case_text(op, named(op, operands, inputs), attributes, results, version, program)
    with tempfile.TemporaryDirectory(prefix="tiebreak-") as folder:
        path = pathlib.Path(folder) / "case.json"
        path.write_text(text, encoding="utf-8")
        words = ["eval", path, "--profile", profile, "--json"]
        code, output, errors = run(words, timeout)
    if code != 0:
        raise fault(code, without_path(errors, path), words)
    return next(iter(_outputs(parse_json(output, "tiebreak.eval/1", words), 4).values()))


def eval_tensors(op="", *operands, profile="reference", inputs=None, attributes=None, results=(), version=None, program="", timeout=None):
    """The outputs as a list of Tensor: codes, the text of the type, what is undefined. Arguments and errors as `eval`."""
    return _evaluated(op, operands, profile, inputs, attributes, results, version, program, timeout)


def eval(op="", *operands, profile="reference", inputs=None, attributes=None, results=(), version=None, program="", timeout=None):  # noqa: A001
    """What an op must compute, exactly: an array, or a tuple of arrays where it has several results.

    op          page path: "onnx.QuantizeLinear"
    operands    by place, as the page has them; None for one that is left out, a list for a variadic one. Each is a numpy array or number, whose dtype is its type, or
                a Tensor for a type that numpy lacks. A bare Python number has no type and is an Error
    inputs      by name, beside or instead of operands
    profile     whose semantics: "onnx", "onnxruntime-x64", "onnx:tie=away", or the path of a profile; "reference" is the text's own reading
    attributes  by name: numbers, texts, lists, arrays; a numpy dtype or ElementType is an element type
    results     types of results that the op leaves open: "tensor<2xi8>"
    version     opset or dialect version; None is the newest
    program     MLIR text instead of an op, with `inputs` by the names of its arguments
    timeout     seconds, None for no limit

    An array holds codes as Tensor.codes does: floats that numpy lacks come as their bits in uint8 or uint16, i4 in int8; `eval_tensors` gives the type's text beside.
    Where elements are undefined the array is a masked array. Error with the command's words: an unknown op or profile, shapes and types that do not fit, a constraint of
    the op, a time limit.
    """
    outputs = _evaluated(op, operands, profile, inputs, attributes, results, version, program, timeout)
    arrays = [output.array() for output in outputs]
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def eval_cases(*sources, profile="reference", timeout=None):
    """The outputs of cases: ids or globs of ids, case files, golden files, pages, programs (docs/command.md has the sources). By id, a list of Tensor; where a case is
    ill-formed on purpose, an Error with the constraint."""
    return _outputs(run_json(["eval", *sources, "--profile", profile, "--json"], "tiebreak.eval/1", timeout), 3)
