# SPDX-License-Identifier: Apache-2.0
"""A backend, or arrays that somebody computed, held against a profile: `tiebreak check`."""
import contextlib
import os
import pathlib
import shlex
import sys
import tempfile

import numpy

from .case_text import case_text, named, tensor, without_path
from .errors import Error
from .reports import report_of
from .running import fault, run


def check(*sources, backend, profile=None, policy="exact", filters=(), backend_options=(), level=None, jobs=1, show=20, allow_unsupported=False, arguments=(), timeout=None):
    """Compares a backend with a profile, case by case, and gives the Report, whatever the verdict.

    sources          as on the command line: ids, globs, case files, golden files, folders; none are the cases of this installation
    backend          an adapter's name or path, or "recorded:FOLDER"
    profile          None is the one that the backend declares, else reference
    filters          globs of ids that must match (-k)
    backend_options  words that the adapter gets
    show             elements that differ kept for each output, or "all"
    arguments        further words of the command line, as they are
    timeout          seconds for the whole run, None for no limit; --timeout among `arguments` is that of a batch in the adapter

    Error where no report is written: an unknown source, backend or profile, nothing selected, a defect of the command.
    """
    words = ["check", *sources, "--backend", backend, "--policy", policy, "--jobs", jobs, "--show", show]
    words += [] if profile is None else ["--profile", profile]
    words += [] if level is None else ["--level", level]
    words += [word for glob in filters for word in ("--filter", glob)] + [f"--backend-option={option}" for option in backend_options]
    words += ["--allow-unsupported"] * bool(allow_unsupported) + [*arguments]
    return _report(words, timeout)


def _report(words, timeout, made=""):
    """The report of a run. `made` is the path of a case file that the user did not write, which errors do not name."""
    with tempfile.TemporaryDirectory(prefix="tiebreak-") as folder:
        path = pathlib.Path(folder) / "report.json"
        code, output, errors = run([*words, f"--json={path}"], timeout)
        if code == 3 or not path.is_file():
            raise fault(code, without_path(errors, made) if made else errors, words)
        return report_of(path.read_text(encoding="utf-8"), code, output)


def _save(folder, outputs):
    """(name, element type, file) of each array, as `given_outputs` wants them."""
    given = []
    for place, (name, value) in enumerate(outputs):
        value = tensor(value, name or "actual")
        numpy.save(folder / f"actual-{place}.npy", value.codes, allow_pickle=False)
        given.append((name, value.element, f"actual-{place}.npy"))
    return given


def _write_answers(folder, outputs):
    """The arrays, and a program that answers with them: it runs in this Python, with what this Python imports from."""
    given = _save(folder, outputs)
    program = f"import sys; sys.path[:] = {[os.path.abspath(path) for path in sys.path]!r}; from tiebreak.given_outputs import answer; answer({str(folder)!r}, {given!r})"
    path = folder / "answer"
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(program)} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def _outputs(actual):
    """(name, value) of each output, "" for a name where they are given in order."""
    if isinstance(actual, dict):
        return list(actual.items())
    return [("", value) for value in (actual if isinstance(actual, (list, tuple)) else [actual])]


def judge(op="", *operands, actual, profile="reference", policy="exact", inputs=None, attributes=None, results=(), version=None, program="", show=20, folder=None, name="call",
          timeout=None):
    """Holds outputs that somebody computed against a page, and gives the Report: the elements that differ, with inputs, exact value, cause and commands.

    actual   an array or Tensor, several in the op's order, or a dict by the outputs' names; of types that numpy lacks codes, with Tensor or as plain uint8, uint16
    folder   where case and answers are written, so that the commands of the report can be run afterwards; None is a temporary folder, which is removed
    Everything else as for `eval` and `check`. An output of another shape or type is no value to compare: the case is inconclusive, with the reason. Error where the
    inputs do not fit the op.
    """
    with contextlib.nullcontext(folder) if folder is not None else tempfile.TemporaryDirectory(prefix="tiebreak-") as place:
        folder = pathlib.Path(place).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "case.json"
        path.write_text(case_text(op, named(op, operands, inputs), attributes, results, version, program, name), encoding="utf-8")
        words = ["check", path, "--backend", _write_answers(folder, _outputs(actual)), "--profile", profile, "--policy", policy, "--show", show]
        report = _report(words, timeout, path)
    if report.counts["invalid"]:
        raise Error(without_path(report.cases[0].reason, path), report.exit_code, ["tiebreak", *words])
    return report
