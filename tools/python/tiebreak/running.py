# SPDX-License-Identifier: Apache-2.0
"""The command `tiebreak`: where it is, and how it is run."""
import json
import os
import pathlib
import shutil
import subprocess

from .errors import Error

PACKAGE = pathlib.Path(__file__).absolute().parent  # links stay as they are: what lies beside the link counts
GRACE = 2.0  # seconds between SIGTERM and SIGKILL; the command ends within one and leaves its report


def _is_program(path):
    return os.path.isfile(path) and os.access(path, os.X_OK)


def find_command():
    """Path of the command: `$TIEBREAK` (a path, or a name on PATH), else the one that was built or installed with this package, else `tiebreak` on PATH. Error
    where there is none."""
    named = os.environ.get("TIEBREAK", "")
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error(f"no such command: {named} (the environment variable TIEBREAK)")
        return found
    # build/python/tiebreak beside build/tiebreak; PREFIX/lib/python3/dist-packages/tiebreak with PREFIX/bin/tiebreak.
    for path in (PACKAGE.parents[1] / "tiebreak", *(above / "bin/tiebreak" for above in PACKAGE.parents[3:4])):
        if _is_program(path):
            return str(path)
    found = shutil.which("tiebreak")
    if found is None:
        raise Error("there is no command tiebreak: install it, or set the environment variable TIEBREAK to its path")
    return found


def _end(child):
    """The child and what it started: asked first, since the command ends its adapters, then killed."""
    child.terminate()
    try:
        child.communicate(timeout=GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()


def run(words, timeout=None):
    """(exit code, standard output, standard error) of the command with these words. Error where there is none or `timeout` seconds pass; whatever interrupts the
    wait, KeyboardInterrupt for one, ends the child first."""
    command = [find_command(), *map(str, words)]
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace")
    except OSError as error:
        raise Error(f"the command cannot be run: {error}", None, command) from error
    try:
        output, errors = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as error:
        _end(child)
        raise Error(f"not done after {timeout} seconds", None, command) from error
    except BaseException:
        _end(child)
        raise
    if child.returncode < 0:
        raise Error(f"ended by signal {-child.returncode}\n{errors.strip()}".strip(), None, command)
    return child.returncode, output, errors


def fault(code, errors, words):
    """The Error that a run's exit code and standard error make."""
    text = errors.strip() or f"exit code {code}"
    return Error(text.removeprefix("tiebreak: "), code, ["tiebreak", *words])


def run_json(words, schema, timeout=None):
    """What the command prints as JSON of this schema; Error for every exit code but 0."""
    code, output, errors = run(words, timeout)
    if code != 0:
        raise fault(code, errors, words)
    return parse_json(output, schema, words)


def parse_json(text, schema, words):
    """JSON of this schema, else Error: what a command of another version printed."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Error(f"what the command printed is no JSON: {error}", 0, ["tiebreak", *words]) from error
    if not isinstance(data, dict) or data.get("schema") != schema:
        said = data.get("schema") if isinstance(data, dict) else None
        raise Error(f"the command printed {said}, not {schema}: this package and the command are of different versions", 0, ["tiebreak", *words])
    return data
