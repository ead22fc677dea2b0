"""The examples in deploy/: behind nginx and Caddy the doors are shut too, and the server is told the truth."""

import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .serving import PATIENCE, Server, free_port, wait_for

pytestmark = pytest.mark.long

FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "quet.example"


@dataclass
class Proxy:
    """A proxy with the certificate of quet.example, in front of a server."""

    port: int
    trusted: ssl.SSLContext
    server: Server
    folder: Path  # of all that it writes

    @property
    def host(self) -> str:
        return f"{NAME}:{self.port}"

    def connect(self) -> ssl.SSLSocket:
        """A connection to it."""
        return self.trusted.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE), server_hostname=NAME
        )

    def say(self, *parts: bytes) -> bytes:
        """All that it answers to these bytes until it closes the connection; what it doesn't read is dropped."""
        answer = b""
        with self.connect() as connection:
            with contextlib.suppress(OSError):
                for part in parts:
                    connection.sendall(part)
            with contextlib.suppress(OSError):
                while part := connection.recv(100_000):
                    answer += part
        return answer

    def ask(self, path: str, form: str | None = None, **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
        """The status, headers and text of an answer. `_` in the name of a header stands for a hyphen."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.sock = self.connect()
        sent = {"Host": self.host} | {name.replace("_", "-"): value for name, value in headers.items()}
        if form is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request("GET" if form is None else "POST", path, form, sent)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with cert.pem and key.pem."""
    folder = tmp_path_factory.mktemp("certificate")
    words = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    files = ["-keyout", "key.pem", "-out", "cert.pem", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run(["openssl", "req", *words, *files], cwd=folder, check=True, capture_output=True)
    for file in (folder, *folder.iterdir()):
        file.chmod(0o755 if file.is_dir() else 0o644)
    return folder


def nginx(folder: Path, certificate: Path, port: int, server: Server) -> list[str]:
    """The command that runs nginx with our file; only ports, files and times are others."""
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}").replace("20s;", "1s;").replace("30s;", "1s;")
    text = re.sub(r"listen \[::\].*\n", "", text).replace("listen 443", f"listen 127.0.0.1:{port}")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = re.sub(r"/etc/letsencrypt\S*fullchain.pem", str(certificate / "cert.pem"), text)
    text = re.sub(r"/etc/letsencrypt\S*privkey.pem", str(certificate / "key.pem"), text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\nevents {{}}\n"
    whole += f"http {{\naccess_log {folder}/access.log;\n{paths}{text}}}\n"  # as Debian's
    if os.geteuid() == 0:
        whole = "user root;\n" + whole
    (folder / "whole.conf").write_text(whole)
    return ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "whole.conf")]


def caddy(folder: Path, certificate: Path, port: int, server: Server) -> list[str]:
    """The command that runs Caddy with our file; only ports, files and times are others."""
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}").replace(" 20s", " 1s").replace(" 30s", " 1s")
    text = text.replace("{\n\tgrace", "{\n\tadmin off\n\tauto_https disable_redirects\n\tgrace", 1)
    tls = f"\n\tbind 127.0.0.1\n\ttls {certificate}/cert.pem {certificate}/key.pem\n"
    (folder / "Caddyfile").write_text(text.replace(f"\n{NAME} {{\n", f"\nhttps://{NAME}:{port} {{{tls}", 1))
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.fixture(scope="module", params=[nginx, caddy])
def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, certificate: Path
) -> Iterator[Proxy]:
    """Either proxy, in front of a server of its own."""
    command: Callable[[Path, Path, int, Server], list[str]] = request.param
    name = command.__name__
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    folder, port = tmp_path_factory.mktemp(name), free_port()
    settings = {"QUET_PROXIES": "127.0.0.1", "QUET_HOSTS": f"{NAME},127.0.0.1", "QUET_LIMIT_ADDRESS_PAGES": "10"}
    server = Server(folder, f"sqlite:///{folder / 'quet.db'}", **settings)
    environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command(folder, certificate, port, server), stdout=log, stderr=log, env=environment, cwd=folder
        )

    def is_ready() -> bool:
        assert process.poll() is None, (folder / "log").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_for(is_ready, name)
        yield Proxy(port, ssl.create_default_context(cafile=str(certificate / "cert.pem")), server, folder)
    finally:
        process.kill()  # Caddy would wait for event streams
        process.wait(PATIENCE)
        server.stop()


def test_endless_headers_and_half_requests_end_at_the_proxy(proxy: Proxy) -> None:
    begin = f"GET / HTTP/1.1\r\nHost: {proxy.host}\r\n".encode()
    for endless in (b"".join(b"X-%d: y\r\n" % k for k in range(100_000)), b"X: " + b"y" * 1_000_000):
        answer = proxy.say(begin, endless)
        assert answer == b"" or re.match(rb"HTTP/1\.1 (400|414|431) ", answer), answer[:200]
    began = time.monotonic()
    for half in (begin, begin.replace(b"GET /", b"POST /language") + FORM + b"Content-Length: 100\r\n\r\nabc"):
        answer = proxy.say(half)
        assert answer == b"" or re.match(rb"HTTP/1\.1 (400|408) ", answer), answer[:200]
    assert time.monotonic() - began < PATIENCE
    assert proxy.ask("/lobby")[0] == 200


def test_only_our_name_is_served(proxy: Proxy) -> None:
    assert proxy.ask("/lobby")[0] == 200
    for host in ("evil.example", "quet.example.evil.example"):
        status, _, text = proxy.ask("/lobby", Host=host)
        assert status == 421 or (status, text) == (200, "")  # Caddy answers nothing for names that it doesn't have


def test_forms_and_events_come_through(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", proxy.server.port)  # a visitor who isn't counted there
    connection.request("GET", "/new/blob", headers={"Host": NAME, "X-Forwarded-For": "198.51.100.1"})
    page = connection.getresponse()
    cookie = page.headers["set-cookie"].partition(";")[0]
    found = re.search(r'name="csrf" value="([^"]+)"', page.read().decode())
    connection.close()
    assert found
    form = f"csrf={found[1]}&seat-1=me&seat-2=me"
    asked = {"Cookie": cookie, "Accept": "application/json"}
    evil = proxy.ask("/new/blob", form, Origin="https://evil.example", **asked)
    assert evil[0] == 403
    status, _, text = proxy.ask(
        "/new/blob", form, Origin=f"https://{proxy.host}", Sec_Fetch_Site="same-origin", **asked
    )
    assert status == 200, text
    id = json.loads(text)["id"]
    with proxy.connect() as stream:
        head = f"GET /play/{id}/events HTTP/1.1\r\nHost: {proxy.host}\r\nAccept-Encoding: gzip\r\n"
        stream.sendall(f"{head}Connection: close\r\n\r\n".encode())
        heard = b""
        while b"retry: 1000" not in heard:  # it comes at once, though the stream has no end
            part = stream.recv(10_000)
            assert part, heard
            heard += part


def test_no_link_of_a_game_or_a_seat_is_written_down(proxy: Proxy) -> None:
    path = f"/play/{'g' * 22}/seat/the-invitation-token"
    assert proxy.ask(path)[0] == 404
    assert proxy.ask("/lobby", Referer=f"https://{proxy.host}{path}")[0] == 200
    configuration = proxy.folder / "whole.conf"
    if configuration.exists():  # nginx, which also sends those who come by http to https
        plain = re.search(r"listen 127\.0\.0\.1:(\d+);", configuration.read_text())
        assert plain
        connection = http.client.HTTPConnection("127.0.0.1", int(plain[1]))
        connection.request("GET", path, headers={"Host": NAME})
        assert connection.getresponse().headers["location"] == f"https://{NAME}{path}"
        connection.close()
    written = b"".join(file.read_bytes() for file in proxy.folder.rglob("*") if file.is_file())
    assert b"Application startup complete" in written  # the log of the server is there too
    assert b"the-invitation-token" not in written and b"g" * 22 not in written


def test_a_body_that_is_too_large_is_refused_by_the_proxy(proxy: Proxy) -> None:
    answer = proxy.say(
        f"POST /study HTTP/1.1\r\nHost: {proxy.host}\r\nConnection: close\r\n".encode(),
        FORM + b"Content-Length: 1200000\r\n\r\n" + b"x" * 1_200_000,
    )
    assert answer.startswith(b"HTTP/1.1 413 "), answer[:200]


def test_while_the_server_restarts_a_page_loads_itself_again(proxy: Proxy) -> None:
    proxy.server.stop()
    try:
        status, headers, text = proxy.ask("/lobby")
        assert (status, headers["retry-after"], headers["refresh"]) == (503, "5", "5")
        assert headers["content-type"] == "text/html; charset=utf-8" and "try again in a moment" in text
        status, headers, text = proxy.ask("/new/blob", "csrf=x")
        assert (status, headers["retry-after"], headers["refresh"]) == (503, "5", None)
    finally:
        proxy.server.start()
    assert proxy.ask("/lobby")[0] == 200


def test_the_server_knows_who_asks_and_that_it_is_by_https(proxy: Proxy) -> None:
    """The last one, since it uses up what an address may do in a minute."""
    status, headers, _ = proxy.ask("/lobby", X_Forwarded_For="203.0.113.7", X_Forwarded_Proto="http")
    assert status == 200 and headers["strict-transport-security"] and "; Secure" in headers["set-cookie"]
    statuses = [proxy.ask("/lobby", X_Forwarded_For=f"203.0.113.{k}")[0] for k in range(21)]
    # One address, whatever it claims. It has 10 pages in a minute, and another minute may begin meanwhile.
    assert 429 in statuses and 503 not in statuses
    assert proxy.ask("/metrics")[0] == 404


def test_the_service_has_memory_for_each_worker_of_the_example() -> None:
    page = " ".join((DEPLOY.parent / "docs" / "site.md").read_text(encoding="utf-8").split())
    told = re.search(
        r"computer players included, have (\d+) GB of memory\. Each worker of `--workers` has all these", page
    )
    (workers,) = re.findall(r"quet serve .*--workers (\d+)", page)
    (most,) = re.findall(r"^MemoryMax=(\d+)G$", (DEPLOY / "quet.service").read_text(), re.MULTILINE)
    assert told is not None and int(workers) * int(told[1]) <= int(most)


def test_the_service_of_systemd_is_well_formed(tmp_path: Path) -> None:
    text = (DEPLOY / "quet.service").read_text()
    assert "ExecStart=/opt/quet/bin/quet serve" in text
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / "quet.service"
    unit.write_text(text.replace("/opt/quet/bin/quet", shutil.which("true") or "/bin/true"))
    found = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert found.returncode == 0 and str(unit) not in found.stderr and "quet.service" not in found.stderr, found.stderr
