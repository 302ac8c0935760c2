# SPDX-License-Identifier: Apache-2.0
"""What the tests of tools/cluster share: a run over a small selection with failures in several ops, by an adapter that waits while a file is there."""
import os
import pathlib
import re
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOLS = SOURCE / "tools/cluster"
SELECTION = [*(str(SOURCE / f"testsuite/cases/onnx/{op}.json") for op in ("QuantizeLinear", "DequantizeLinear", "QLinearMatMul", "QLinearConv")),
             "-k", "*/hand/*", "-k", "*/ties/f32-u8*"]


def wait_for(what, seconds, condition):
    """Until the condition is true; its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)
    return value


def without_times(report):
    """The bytes of a report, but for how long it took."""
    text, count = re.subn(rb'"duration_seconds": "[^"]*"', b'"duration_seconds": ""', report.read_bytes())
    assert count == 1, report
    return text


class Run:
    """A temporary folder with the adapter, and `run` in it, the folder of the scripts."""

    def __init__(self, tiebreak, faulty):
        self.tiebreak = str(pathlib.Path(tiebreak).resolve())
        self.place = tempfile.TemporaryDirectory(prefix="tiebreak-cluster-")
        self.path = pathlib.Path(self.place.name)
        self.folder = self.path / "run"
        self.hold = self.path / "hold"
        self.started = self.path / "started"
        self.adapter = self.path / "waiting-adapter"
        self.adapter.write_text(f"""#!/bin/sh
case " $* " in
  *" describe "*) ;;
  *) touch '{self.started}'; while [ -e '{self.hold}' ]; do sleep 0.05; done ;;
esac
exec '{pathlib.Path(faulty).resolve()}' "$@"
""")
        self.adapter.chmod(0o755)
        self.environment = {name: value for name, value in os.environ.items() if not re.match(r"(SLURM|SBATCH|GTEST|TEST|JOB|TIEBREAK)_", name)}
        self.environment |= {"TIEBREAK": self.tiebreak, "TIEBREAK_SPEC": str(SOURCE / "spec")}
        self.arguments = [*SELECTION, "--backend", str(self.adapter), "--backend-option=--fault", "--backend-option=half-away", "--profile", "onnx", "--allow-unsupported"]

    def close(self):
        self.hold.unlink(missing_ok=True)
        self.place.cleanup()

    def call(self, script, *words, cwd=None, **variables):
        return subprocess.run([TOOLS / script, *map(str, words)], cwd=cwd or self.path, env=self.environment | variables, capture_output=True, text=True, timeout=120, check=False)

    def single(self, arguments):
        """The report of a run of everything, by the words that each part has."""
        path = self.path / "single.json"
        with path.open("wb") as file:
            subprocess.run([self.tiebreak, "check", *arguments, *([] if "--shard-by" in arguments else ["--shard-by", "op"]), "--json"], cwd=self.path, env=self.environment,
                           stdout=file, stderr=subprocess.PIPE, timeout=120, check=False)
        return path

    def reports(self):
        return sorted(path.name for path in (self.folder / "reports").iterdir() if not path.name.startswith("."))
