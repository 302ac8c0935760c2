# SPDX-License-Identifier: Apache-2.0
"""Finds what one room uses and another defines that rules.py does not let it use: a header below whose code stands above. Usage:
symbols.py SOURCE_FOLDER BUILD_FOLDER, where the rooms are static libraries libtiebreak_ROOM.a."""
import collections
import pathlib
import re
import subprocess
import sys

import rules

SYMBOL = re.compile(r"^\s*[0-9a-f]*\s+([A-Za-z])\s+(\S+)$", re.MULTILINE)


def room_names():
    return {folder.rsplit("/", 1)[-1]: folder for folder in rules.ROOMS}


def allowed(name, names):
    """Rooms whose code a room may need: those that it may include, and what comes with their headers."""
    reached, waiting = {name, "error"}, [name]
    while waiting:
        for folder in rules.ROOMS[names[waiting.pop()]]:
            below = folder.rsplit("/", 1)[-1]
            if below not in reached:
                reached.add(below)
                waiting.append(below)
    return reached


def symbols_of(library):
    text = subprocess.run(["nm", str(library)], capture_output=True, text=True, check=True).stdout
    symbols = collections.defaultdict(set)
    for kind, name in SYMBOL.findall(text):
        symbols["used" if kind == "U" else "defined" if kind in "TBDRS" else "other"].add(name)
    return symbols


def findings(libraries):
    """`libraries`: room -> symbols_of."""
    names = room_names()
    holder = {symbol: room for room, symbols in libraries.items() for symbol in symbols["defined"]}
    for room, symbols in sorted(libraries.items()):
        if room not in names:
            continue
        may_use = allowed(room, names)
        for symbol in sorted(symbols["used"]):
            other = holder.get(symbol, room)
            if other in names and other not in may_use:
                yield f"{names[room]} uses {symbol} of {names[other]}"


def main():
    build = pathlib.Path(sys.argv[2])
    libraries = {path.stem.removeprefix("libtiebreak_"): symbols_of(path) for path in sorted(build.glob("libtiebreak_*.a"))}
    found = list(findings(libraries))
    for line in found:
        print(line)
    print(f"{len(found)} findings in {len(libraries)} rooms")
    return 1 if found or not libraries else 0


if __name__ == "__main__":
    sys.exit(main())
