# SPDX-License-Identifier: Apache-2.0
"""Where the command is found, and how what runs is ended. Programs of this test's own stand in for the command."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from the_package import numpy, tiebreak

PACKAGE = pathlib.Path(tiebreak.__file__).absolute().parent
ASK = "import numpy, tiebreak; tiebreak.eval('onnx.Relu', inputs={'X': numpy.float32([1])})"


def is_there(process):
    """Whether a process runs; one that ended and waits for its parent does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return str(path)

    def found(self, package_folder, **environment):
        """What a Python that imports the package from there finds."""
        program = f"import sys; sys.path.insert(0, {str(package_folder)!r}); import tiebreak; print(tiebreak.find_command())"
        kept = {name: value for name, value in os.environ.items() if name not in ("TIEBREAK", "PYTHONPATH")}
        answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**kept, **environment}, check=False)
        return answer.stdout.strip() or answer.stderr.strip().splitlines()[-1]

    def test_where_the_command_is_found(self):
        built, installed, on_path = self.program("build/tiebreak", ""), self.program("prefix/bin/tiebreak", ""), self.program("path/tiebreak", "")
        for folder in ("build/python", "prefix/lib/python3/dist-packages", "alone"):
            shutil.copytree(PACKAGE, self.folder / folder / "tiebreak")
        path = {"PATH": f"{self.folder}/path:{os.environ['PATH']}"}
        self.assertEqual(self.found(self.folder / "build/python", **path), built)
        self.assertEqual(self.found(self.folder / "prefix/lib/python3/dist-packages", **path), installed)
        self.assertEqual(self.found(self.folder / "alone", **path), on_path)
        self.assertEqual(self.found(self.folder / "build/python", TIEBREAK=installed, **path), installed)
        self.assertIn("no such command: nowhere/tiebreak", self.found(self.folder / "build/python", TIEBREAK="nowhere/tiebreak"))
        self.assertIn("there is no command tiebreak", self.found(self.folder / "alone", PATH="/nowhere"))

    def test_a_command_that_is_none_of_ours(self):
        for text, said in (("echo '{\"schema\": \"tiebreak.eval/9\"}'", "printed tiebreak.eval/9, not tiebreak.eval/1"), ("echo text", "is no JSON"), ("echo 'tiebreak: a defect' >&2; exit 3", "a defect"),
                           ("kill -SEGV $$", "ended by signal 11"), ("exit 9", "exit code 9")):
            with mock.patch.dict(os.environ, TIEBREAK=self.program("tiebreak", text)), self.subTest(said=said):
                with self.assertRaisesRegex(tiebreak.Error, said) as caught:
                    tiebreak.eval("onnx.Relu", inputs={"X": numpy.float32([1])})
                self.assertFalse(caught.exception.message.startswith("tiebreak: "))
        with mock.patch.dict(os.environ, TIEBREAK=self.program("tiebreak", "exit 3")):
            self.assertRaisesRegex(tiebreak.Error, "exit code 3", tiebreak.check, backend="reference")

    def test_a_time_limit_ends_the_command(self):
        noted = self.folder / "process"
        stubborn = self.program("tiebreak", f"trap '' TERM\necho $$ > {noted}\nwhile :; do sleep 0.05; done\n")
        with mock.patch.dict(os.environ, TIEBREAK=stubborn), mock.patch("tiebreak.running.GRACE", 0.2):
            start = time.monotonic()
            with self.assertRaisesRegex(tiebreak.Error, "not done after 0.5 seconds"):
                tiebreak.eval("onnx.Relu", inputs={"X": numpy.float32([1])}, timeout=0.5)
        self.assertLess(time.monotonic() - start, 5)
        self.assertFalse(is_there(noted.read_text().strip()))

    def test_an_interrupt_ends_the_command(self):
        noted = self.folder / "process"
        slow = self.program("tiebreak", f"echo $$ > {noted}\nexec sleep 60\n")
        asking = subprocess.Popen([sys.executable, "-c", ASK], env={**os.environ, "TIEBREAK": slow}, stderr=subprocess.PIPE, text=True)
        self.addCleanup(asking.kill)
        deadline = time.monotonic() + 30
        while not (noted.exists() and noted.read_text().strip()) and time.monotonic() < deadline:
            time.sleep(0.02)
        asking.send_signal(signal.SIGINT)
        errors = asking.communicate(timeout=30)[1]
        self.assertIn("KeyboardInterrupt", errors)
        self.assertFalse(is_there(noted.read_text().strip()))

    def test_the_plugin_loads_nothing_that_is_not_asked_for(self):
        plugin = (PACKAGE / "pytest_plugin.py").read_text(encoding="utf-8")
        self.assertEqual([line for line in plugin.splitlines() if line.startswith(("import ", "from "))], ["import itertools", "import pytest"])


if __name__ == "__main__":
    unittest.main()
