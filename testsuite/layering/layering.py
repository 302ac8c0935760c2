# SPDX-License-Identifier: Apache-2.0
"""Finds every include, file length, full folder, first line and call that breaks rules.py. Usage: layering.py SOURCE_FOLDER"""
import collections
import fnmatch
import functools
import pathlib
import re
import sys

import rules

NAMESPACE = re.compile(r"namespace ([\w:]*) ?\{")
TYPE = re.compile(r"(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)? ?\{")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The longest folder of rules.ROOMS that holds `path`, or None."""
    holders = [folder for folder in rules.ROOMS if path.startswith(folder + "/")]
    return max(holders, key=len, default=None)


def project_include(path, target):
    room = room_of(path)
    if room is None:
        return f"{path.rsplit('/', 1)[0]} is no room of the house (testsuite/layering/rules.py)"
    if target in rules.SHARED_HEADERS:
        return f"{room} may not include {target}" if room in rules.WITHOUT_SHARED_HEADERS else None
    allowed = rules.ROOMS[room] + [room]
    return None if room_of(target) in allowed else f"{room} may not include {target}"


def library_of(target):
    """The start of an include that rules.LIBRARIES knows, or None."""
    return next((start for start in rules.LIBRARIES if target.startswith(start)), None)


def may_use(path, library):
    return any(fnmatch.fnmatch(path, pattern) for pattern in rules.LIBRARIES[library])


def library_include(path, target):
    library = library_of(target)
    if library:
        return None if may_use(path, library) else f"<{target}> belongs in {', '.join(rules.LIBRARIES[library])}"
    plain = "/" not in target and not target.endswith((".h", ".hpp"))
    if plain or target in rules.SYSTEM or target.startswith(rules.SYSTEM_FOLDERS):
        return None
    return f"<{target}> is no known library (testsuite/layering/rules.py, docs/dependencies.md)"


@functools.cache
def includes_of(root, header):
    if not (root / header).is_file():
        return []
    matches = map(INCLUDE.match, (root / header).read_text(encoding="utf-8").split("\n"))
    return [match[2] for match in matches if match]


def libraries_behind(root, header):
    """Libraries that come with a project header, through other headers too."""
    seen, waiting, libraries = {header}, [header], set()
    while waiting:
        for target in includes_of(root, waiting.pop()):
            if is_ours(target) and target not in seen:
                seen.add(target)
                waiting.append(target)
            elif library_of(target):
                libraries.add(library_of(target))
    return libraries


def leaked_library(root, path, target):
    leaked = sorted(library for library in libraries_behind(root, target) if not may_use(path, library))
    return f"{target} brings {leaked[0]}, which belongs in {', '.join(rules.LIBRARIES[leaked[0]])}" if leaked else None


def is_ours(target):
    return target.split("/")[0] in ("interpreter", "testsuite", "tools")


def include_finding(root, path, quote, target):
    if is_ours(target):
        return project_include(path, target) or leaked_library(root, path, target)
    if quote == '"' and (root / path).parent.joinpath(target).is_file():
        return f'"{target}": write the path from the top of the tree'
    return library_include(path, target)


def file_findings(root, path):
    lines = (root / path).read_text(encoding="utf-8").split("\n")
    if lines[0] != rules.FIRST_LINE:
        yield 1, f"first line is not {rules.FIRST_LINE}"
    length = len(lines) - (lines[-1] == "")
    if length > rules.LONGEST_FILE:
        yield length, f"{length} lines, more than {rules.LONGEST_FILE}"
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        finding = match and include_finding(root, path, match[1], match[2])
        if finding:
            yield number, finding
        for call in rules.FORBIDDEN_CALLS:
            if call + "(" in line:
                yield number, f"{call} changes every thread of the process"


def source_files(root):
    for folder in ("interpreter", "testsuite", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".c", ".h") and path.is_file():
                yield path.relative_to(root).as_posix()


def folder_findings(root):
    files = collections.Counter(path.rsplit("/", 1)[0] for path in source_files(root))
    for folder, count in sorted(files.items()):
        if count > rules.FULLEST_FOLDER:
            yield f"{folder}: {count} files, more than {rules.FULLEST_FOLDER}"


def unnamed_rooms(root):
    """Rooms that the reading guide does not name."""
    guide = root / "docs/layout.md"
    text = guide.read_text(encoding="utf-8") if guide.is_file() else ""
    for room in sorted({room_of(path) for path in source_files(root)} - {None}):
        name = room.rsplit("/", 1)[-1]
        if guide.is_file() and not any(f"{start}{name}/" in text for start in ("`", "/")):
            yield f"{room}: docs/layout.md does not name it"


def types_of(text):
    """Names of the types that a header defines at namespace scope, with their namespaces."""
    spaces = []
    for line in text.split("\n"):
        if opened := NAMESPACE.match(line):
            spaces.append(opened[1])
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        elif defined := TYPE.match(line):
            yield "::".join([*spaces, defined[1]])


def shared_names(root):
    """Types of one name in two headers: two layouts under it are undefined behaviour wherever both are linked."""
    headers = collections.defaultdict(list)
    for path in source_files(root):
        if path.endswith(".hpp"):
            for name in types_of((root / path).read_text(encoding="utf-8")):
                headers[name].append(path)
    for name, paths in sorted(headers.items()):
        if len(paths) > 1:
            yield f"{paths[-1]}: {name} stands in {paths[0]}, too"


def circles(rooms):
    """Rooms that may use each other, directly or through others."""
    reached = {room: set(used) - {room} for room, used in rooms.items()}
    for middle in rooms:
        for room in rooms:
            if middle in reached[room]:
                reached[room] |= reached[middle]
    return sorted(room for room in rooms if room in reached[room])


def findings(root):
    found = [f"{path}:{line}: {text}" for path in source_files(root) for line, text in file_findings(root, path)]
    return found + [*folder_findings(root), *unnamed_rooms(root), *shared_names(root)]


def main():
    root = pathlib.Path(sys.argv[1])
    found = findings(root)
    for line in found:
        print(line)
    print(f"{len(found)} findings in {sum(1 for _ in source_files(root))} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
