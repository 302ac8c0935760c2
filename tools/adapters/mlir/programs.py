# SPDX-License-Identifier: Apache-2.0
"""Programs of several operations: those of the quant dialect as they stand, so that the passes rewrite them, and StableHLO's elementwise arithmetic as
operations of arith, which no pass rewrites."""
import re

from exchange_case import Unsupported
from functions import Function
from text import tensor_type, type_of

FLOATS = ("f16", "bf16", "f32")
LINE = re.compile(r'\s*(%[\w.$]+) = "([a-z_]+\.[a-z_]+)"\(([^)]*)\)(?: <\{value = (.*)\}>| (\{.*\}))? : \((.*)\) -> (tensor<.*>)$')
BINARY = {"stablehlo.add": "add", "stablehlo.subtract": "sub", "stablehlo.multiply": "mul", "stablehlo.divide": "div", "stablehlo.maximum": "maximum", "stablehlo.minimum": "minimum"}


def element(tensor):
    """Of a type `tensor<2x3xf32>`: f32; of a quantized one what stands between the last x of its extents and the end."""
    return re.fullmatch(r"tensor<(?:\d+x)*(.*)>", tensor)[1]


def float_only(word, op):
    if word not in FLOATS:
        raise Unsupported(f"{op} of {word}")


def binary(op, result, operands, tensor):
    float_only(element(tensor), op)
    return [f"{result} = arith.{BINARY[op]}f {operands[0]}, {operands[1]} : {tensor}"]


def clamp(result, operands, tensor):
    float_only(element(tensor), "stablehlo.clamp")
    least, value, greatest = operands
    return [f"{result}_low = arith.maximumf {least}, {value} : {tensor}", f"{result} = arith.minimumf {greatest}, {result}_low : {tensor}"]


def convert(result, operand, source, target):
    """Signed integers and floats of one width or another; a float beyond the integers of the target has no value in arith."""
    from_word, to_word = element(source), element(target)
    if from_word in FLOATS and to_word in FLOATS:
        raise Unsupported("stablehlo.convert between floats")
    if any(word not in (*FLOATS, "i8", "i16", "i32") for word in (from_word, to_word)) or from_word not in FLOATS and to_word not in FLOATS:
        raise Unsupported(f"stablehlo.convert from {from_word} to {to_word}")
    return [f"{result} = arith.{'fptosi' if from_word in FLOATS else 'sitofp'} {operand} : {source} to {target}"]


def lines_of(text):
    """What one line of the program becomes."""
    found = LINE.match(text)
    if found is None:
        raise Unsupported(f"a program with {text.strip().split(' : ')[0][:60]}")
    result, op, words, value, attributes, types, tensor = found.groups()
    operands = [word.strip() for word in words.split(",") if word.strip()]
    if op.startswith("quant.") and not attributes:
        return [text.strip()]
    if op == "stablehlo.constant" and value is not None and not element(tensor).startswith("!"):
        return [f"{result} = arith.constant {value}"]
    if op in BINARY:
        return binary(op, result, operands, tensor)
    if op == "stablehlo.round_nearest_even":
        float_only(element(tensor), op)
        return [f"{result} = math.roundeven {operands[0]} : {tensor}"]
    if op == "stablehlo.clamp":
        return clamp(result, operands, tensor)
    if op == "stablehlo.convert":
        return convert(result, operands[0], types, tensor)
    raise Unsupported(f"no op behind {op}")


def renamed(line, names):
    return re.sub(r"%[\w.$]+", lambda found: names.get(found[0], "%v_" + found[0][1:]), line)


def storage(tensor):
    """The type of a quantized tensor's codes, None of a plain one."""
    found = re.fullmatch(r"(tensor<(?:\d+x)*)!quant\.uniform<([iu]\d+).*", tensor)
    return f"{found[1]}{'i' + found[2][1:]}>" if found else None


def function(case):
    """The program of the case: arguments and the result are codes where their types are quantized."""
    head, *body = [line for line in case.program.splitlines() if line.strip() and line.strip() != "}"]
    types = dict(re.findall(r"(%[\w.$]+): (tensor<.*?>)(?=, %|\) ->)", head))
    returned = re.match(r'\s*"?func\.return"?\(?\s*(%[\w.$]+)\)? : \(?(tensor<.*>?)', body[-1]) if body else None
    if returned is None or len(types) != len(case.inputs):
        raise Unsupported("a program that is no function of tensors with one result")
    lines, names = [], {}
    for index, operand in enumerate(case.inputs):
        word = "%" + operand.name
        if word not in types:
            raise Unsupported("an input that is no argument")
        names[word] = f"%x{index}"
        codes = storage(types[word])
        if codes is not None:
            lines.append(f"%c{index} = quant.scast %x{index} : {codes} to {types[word]}")
            names[word] = f"%c{index}"
    for text in body[:-1]:
        lines += [renamed(line, names) for line in lines_of(text)]
    result = renamed(returned[1], names)
    output = case.outputs[0]
    tensor = returned[2].rstrip(")")
    if (codes := storage(tensor)) is not None:
        lines.append(f"%codes = quant.scast {result} : {tensor} to {codes}")
        result = "%codes"
    if tensor_type(output.shape, type_of(output.type)) != (codes or tensor):
        raise Unsupported(f"a result {tensor}")
    return Function([(operand.data, operand.type) for operand in case.inputs], lines, result, output.shape, type_of(output.type))
