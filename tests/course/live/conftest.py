"""The page's script, for all tests of live figures."""
import pytest
from live_browser import bundle


@pytest.fixture(scope="module")
def script() -> str:
    """The page's script."""
    return bundle()
