# SPDX-License-Identifier: Apache-2.0
"""Puts the ill-formed examples of TOSA's pages to the reference model, which `tiebreak check` does not ask: is each malformed there, too?
    python3 tools/adapters/tosa_reference_model/refusals.py MODEL spec/tosa/*.md
A line for each example: page, label, what the model says, why. Exit 1 where it takes one as valid or as unpredictable."""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import numpy  # noqa: E402
from exchange_case import Undefined, Unsupported  # noqa: E402
from graph import Graph  # noqa: E402
from model import Model  # noqa: E402

WORDS = {"i1": "bool", "f8E5M2": "f8e5m2", "f8E4M3FN": "f8e4m3fn"}
STORED = {"bool": "u1", "i4": "i1", "i8": "i1", "i16": "i2", "i32": "i4", "i48": "i8", "i64": "i8", "f16": "f2", "f32": "f4"}


class Tensor:
    """An operand as graph.py reads it."""

    def __init__(self, text, values):
        found = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", text.strip())
        if not found:
            raise Unsupported(f"the type {text}")
        self.type = WORDS.get(found[2], found[2])
        self.shape = tuple(int(extent) for extent in found[1].split("x") if extent)
        self.scales = None
        self.data = self._stored(values)

    def _stored(self, values):
        if self.type == "bf16":
            return (numpy.resize(numpy.array(values, "f4"), self.shape).view("u4") >> 16).astype("u2")
        if self.type not in STORED:
            raise Unsupported(f"no tensors of {self.type}")
        return numpy.resize(numpy.array(values, STORED[self.type]), self.shape)


class Example:
    """A call of one operator, as graph.py reads a case."""

    tensor_attributes = ()

    def __init__(self, text):
        values = dict(re.findall(r"^// %(\w+): (.*)$", text, re.M))
        call = re.search(r'^%.+? = "?(tosa\.\w+)"?\s*\(?([%\w, ]*)\)?\s*(?:\{(.*)\}\s*)?: \((.*)\) -> (.*)$', text, re.M)
        self.op, operands, attributes, types, results = call.groups()
        pairs = [pair.split(" = ", 1) for pair in _split(attributes or "")]
        self.attributes = {name.strip(): _attribute(value) for name, value in pairs}
        names = [operand.strip().lstrip("%") for operand in _split(operands)]
        self.given = [Tensor(kind, _values(values[name])) for name, kind in zip(names, _split(types))]
        self.outputs = [Tensor(kind, 0) for kind in _split(results.strip().strip("()"))]
        self.operands = {}

    def name_operands(self, names):
        self.operands = dict(zip(names, self.given))

    def operand(self, name):
        if name not in self.operands:
            raise Unsupported(f"no operand {name}")
        return self.operands[name]


def _split(text):
    """At the commas that stand in no bracket."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def _values(text):
    return json.loads(re.sub(r"dense<(.*)>", r"\1", text))


def _attribute(text):
    word, _, kind = text.strip().partition(" : ")
    listed = re.fullmatch(r"array<i\d+(?:: (.*))?>", text.strip())
    if listed:
        word = f"[{listed[1] or ''}]"
    if kind.startswith("f") and word.startswith("0x"):
        return float("nan")  # the one number that pages write by its bits
    if re.fullmatch(r'"?[A-Za-z]\w*"?', word) and word not in ("true", "false"):
        return word.strip('"')
    return json.loads(word)


def asked(model, text):
    """What the model says of the example, and why."""
    try:
        model.run(Graph(Example(text)))
        return "valid", ""
    except Undefined as answer:
        return "unpredictable", str(answer)
    except Unsupported as refusal:
        return "not asked", str(refusal)
    except RuntimeError as error:
        words = {"the graph is malformed: ": "malformed", "Error parsing json": "not in the schema"}
        return next((answer for word, answer in words.items() if word in str(error)), "ended"), str(error)


def main():
    model = Model(sys.argv[1], "")
    counts = collections.Counter()
    for path in sys.argv[2:]:
        for text in re.findall(r"```mlir\n(.*?)```", pathlib.Path(path).read_text(encoding="utf-8"), re.S):
            label = re.search(r"^// error (\w+)", text, re.M)
            if label:
                answer, why = asked(model, text)
                counts[answer] += 1
                print(pathlib.Path(path).stem, label[1], answer, why[:200], sep="\t")
    print(dict(counts))
    return 1 if counts["valid"] + counts["unpredictable"] else 0


sys.exit(main())
