# SPDX-License-Identifier: Apache-2.0
"""The model's program: one process a graph. It ends with one of the text's three outcomes, and says which."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy_files
from exchange_case import Undefined, Unsupported

NAME = "tosa_reference_model"
SECONDS = 50  # less than what a batch gets


class Model:
    def __init__(self, program, schema):
        found = program or shutil.which(NAME)
        if not found:
            raise OSError(f"{NAME} is not installed: put it on PATH, or write --backend-option=--model --backend-option=FILE")
        self.program = pathlib.Path(found).resolve()
        self.schema = pathlib.Path(schema).resolve() if schema else self.program.parent / "tosa.fbs"
        if not self.schema.is_file():
            raise OSError(f"no schema {self.schema}: --backend-option=--schema --backend-option=FILE names the tosa.fbs that the model was built with")
        self.version = self._version()

    def _version(self):
        with tempfile.TemporaryDirectory() as folder:  # it goes on to look for a graph, and finds none
            text = self._ended(["--version"], folder).stdout
        found = re.search(r"Model version (\d+\.\d+\.\d+d?)", text)
        if not found:
            raise OSError(f"{self.program} does not say its version")
        return found.group(1)

    def _ended(self, words, folder):
        """PATH is a folder without programs: at its end the model would start a debugger, which takes seconds."""
        return subprocess.run([self.program, *words], cwd=folder, env=os.environ | {"PATH": folder}, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False)

    def run(self, graph):
        with tempfile.TemporaryDirectory() as folder:
            for name, (element, data) in graph.inputs.items():
                numpy_files.write(os.path.join(folder, name + ".npy"), element, data)
            self._write(folder, "graph.json", graph.as_json(self.version))
            names = {"ifm": list(graph.inputs), "ofm": list(graph.outputs)}
            files = {f"{kind}_file": [name + ".npy" for name in of_kind] for kind, of_kind in names.items()}
            self._write(folder, "desc.json", {"tosa_file": "graph.json"} | {f"{kind}_name": of_kind for kind, of_kind in names.items()} | files | {"variable_name": [], "variable_file": []})
            ended = self._ended([f"--test_desc={folder}/desc.json", f"--operator_fbs={self.schema}"], folder)
            if ended.returncode != 0:
                self._refuse(ended)
            return [numpy_files.read(os.path.join(folder, name + ".npy"), output.data.dtype, output.shape) for name, output in graph.outputs.items()]

    @staticmethod
    def _write(folder, name, content):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            json.dump(content, file)

    @staticmethod
    def _refuse(ended):
        """Why there is no result: the graph is unpredictable, malformed, or none that the model has."""
        text = re.sub(r"\x1b\[[0-9;]*m", "", ended.stdout + ended.stderr)
        lines = [line.strip() for line in text.splitlines()]
        checks = [line.split(" fails AT ")[0] + " " + line.split("(): ", 1)[-1] for line in lines if " fails AT " in line]
        why = "; ".join(dict.fromkeys(checks))
        if "Unsupported operation type or rank" in text or "Unsupported tensor" in text:
            raise Unsupported("an operation, type or rank that the model has not")
        died = f", then signal {-ended.returncode}" if ended.returncode < 0 else ""
        if "Graph result: UNPREDICTABLE" in text or (died and "REQUIRE() fails" in text):  # what follows a failed requirement may be anything
            raise Undefined(f"unpredictable{': ' if why else ''}{why}{died}")
        if "Graph result: ERROR" in text:
            raise RuntimeError(f"the graph is malformed: {why}")
        fatal = [following for line, following in zip(lines, lines[1:]) if line.startswith(("FATAL ERROR AT", "WARNING AT", "ASSERTION"))]
        raise RuntimeError(f"the model ended with {ended.returncode}: {'; '.join(fatal) or ' '.join(lines[-3:])[-300:]}")
