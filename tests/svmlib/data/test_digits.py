"""Deskewing, shifting and virtual support vectors: geometry on small images, and what they are worth on digits."""
import numpy as np
import pytest

from svmlib import SVC
from svmlib.data import load_mnist
from svmlib.data.digits import NEIGHBOURS, deskew, fit_virtual, shift, virtual_support_vectors
from svmlib.kernels import Gaussian


@pytest.fixture(scope="module")
def digits():
    return load_mnist()


def moments(images):
    """Centre of mass and covariance S_xy of the ink of each image."""
    side = int(np.sqrt(images.shape[1]))
    y, x = np.mgrid[:side, :side]
    x, y, w = x.ravel(), y.ravel(), images / images.sum(axis=1, keepdims=True)
    return w @ x, w @ y, w @ (x * y) - (w @ x) * (w @ y)


def test_shift_by_hand():
    image = np.arange(9.0).reshape(1, 9)
    np.testing.assert_array_equal(shift(image, 1, 0).reshape(3, 3), [[0, 0, 1], [0, 3, 4], [0, 6, 7]])
    np.testing.assert_array_equal(shift(image, 0, -1).reshape(3, 3), [[3, 4, 5], [6, 7, 8], [0, 0, 0]])
    np.testing.assert_array_equal(shift(image, -2, 2).reshape(3, 3), [[0, 0, 0], [0, 0, 0], [2, 0, 0]])
    np.testing.assert_array_equal(shift(image, 0, 0), image)


@pytest.mark.parametrize(("dx", "dy"), NEIGHBOURS)
def test_shift_and_back_keeps_digits_with_a_rim(digits, dx, dy):
    images = digits.X_train[:50].reshape(-1, 28, 28).copy()
    images[:, [0, -1]] = 0
    images[:, :, [0, -1]] = 0
    images = images.reshape(-1, 784)
    moved = shift(images, dx, dy)
    np.testing.assert_array_equal(shift(moved, -dx, -dy), images)
    np.testing.assert_allclose(moments(moved)[0] - moments(images)[0], dx, atol=1e-4)
    np.testing.assert_allclose(moments(moved)[1] - moments(images)[1], dy, atol=1e-4)


def test_deskew_centres_and_takes_out_the_slant(digits):
    images = digits.X_train[:300]
    before, after = moments(images), moments(deskew(images))
    # Bilinear interpolation, and ink that leaves the frame, move the moments a little.
    np.testing.assert_allclose(after[0], 13.5, atol=0.3)
    np.testing.assert_allclose(after[1], 13.5, atol=0.3)
    assert np.abs(after[2]).mean() < 0.05 * np.abs(before[2]).mean()


def test_deskew_leaves_an_upright_image_alone():
    image = np.zeros((1, 15, 15))
    image[0, 3:12, 6:9] = 1.0
    np.testing.assert_allclose(deskew(image.reshape(1, -1)), image.reshape(1, -1), atol=1e-12)


def test_deskew_keeps_blank_pages_types_and_its_argument():
    images = np.zeros((2, 49), dtype=np.float32)
    images[0, 24] = 1.0
    copy = images.copy()
    out = deskew(images)
    assert out.dtype == np.float32
    np.testing.assert_array_equal(out, copy)
    np.testing.assert_array_equal(images, copy)


@pytest.mark.parametrize("images", [np.zeros((2, 50)), np.zeros(49), np.zeros((2, 7, 7))])
def test_images_must_be_square(images):
    with pytest.raises(ValueError, match=r"images must have shape \(n, side\^2\)"):
        deskew(images)


@pytest.mark.parametrize(("dx", "dy", "name"), [(0.5, 0, "dx"), (0, 7, "dy"), (True, 0, "dx")])
def test_shifts_must_be_pixels(dx, dy, name):
    with pytest.raises(ValueError, match=f"{name} must be an integer below 7"):
        shift(np.zeros((1, 49)), dx, dy)


def test_virtual_support_vectors_are_shifted_support_vectors(digits):
    X, y = digits.X_train[:300], digits.y_train[:300]
    machine = SVC(Gaussian(gamma=0.02), C=10.0).fit(X, y)
    V, labels = virtual_support_vectors(machine, X, y, [(1, 0), (0, -1)])
    m = len(machine.support_)
    assert V.shape == (3 * m, 784)
    np.testing.assert_array_equal(V[:m], X[machine.support_])
    np.testing.assert_array_equal(V[2 * m:], shift(X[machine.support_], 0, -1))
    np.testing.assert_array_equal(labels[m:2 * m], y[machine.support_])


@pytest.mark.parametrize(("n", "new"), [(500, 1000), pytest.param(1500, 3000, marks=pytest.mark.thorough)])
def test_invariances_lower_the_error(digits, n, new):
    """Error of the plain machine, deskewed, and with virtual support vectors."""
    X, y, Xt, yt = digits.X_train[:n], digits.y_train[:n], digits.X_test[:new], digits.y_test[:new]
    machine = SVC(Gaussian(gamma=0.02), C=10.0)
    plain = 1 - machine.fit(X, y).score(Xt, yt)
    upright = 1 - SVC(Gaussian(gamma=0.02), C=10.0).fit(deskew(X), y).score(deskew(Xt), yt)
    virtual = 1 - fit_virtual(machine, X, y).score(Xt, yt)
    assert upright < 0.8 * plain
    assert virtual < 0.8 * plain
