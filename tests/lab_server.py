"""A JupyterLab of its own for a test, with nobody's settings."""
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def jupyter_lab(top: Path) -> Iterator[str]:
    """The address of a JupyterLab on top/notebooks, which ends with the context."""
    settings = top / "settings" / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}')    # all cells are there to be looked at
    off = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True, "jupyterlab-myst": True}}
    (top / "config" / "labconfig").mkdir(parents=True)
    (top / "config" / "labconfig" / "page_config.json").write_text(json.dumps(off))
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    environment = {**os.environ, "JUPYTER_CONFIG_DIR": str(top / "config"), "JUPYTER_DATA_DIR": str(top / "data"),
                   "JUPYTERLAB_SETTINGS_DIR": str(top / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(top / "spaces")}
    environment.pop("SVMLIB_STATIC", None)
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", f"--notebook-dir={top / 'notebooks'}", "--no-browser", f"--port={port}",
         "--IdentityProvider.token=", "--allow-root"], env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(240):
        try:
            urllib.request.urlopen(f"{address}/api", timeout=2).close()
            break
        except OSError:
            time.sleep(0.5)
    yield address
    server.terminate()
    server.wait(30)
