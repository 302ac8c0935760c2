# SPDX-License-Identifier: Apache-2.0
"""A run as a job array of Slurm, on one node that the test starts: a task is killed, one is put back into the queue, the node is lost, tasks are cancelled,
and the merged report is that of a single run. Usage: slurm_test.py TIEBREAK FAULTY_ADAPTER"""
import sys
import tempfile
import unittest

import runs
import slurm_node

PARTS = 4
PATIENCE = 60


class SlurmTest(unittest.TestCase):
    def setUp(self):
        self.run = runs.Run(TIEBREAK, FAULTY)
        self.addCleanup(self.run.close)
        self.run.environment["SLURM_CONF"] = NODE.environment["SLURM_CONF"]
        self.single = self.run.single(self.run.arguments)

    def submit(self, *words):
        answer = self.run.call("slurm/submit", self.run.folder, *words)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout.strip()

    def begin(self):
        """An array whose backends wait."""
        self.run.hold.touch()
        return self.submit("--parts", PARTS, "--", *self.run.arguments)

    def until(self, what, condition):
        try:
            return runs.wait_for(what, PATIENCE, condition)
        except AssertionError as error:
            logs = "".join(f"{path.name}: {path.read_text()}" for path in sorted((self.run.folder / "logs").iterdir()))
            raise AssertionError(f"{error}\n{NODE.call('squeue').stdout}{NODE.call('scontrol', 'show', 'node').stdout}{logs}") from None

    def running(self, job, *tasks):
        """They run, and their commands have begun."""
        logs = {task: self.run.folder / f"logs/part-{task}.txt" for task in tasks}
        self.until(f"tasks {tasks} run", lambda: all(NODE.states(job).get(task) == "RUNNING" and logs[task].exists() and "shard" in logs[task].read_text() for task in tasks))

    def over(self, job):
        self.run.hold.unlink(missing_ok=True)
        self.until("the array is over", lambda: not NODE.states(job))

    def merge(self, code):
        answer = self.run.call("merge", self.run.folder)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return answer.stderr

    def is_the_single_run(self):
        self.assertEqual(self.merge(1), "", "the backend fails, and nothing is missing")
        self.assertEqual(runs.without_times(self.run.folder / "report.json"), runs.without_times(self.single))

    def test_a_killed_and_a_requeued_task(self):
        job = self.begin()
        self.running(job, "1", "2")
        self.assertEqual(NODE.call("scancel", "--signal=KILL", "--batch", f"{job}_1").returncode, 0)
        self.until("task 1 is over", lambda: "1" not in NODE.states(job))
        self.assertEqual(NODE.call("scontrol", "requeue", f"{job}_2").returncode, 0)
        self.over(job)
        self.assertIn("without a report: part 1 of 4", self.merge(5))
        self.over(self.submit("--again"))
        self.is_the_single_run()

    def test_cancelled_tasks_and_a_lost_node(self):
        job = self.begin()
        self.running(job, "1", "2")
        self.assertEqual(NODE.call("scancel", f"{job}_1").returncode, 0)
        self.until("a partial report", lambda: "part-1-of-4.partial.json" in self.run.reports())
        self.assertEqual(NODE.call("scontrol", "update", f"NodeName={NODE.host}", "State=DOWN", "Reason=test").returncode, 0)
        self.until("task 2 waits again", lambda: NODE.states(job).get("2") == "PENDING")
        # It comes back by itself where the daemon registers first, and there is nothing to resume.
        self.until("the node is back", lambda: NODE.call("scontrol", "update", f"NodeName={NODE.host}", "State=RESUME").returncode == 0 or not NODE.is_down())
        self.over(job)
        self.assertIn("interrupted: part 1 of 4", self.merge(5))
        self.over(self.submit("--again"))
        self.is_the_single_run()


if __name__ == "__main__":
    TIEBREAK, FAULTY = sys.argv[1:3]
    del sys.argv[1:3]
    if lacking := slurm_node.missing():
        print(f"skipped: {', '.join(lacking)} of slurm-wlm and munge: not installed")
        sys.exit(0)
    with tempfile.TemporaryDirectory(prefix="tiebreak-slurm-") as folder:
        NODE = slurm_node.Node(folder)
        try:
            if reason := NODE.start():
                print(f"skipped: Slurm cannot be started here: {reason}")
                sys.exit(0)
            result = unittest.main(exit=False).result
        finally:
            NODE.stop()
    sys.exit(not result.wasSuccessful())
