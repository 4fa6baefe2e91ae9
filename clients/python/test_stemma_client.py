"""Runs every operation against a real server: STEMMA_BINARY names the program."""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest
import urllib.parse

import stemma_client
from stemma_client import OPERATIONS, Client, StemmaError, UnreachableError

HERE = pathlib.Path(__file__).parent


class Server:
    """A server over an empty store in a directory of its own."""

    def __init__(self) -> None:
        self.dir = tempfile.TemporaryDirectory()
        self.data = os.path.join(self.dir.name, "data", "stemma")
        env = {"HOME": self.dir.name, "XDG_DATA_HOME": os.path.join(self.dir.name, "data"), "PATH": os.environ["PATH"]}
        self.process = subprocess.Popen(
            [os.environ["STEMMA_BINARY"], "serve", "--addr", "127.0.0.1:0", "--user"],
            env=env, cwd=self.dir.name, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        assert self.process.stdout
        self.url = self.process.stdout.readline().strip()

    def client(self, owner: bool = False, **names: typing.Any) -> Client:
        path = os.path.join(self.data, "server", "owner.token" if owner else "token")
        with open(path, encoding="ascii") as file:
            return Client(self.url, file.read(), **names)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        assert self.process.stdout
        self.process.stdout.close()
        self.dir.cleanup()


def at(value: typing.Any, path: str) -> typing.Any:
    for part in filter(None, path.split(".")):
        value = value[int(part) if part.isdigit() else part]
    return value


def filled(value: typing.Any, names: typing.Dict[str, typing.Any]) -> typing.Any:
    if isinstance(value, str) and value.startswith("$"):
        return names[value[1:]]
    if isinstance(value, list):
        return [filled(v, names) for v in value]
    if isinstance(value, dict):
        return {k: filled(v, names) for k, v in value.items()}
    return value


def wrong(value: typing.Any, of: typing.Any) -> str:
    """What of a reply is not of its type, "" where all is."""
    if isinstance(of, typing.ForwardRef):
        of = getattr(stemma_client, of.__forward_arg__)
    if isinstance(of, str):
        of = getattr(stemma_client, of)
    origin, args = typing.get_origin(of), typing.get_args(of)
    if of is typing.Any:
        return ""
    if origin is typing.Union:
        return "" if any(not wrong(value, a) for a in args) else f"{value!r} is not {of}"
    if typing.is_typeddict(of) if hasattr(typing, "is_typeddict") else hasattr(of, "__total__"):
        if not isinstance(value, dict):
            return f"{value!r} is no object"
        known = of.__annotations__
        for name, v in value.items():
            if name not in known:
                return f"{of.__name__} has no member {name}"
            said = wrong(v, known[name])
            if said:
                return f"{name}: {said}"
        return ""
    if origin is list:
        return next((w for w in (wrong(v, args[0]) for v in value) if w), "") if isinstance(value, list) else "no list"
    if origin is dict:
        return "" if isinstance(value, dict) else "no object"
    if of is type(None):
        return "" if value is None else "not null"
    if of is float:
        return "" if isinstance(value, (int, float)) and not isinstance(value, bool) else f"{value!r} is no number"
    if of is int:
        return "" if isinstance(value, int) and not isinstance(value, bool) else f"{value!r} is no whole number"
    return "" if isinstance(value, of) else f"{value!r} is not {of}"


class TestClient(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def test_all_operations(self) -> None:
        """Each operation is asked, and its reply has the type that the client says."""
        rows = json.loads((HERE.parent / "testdata" / "operations.json").read_text())
        self.assertEqual(set(OPERATIONS), {op for _, op, _, _ in rows}, "operations without a row, or rows without one")
        folder = tempfile.mkdtemp(dir=self.server.dir.name)
        names: typing.Dict[str, typing.Any] = {"folder": folder}
        voices = {"owner": self.server.client(owner=True), "agent": self.server.client(agent="tester")}
        for voice, op, request, want in rows:
            with self.subTest(op=op, voice=voice):
                method = getattr(voices[voice], op)
                safe = {k + "_" if k in ("from", "is") else k: v for k, v in filled(request, names).items()}
                try:
                    reply = method(**safe)
                except StemmaError as err:
                    self.assertEqual(want, err.kind, err.detail)
                    self.assertTrue(err.detail and err.status >= 400)
                    continue
                self.assertIsInstance(want, dict, f"it was answered: {reply}")
                self.assertEqual("", wrong(reply, method.__annotations__["return"]))
                for name, path in want.items():
                    names[name] = at(reply, path)

    def test_streams(self) -> None:
        """What one store exports, another takes in; documents and records of elsewhere too."""
        one, other = Server(), Server()
        try:
            a, b = one.client(owner=True), other.client(owner=True)
            a.add(kind="note", text="Keep orders in SQLite, über alles")
            lines = list(a.export())
            self.assertGreater(len(lines), 1)
            self.assertTrue(all(json.loads(line)["payload"] for line in lines if b"payload" in line))
            b.import_(lines)
            self.assertIn("über", b.search("orders")["results"][0]["text"])
            documents = list(a.export_documents())
            self.assertGreater(len(documents), 0)
            b.import_documents(documents)
            b.ingest([{"alias": ["1"], "kind": "raw", "body": {"text": "from elsewhere"}, "meta": {}}])
            self.assertEqual(1, len(b.search("elsewhere")["results"]))
            with self.assertRaises(StemmaError):
                b.import_([b"{}\n"])
            with self.assertRaises(StemmaError):
                list(a.export(refs=["note:00000000"]))
        finally:
            one.stop()
            other.stop()

    def test_tools(self) -> None:
        """A model's answers are short, and its mistakes are texts."""
        c = self.server.client(agent="tester")
        kept = c.tool("remember", {"text": "Reviews take one day"})
        self.assertRegex(kept["memories"][0]["ref"], r"^[a-z]+:[0-9a-f]{8}$")
        self.assertIn("Reviews take one day", c.tool("recall", {"query": "reviews"})["results"][0]["text"])
        self.assertRegex(c.tool("why", {"ref": "note:00000000"}), "^not_found: ")
        self.assertRegex(c.tool("remember", {"text": "x", "approve": True}), "^invalid: ")
        self.assertIn("Reviews", c.pack("context", {"query": "reviews"}))

    def test_a_wrong_belief_is_found_set_aside_and_corrected(self) -> None:
        """In 20 lines: its words, what falls with it, quarantine, undo, and the correction first."""
        server = Server()
        self.addCleanup(server.stop)
        agent, owner = server.client(agent="planner"), server.client(owner=True)
        agent.remember("The nightly backup goes to the disk in Berlin", wait=True)
        wrong_one = owner.search(query="where does the backup go", kind="belief")["results"][0]
        root = owner.trace(wrong_one["ref"])["backward"]["sources"][0]
        self.assertEqual("The nightly backup goes to the disk in Berlin", root["blob"])
        target = "raw:" + root["id"]
        falls = owner.quarantine(target, dry_run=True)
        self.assertIn(wrong_one["ref"], [r["ref"] for r in falls["records"]])
        owner.quarantine(target, reason="that disk is gone")
        self.assertEqual([], owner.recall(query="where does the backup go")["results"])
        owner.undo()
        self.assertEqual(wrong_one["ref"], owner.recall(query="where does the backup go")["results"][0]["ref"])
        owner.correct(wrong_one["ref"], text="It is copied to the Zurich site every evening")
        for query in ("where does the backup go", "backup disk Berlin"):
            first = owner.recall(query=query)["results"][0]
            self.assertEqual("It is copied to the Zurich site every evening", first["text"])
        with self.assertRaises(StemmaError) as caught:
            agent.quarantine(target)
        self.assertEqual("forbidden", caught.exception.kind)

    def test_errors(self) -> None:
        c = self.server.client()
        with self.assertRaises(StemmaError) as caught:
            c.show("note:00000000")
        self.assertEqual(("not_found", 404), (caught.exception.kind, caught.exception.status))
        with self.assertRaises(StemmaError) as caught:
            Client(self.server.url, "wrong").status()
        self.assertEqual("unauthorized", caught.exception.kind)
        with self.assertRaises(StemmaError) as caught:
            c.ask("no_such/../x", {})
        self.assertEqual(404, caught.exception.status)
        for url in ("ftp://x", "127.0.0.1:1", "", "http://user:word@127.0.0.1:1", "http://127.0.0.1:1?a", "http://x/#a"):
            with self.assertRaises(ValueError):
                Client(url, "x")
        with self.assertRaises(ValueError):
            Client(self.server.url, "x", agent="a\r\nX: y")
        with self.assertRaises(ValueError):  # JSON has no such number
            c.add(kind="belief", text="Deploys take an hour", confidence=float("nan"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            with self.assertRaises(UnreachableError):
                Client(f"http://127.0.0.1:{free.getsockname()[1]}", "x").status()

    def test_names_in_all_scripts(self) -> None:
        """The name of an agent arrives as it was given."""
        c = self.server.client(agent="プランナー é", session="понедельник")
        kept = c.remember("Builds run each night", wait=True)
        shown = c.show(kept["memories"][0]["ref"])
        self.assertEqual(("プランナー é", "понедельник"), (shown["agent"], shown["session"]))

    def test_local_sends_no_token_to_another_server(self) -> None:
        """A server that does not prove that it has the token of this person is not sent it: one that knows nothing,
        and one that repeats what the true one proved at another port."""
        real = urllib.parse.urlsplit(self.server.url).port
        got: typing.List[bytes] = []
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        port = listener.getsockname()[1]

        def serve() -> None:
            for passes_on in (False, True, False):
                connection, _ = listener.accept()
                asked = connection.recv(65536)
                got.append(asked)
                answer = b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + b'{"status":"ok"}'
                if passes_on:
                    with socket.create_connection(("127.0.0.1", real)) as to:
                        to.sendall(asked.replace(b":%d" % port, b":%d" % real))
                        answer = to.recv(65536)
                connection.sendall(answer)
                got.append(connection.recv(65536))
                connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        token = os.environ.pop("STEMMA_TOKEN", None)
        try:
            c = Client.local(f"http://127.0.0.1:{port}", data=self.server.data)
            for ask in (c.status, c.status, lambda: list(c.export())):
                with self.assertRaisesRegex(UnreachableError, "not yours"):
                    ask()
            thread.join()
            self.assertEqual([True, False] * 3, [b"/healthz" in g for g in got])
            self.assertNotIn(b"uthorization", b"".join(got))
            local = Client.local(self.server.url.replace("127.0.0.1", "localhost"), data=self.server.data)
            self.assertIn("records", local.status())
            self.assertEqual("127.0.0.1", local._parts.hostname)
        finally:
            if token is not None:
                os.environ["STEMMA_TOKEN"] = token
        for url in ("http://127.0.0.2:1", "http://[::ffff:127.0.0.1]:1", "http://localhost.example:1"):
            with self.assertRaises(ValueError):
                Client.local(url, data=self.server.data)

    def test_a_broken_answer_is_asked_again_under_its_key(self) -> None:
        """A write whose answer broke off is asked again with the same key; a stream that breaks
        off is an error, however much came."""
        keys: typing.List[str] = []
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve() -> None:
            for answer in (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"re", b"HTTP/1.1 429 X\r\nRetry-After: 1\r\n"
                           b"Content-Length: 0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"ref\":\"raw:1\"}",
                           b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n"):
                connection, _ = listener.accept()
                got = connection.recv(65536).decode()
                keys.extend(re.findall(r"Idempotency-Key: (\w+)", got))
                connection.sendall(answer)
                connection.close()

        thread = threading.Thread(target=serve)
        thread.start()
        c = Client(f"http://127.0.0.1:{listener.getsockname()[1]}", "x")
        began = time.monotonic()
        self.assertEqual("raw:1", c.capture(text="x")["ref"])
        self.assertGreater(time.monotonic() - began, 1.0)
        with self.assertRaises(UnreachableError):
            list(c.export())
        thread.join()
        self.assertEqual((4, 1), (len(keys), len(set(keys))))

    def test_the_example_of_the_page(self) -> None:
        """The program on the page runs, and prints what the page says."""
        page = (HERE / "README.md").read_text()
        program = page.split("```python\n")[1].split("```")[0]
        printed = page.split("```text\n")[1].split("```")[0]
        server = Server()
        try:
            env = {**os.environ, "XDG_DATA_HOME": os.path.join(server.dir.name, "data"), "PYTHONPATH": str(HERE)}
            env.pop("STEMMA_TOKEN", None)
            program = program.replace("http://127.0.0.1:7463", server.url)
            got = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
            self.assertEqual((printed, "", 0), (got.stdout, got.stderr, got.returncode))
        finally:
            server.stop()


if __name__ == "__main__":
    unittest.main()
