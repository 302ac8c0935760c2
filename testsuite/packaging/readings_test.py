#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The formula with which a page of spec/quant begins is the page's own reading: an op made of it alone gives every value that the page's examples state without a choice.

    readings_test.py TIEBREAK SOURCE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TIEBREAK, SOURCE = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
DECLARED = ("op", "types", "type", "structure", "constraint", "require")

# Pages whose first formula needs no reading beside it: definitions, and ops whose own formulas are as short.
WITHOUT = {"bias_limit", "const_fake_quant", "const_fake_quant_per_axis", "dynamic", "element_type", "fixed_range", "integer", "inverse_sqrt", "pack_word", "statistics", "uniform", "unpack_word", "words"}


def statements(text):
    """Statements of a page's formulas, each with its continuation lines."""
    found = []
    for block in re.findall(r"(?ms)^```semantics\n(.*?)^```", text):
        for line in block.splitlines():
            if line[:1].isspace():
                found[-1] += "\n" + line
            elif line.strip():
                found.append(line)
    return found


def header(page, reading):
    """What the op takes, and the formulas by which the reading names what it is made of."""
    parts = statements(page)
    first = next(i for i, part in enumerate(parts) if part.startswith("op "))
    lines = [part for part in parts[:first] if part.startswith("use ")]
    lines += [part for part in parts[first:] if part.split()[0] in DECLARED]
    own = {found[1]: part for part in parts[first:] if (found := re.match(r"(?:def )?(\w+)(?:\([^)]*\))? *= ", part))}
    results = set(re.findall(r"(?m)^(\w+) *=", reading))
    named, wanted = set(), [reading]
    while wanted:
        for word in re.findall(r"\w+", wanted.pop()):
            if word in own and word not in results | named:
                named.add(word)
                wanted.append(own[word])
    return "\n".join(lines + [own[name] for name in own if name in named])


def examples(page, name):
    """Examples with the lines that state no choice."""
    for block in re.findall(r"(?ms)^```mlir\n(.*?)^```", page.split("\n## Examples\n", 1)[1]):
        lines = [line for line in block.splitlines() if not re.match(r"// %\w+ @ ", line)]
        if any(line.startswith("//") for line in lines[next(i for i, line in enumerate(lines) if not line.startswith("//")):]) and "// error" not in block:
            yield "\n".join(lines).replace(f'"quant.{name}"(', f'"readings.{name}"(')


def as_page(page, reading):
    name = re.search(r"(?m)^op quant\.(\w+)\(", page)[1]
    formulas = header(page, reading).replace(f"op quant.{name}(", f"op readings.{name}(") + "\n" + reading
    return name, f"# readings.{name}\n\n```semantics\n{formulas}```\n\n" + "\n\n".join(f"```mlir\n{block}\n```" for block in examples(page, name)) + "\n"


class ReadingsTest(unittest.TestCase):
    def verify(self, change=lambda reading: reading):
        """What `spec verify` says of a folder with an op for each reading."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "readings").mkdir()
            names = []
            for path in sorted((SOURCE / "spec" / "quant").glob("*.md")):
                page = path.read_text(encoding="utf-8")
                if found := re.search(r"(?ms)^```reading\n(.*?)^```", page):
                    name, text = as_page(page, change(found[1]))
                    (pathlib.Path(folder) / "readings" / f"{name}.md").write_text(text, encoding="utf-8")
                    names.append("readings." + name)
            environment = dict(os.environ, TIEBREAK_SPEC=f"{SOURCE / 'spec'}:{folder}")
            return subprocess.run([str(TIEBREAK), "spec", "verify", *names], env=environment, capture_output=True, text=True, check=False)

    def test_every_page_begins_with_its_reading(self):
        pages = {path.stem: path.read_text(encoding="utf-8") for path in (SOURCE / "spec" / "quant").glob("*.md")}
        missing = {name for name, page in pages.items() if "```reading\n" not in page.split("\n## Formulas\n")[0]}
        self.assertEqual(missing, WITHOUT)

    def test_readings_give_what_the_pages_give(self):
        run = self.verify()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_another_tie_is_found(self):
        run = self.verify(lambda reading: reading.replace("rne(", "rna("))
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
