# SPDX-License-Identifier: Apache-2.0
"""The scripts of tools/cluster without a batch system: parts are killed, interrupted, run again and run twice, and together they are the single run.
Usage: parts_test.py TIEBREAK FAULTY_ADAPTER"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

import runs

PARTS = 3
SCRIPTS = ["prepare", "part", "merge", "slurm/submit", "slurm/array.sbatch"]


class PartsTest(unittest.TestCase):
    def setUp(self):
        self.run = runs.Run(TIEBREAK, FAULTY)
        self.addCleanup(self.run.close)

    def prepare(self, *more, parts=PARTS):
        answer = self.run.call("prepare", self.run.folder, "--parts", parts, "--", *self.run.arguments, *more)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def part(self, index, **variables):
        """As a task of an array that has this task alone: what Slurm says of the array is not what decides."""
        return self.run.call("part", self.run.folder, cwd="/", SLURM_ARRAY_TASK_ID=str(index), SLURM_ARRAY_TASK_COUNT="1", **variables)

    def begun(self, index):
        """A part whose backend does not answer."""
        self.run.started.unlink(missing_ok=True)
        self.run.hold.touch()
        process = subprocess.Popen([runs.TOOLS / "part", self.run.folder, str(index)], env=self.run.environment, stderr=subprocess.PIPE, text=True, start_new_session=True)
        runs.wait_for("the backend is asked", 60, self.run.started.exists)
        return process

    def merged(self, code):
        answer = self.run.call("merge", self.run.folder)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return answer.stderr

    def follows_the_schema(self, *paths):
        for path in paths if jsonschema else ():
            report = json.loads(path.read_text(encoding="utf-8"))
            schema = json.loads((runs.SOURCE / "docs/schemas/report.schema.json").read_text(encoding="utf-8"))
            self.assertIn("part", report)
            self.assertEqual([error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(report)], [])

    def test_a_killed_part_is_named_and_all_together_are_the_single_run(self):
        self.prepare()
        self.assertIn("there is no report yet", self.merged(5))
        process = self.begun(1)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.run.hold.unlink()
        for index in (2, 3):
            self.assertEqual((answer := self.part(index)).returncode, 0, answer.stderr)
        self.assertEqual(self.run.reports(), [f"part-{index}-of-3.json" for index in (2, 3)], "nothing of the killed one")
        message = self.merged(5)
        self.assertIn("without a report: part 1 of 3", message)
        self.assertIn("no report for shard 1/3", message)
        self.assertIn('"incomplete": true', (self.run.folder / "report.json").read_text())
        self.assertEqual(self.run.call("merge", "--missing", self.run.folder).stdout, "1\n")
        self.follows_the_schema(self.run.folder / "report.json", self.run.folder / "reports/part-2-of-3.json")
        # Kubernetes counts from 0.
        self.assertEqual((answer := self.run.call("part", self.run.folder, JOB_COMPLETION_INDEX="0")).returncode, 0, answer.stderr)
        self.assertEqual(self.merged(1), "", "the backend fails, and nothing is missing")
        self.assertEqual(self.run.call("merge", "--missing", self.run.folder).stdout, "")
        whole, single = self.run.folder / "report.json", self.run.single(self.run.arguments)
        self.assertIn(b'"causes"', single.read_bytes(), "the selection has common causes")
        self.assertEqual(runs.without_times(whole), runs.without_times(single))

    def test_parts_by_case_come_back_in_the_order_of_the_run(self):
        self.run.arguments = [*runs.SELECTION, "--backend", "faulty", "--backend-option=--fault", "--backend-option=none", "--profile", "onnxruntime-x64",
                              "--allow-unsupported", "--shard-by", "case"]
        self.prepare(parts=3)
        for index in (3, 1, 2):
            self.assertEqual((answer := self.part(index)).returncode, 0, answer.stderr)
        self.assertEqual(self.merged(0), "")
        self.assertEqual(runs.without_times(self.run.folder / "report.json"), runs.without_times(self.run.single(self.run.arguments)))

    def test_an_interrupt_keeps_a_partial_report(self):
        self.prepare()
        def to_all(process):
            """To every process of the task, and more than once: the command gets it from the system and from the script."""
            for _ in range(8):
                os.killpg(process.pid, signal.SIGTERM)
                time.sleep(0.005)
        for send in (lambda process: process.terminate(), to_all):
            process = self.begun(1)
            sent = time.monotonic()
            send(process)
            error = process.communicate(timeout=30)[1]
            self.assertLess(time.monotonic() - sent, 1.5)
            self.assertEqual(process.returncode, 143, error)
            self.assertEqual(self.run.reports(), ["part-1-of-3.partial.json"])
            message = self.merged(5)
            self.assertIn("without a report: part 2,3 of 3", message)
            self.assertIn("interrupted: part 1 of 3", message)
            (self.run.folder / "reports/part-1-of-3.partial.json").rename(self.run.path / "partial.json")
        (self.run.path / "partial.json").rename(self.run.folder / "reports/part-1-of-3.partial.json")
        self.run.hold.unlink()
        self.assertEqual((answer := self.part(1)).returncode, 0, answer.stderr)
        self.assertEqual(self.run.reports(), ["part-1-of-3.json"], "the whole report takes its place")
        whole = (self.run.folder / "reports/part-1-of-3.json").read_bytes()
        process = self.begun(1)
        process.terminate()
        process.communicate(timeout=30)
        self.assertEqual(self.run.reports(), ["part-1-of-3.json"], "and no partial one that of a whole one")
        self.assertEqual((self.run.folder / "reports/part-1-of-3.json").read_bytes(), whole)

    def test_a_part_that_is_started_twice_does_no_harm(self):
        self.prepare()
        self.assertEqual((answer := self.part(3)).returncode, 0, answer.stderr)
        path = self.run.folder / "reports/part-3-of-3.json"
        first = runs.without_times(path)
        twins = [subprocess.Popen([runs.TOOLS / "part", self.run.folder, "3"], env=self.run.environment, stderr=subprocess.DEVNULL) for _ in range(2)]
        while any(twin.poll() is None for twin in twins):
            self.assertEqual(runs.without_times(path), first, "a reader always sees a whole report")
            time.sleep(0.02)
        self.assertEqual([twin.returncode for twin in twins], [0, 0])
        self.assertEqual(self.run.reports(), ["part-3-of-3.json"])
        self.assertEqual([path.name for path in (self.run.folder / "reports").iterdir()], ["part-3-of-3.json"], "no draft is left")

    def test_parts_of_another_selection_are_refused(self):
        self.run.arguments = [runs.SELECTION[0], "-k", "*/hand/*", "--backend", "faulty"]
        self.prepare(parts=2)
        self.assertEqual(self.part(1).returncode, 0)
        (self.run.folder / "arguments").write_text(f"{runs.SELECTION[2]}\n-k\n*/hand/*\n--backend\nfaulty\n")
        self.assertEqual(self.part(2).returncode, 0)
        self.assertIn("parts of different selections", self.merged(2))

    def test_bad_words(self):
        self.prepare()
        folder, prepare = self.run.folder, lambda *words: self.run.call("prepare", *words)
        self.assertEqual(prepare(folder, "--parts", PARTS, "--", *self.run.arguments).returncode, 0, "the same run again")
        for words, message in (((folder, "--parts", PARTS + 1, "--", *self.run.arguments), "is another run, with other parts"), ((folder, "--parts", PARTS, "--", "-q"), "with other arguments"),
                               ((self.run.path / "b", "--parts", "0", "--"), "not '0'"), ((self.run.path / "b", "--parts", "08", "--"), "not '08'"), ((self.run.path / "b", "--parts"), "--parts N"),
                               ((self.run.path / "b", "--parts", "2", "--", "--json=x.json"), "--json=x.json is not for a run in parts"),
                               ((self.run.path / "b", "--parts", "2", "--", "--state", "x"), "--state is not for a run in parts"),
                               ((self.run.path / "b", "--parts", "2", "--", "a\nb"), "more than one line"), ((self.run.path / "b", "--part", "2", "--"), "unknown option '--part'"),
                               ((self.run.adapter, "--parts", "2", "--"), "is no folder")):
            answer = prepare(*words)
            self.assertEqual(answer.returncode, 2, words)
            self.assertIn(message, answer.stderr)
            self.assertEqual(len(answer.stderr.splitlines()), 1, answer.stderr)
        self.assertFalse((self.run.path / "b").exists(), "nothing half-made")
        for words, message in (((folder, "5"), "no part '5' of 3"), ((folder, "0"), "no part '0' of 3"), ((folder,), "nothing says which part"), ((self.run.path, "1"), "is no run")):
            answer = self.run.call("part", *words)
            self.assertEqual(answer.returncode, 2, words)
            self.assertIn(message, answer.stderr)
        (folder / "arguments").write_text("--backend\nno-such-backend\n")
        answer = self.run.call("part", folder, "1")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("part 1 of 3 has left no report: the command ended with 2", answer.stderr)
        self.assertEqual(self.run.reports(), [])
        self.assertEqual(list((folder / "reports").iterdir()), [], "no draft is left")


class ScriptsTest(unittest.TestCase):
    def test_each_says_what_it_does(self):
        for name in SCRIPTS:
            answer = subprocess.run([runs.TOOLS / name, "--help"], capture_output=True, text=True, check=False)
            self.assertEqual(answer.returncode, 0, name)
            self.assertIn("Usage: ", answer.stdout)
            self.assertTrue((runs.TOOLS / name).read_text().startswith("#!/usr/bin/env bash\n# SPDX-License-Identifier: Apache-2.0\n"), name)

    def test_shellcheck_finds_nothing(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        answer = subprocess.run(["shellcheck", "-x", *(f"tools/cluster/{name}" for name in [*SCRIPTS, "run.bash"])], cwd=runs.SOURCE, capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 0, answer.stdout)


if __name__ == "__main__":
    TIEBREAK, FAULTY = sys.argv[1:3]
    del sys.argv[1:3]
    unittest.main()
