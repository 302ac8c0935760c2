# SPDX-License-Identifier: Apache-2.0
"""The package under test, imported from PYTHONPATH; a test that cannot have it is skipped, visibly."""
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(0)

import tiebreak

__all__ = ["SOURCE", "h5py", "numpy", "tiebreak"]
