# SPDX-License-Identifier: Apache-2.0
"""Runs every command that a document or the help texts show, once, in a folder with the files that they name. Each must end as the text says. What is left out,
for want of a backend or because another test runs it, is printed. Usage: documents_test.py TIEBREAK SOURCE_FOLDER DOCUMENT|help"""
import functools
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from shown_commands import Shown, commands_of, examples_of, inline_commands

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import tflite_seeds  # noqa: E402  (models, made by hand)

SECONDS = 1200  # every case of the installation, on a machine that does other things, too
# What this test does not run, and what does.
ELSEWHERE = {
    r"tools/(run|test)( |$)": "the README's own two commands: the gate runs them",
    r"tools/test --preset": "a build of its own",
    r"tools/build$": "the build itself",
    r"tools/cluster/(slurm/submit|merge full)": "Slurm: cluster/slurm runs them on a node of its own, where it is installed",
    r"tools/setup-backends|tools/adapters/\S+/build-arm64": "installs packages; packaging/setup_backends tests what can be tested without",
    r"tools/(fuzz|nightly)": "clang, sanitizers and minutes",
    r"cmake --preset|cmake --build|cmake -B": "a build of its own; packaging/deb makes the packages",
    r".*golden build$": "writes the installation's golden files; command/golden_verify computes them again",
    r".*golden verify$": "command/golden_verify",
    r".*spec verify$": "command/spec_verify",
    r".*score .*(-k|--op|node$|testdata)": "minutes; score/ runs each op",
    r"tiebreak check --backend onnxruntime --profile onnx$": "every case of the installation; an example of check asks the same of fewer",
    r".*--from part1.json": "reads what the example with --shard writes; unit tests run both",
    r".*--per-layer": "how many layers differ is the processor's; unit tests run models",
    r".*(--isolate|--repeat|--shard)": "a process for each case, or every case several times: minutes; unit tests run them",
    r".*backend capabilities": "asks every case: minutes; unit tests run it with planted backends",
    r".*--installed": "asks every backend of the machine; unit tests run it with planted ones",
    r".*--backend-option=--(machine|cpu)": "an emulated machine: minutes",
    r".*--confirm 100000": "minutes; shorter in the unit tests",
}
PLACEHOLDERS = {"FILE.mlir": "model.mlir", "CASE": "stablehlo.dot_general/float/f32", "BACKEND": "onnxruntime"}


F32, U8, I8, I32 = 1, 2, 3, 6  # element types as onnx.proto numbers them


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def field(number, value):
    """A field of a protobuf message: a number, or a length and what has it."""
    if isinstance(value, int):
        return bytes([number << 3]) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return bytes([number << 3 | 2]) + varint(len(value)) + value


def tensor_proto(name, kind, shape, data):
    return field(1, b"".join(map(varint, shape))) + field(2, kind) + field(8, name) + field(9, data)


def value_info(name, kind, shape):
    dimensions = b"".join(field(1, field(1, extent)) for extent in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dimensions)))


def convolution_of_codes():
    """An ONNX model of one node: conv1 = ConvInteger(x, w)."""
    weights = tensor_proto("w", I8, [4, 3, 3, 3], bytes(number % 256 for number in range(108)))
    node = field(1, "x") + field(1, "w") + field(2, "conv1") + field(4, "ConvInteger")
    graph = field(1, node) + field(2, "codes") + field(5, weights) + field(11, value_info("x", U8, [1, 3, 8, 8])) + field(12, value_info("conv1", I32, [1, 4, 6, 6]))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def npy(kind, shape, element):
    """NumPy's file of an array of one value."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + element * math.prod(shape)


class Folder:
    """A working folder: the repository's folders by links, its documents as copies, and the files that examples name."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="tiebreak-documents-"))
        self.bin = pathlib.Path(TIEBREAK).resolve().parent
        for name in ("spec", "testsuite", "tools", "golden"):
            (self.path / name).symlink_to(SOURCE / name)
        shutil.copytree(SOURCE / "docs", self.path / "docs")
        (self.path / "build").symlink_to(self.bin)
        self._models()
        self._texts()
        self._adapters()
        self.environment = {**os.environ, "TIEBREAK": f"{self.bin}/tiebreak", "TIEBREAK_SPEC": str(SOURCE / "spec"), "PATH": f"{self.bin}:{os.environ['PATH']}"}

    def write(self, name, text):
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text, encoding="utf-8")

    def _models(self):
        maker = self.bin / "tiebreak-make-models"
        if maker.exists():
            subprocess.run([maker, self.path], check=True, capture_output=True)
            shutil.copy(self.path / "cnn.qdq.onnx", self.path / "model.onnx")
        (self.path / "x.pb").write_bytes(tensor_proto("x", F32, [1, 3, 8, 8], struct.pack("<192f", *(number / 64 - 1 for number in range(192)))))
        (self.path / "device").mkdir()
        for name, kind, element in (("image_pixels", "<f4", bytes(4)), ("image_input_q", "|u1", b"\x80"), ("image_input_dq", "<f4", bytes(4))):
            (self.path / f"device/{name}.npy").write_bytes(npy(kind, (1, 3, 32, 32), element))  # of model.onnx: an image of zeros, whose code is 128
        (self.path / "codes.onnx").write_bytes(convolution_of_codes())
        lite = dict(tflite_seeds.models())
        (self.path / "model.tflite").write_bytes(lite["convolution"])
        (self.path / "open.tflite").write_bytes(lite["open-shape"])
        self.write("model.mlir", "// %arg0: [1, 2, 3]\nfunc.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n  %y = stablehlo.add %arg0, %arg0 : tensor<3xf32>\n  return %y : tensor<3xf32>\n}\n")

    def _texts(self):
        text = "# Text\n## add\n```mlir\n// %x: 1\n// %y: 2\n%z = stablehlo.add %x, %y : tensor<i8>\n// %z: 3\n```\n"
        for name in ("spec.md", "docs/spec.md", "stablehlo/docs/spec.md"):
            self.write(name, text)
        self.write("known.json", "[]")
        case = '{ "name": "%s", "inputs": { "x": {"type": "f16", "shape": [7], "data": [-2.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5]}, "y_scale": {"type": "f16", "shape": [], "data": [1]}, "y_zero_point": {"type": "u8", "shape": [], "data": [7]} } }'
        for name, case_name in (("tests/cases.json", "ties"), ("my-cases/cases.json", "ties"), ("wrong/07.q.json", "07.q")):
            self.write(name, '{ "schema": "tiebreak.case/1", "op": "onnx.QuantizeLinear", "cases": [ %s ] }' % (case % case_name))
        self.write("cases.json", '{ "schema": "tiebreak.case/1", "cases": [ { "name": "block", "program": "%y = stablehlo.add %x, %x : tensor<2xf32>", "inputs": { "x": {"type": "f32", "shape": [2], "data": [1, 2]} } } ] }')
        log = re.search(r'(?s)```json\n(\{\s*"schema": "tiebreak.observations/1".*?)```', (SOURCE / "docs/identify.md").read_text(encoding="utf-8"))
        self.write("log.json", log[1])
        table = re.search(r"(?m)^    acc:.*\n(?:^    .*\n)+", (SOURCE / "docs/identify.md").read_text(encoding="utf-8"))
        programs = re.findall(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/equal.md").read_text(encoding="utf-8"))
        self.write("rewrites.mlir", programs[0])
        self.write("quantize.mlir", programs[1])
        forms = (SOURCE / "docs/quantize.md").read_text(encoding="utf-8")
        self.write("layer.mlir", re.search(r"(?ms)^```mlir\n(.*?)^```", forms)[1])
        for name, block in zip(("recipe.json", "parameters.json"), re.findall(r"(?ms)^```json\n(.*?)^```", forms)):
            self.write(name, block)
        calibrate = (SOURCE / "docs/calibrate.md").read_text(encoding="utf-8")
        self.write("symmetric.py", re.search(r"(?ms)^```python\n(.*?)^```", calibrate)[1])
        (self.path / "symmetric.py").chmod(0o755)
        self.write("nearest.py", re.search(r"(?ms)`nearest.py`:\n\n```python\n(.*?)^```", (SOURCE / "docs/python.md").read_text(encoding="utf-8"))[1])
        (self.path / "nearest.py").chmod(0o755)
        self.write("gate.mlir", re.search(r"(?ms)^```mlir\n(.*?)^```", calibrate)[1])
        self.write("net.mlir", re.findall(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/statistics.md").read_text(encoding="utf-8"))[0])
        self.write("scores.mlir", re.search(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/accuracy.md").read_text(encoding="utf-8"))[1])
        (self.path / "codes.npy").write_bytes(npy("|u1", (8, 6), b"\x85"))
        self.write("labels.txt", "2\n" * 8)
        self.write("between-codes.mlir", re.search(r"(?ms)^```mlir\n(.*?)^```", (SOURCE / "docs/regions.md").read_text(encoding="utf-8"))[1])
        parameters = (SOURCE / "docs/parameters.md").read_text(encoding="utf-8")
        self.write("folded.relay", re.search(r"(?ms)^```relay\n(.*?)^```", parameters)[1])
        self.write("annotated.mlir", re.search(r"(?ms)^```mlir\n(.*?)^```", parameters)[1])
        self.write("log.csv", re.sub(r"(?m)^ +", "", table[0]))

    def _adapters(self):
        for name in ("adapter", "my-adapter"):  # the reference, whatever options it is given
            self.write(name, f'#!/bin/sh\nwhile [ "${{1#--}}" != "$1" ]; do shift; done\nexec {self.bin}/tiebreak-adapter-reference "$@"\n')
            (self.path / name).chmod(0o755)


def why_not(words, folder):
    """Why a command cannot be run here; "" if it can."""
    named = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("--backend", "-b")]
    named += words[3:4] if words[1:3] in (["backend", "info"], ["backend", "capabilities"]) else []
    options = [word for word in words if word.startswith("--backend-option=")]
    for backend in named:
        answer = subprocess.run([TIEBREAK, "backend", "info", backend, *options], cwd=folder.path, env=folder.environment, capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            return answer.stderr.splitlines()[0]
    lacking = [word for word in words if word.endswith(".onnx") and not (folder.path / word).exists()]
    return f"tiebreak-make-models is not built: no {lacking[0]}" if lacking else ""


@functools.cache
def help_of(verb):
    return subprocess.run([TIEBREAK, *verb, "--help"], capture_output=True, text=True, check=True).stdout


def verbs_from(above=()):
    found = [above]
    block = help_of(above).partition("ubcommands:\n")[2].partition("\n\n")[0]
    for name in re.findall(r"^  ([a-z][a-z-]*)\b", block, re.MULTILINE):
        found += verbs_from((*above, name))
    return found


class DocumentTest(unittest.TestCase):
    def shown(self):
        """Each distinct command, where it stands first."""
        if DOCUMENT == "help":
            found = [shown for verb in verbs_from() for shown in examples_of(help_of(verb), " ".join(["tiebreak", *verb, "--help"]))]
        else:
            found = commands_of((SOURCE / DOCUMENT).read_text(encoding="utf-8"), DOCUMENT)
        return list({(shown.text, shown.code): shown for shown in reversed(found)}.values())[::-1]

    def test_each_command_ends_as_the_text_says(self):
        folder, failed = Folder(), []
        self.addCleanup(shutil.rmtree, folder.path)
        for shown in self.shown():
            text = re.sub(r"(?<![\w.-])(" + "|".join(map(re.escape, PLACEHOLDERS)) + r")(?![\w.])", lambda match: PLACEHOLDERS[match[1]], shown.text)
            elsewhere = [reason for pattern, reason in ELSEWHERE.items() if re.match(pattern, text)]
            words = shlex.split(text)
            reason = elsewhere[0] if elsewhere else why_not(words, folder)
            if reason:
                print(f"left out  {shown.place}: {shown.text}\n          {reason}", flush=True)
                continue
            try:
                answer = subprocess.run(["bash", "-c", text], cwd=folder.path, env=folder.environment, capture_output=True, text=True, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                failed.append(f"{shown.place}: {shown.text}\n  has not ended after {SECONDS} s")
                continue
            print(f"exit {answer.returncode}    {shown.place}: {shown.text}", flush=True)
            if answer.returncode != shown.code:
                failed.append(f"{shown.place}: {shown.text}\n  ends with {answer.returncode}, not {shown.code}\n" + answer.stdout[-600:] + answer.stderr[-1500:])
            if re.search(r"(nearest|one of|did you mean '?)'?\??$", answer.stderr, re.MULTILINE):
                failed.append(f"{shown.place}: a line ends before it says what: {answer.stderr}")
        self.assertEqual(failed, [], "\n".join(failed))

    def test_commands_in_sentences_have_verbs_and_options_that_exist(self):
        if DOCUMENT == "help":
            self.skipTest("examples alone")
        wrong = []
        for shown in inline_commands((SOURCE / DOCUMENT).read_text(encoding="utf-8"), DOCUMENT):
            for part in re.split(r" *\| *tiebreak ", shown.text.removeprefix("tiebreak ")):
                wrong += [f"{shown.place}: {shown.text}: {trouble}" for trouble in self.troubles(part.split())]
        self.assertEqual(wrong, [])

    def troubles(self, words):
        verbs = set(verbs_from())
        verb = ()
        while len(verb) < len(words) and (*verb, words[len(verb)].rstrip(",")) in verbs:
            verb = (*verb, words[len(verb)].rstrip(","))
        if not verb and not words[0].startswith(("-", "VERB", "[")):
            return [f"no verb '{words[0]}'"]
        known = help_of(verb)
        return [f"no option {word}" for word in words if (option := re.match(r"\[?(--[a-z][a-z-]*)", word)) and option[1] not in known]


if __name__ == "__main__":
    TIEBREAK, SOURCE, DOCUMENT = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    del sys.argv[1:4]
    unittest.main()
