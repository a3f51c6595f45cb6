"""Make mnist_sample.npz from the IDX files: `python book/_tools/make_mnist_sample.py DIRECTORY [OUTPUT]`.

DIRECTORY holds the files of MNIST; what is missing there is fetched.
The sample holds all 10,000 test images and 10,000 training images drawn without replacement with a fixed
seed, in the order drawn (so the first n rows are themselves a random subset), and the rows drawn.
A second run writes the same bytes.
"""

import io
import sys
import zipfile
from pathlib import Path

import numpy as np

from svmlib.data import mnist

SEED = 2021
N_TRAIN = 10_000


def draw_sample(directory: Path) -> dict[str, np.ndarray]:
    """The arrays of the sample: uint8 images (n, 784), uint8 labels (n,), int32 rows of the training set."""
    X_train, y_train, X_test, y_test = (mnist.read_idx(path) for path in mnist.fetch(directory))
    train_index = np.random.default_rng(SEED).permutation(len(X_train))[:N_TRAIN].astype(np.int32)
    return {
        "X_train": X_train[train_index].reshape(N_TRAIN, -1),
        "y_train": y_train[train_index],
        "X_test": X_test.reshape(len(X_test), -1),
        "y_test": y_test,
        "train_index": train_index,
    }


def write_npz(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays as an .npz of smallest size; the fixed date lets equal data give equal bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.save(member, array, allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, member.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=9)


def main(arguments: list[str]) -> None:
    """Make the sample from the directory on the command line, as svmlib/data has it unless told otherwise."""
    if not 1 <= len(arguments) <= 2:
        sys.exit("usage: python book/_tools/make_mnist_sample.py DIRECTORY [OUTPUT.npz]")
    output = Path(arguments[1]) if len(arguments) == 2 else mnist.SAMPLE
    write_npz(output, draw_sample(Path(arguments[0])))
    print(f"{output}: {output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
