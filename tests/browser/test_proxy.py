"""The page behind a proxy that speaks TLS to browsers, as a server on the internet has it."""

import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from urllib.parse import urlsplit

from served import PATIENCE, Served

NAME = "chase.example"
SETTINGS = """
daemon off; pid {home}/pid; error_log {home}/error.log;
events {{}}
http {{
    access_log off;
    {temporary}
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {home}/certificate; ssl_certificate_key {home}/key;
        location / {{ proxy_pass {server}; proxy_buffering off; proxy_set_header Host $http_host; }}
    }}
}}
"""


@unittest.skipUnless(shutil.which("nginx") and shutil.which("openssl"), "nginx or openssl is not there")
class Proxy(Served):
    ARGUMENTS = ["--allow-host", NAME]
    OPTIONS = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    CONTEXT = {"ignore_https_errors": True}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        home = Path(folder.name)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
            + ["-keyout", home / "key", "-out", home / "certificate"],
            check=True,
            capture_output=True,
        )
        server = f"http://{urlsplit(cls.address).netloc}"
        cls.address = f"https://{NAME}:{cls.nginx(home, server)}/"

    @classmethod
    def nginx(cls, home, server):
        """Starts nginx in front of the server; its port."""
        kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        temporary = " ".join(f"{kind}_temp_path {home}/{kind};" for kind in kinds)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            (home / "nginx.conf").write_text(SETTINGS.format(home=home, port=port, server=server, temporary=temporary))
            nginx = subprocess.Popen(["nginx", "-p", home, "-c", home / "nginx.conf"], stderr=subprocess.DEVNULL)
            cls.addClassCleanup(nginx.wait)
            cls.addClassCleanup(nginx.terminate)
            # It ends if another program has taken the port meanwhile.
            while nginx.poll() is None and time.monotonic() < deadline:
                with socket.socket() as tried:
                    if tried.connect_ex(("127.0.0.1", port)) == 0:
                        return port
                time.sleep(0.05)
        raise TimeoutError("nginx does not listen")

    def test_a_match_is_played(self):
        self.start("white", "greedy")
        self.page.fill("#typed", "1A6A7")
        self.page.keyboard.press("Enter")
        self.wait_for_plies(2)
        self.assertEqual(self.plies()[0], "1A6A7")
