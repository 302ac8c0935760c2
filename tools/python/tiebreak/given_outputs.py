# SPDX-License-Identifier: Apache-2.0
"""The adapter behind `judge`: it answers its one case with arrays that lie in a folder."""
import pathlib
import sys

import numpy

from .adapter import main
from .element_types import storage


class DoesNotFit(Exception):
    """The arrays are not what the op gives."""


class _Given:
    def __init__(self, folder, given):
        self.folder, self.given = pathlib.Path(folder), given

    def describe(self):
        return {"name": "given", "version": "arrays", "ops": []}

    def takes_program(self, _case):  # whatever the program is, it is not run
        return True

    def run(self, case):
        named = {name: (element, file) for name, element, file in self.given if name}
        if named and set(named) != {output.name for output in case.outputs} or len(self.given) != len(case.outputs):
            names = ", ".join(name or "without name" for name, _, _ in self.given)
            raise DoesNotFit(f"{len(self.given)} outputs are given ({names}), the op has {', '.join(output.name for output in case.outputs)}")
        return [self._fitting(output, *(named[output.name] if named else self.given[place][1:])) for place, output in enumerate(case.outputs)]

    def _fitting(self, output, element, file):
        array = numpy.load(self.folder / file, allow_pickle=False)
        wanted = output.type
        # Plain codes have the type of their array: uint16 for a bf16, int8 for an i4. Another dtype, and another type that was named, do not fit.
        if (element != wanted and storage(wanted) != array.dtype) or array.shape != output.shape:
            raise DoesNotFit(f"{output.name} is {element} of shape {list(array.shape)}, the op gives {wanted} of shape {list(output.shape)}")
        return array


def answer(folder, given):
    """Ends the process. `given` has (name or "", element type, file) of each output."""
    sys.exit(main({}, lambda options: _Given(folder, given)))
