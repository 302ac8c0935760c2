# SPDX-License-Identifier: Apache-2.0
"""Pages of a family say what its text says: no vendor but the text's own author, no instruction set, at most 30 lines of formulas. What systems
compute instead stands below spec/systems/."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_LINES = 30
DECLARATIONS = {"use", "op", "types", "type", "structure", "constraint", "require"}

# Family -> words of its text's own author.
FAMILIES = {"arithmetic": [], "fxpmath": ["FxpMath", "MLIR"], "ggml": ["ggml", "llama.cpp"], "relay": ["TVM"], "hybrid": [], "iree_compress": ["IREE"], "microsoft": ["ONNX Runtime", "onnxruntime", "mlas"], "migraphx": ["MIGraphX"], "onnx": [], "qnn": ["TVM"], "quant": [], "stablehlo": [], "torch": ["PyTorch", "torch", "FBGEMM"], "tosa": [], "qonnx": [], "hls": [], "riscv": [], "openvino": ["OpenVINO"]}

VENDORS = ["AIMET", "AMD", "Arm NN", "AWQ", "CMSIS", "Composable Kernel", "Core ML", "CpuRef", "CUDA", "cuDNN", "DNNL", "ezkl", "FBGEMM", "FxpMath", "gemmlowp", "ggml", "GPTQ", "Hexagon", "HIP", "Intel", "IREE",
           "LiteRT", "llama[.]cpp", "microxcaling", "MIGraphX", "MLAS", "MLIR", "NVIDIA", "OCANNL", "oneDNN", "ONNX ?Runtime", "OpenCV", "OpenVINO", "PyTorch", "QNNPACK", "Qualcomm", "rocMLIR", "ruy", "Spike", "Tenstorrent",
           "TensorFlow", "TensorRT", "TFLite", "TileLang", "torch", "torchao", "Triton", "TVM", "XNNPACK", "YNNPACK"]
INSTRUCTION_SETS = ["AArch64", "AMX", "arm64", r"AVX\w*", "FMA3", "NEON", r"SSE[0-9.]*", "VNNI", "VPMADDUBSW", r"x86(_64|-64)?", "WebAssembly"]


def words(patterns):
    # An id of a source begins with its author's name, and an alternative may have one in it: `onednn-2.6.3`, `i32_x86`.
    return re.compile(r"(?<![A-Za-z0-9])(" + "|".join(patterns) + r")(?![A-Za-z0-9])", re.IGNORECASE)


def plain(text):
    """Without fences, strings and the text's own words that a vendor's name is part of."""
    return re.sub(r'^```mlir$|"[^"\n]*"|\bpytorch_half_pixel\b|\btf_\w+', "", text, flags=re.MULTILINE)


def formula_lines(text):
    """Lines of formulas, definitions and choices. What an op takes and refuses is not counted."""
    counted, counts = 0, True
    for block in re.findall(r"(?ms)^```semantics\n(.*?)^```", text):
        for line in block.splitlines():
            if not line.strip() or line.strip().startswith("#"):
                continue
            if not line.startswith(" "):
                counts = line.split()[0] not in DECLARATIONS
            counted += counts
    return counted


def faults(family, text):
    found = []
    for what, patterns in (("vendor", VENDORS), ("instruction set", INSTRUCTION_SETS)):
        for number, line in enumerate(plain(text).split("\n"), 1):
            for match in words(patterns).finditer(line):
                if not any(match[0].lower() in own.lower() for own in FAMILIES[family]):
                    found.append(f"line {number}: {what} '{match[0]}'")
    lines = formula_lines(text)
    return found + ([f"{lines} lines of formulas"] if lines > MOST_LINES else [])


class TextTest(unittest.TestCase):
    def pages(self):
        for family in FAMILIES:
            for path in sorted((ROOT / "spec" / family).glob("*.md")):
                yield family, f"{family}/{path.name}", path.read_text(encoding="utf-8")

    def test_pages_say_what_their_text_says(self):
        wrong = {name: found for family, name, text in self.pages() if (found := faults(family, text))}
        self.assertEqual(wrong, {}, "\n".join(f"spec/{name}: {'; '.join(found)}" for name, found in wrong.items()))

    def test_planted_faults_are_found(self):
        self.assertEqual(faults("onnx", "as oneDNN does\n`onednn-2.6.3`, i32_x86\n"), ["line 1: vendor 'oneDNN'", "line 2: vendor 'onednn'", "line 2: instruction set 'x86'"])
        self.assertEqual(faults("microsoft", "as ONNX Runtime does, `onnxruntime-1.30`\n"), [])
        self.assertEqual(faults("onnx", 'mode = "pytorch_half_pixel"\n```semantics\n' + "a = 1\n" * 30 + "```\n"), [])
        self.assertEqual(faults("onnx", "```semantics\nop x.y(a: i8,\n   b: i8) -> c: i8\nconstraint C: a\n" + "a = 1\n" * 31 + "```\n"), ["31 lines of formulas"])


if __name__ == "__main__":
    unittest.main()
