# SPDX-License-Identifier: Apache-2.0
"""The backend `emulated`: another adapter under QEMU's user-mode emulation, on a processor of choice. A library asks the processor which
kernels to use, so one machine shows the arithmetic of many. Everything but its own options goes to that adapter."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

OPTIONS = {
    "--adapter": ("the adapter, a name or a path", ""),
    "--cpu": ("the processor, as QEMU names it: Haswell, Nehalem, qemu64, neoverse-n1", ""),
    "--machine": ("the machine that the adapter is built for: x86_64, aarch64", "x86_64"),
    "--root": ("the machine's libraries, a folder with lib/; of aarch64 what build-arm64 made", ""),
}


class Failure(Exception):
    """Why nothing can be run: exit status 69, or 2 for words that make no sense."""

    def __init__(self, text, status=69):
        super().__init__(text)
        self.status = status


def own_options(words):
    """The values of OPTIONS, and every other word in its order."""
    values, rest = {name: default for name, (_, default) in OPTIONS.items()}, []
    position = 0
    while position < len(words):
        if words[position] not in OPTIONS:
            rest.append(words[position])
            position += 1
        elif position + 1 == len(words):
            raise Failure(f"option '{words[position]}' wants a value", 2)
        else:
            values[words[position]] = words[position + 1]
            position += 2
    for name in ("--adapter", "--cpu"):
        if not values[name]:
            raise Failure(f"option '{name}' is missing: {OPTIONS[name][0]}", 2)
    return values, rest


# Where tools/adapters/emulated/build-arm64 puts what it builds for a machine, from the folder of this program.
BUILT = {"aarch64": "arm64"}


def adapter_path(name, machine):
    """As the command looks for adapters: a path, or a name in $TIEBREAK_ADAPTERS and beside this program; another machine's have a folder."""
    if "/" in name:
        return name
    folders = [pathlib.Path(folder) for folder in os.environ.get("TIEBREAK_ADAPTERS", "").split(":") if folder]
    beside = pathlib.Path(sys.argv[0]).resolve().parent
    folders += [beside / "adapters", beside]
    if machine in BUILT:
        folders = [folder / BUILT[machine] for folder in folders]
    for folder in folders:
        path = folder / ("tiebreak-adapter-" + name)
        if os.access(path, os.X_OK) and path.is_file():
            return str(path)
    hint = f": tools/adapters/emulated/build-{BUILT[machine]} {name}" if machine in BUILT else ""
    raise Failure(f"no adapter '{name}' for {machine} in $TIEBREAK_ADAPTERS or beside {sys.argv[0]}{hint}")


def root_of(values, adapter):
    """The libraries beside the adapter, with the processor's own /proc/cpuinfo where there is one; none for this machine."""
    if values["--root"] or values["--machine"] not in BUILT:
        return values["--root"]
    folder = pathlib.Path(adapter).resolve().parent / ("root-" + values["--cpu"])
    if not folder.is_dir():
        known = sorted(path.name[len("root-"):] for path in folder.parent.glob("root-*"))
        raise Failure(f"no libraries for --cpu {values['--cpu']} in {folder.parent}, there are: {' '.join(known) or 'none'}; else --root says where")
    return str(folder)


def emulator(values):
    program = "qemu-" + values["--machine"]
    path = shutil.which(program)
    if path is None:
        raise Failure(f"{program} is not on PATH: tools/setup-backends emulated")
    adapter = adapter_path(values["--adapter"], values["--machine"])
    root = root_of(values, adapter)
    return [path, "-cpu", values["--cpu"], *(["-L", root] if root else []), adapter]


def emulator_version(path):
    words = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.split()
    return words[words.index("version") + 1] if "version" in words[:-1] else "unknown"


def describe(command, rest, values):
    """What the adapter says of itself there, and where it ran."""
    answer = subprocess.run([*command, *rest], stdout=subprocess.PIPE, text=True, check=False)
    if answer.returncode != 0:
        return answer.returncode if answer.returncode > 0 else 1
    description = json.loads(answer.stdout)
    description.setdefault("details", {}).update(cpu=values["--cpu"], machine=values["--machine"], emulator="qemu " + emulator_version(command[0]))
    print(json.dumps(description, indent=2))
    return 0


def main():
    try:
        values, rest = own_options(sys.argv[1:])
        command = emulator(values)
    except Failure as failure:
        print(f"{sys.argv[0]}: {failure}", file=sys.stderr)
        return failure.status
    if rest[-1:] == ["describe"]:
        return describe(command, rest, values)
    sys.stdout.flush()
    os.execv(command[0], [*command, *rest])


sys.exit(main())
