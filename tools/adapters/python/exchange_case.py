# SPDX-License-Identifier: Apache-2.0
"""What adapters in Python share: the command line, the request as plain values, the response. An adapter is an object with describe() and
run(case); docs/adding-a-backend.md has the protocol, docs/exchange.md the files."""
import json
import re
import sys

import h5py
import numpy


class Unsupported(Exception):
    """The library has no kernel for this case, or refuses it; the text says why."""


class Undefined(Exception):
    """The system's own answer is that it defines no result here; the text says why."""


KNOWN = ("scale", "exact_scale", "zero_point", "clip_min", "clip_max", "axis", "block", "real_type", "code_type", "from", "tensor")


def _known(value):
    return value.decode() if isinstance(value, bytes) else value


class Operand:
    """One tensor of a request: data in its storage type, the element type's word, and the parameters of a quantized type."""

    def __init__(self, name, dataset):
        attributes = dataset.attrs
        self.name = name  # in the program
        self.operand = attributes["operand"].decode() if "operand" in attributes else name  # as the op's page calls it
        self.type = attributes["type"].decode()
        self.shape = dataset.shape
        self.data = dataset[()]
        self.order = int(attributes["order"])
        self.scales = [_ratio(text.decode()) for text in attributes["scale_text"]] if "scale_text" in attributes else None
        if self.scales is not None:
            self.zero_points = [int(code) for code in attributes["zero_point"]]
            self.axes = [int(axis) for axis in attributes["axes"]]
            self.blocks = [int(block) for block in attributes["blocks"]]
            self.storage = (int(attributes["storage_min"]), int(attributes["storage_max"]))
            self.expressed = attributes["expressed_type"].decode()
        # What the program says of codes beside their type (scale, zero_point, clip_min, clip_max, axis, from, tensor); None where it says nothing.
        self.known = {name: _known(value) for name, value in attributes.items() if name in KNOWN} if "from" in attributes else None

    def plain(self, *types):
        """The data, where the type is not quantized and is one of these."""
        if self.scales is not None or self.type not in types:
            raise Unsupported(f"{self.name} of type {'quantized ' if self.scales is not None else ''}{self.type}")
        return self.data

    def one(self, *types):
        """The one value that the library takes, where the operand has one or many equal ones."""
        values = numpy.ravel(self.plain(*types))
        if values.size != 1 and (values.size == 0 or not (values == values[0]).all()):
            raise Unsupported(f"{self.name} has {values.size} values where the library takes one")
        return values[0].item()


class Case:
    """One op of a request. Operands by the names of the op's page, `inputs` all of them in the program's order: a variadic operand's share one name."""

    def __init__(self, group, takes_program=lambda case_id: False):
        self.id = group.attrs["id"].decode()
        self.op = group.attrs["op"].decode() if "op" in group.attrs else ""
        self.version = int(group.attrs["version"]) if "version" in group.attrs else 0
        self.program = group["program"].asstr()[()] if "program" in group else ""
        self.attributes = {name: _plain(value) for name, value in group["attributes"].attrs.items()} if "attributes" in group else {}
        self.tensor_attributes = list(group["attributes"].keys()) if "attributes" in group else []
        self.inputs = sorted((Operand(name, dataset) for name, dataset in group["inputs"].items()), key=lambda operand: operand.order) if "inputs" in group else []
        self.operands = {operand.operand: operand for operand in self.inputs}
        self.outputs = sorted((Operand(name, dataset) for name, dataset in group["outputs"].items()), key=lambda output: output.order)
        if not takes_program(self.id):
            self._given()

    def _given(self):
        """What the op is called with, by place; None where an operand is left out. One that is a constant of the program is no input, and must not look
        as if it were absent."""
        call = re.search(re.escape(f'"{self.op}"') + r"\(([^)]*)\)", self.program) if self.op else None
        words = [word.strip().lstrip("%") for word in call.group(1).split(",") if word.strip()] if call else []
        inputs = {operand.name: operand for operand in self.inputs} | {"none": None}
        if any(word not in inputs for word in words):
            raise Unsupported("operands that are not all inputs of the program")
        return [inputs[word] for word in words]

    def name_operands(self, names):
        """Operands by names of the adapter's own, where ops that call theirs differently share a kernel; `names` is in the page's order."""
        given = self._given()
        if len(given) > len(names):
            raise Unsupported(f"{len(given)} operands")
        self.operands = {name: operand for name, operand in zip(names, given) if operand is not None}

    def operand(self, name):
        if name not in self.operands:
            raise Unsupported(f"no operand '{name}'")
        return self.operands[name]

    def zero_point(self, name, *types):
        """A zero point of one value; an absent one is 0."""
        return int(self.operands[name].one(*types)) if name in self.operands else 0


def processor_has(flag):
    """Whether Linux lists the feature of this processor by that word."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return any(line.startswith(("flags", "Features")) and flag in line.split() for line in lines)
    except OSError:
        return False


def _ratio(text):
    """An exact scale: a ratio or a whole number, as the double next to it."""
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def _plain(value):
    if isinstance(value, bytes):
        return value.decode()
    return value.tolist() if hasattr(value, "tolist") else value


def _answer(adapter, group, response):
    """Status and reason of one case; its outputs are written."""
    try:
        # An adapter may answer some requests by their whole program, in which one op may have constants beside its operands.
        case = Case(group, *([adapter.takes_program] if hasattr(adapter, "takes_program") else []))
        results = adapter.run(case)
    except Undefined as answer:
        for output in case.outputs:
            response.create_dataset("outputs/" + output.name, data=numpy.zeros(output.shape, output.data.dtype))
            response.create_dataset("undefined/" + output.name, data=numpy.ones(output.shape, numpy.uint8))
        return "ok", str(answer)
    except Unsupported as refusal:
        return "unsupported", str(refusal)
    except Exception as error:  # whatever a library throws is its answer to this case
        return "error", f"{type(error).__name__}: {error}"
    for output, result in zip(case.outputs, results, strict=True):
        response.create_dataset("outputs/" + output.name, data=numpy.asarray(result, dtype=output.data.dtype).reshape(output.shape))
    return "ok", getattr(adapter, "note", "")


def _run(adapter, request_path, response_path):
    with h5py.File(request_path) as request, h5py.File(response_path, "w") as response:
        response.attrs.update(format="tiebreak.exchange/2", kind="response")
        ids = list(request["ids"].asstr())
        if hasattr(adapter, "prepare"):  # for libraries that answer many cases in one call
            adapter.prepare([(case_id, request["cases/" + case_id]) for case_id in ids])
        for case_id in ids:
            answer = response.create_group("cases/" + case_id)
            status, reason = _answer(adapter, request["cases/" + case_id], answer)
            answer.attrs["status"] = status
            answer.attrs["reason"] = reason.encode("ascii", "replace")[:2000]


def main(options, make):
    """`options` maps each option to (help, default). `make` gets the values without their dashes; what it raises ends the program with 69."""
    words = sys.argv[1:]
    values = {name: default for name, (_, default) in options.items()}
    while words and words[0].startswith("--"):
        if words[0] not in options or len(words) == 1:
            return _usage(options, f"unknown option '{words[0]}'" if words[0] not in options else f"option '{words[0]}' wants a value")
        values[words[0]] = words[1]
        words = words[2:]
    if not (words == ["describe"] or (len(words) == 3 and words[0] == "run")):
        return _usage(options, "expected 'describe' or 'run REQUEST RESPONSE'")
    try:
        adapter = make({name.strip("-"): value for name, value in values.items()})
    except (ImportError, OSError, ValueError) as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        return 69
    if words[0] == "describe":
        print(json.dumps({"protocol": 1} | adapter.describe(), indent=2))
    else:
        _run(adapter, words[1], words[2])
    return 0


def _usage(options, message):
    print(f"{sys.argv[0]}: {message}\nusage: {sys.argv[0]} [--option value]... describe | run REQUEST RESPONSE", file=sys.stderr)
    for name, (text, default) in options.items():
        print(f"  {name} {text}" + (f" (default {default})" if default else ""), file=sys.stderr)
    return 2
