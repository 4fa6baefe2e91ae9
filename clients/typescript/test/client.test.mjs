// Runs every operation against a real server: STEMMA_BINARY names the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";

import { memoryTools } from "../dist/ai.js";
import { Client, operations, StemmaError } from "../dist/client.js";
import { memoryTools as langchainTools } from "../dist/langchain.js";
import { local } from "../dist/node.js";

/** A server over an empty store in a directory of its own. */
async function serve() {
  const dir = await mkdtemp(join(tmpdir(), "stemma-"));
  const env = { HOME: dir, XDG_DATA_HOME: join(dir, "data"), PATH: process.env.PATH };
  const args = ["serve", "--addr", "127.0.0.1:0", "--user"];
  const child = spawn(process.env.STEMMA_BINARY, args, { env, cwd: dir, stdio: ["ignore", "pipe", "ignore"] });
  const [url] = await once(createInterface(child.stdout), "line");
  const client = async (file = "token", options = {}) =>
    new Client(url, await readFile(join(dir, "data", "stemma", "server", file), "ascii"), options);
  const stop = async () => {
    child.kill();
    await once(child, "exit");
    await rm(dir, { recursive: true });
  };
  return { dir, url, client, stop };
}

let server;
before(async () => (server = await serve()));
after(() => server.stop());

const at = (value, path) => path.split(".").filter(Boolean).reduce((v, part) => v[part], value);

function filled(value, names) {
  if (typeof value === "string" && value.startsWith("$")) return names[value.slice(1)];
  if (Array.isArray(value)) return value.map((v) => filled(v, names));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, filled(v, names)]));
  return value;
}

test("each operation is asked and answered as its row says", async (t) => {
  const rows = JSON.parse(await readFile(new URL("../../testdata/operations.json", import.meta.url), "utf8"));
  assert.deepEqual([...new Set(rows.map((r) => r[1]))].sort(), Object.keys(operations).sort());
  const names = { folder: await mkdtemp(join(server.dir, "stick-")) };
  const voices = { owner: await server.client("owner.token"), agent: await server.client("token", { agent: "tester" }) };
  for (const [voice, op, request, want] of rows) {
    await t.test(`${op} by ${voice}`, async () => {
      let reply;
      try {
        reply = await voices[voice][op](filled(request, names));
      } catch (err) {
        assert.ok(err instanceof StemmaError && err.status >= 400 && err.message, String(err));
        return assert.equal(err.kind, want, err.message);
      }
      assert.equal(typeof want, "object", `it was answered: ${JSON.stringify(reply)}`);
      for (const [name, path] of Object.entries(want)) {
        names[name] = at(reply, path);
        assert.ok(names[name], `${path} in ${JSON.stringify(reply)}`);
      }
    });
  }
});

test("what one store exports another takes in", async () => {
  const one = await serve();
  const other = await serve();
  try {
    const a = await one.client("owner.token");
    const b = await other.client("owner.token");
    await a.add({ kind: "note", text: "Keep orders in SQLite, über alles" });
    const lines = [];
    for await (const line of a.export()) lines.push(line);
    assert.ok(lines.length > 1 && lines.every((l) => JSON.parse(l)));
    await b.import(lines.join(""));
    assert.match((await b.search({ query: "orders" })).results[0].text, /über/);
    await b.ingest([{ alias: ["1"], kind: "raw", body: { text: "from elsewhere" }, meta: {} }]);
    assert.equal((await b.search({ query: "elsewhere" })).results.length, 1);
    await assert.rejects(b.import("{}\n"), StemmaError);
    await assert.rejects(a.export({ refs: ["note:00000000"] }).next(), { kind: "not_found" });
  } finally {
    await one.stop();
    await other.stop();
  }
});

// What a scripted model does after the answers that its calls had so far.
function next(answers) {
  const last = answers.at(-1);
  switch (answers.length) {
    case 0:
      return ["remember", { text: "We deploy on Fridays", why: "the person said so" }];
    case 1:
      return ["correct", { ref: last.memories[0].ref, text: "We deploy on Tuesdays" }];
    case 2:
      return ["recall", { query: "when do we deploy" }];
    case 3:
      return ["why", { ref: last.results[0].ref }];
  }
  return [null, `${last.text}, after ${last.rests_on.map((s) => `${s.text} ${s.mark ?? "held"}`).join(" and ")}`];
}
const answered =
  /^We deploy on Tuesdays, after We deploy on Fridays\.\nBecause: the person said so replaced by belief:[0-9a-f]{8} and We deploy on Tuesdays the agent's own words$/;

test("an agent of the Vercel AI SDK remembers, is corrected, recalls and traces", async () => {
  const fresh = await serve();
  try {
    const usage = { inputTokens: {}, outputTokens: {} };
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => {
        const answers = prompt.filter((m) => m.role === "tool").flatMap((m) => m.content.map((p) => p.output.value));
        const [toolName, input] = next(answers);
        const content = toolName
          ? { type: "tool-call", toolCallId: String(answers.length), toolName, input: JSON.stringify(input) }
          : { type: "text", text: input };
        const finishReason = { unified: toolName ? "tool-calls" : "stop", raw: undefined };
        return { content: [content], finishReason, usage, warnings: [] };
      },
    });
    const tools = memoryTools(await fresh.client("token", { agent: "planner" }));
    const { text } = await generateText({ model, tools, prompt: "When do we deploy?", stopWhen: stepCountIs(8) });
    assert.match(text, answered);
  } finally {
    await fresh.stop();
  }
});

test("the tools of LangChain.js remember, are corrected, recall and trace", async () => {
  const fresh = await serve();
  try {
    const tools = langchainTools(await fresh.client("token", { agent: "planner" }));
    const messages = [new HumanMessage("When do we deploy?")];
    for (;;) {
      const answers = messages.filter((m) => ToolMessage.isInstance(m)).map((m) => JSON.parse(m.content));
      const [name, args] = next(answers);
      if (!name) {
        assert.match(args, answered);
        break;
      }
      const call = { type: "tool_call", id: String(answers.length), name, args };
      messages.push(new AIMessage({ content: "", tool_calls: [call] }));
      messages.push(await tools.find((t) => t.name === name).invoke(call));
    }
    assert.match(await tools.find((t) => t.name === "why").invoke({ ref: "note:00000000" }), /^not_found: /);
  } finally {
    await fresh.stop();
  }
});

test("a wrong belief is found, set aside and corrected", async () => {
  const fresh = await serve();
  try {
    const [agent, owner] = [await fresh.client("token", { agent: "planner" }), await fresh.client("owner.token")];
    await agent.remember({ text: "The nightly backup goes to the disk in Berlin", wait: true });
    const wrong = (await owner.search({ query: "where does the backup go", kind: "belief" })).results[0];
    const root = (await owner.trace({ ref: wrong.ref })).backward.sources[0];
    assert.equal(root.blob, "The nightly backup goes to the disk in Berlin");
    const target = `raw:${root.id}`;
    const falls = await owner.quarantine({ target, dry_run: true });
    assert.ok(falls.records.some((r) => r.ref === wrong.ref));
    await owner.quarantine({ target, reason: "that disk is gone" });
    assert.deepEqual((await owner.recall({ query: "where does the backup go" })).results, []);
    await owner.undo({});
    assert.equal((await owner.recall({ query: "where does the backup go" })).results[0].ref, wrong.ref);
    await owner.correct({ ref: wrong.ref, text: "It is copied to the Zurich site every evening" });
    for (const query of ["where does the backup go", "backup disk Berlin"]) {
      const [first] = (await owner.recall({ query })).results;
      assert.equal(first.text, "It is copied to the Zurich site every evening");
    }
    await assert.rejects(agent.quarantine({ target }), { kind: "forbidden" });
  } finally {
    await fresh.stop();
  }
});

test("errors have the kinds of the API", async () => {
  const c = await server.client();
  await assert.rejects(c.show({ ref: "note:00000000" }), { kind: "not_found", status: 404 });
  await assert.rejects(new Client(server.url, "wrong").status(), { kind: "unauthorized" });
  assert.throws(() => new Client("127.0.0.1:1", "x"), TypeError);
  assert.throws(() => new Client(server.url, "x", { agent: "a\r\nX: y" }), TypeError);
  for (const bad of ["http://user:word@127.0.0.1:1", "http://127.0.0.1:1?a", "http://x/#a"])
    assert.throws(() => new Client(bad, "x"), TypeError);
  const nan = { kind: "belief", text: "Deploys take an hour", confidence: NaN };
  await assert.rejects(c.add(nan), { name: "TypeError", message: /^confidence: / }); // and not kept without it
  await assert.rejects(new Client("http://127.0.0.1:9", "x").status(), { kind: "unavailable", status: 0 });
});

test("the name of an agent arrives as it was given", async () => {
  const c = await server.client("token", { agent: "プランナー é", session: "понедельник" });
  const kept = await c.remember({ text: "Builds run each night", wait: true });
  const { agent, session } = await c.show({ ref: kept.memories[0].ref });
  assert.deepEqual([agent, session], ["プランナー é", "понедельник"]);
});

test("local sends no token to a server that does not prove to have it", async () => {
  const before = { ...process.env };
  process.env.XDG_DATA_HOME = join(server.dir, "data");
  delete process.env.STEMMA_TOKEN;
  const got = [];
  let passesOn = false;
  const fake = createHttpServer(async (r, w) => {
    got.push([r.url, r.headers.authorization]);
    const headers = { "Stemma-Challenge": r.headers["stemma-challenge"] };
    w.end(passesOn ? await (await fetch(server.url + "/healthz", { headers })).text() : '{"status":"ok"}');
  });
  fake.listen(0, "127.0.0.1");
  await once(fake, "listening");
  try {
    const c = await local(`http://127.0.0.1:${fake.address().port}`);
    await assert.rejects(c.status(), { kind: "unavailable", message: /not yours/ });
    passesOn = true;
    await assert.rejects(c.capture({ text: "x" }), { kind: "unavailable", message: /not yours/ });
    await assert.rejects(c.export().next(), { kind: "unavailable", message: /^the server at .* is not yours/ });
    assert.deepEqual(got, Array(3).fill(["/healthz", undefined]));
    const asked = [];
    const named = server.url.replace("127.0.0.1", "localhost");
    const own = await local(named, { fetch: (url, init) => (asked.push(String(url)), fetch(url, init)) });
    assert.ok("records" in (await own.status()));
    assert.deepEqual(asked, [`${server.url}/healthz`, `${server.url}/v1/status`]);
    for (const url of ["http://127.0.0.2:1", "http://[::ffff:7f00:1]:1", "http://localhost.example:1"])
      await assert.rejects(local(url), TypeError);
  } finally {
    process.env = before;
    fake.close();
  }
});

test("a wait for another try ends when the caller aborts", async () => {
  const stop = new AbortController();
  const busy = async () => {
    setTimeout(() => stop.abort(), 20);
    return new Response("{}", { status: 429, headers: { "Retry-After": "9" } });
  };
  const began = performance.now();
  const c = new Client("http://127.0.0.1:9", "x", { fetch: busy });
  await assert.rejects(c.status({}, { signal: stop.signal }), { name: "AbortError" });
  assert.ok(performance.now() - began < 5000);
});

test("a broken answer is asked again under its key, and a stream that breaks off is an error", async () => {
  const keys = [];
  const answers = [
    "",
    'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"re',
    'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"ref":"raw:1"}',
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n",
  ];
  const fake = createServer((s) =>
    s.once("data", (d) => {
      keys.push(...[...String(d).matchAll(/idempotency-key: (\S+)/gi)].map((m) => m[1]));
      s.end(answers.shift());
    }),
  );
  fake.listen(0, "127.0.0.1");
  await once(fake, "listening");
  const c = new Client(`http://127.0.0.1:${fake.address().port}`, "x");
  assert.equal((await c.capture({ text: "x" })).ref, "raw:1");
  const all = async () => {
    for await (const line of c.export()) assert.equal(line, "{}\n");
  };
  await assert.rejects(all(), { kind: "unavailable" });
  fake.close();
  assert.deepEqual([keys.length, new Set(keys).size], [3, 1]);
});

test("the program of the page prints what the page says", async () => {
  const page = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const fresh = await serve();
  const file = new URL("example.tmp.mjs", import.meta.url);
  try {
    const program = page.split("```ts\n")[1].split("```")[0].replace("http://127.0.0.1:7463", fresh.url);
    await writeFile(file, program);
    const env = { ...process.env, XDG_DATA_HOME: join(fresh.dir, "data"), STEMMA_TOKEN: "" };
    const child = spawn(process.execPath, [file.pathname], { env, stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    for await (const part of child.stdout) printed += part;
    assert.equal(printed, page.split("```text\n")[1].split("```")[0]);
  } finally {
    await rm(file, { force: true });
    await fresh.stop();
  }
});
