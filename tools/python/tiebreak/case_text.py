# SPDX-License-Identifier: Apache-2.0
"""A call of an op, or a program with its inputs, as a case file (docs/cases.md), and what the op calls its operands."""
import functools
import json
import math
import os
import re
from dataclasses import dataclass
from fractions import Fraction

import numpy

from . import element_types
from .errors import Error
from .running import find_command, run_json
from .tensors import Tensor


@dataclass(frozen=True)
class ElementType:
    """An element type as the value of an attribute: ElementType("bf16"). A numpy dtype is one, too."""
    word: str

    def __post_init__(self):
        object.__setattr__(self, "word", element_types.element_word(self.word))


@functools.cache
def _operand_names(command, spec, op):
    """`command` and `spec` (the folders of pages) are what the answer depends on."""
    del command, spec
    shown = run_json(["spec", "show", op, "--profile", "reference", "--json"], "tiebreak.resolved/1")
    header = next(line["text"] for line in shown["views"][0]["lines"] if line["kind"] == "header")
    inside, depth = header[header.index("(") + 1:], 0
    names, part = [], ""
    for letter in inside:
        if depth == 0 and letter in ",)":
            names.append(part.partition(":")[0].strip())
            part = ""
            if letter == ")":
                break
            continue
        depth += (letter in "([{") - (letter in ")]}")
        part += letter
    return tuple(filter(None, names))


def operand_names(op):
    """Names of an op's operands, in the order of its page. Error for an op that no page has."""
    return _operand_names(find_command(), os.environ.get("TIEBREAK_SPEC", ""), op)


def named(op, operands, inputs):
    """Inputs by name: those given by place, then those given by name."""
    result = {}
    if operands:
        if not op:
            raise Error("the inputs of a program are given by name: inputs={...}")
        names = operand_names(op)
        if len(operands) > len(names):
            raise Error(f"{op} has {len(names)} operands ({', '.join(names)}), {len(operands)} are given")
        result = {name: value for name, value in zip(names, operands) if value is not None}
    for name, value in (inputs or {}).items():
        if name in result:
            raise Error(f"'{name}' is given by place and by name")
        result[name] = value
    return {name: value for name, value in result.items() if value is not None}


def tensor(value, name=""):
    """An input as a Tensor; Error where it is no array of a type that has a word."""
    return value if isinstance(value, Tensor) else Tensor(value, "", name)


def _data(value):
    """Exact texts of the numbers: hex floats, whole numbers, truth values."""
    flat = value.numbers().ravel().tolist()
    return [number.hex() for number in flat] if element_types.is_float(value.element) else flat


def _input(value, name):
    if isinstance(value, (list, tuple)):
        return [_input(member, f"{name}[{place}]") for place, member in enumerate(value)]
    value = tensor(value, name)
    return {"type": value.type, "shape": list(value.shape), "data": _data(value)}


def _attribute(value, name):
    if isinstance(value, ElementType):
        return {"type": value.word}
    if isinstance(value, numpy.dtype) or isinstance(value, type) and issubclass(value, numpy.generic):
        return {"type": element_types.word_of(value)}
    if isinstance(value, (Tensor, numpy.ndarray)):
        return _input(value, name)
    if isinstance(value, numpy.floating) or isinstance(value, float) and not math.isfinite(value):
        return {"number": float(value).hex()}
    if isinstance(value, Fraction):
        return {"number": str(value)}
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_attribute(item, name) for item in value]
    if isinstance(value, dict):
        return {key: _attribute(item, name) for key, item in value.items()}
    if isinstance(value, (bool, int, float, str)):
        return value
    raise Error(f"the attribute '{name}' is {value!r}, which is no number, truth value, text, list, array or element type")


def case_text(op, inputs, attributes=None, results=(), version=None, program="", name="call"):
    """The text of a case file with this one case. A float of Python among the attributes is the decimal that Python prints, 0.001 a thousandth; numpy.float32(0.001)
    is that number itself."""
    if bool(op) == bool(program):
        raise Error("name an op, or give a program")
    case = {"name": name}
    if program:
        case["program"] = program
        if attributes or results or version is not None:
            raise Error("a program states its own attributes, results and versions")
    if attributes:
        case["attributes"] = {key: _attribute(value, key) for key, value in attributes.items()}
    if results:
        case["results"] = [results] if isinstance(results, str) else list(results)
    if version is not None:
        case["version"] = version
    case["inputs"] = {key: _input(value, key) for key, value in inputs.items()}
    file = {"schema": "tiebreak.case/1"} | ({"op": op} if op else {}) | {"cases": [case]}
    return json.dumps(file)


def without_path(text, path):
    """An error's text without the place in a file that nobody wrote: `(/tmp/x/case.json:/cases/0/inputs/x)` is `(inputs/x)`."""
    text = text.replace(f"{path}:/cases/0/", "")
    return re.sub(r" \(" + re.escape(f"{path}") + r"(:/(cases/0|op))?\)", "", text)
