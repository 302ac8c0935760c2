# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's observers answer for tensors made from seeds: writes torch_observers.json for N tensors an observer, or says that torch is not there.

    torch_observers.py N FILE
    torch_observers.py N --test PROGRAM     gives them to a test program
"""
import json
import os
import subprocess
import sys
import tempfile

CHANNELS, BATCHES = 3, 4


def values(seed):
    """Batches of numbers that are whole multiples of powers of two, which f32 holds: torch_observers_test.cpp makes the same."""
    state = seed * 2654435761 % 2**32

    def draw():
        nonlocal state
        state = (state * 1664525 + 1013904223) % 2**32
        return state >> 8

    size = 1 + draw() % 40
    scale, shift = 2.0 ** (draw() % 40 - 56), draw() % 3
    batches = []
    for _ in range(BATCHES):
        batch = []
        for _ in range(CHANNELS * size):
            number = draw() - (2**23 if shift == 0 else 0 if shift == 1 else 2**24)
            batch.append(number * scale / (1 if draw() % 5 == 0 else 16))
        batches.append(batch)
    return batches, size


def observers(torch):
    from torch.ao.quantization import observer as all_of
    affine, symmetric = torch.per_tensor_affine, torch.per_tensor_symmetric
    each_affine, each_symmetric = torch.per_channel_affine, torch.per_channel_symmetric
    for name, plain in [("min_max", all_of.MinMaxObserver), ("moving_average", all_of.MovingAverageMinMaxObserver), ("torch_histogram", all_of.HistogramObserver)]:
        for kind in (torch.quint8, torch.qint8):
            for scheme in (affine, symmetric):
                yield name, False, kind is torch.qint8, scheme is symmetric, lambda plain=plain, kind=kind, scheme=scheme: plain(dtype=kind, qscheme=scheme)
    for name, each in [("min_max", all_of.PerChannelMinMaxObserver), ("moving_average", all_of.MovingAveragePerChannelMinMaxObserver)]:
        for kind in (torch.quint8, torch.qint8):
            for scheme in (each_affine, each_symmetric):
                yield name, True, kind is torch.qint8, scheme is each_symmetric, lambda each=each, kind=kind, scheme=scheme: each(dtype=kind, qscheme=scheme)


def answers(torch, count):
    for name, by_channel, signed, symmetric, make in observers(torch):
        scales, zero_points = [], []
        for seed in range(1, count + 1):
            batches, size = values(seed)
            watched = make()
            for batch in batches:
                watched(torch.tensor(batch, dtype=torch.float32).reshape(CHANNELS, size))
            scale, zero_point = watched.calculate_qparams()
            scales.append([float(one).hex() for one in scale.reshape(-1)])
            zero_points.append([int(one) for one in zero_point.reshape(-1)])
        yield {"provider": name, "by_channel": by_channel, "signed": signed, "symmetric": symmetric, "scales": scales, "zero_points": zero_points}


def write(torch, count, path):
    with open(path, "w") as file:
        lines = ",\n".join(json.dumps(one) for one in answers(torch, count))
        file.write('{ "torch": "%s", "observers": [\n%s\n] }\n' % (torch.__version__, lines))


def main():
    try:
        import torch
    except ImportError:
        print("skipped: no torch here")
        return 0
    import warnings
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    count = int(sys.argv[1])
    if sys.argv[2] != "--test":
        write(torch, count, sys.argv[2])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "observers.json")
        write(torch, count, path)
        environment = {**os.environ, "TIEBREAK_TORCH_OBSERVERS": path}
        return subprocess.run([sys.argv[3], "--gtest_filter=TorchObservers.*"], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
