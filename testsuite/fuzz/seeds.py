#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the fuzzers, made from what the repository has: formulas and examples of pages, cases, profiles, lists of known failures, logs
in the documents. Of all that have the same syntax, types and structure the smallest is kept.

Usage: seeds.py FOLDER     writes FOLDER/NAME/... for every fuzzer that has such seeds; the same tree gives the same bytes.
"""
import json
import re
import sys
from pathlib import Path

import onnx_seeds
import tflite_seeds

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 3000  # bytes of a seed: what is long is slow, not different
MOST = 150  # seeds of a fuzzer, the shortest first


def fences(text, word):
    """Contents of the fenced blocks with this word behind the fence."""
    return re.findall(r"^```" + word + r"[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def without_comments(text):
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


def json_of(path):
    return json.loads(without_comments(path.read_text()))


class Smallest:
    """The shortest text for each key, so that a seed stands for a kind of input."""

    def __init__(self):
        self.kept = {}

    def add(self, key, name, text):
        if len(text.encode()) <= LARGEST and (key not in self.kept or len(text) < len(self.kept[key][1])):
            self.kept[key] = (name, text)

    def covering(self):
        """Of texts with sets of features as keys those that add one, the shortest first."""
        seen, chosen = set(), []
        for key, (name, text) in sorted(self.kept.items(), key=lambda item: (len(item[1][1]), item[1][0])):
            if not set(key) <= seen:
                seen |= set(key)
                chosen.append((name, text))
        return chosen


def words_of(text):
    """Words, types and signs: two texts with the same ones are alike to a reader."""
    return frozenset(re.findall(r"[A-Za-z_][A-Za-z_0-9.]*|[^\sA-Za-z_0-9]{1,2}", text))


def pages():
    return sorted(path for path in (ROOT / "spec").rglob("*.md") if path.name != "README.md")


def case_files():
    return sorted(path for folder in ("cases", "mutants", "stairs", "bugs") for path in (ROOT / "testsuite" / folder).rglob("*.json"))


def notation():
    found = Smallest()
    for page in pages():
        for block in fences(page.read_text(), "semantics"):
            found.add(words_of(block), page.stem, block)
    return found.covering()


def page():
    found = Smallest()
    for path in pages():
        text = path.read_text()
        blocks = [word for word in ("semantics", "mlir") for _ in fences(text, word)]
        if blocks:
            found.add(words_of("".join(fences(text, "semantics"))), path.stem, text)
    return found.covering()[:50]


def examples():
    for path in pages():
        for number, block in enumerate(fences(path.read_text(), "mlir")):
            yield f"{path.parent.name}.{path.stem}-{number}", block


def mlir():
    found = Smallest()
    for name, block in examples():
        found.add(words_of(block), name, without_comments(block))
    for path in case_files():
        for case in json_of(path).get("cases", []) if isinstance(json_of(path), dict) else []:
            if isinstance(case.get("program"), str):
                found.add(words_of(case["program"]), path.stem + "-" + str(case.get("name", "")), case["program"])
    return found.covering()


def mlir_case():
    found = Smallest()
    for name, block in examples():
        found.add(words_of(block), name, block)
    return found.covering()


def markdown():
    return [(name, f"# {name}\n\n```mlir\n{block}```\n") for name, block in mlir_case()][:60]


def case():
    found = Smallest()
    for path in case_files():
        whole = json_of(path)
        if not isinstance(whole, dict) or whole.get("schema") != "tiebreak.case/1":
            continue
        for entry in whole["cases"]:
            small = {"schema": "tiebreak.case/1", **({"op": whole["op"]} if "op" in whole else {}), "cases": [entry]}
            keys = set(re.findall(r'"([a-z_]+)":', json.dumps(entry)))
            types = set(re.findall(r'"type": "([^"]+)"', json.dumps(entry)))
            rules = set(re.findall(r'"rule": "([^"]+)"', json.dumps(entry)))
            found.add(frozenset(keys | types | rules), f"{path.stem}-{entry['name']}", json.dumps(small))
    return found.covering()


def profile():
    found = Smallest()
    for path in sorted((ROOT / "spec" / "systems").glob("*/*.json")):
        found.add(words_of(path.read_text()), path.stem, path.read_text())
    return found.covering()


def observations():
    logs = []
    for path in sorted((ROOT / "docs").glob("*.md")):
        for number, block in enumerate(re.findall(r"^```[a-z]*\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)):
            if "tiebreak.observations/1" in block:
                logs.append((f"{path.stem}-{number}", block))
    return logs


def records():
    known = sorted((ROOT / "tools" / "adapters").glob("*/known*.json"))
    found = Smallest()
    for path in known:
        for entry in json_of(path):
            found.add(frozenset(entry), path.parent.name, json.dumps([entry]))
    manifest = json_of(ROOT / "golden" / "manifest.json")
    manifest["files"] = manifest["files"][:2]
    return found.covering() + [("manifest", json.dumps(manifest))]


def argument():
    words = set()
    for path in sorted((ROOT / "docs").glob("*.md")) + [ROOT / "README.md"]:
        for option in re.findall(r"--(?:input|attribute|policy|shard|profile|result) (?:'([^']+)'|(\S+))", path.read_text()):
            words.add(option[0] or option[1])
    return [(word[:40], word) for word in sorted(words) if len(word) < 120]


def literal():
    """Each element type with the literals that its class has."""
    integers = [f"{sign}{bits}" for sign in ("i", "ui") for bits in (2, 4, 8, 16, 32, 64)]
    floats = ["f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN"]
    values = {"i": ["[0, 1]", "dense<[1, -1]>", "1", '"0x01"'], "f": ["[0.5, -0x1p-2]", "[inf, nan]", "1e3", "0x01", "-0.0"]}
    for element in integers + floats:
        for number, value in enumerate(values["f" if element.startswith(("f", "b", "t")) else "i"]):
            yield f"{element}-{number}", f"tensor<2x{element}>\n{value}"
    yield "truths", "tensor<2xi1>\n[true, false]"
    yield "nested", "tensor<2x1x2xi8>\n[[[1, 2]], [[3, 4]]]"
    yield "empty", "tensor<0x3xf32>\n[]"
    yield "quantized", "tensor<2x!quant.uniform<i8:f32, 0.1:-3>>\n[1, -128]"
    yield "quantized-axis", "tensor<2x1x!quant.uniform<u8:f32:0, {0.5:3, 0.25}>>\n[[1], [255]]"


def write(folder, name, seeds):
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    for seed, content in list(seeds)[:MOST]:
        safe = re.sub(r"[^A-Za-z0-9_.+-]+", "-", seed).strip("-.") or "seed"
        (target / safe).write_bytes(content if isinstance(content, bytes) else content.encode())


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: seeds.py FOLDER")
    folder = Path(sys.argv[1])
    for make in (notation, page, mlir, mlir_case, markdown, case, profile, observations, records, argument, literal):
        write(folder, make.__name__, make())
    write(folder, "onnx", onnx_seeds.models())
    write(folder, "tflite", tflite_seeds.models())
    write(folder, "tensor_file", onnx_seeds.tensors())


if __name__ == "__main__":
    main()
