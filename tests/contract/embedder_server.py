"""A server on loopback that speaks as embedders do, and fails as they do."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from neosian_cli.embedders.fake import FakeEmbedder
from neosian_cli.model import numbers

KEY = "sk-very-secret-key"


def vector_of(text, dimensions):
    return list(numbers.unpack(FakeEmbedder(dimensions).embed([text])[0]))


class Behaviour:
    """What the server does with each request: `plan` holds one act a request, and the last one stays."""

    def __init__(self, dimensions, plan=("answer",)):
        self.dimensions = dimensions
        self.plan = list(plan)
        self.requests = []
        self.released = threading.Event()

    def next(self):
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


@contextmanager
def serving(behaviour):
    """The base address of a server that behaves so."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            behaviour.requests.append((self.path, dict(self.headers), body))
            act = behaviour.next()
            getattr(self, act.split(":")[0])(body, *act.split(":")[1:])

        def good(self, body):
            vectors = [vector_of(text, behaviour.dimensions) for text in body["input"]]
            if self.path.endswith("/api/embed"):
                return {"embeddings": vectors}
            data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
            return {"data": data[::-1], "model": body["model"]}

        def say(self, status, value, headers=(), length=None):
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data) if length is None else length))
            for name, text in headers:
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(data)

        def answer(self, body):
            self.say(200, self.good(body))

        def status(self, body, number, *after):
            headers = [("Retry-After", ":".join(after))] if after else []
            self.say(int(number), {"error": f"no \x1b[31m {KEY} " + "x" * 500}, headers)

        def half(self, body):
            data = json.dumps(self.good(body)).encode()
            self.say(200, data[: len(data) // 2], length=len(data))
            self.close_connection = True

        def hang_up(self, body):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

        def never(self, body):
            behaviour.released.wait(30)

        def drip(self, data):
            try:
                while not behaviour.released.wait(0.02):
                    self.wfile.write(data)
                    self.wfile.flush()
            except OSError:
                pass

        def slow(self, body):
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.drip(b" ")

        def slow_line(self, body):
            self.wfile.write(b"HTTP/1.0 200 ")
            self.drip(b"O")

        def slow_headers(self, body):
            self.send_response(200)
            self.flush_headers()
            self.drip(b"X-More: 1\r\n")

        def slow_chunks(self, body):
            self.protocol_version = "HTTP/1.1"
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.drip(b"1\r\n \r\n")

        def redirect(self, body):
            self.say(307, {}, [("Location", "http://127.0.0.1:9/elsewhere")])

        def changed(self, body, what):
            """A good answer with one thing wrong."""
            value = self.good(body)
            vectors = value.get("embeddings") or [item["embedding"] for item in value["data"]]
            if what == "count":
                (value.get("embeddings") or value["data"]).pop()
            elif what == "dimensions":
                vectors[0].pop()
            elif what == "nan":
                vectors[0][0] = float("nan")
            elif what == "huge":
                vectors[0][0] = 1e300
            elif what == "text":
                vectors[0][0] = "1"
            elif what == "truth":
                vectors[0][0] = True
            elif what == "zeros":
                vectors[0][:] = [0] * len(vectors[0])
            elif what == "index":
                for item in value["data"]:
                    item["index"] = 0
            elif what == "empty":
                value = {}
            elif what == "list":
                value = []
            self.say(200, value)

        def prose(self, body):
            self.say(200, b"<html>hello</html>")

        def flood(self, body):
            self.say(200, b" " * (3 << 20) + json.dumps(self.good(body)).encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        behaviour.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


class Clock:
    """A clock whose sleeps are noted and not slept; its steady time is real unless it is moved."""

    def __init__(self, wall=1_790_000_000.0):
        self.wall = wall
        self.slept = []

    def sleep(self, seconds):
        self.slept.append(seconds)

    def clocks(self):
        from neosian_cli.embedders.transport import Clocks

        return Clocks(self.sleep, lambda: self.wall, time.monotonic)
