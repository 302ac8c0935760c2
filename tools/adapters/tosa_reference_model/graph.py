# SPDX-License-Identifier: Apache-2.0
"""One case as a graph of one operator. It is JSON, whose names the model looks up in the schema of the serialized form, so that no number of that form is
known here. Every tensor is an input of the graph; shapes are constants of it."""
import numpy
from exchange_case import Unsupported
from operators import FORMS, OPS, attribute_table, attributes, type_word


class Graph:
    def __init__(self, case):
        if case.op not in OPS:
            raise Unsupported(f"no operator for {case.op}")
        if case.tensor_attributes:
            raise Unsupported("attributes that are tensors")
        self.inputs = {}  # by name in the graph: element type, data
        self.shapes = {}  # by name in the graph: whole numbers
        self.outputs = {f"y{index}": output for index, output in enumerate(case.outputs)}
        self.operator = OPS[case.op]
        self.operands = self._operands(case)
        self.attributes = attributes(self.operator, case.attributes, self.inputs[self.operands[0]][0])
        for data in [data for _, data in self.inputs.values()] + [output.data for output in case.outputs]:
            if data.size == 0:
                raise Unsupported("a tensor without elements")

    def _operands(self, case):
        words = FORMS[self.operator]
        if words[-1] == "...":
            case.name_operands([f"input{index}" for index in range(64)])
            words = list(case.operands)
        else:
            case.name_operands([word.split(".")[0] for word in words])
        return [self._operand(case, word, index) for index, word in enumerate(words)]

    def _operand(self, case, word, index):
        name, _, kind = word.partition(".")
        graph_name = f"x{index}"
        if kind == "zero" and name not in case.operands:
            element = "i8" if name == "shift" else case.operand("input1").type
            self.inputs[graph_name] = (element, numpy.zeros(1, numpy.int8 if name == "shift" else case.operand("input1").data.dtype))
            return graph_name
        operand = case.operand(name)
        if operand.scales is not None:
            raise Unsupported(f"{name} of a quantized type")
        if kind == "shape":
            self.shapes[graph_name] = [int(one) for one in numpy.ravel(operand.data)]
        else:
            self.inputs[graph_name] = (operand.type, operand.data if kind == "" else numpy.reshape(operand.data, (-1,)))
        return graph_name

    def as_json(self, version):
        """`version` as the model prints it: 1.1.0d is a draft of 1.1.0."""
        major, minor, patch = version.rstrip("d").split(".")
        tensors = [{"name": name, "shape": list(data.shape), "type": type_word(element)} for name, (element, data) in self.inputs.items()]
        tensors += [{"name": name, "shape": list(output.shape), "type": type_word(output.type)} for name, output in self.outputs.items()]
        shapes = [{"name": name, "rank": len(values), "data": list(numpy.array(values, "<i8").tobytes())} for name, values in self.shapes.items()]
        operators = [{"op": "CONST_SHAPE", "attribute_type": "ConstShapeAttribute", "attribute": {}, "inputs": [], "outputs": [name]} for name in self.shapes]
        operators.append({"op": self.operator, "attribute_type": attribute_table(self.operator), "attribute": self.attributes, "inputs": self.operands, "outputs": list(self.outputs)})
        block = {"name": "main", "operators": operators, "tensors": tensors, "inputs": list(self.inputs), "outputs": list(self.outputs), "shapes": shapes}
        numbers = {"_major": int(major), "_minor": int(minor), "_patch": int(patch), "_draft": version.endswith("d")}
        return {"version": numbers, "regions": [{"name": "main", "blocks": [block]}]}
