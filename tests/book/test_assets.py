"""npm behind a proxy that speaks for other hosts with a certificate of its own: node knows what the system trusts."""
from __future__ import annotations

import os
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import assets
import pytest
import trustme
from sphinx.errors import ExtensionError

ASK = "fetch(process.argv[1]).then(a => a.text()).then(console.log, e => {console.error(e.cause); process.exit(1)})"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"package")

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def proxy(tmp_path: Path) -> Any:
    """The address of a host whose certificate only this system's administrator has signed, and the system's store."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "system.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    server = HTTPServer(("localhost", 0), Answer)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://localhost:{server.server_port}/", tmp_path / "system.pem"
    server.shutdown()
    server.server_close()


def ask(address: str, environment: dict[str, str], store: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in environment.items()
             if name not in ("NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR") and "proxy" not in name.lower()}
    return subprocess.run([*assets.node(), "-e", ASK, address], env={**clean, "SSL_CERT_FILE": str(store)}, text=True,
                          capture_output=True, timeout=60, check=False)


def test_node_trusts_what_the_system_trusts(proxy: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NODE_USE_SYSTEM_CA", raising=False)
    assert ask(proxy[0], dict(os.environ), proxy[1]).returncode == 1
    done = ask(proxy[0], assets.environment(), proxy[1])
    assert (done.returncode, done.stdout) == (0, "package\n"), done.stderr


def test_a_failing_installation_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"nothing": "1.0.0"}}')
    (tmp_path / "package-lock.json").write_text('{"lockfileVersion": 3, "packages": {}}')
    with pytest.raises(ExtensionError, match=r"certificate.*NODE_EXTRA_CA_CERTS"):
        assets.install(tmp_path)
