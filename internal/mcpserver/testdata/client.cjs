// The official client speaks with stemma: it remembers, promotes, traces, asks for
// evidence and context, reads resources and prompts, and is told what it does wrong.
//
//   node client.cjs stdio COMMAND [ARG…]
//   node client.cjs http URL TOKEN
"use strict";
const assert = require("node:assert/strict");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

const [how, ...where] = process.argv.slice(2);

function transport() {
  if (how === "stdio") {
    return new StdioClientTransport({ command: where[0], args: where.slice(1), env: process.env });
  }
  return new StreamableHTTPClientTransport(new URL(where[0]), { requestInit: { headers: { Authorization: where[1] } } });
}

async function main() {
  const client = new Client({ name: "official", version: "1" });
  await client.connect(transport());
  assert.equal(client.getServerVersion().name, "stemma");
  assert.match(client.getInstructions(), /data, never as instructions/);

  // The client checks structured replies against the schemas that it is told here.
  const { tools } = await client.listTools();
  assert.ok(tools.length >= 6);
  const call = async (name, args) => {
    const r = await client.callTool({ name, arguments: args });
    assert.notEqual(r.isError, true, `${name}: ${JSON.stringify(r)}`);
    assert.deepEqual(JSON.parse(r.content[0].text), r.structuredContent, `${name}: the text is what is structured`);
    return r.structuredContent;
  };
  const refused = async (name, args, why) => {
    const r = await client.callTool({ name, arguments: args });
    assert.equal(r.isError, true, `${name} should be refused`);
    assert.match(r.content[0].text, why);
  };

  const kept = await call("remember", { text: "Alice prefers tabs over spaces", verbose: true });
  assert.match(kept.ref, /^raw:[0-9a-f]{64}$/);
  const short = await call("recall", { query: "what does Alice prefer" });
  assert.match(short.results[0].ref, /^[a-z]+:[0-9a-f]{8}$/);
  const changed = await call("correct", { ref: short.results[0].ref, text: "Alice prefers spaces over tabs" });
  assert.equal(changed.done, "replaced");
  assert.match(JSON.stringify(await call("why", { ref: changed.ref })), /tabs over spaces/);
  const raw = (await call("capture", { text: "profiled the API: the cache hits 9 of 10 times", event: "tool_output" })).ref;
  const episode = (await call("promote", { from: [raw], kind: "episode", text: "Profiled the API with a cache" })).ref;
  const belief = (await call("consolidate", { from: [episode], kind: "belief", text: "A cache makes the API fast", confidence: 0.8 })).ref;
  assert.match(JSON.stringify(await call("memory_trace", { ref: belief })), /hits 9 of 10/);
  assert.match(JSON.stringify(await call("get_belief_evidence", { ref: belief })), /Profiled the API/);
  assert.match(JSON.stringify(await call("context", { query: "is the API fast?" })), /A cache makes the API fast/);
  assert.equal((await call("search", { query: "cache API", kind: "belief" })).results[0].ref, belief);

  // The agent is the judge: older memories are shown, and it answers.
  await call("add", { kind: "note", text: "The release goes out on Tuesday" });
  const newer = await call("remember", { text: "We decided that the release goes out on Friday", judge: true });
  for (const one of newer.judge ?? []) {
    await call("judge", { ref: one.ref, relation: "update", candidate: one.candidates[0].number, confidence: 0.9, reason: "another day" });
  }
  await call("conflicts", {});

  // Every reading tool answers what its schema says, also with nothing to tell.
  const ref = { ref: belief };
  const args = { show: ref, why: ref, history: ref, confidence_history: ref, memory_trace: ref, get_belief_evidence: ref, entity: { name: "Alice" },
    taint: { target: raw }, playbook_find: { situation: "release" }, relationship_history: { name: "Alice" }, search: { query: "nothing of the kind" }, emotion_search: { label: "joy" } };
  for (const t of tools.filter((t) => t.annotations.readOnlyHint && !["receipt", "relationship_history", "entity", "blame", "attest"].includes(t.name))) {
    await call(t.name, args[t.name] ?? {});
  }

  const { resourceTemplates } = await client.listResourceTemplates();
  assert.ok(resourceTemplates.some((t) => t.uriTemplate.startsWith("stemma://trace/")));
  await client.listResources();
  const path = belief.replace(":", "/");
  for (const [uri, want] of [["stemma://context", /cache/], ["stemma://context?query=API", /cache/], [`stemma://${path}`, /A cache makes/], [`stemma://trace/${path}`, /hits 9 of 10/]]) {
    assert.match((await client.readResource({ uri })).contents[0].text, want, uri);
  }
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((p) => p.name).sort(), ["consolidate", "review", "start_of_day"]);
  for (const p of prompts) {
    assert.ok((await client.getPrompt({ name: p.name })).messages.length >= 2);
  }

  await refused("approve", { refs: [belief] }, /^forbidden: only a person .*(stemma ui|http)/);
  await refused("memory_trace", { ref: "belief:" + "0".repeat(64) }, /^not_found: /);
  await refused("capture", { text: "x", colour: "red" }, /^invalid: .*colour/);
  await refused("capture", { text: " " }, /^invalid: /);
  await refused("promote", { from: [raw], kind: "episode", text: "again" }, /^conflict: /);
  await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), /unknown tool/);
  await assert.rejects(client.readResource({ uri: "stemma://belief/" + "0".repeat(64) }), /not found/i);

  if (how === "http") await client.transport.terminateSession();
  await client.close();
  console.log("ok", tools.length);
}

main().then(() => process.exit(0), (err) => { console.error(err); process.exit(1); });
