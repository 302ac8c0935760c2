# SPDX-License-Identifier: Apache-2.0
"""docs/python.md: what stands behind its prompts is run and compared, its files are what pytest and the command take. packaging/commands/docs/python.md runs its commands."""
import doctest
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from the_package import SOURCE, tiebreak

TEXT = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
ENDS = "`NAME`:\n\n```python\n(.*?)^```"


def file_of(name):
    """The block that a sentence ending with the file's name announces."""
    return re.search("(?ms)" + ENDS.replace("NAME", re.escape(name)), TEXT)[1]


class DocumentTest(unittest.TestCase):
    def test_what_stands_behind_prompts(self):
        examples = "\n".join(block for block in re.findall(r"(?ms)^```python\n(.*?)^```", TEXT) if block.startswith(">>>"))
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(SOURCE)  # the paths are those of the source folder
        said = []
        results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", None, 0), out=said.append)
        self.assertEqual(results.failed, 0, "".join(said))
        self.assertGreater(results.attempted, 20)

    def test_every_public_name_has_a_docstring_and_most_are_shown(self):
        for name in tiebreak.__all__:
            self.assertTrue(getattr(tiebreak, name).__doc__, name)
        self.assertEqual([name for name in ("eval", "eval_tensors", "eval_cases", "check", "judge", "read_golden", "read_record", "open_exchange", "operand_names", "ops()", "profiles()", "backends()",
                                            "Tensor", "Error", "tiebreak.adapter", "tiebreak_check") if name not in TEXT], [])

    def test_the_backend_has_ten_lines(self):
        lines = [line for line in file_of("nearest.py").splitlines() if line.strip() and not line.startswith("#!")]
        self.assertLessEqual(len(lines), 10)


class PytestTest(unittest.TestCase):
    """The plugin, run by pytest itself."""

    def setUp(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("no pytest")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def pytest(self, text, *words):
        (self.folder / "test_quantize.py").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={self.folder}/kept", *words, str(self.folder / "test_quantize.py")]
        answer = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        return answer.returncode, answer.stdout + answer.stderr

    def test_the_file_of_the_document(self):
        code, output = self.pytest(file_of("test_quantize.py"))
        self.assertEqual(code, 1, output)
        self.assertIn("1 failed, 1 passed", output)
        self.assertIn("FAILED", output)
        shown = re.search(r"(?ms)with the verdict:\n\n```\n(.*?)^```", TEXT)[1]
        flat = " ".join(output.split())
        for line in shown.splitlines():
            self.assertIn(" ".join(line.split()), flat)
        again = re.search(r"again +tiebreak (check .*)", output)[1].split()
        self.assertEqual(tiebreak.running.run(again)[0], 1, "pytest keeps the files")

    def test_what_a_test_asks_wrongly(self):
        # Named in conftest.py, too, it is the same plugin.
        (self.folder / "conftest.py").write_text('pytest_plugins = ["tiebreak.pytest_plugin"]\n', encoding="utf-8")
        text = "import numpy, pytest, tiebreak\nx = numpy.float32([1])\n"
        text += "def test_both(tiebreak_check):\n    with pytest.raises(tiebreak.Error, match='either actual= or function='):\n        tiebreak_check('onnx.Relu', x)\n"
        text += "def test_page(tiebreak_check):\n    with pytest.raises(tiebreak.Error, match='unknown op'):\n        tiebreak_check('onnx.Rely', inputs={'X': x}, actual=x)\n"
        text += "def test_shape(tiebreak_check):\n    tiebreak_check('onnx.Relu', inputs={'X': x}, function=lambda X: X[0])\n"
        code, output = self.pytest(text)
        self.assertIn("1 failed, 2 passed", output)
        self.assertIn("Y is f32 of shape [], the op gives f32 of shape [1]", output)
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
