# SPDX-License-Identifier: Apache-2.0
"""One operator as a program of MIGraphX. Python's buffers have no word for floats of 8 bits and bf16: these come in and go out as the integers of their
bits, with a `bit_cast` behind and before. Pairs of f4e2m1 have a type of their own, which is no more than a byte to everything but two operators."""
import ctypes

import numpy
from exchange_case import Unsupported

TYPES = {"bool": "bool_type", "f64": "double_type", "f32": "float_type", "f16": "half_type", "bf16": "bf16_type"}
TYPES |= {f"{sign}{bits}": f"{word}{bits}_type" for sign, word in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}
TYPES |= {name: f"fp{name[1:]}_type" for name in ("f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz")}
PAIRS = "fp4x2_type"
BITS = {"bf16": "u16"} | {name: "u8" for name in TYPES if name.startswith("f8")}


def type_word(element):
    if element not in TYPES:
        raise Unsupported(f"no tensors of {element}")
    return TYPES[element]


class Graph:
    def __init__(self, migraphx):
        self.migraphx, self.program, self.values = migraphx, migraphx.program(), {}
        self.main = self.program.get_main_module()

    def add(self, name, operands, **attributes):
        return self.main.add_instruction(self.migraphx.op(name, **attributes), operands)

    def type_number(self, element):
        """A type as an attribute states it."""
        return int(self.migraphx.shape(type=type_word(element)).type())

    def pairs(self, operand):
        """Bytes with two numbers of four bits each: a constant, since no parameter can have that type."""
        data = numpy.ascontiguousarray(operand.plain("u8"))
        return self.main.add_literal(self.migraphx.argument_from_pointer(self.migraphx.shape(type=PAIRS, lens=list(data.shape)), data.ctypes.data))

    def parameter(self, operand):
        if operand.scales is not None:
            raise Unsupported(f"{operand.name} of a quantized type")
        if operand.data.size == 0:
            raise Unsupported(f"{operand.name} has no elements")
        shape = self.migraphx.shape(type=type_word(BITS.get(operand.type, operand.type)), lens=list(operand.shape) or [1])
        self.values[operand.name] = numpy.ascontiguousarray(operand.data).reshape(operand.shape or (1,))
        given = self.main.add_parameter(operand.name, shape)
        return self.add("bit_cast", [given], target_type=self.type_number(operand.type)) if operand.type in BITS else given

    def run(self, result, output):
        """What the program gives, in the storage type of the exchange file."""
        if output.scales is not None:
            raise Unsupported("a result of a quantized type")
        stored = BITS.get(output.type, output.type)
        words = {type_word(stored)} | ({PAIRS} if output.type == "u8" else set())
        self.main.add_return([self.add("bit_cast", [result], target_type=self.type_number(stored)) if output.type in BITS else result])
        self.program.compile(self.migraphx.get_target("ref"))
        (answer,) = self.program.run(self.values)
        shape = answer.get_shape()
        if shape.type_string() not in words or not shape.standard():
            raise ValueError(f"a result of {shape}, where {output.type} is asked")
        return numpy.frombuffer(ctypes.string_at(answer.data_ptr(), shape.bytes()), dtype=output.data.dtype)
