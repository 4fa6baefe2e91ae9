// The verifier says of every bundle what `stemma audit` says of it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { html, part, verify } from "./page.mjs";

const home = mkdtempSync(join(tmpdir(), "stemma-verifier-"));
after(() => rmSync(home, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: join(home, "data"), XDG_CONFIG_HOME: join(home, "config"), STEMMA_RECEIPTS: "0" };
const stemma = (...args) => execFileSync(process.env.STEMMA_BINARY, args, { cwd: home, env, encoding: "utf8" });

const good = readFileSync(new URL("../../../audit/testdata/bundle.jsonl", import.meta.url));
const lines = good.toString().trimEnd().split("\n");
const records = lines.filter((line) => line.startsWith('{"payload"'));
const whole = (all) => Buffer.from(all.map((line) => line + "\n").join(""));
const replace = (at, line) => whole(lines.map((old, i) => (i === at ? line : old)));

// audit returns the report of the command and that of the page, without how long they took.
const audit = async (content, { held = [] } = {}) => {
  const name = join(home, "bundle.jsonl");
  writeFileSync(name, content);
  const texts = held.map((text, i) => {
    writeFileSync(join(home, `held${i}.txt`), text);
    return ["--checkpoint", join(home, `held${i}.txt`)];
  });
  const ran = spawnSync(process.env.STEMMA_BINARY, ["audit", "--json", ...texts.flat(), name], { cwd: home, env, encoding: "utf8" });
  assert.match(ran.stdout, /^\{/, ran.stderr);
  const command = JSON.parse(ran.stdout);
  assert.equal(command.exit, ran.status);
  const { report, failed } = await verify(name, { checkpoints: held });
  assert.equal(failed, undefined);
  for (const r of [command, report]) delete r.elapsed_ns;
  return [report, command];
};

const payload = (line, change) => {
  const envelope = JSON.parse(line);
  const record = JSON.parse(Buffer.from(envelope.payload, "base64").toString());
  change(record);
  return JSON.stringify({ ...envelope, payload: Buffer.from(JSON.stringify(record)).toString("base64") });
};

const cases = [
  ["a good bundle", good, 0, ["ok", "erased"]],
  ["a changed record", replace(0, payload(lines[0], (r) => (r.body.name = "Eve"))), 1, ["bad_signature"]],
  ["another's signature", replace(0, JSON.stringify({ ...JSON.parse(lines[0]), signatures: JSON.parse(lines[1]).signatures })), 1, ["bad_signature"]],
  ["a bundle that ends within a line", good.subarray(0, Math.floor(good.length / 2)), 1, ["bad_envelope"]],
  ["a record that is missing", whole(lines.filter((line) => line !== records[2])), 1, ["missing_parent"]],
  ["a record that comes twice", whole([...lines, records[3]]), 1, ["bad_envelope"]],
  ["no checkpoint", whole(records), 2, ["missing_parent"]],
  ["an empty file", Buffer.alloc(0), 2, []],
  ["no bundle but words", Buffer.from("Dear Ada,\n\nsee you on Friday.\n"), 1, ["bad_envelope"]],
  ["no bundle but bytes", Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i) % 251)), 1, ["bad_envelope"]],
  ["a line without an end", Buffer.concat([good, Buffer.alloc(12 << 20, 0x61)]), 1, ["bad_envelope"]],
  ["a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]), 1, ["bad_envelope"]],
];

for (const [what, content, exit, statuses] of cases) {
  test(`${what}: exit ${exit}`, async () => {
    const [page, command] = await audit(content);
    assert.deepEqual(page, command);
    assert.equal(page.exit, exit);
    for (const status of statuses) assert.ok(page.counts[status] > 0, `${status} is not among ${JSON.stringify(page.counts)}`);
  });
}

test("a checkpoint that was held elsewhere binds the history", async () => {
  const note = JSON.parse(lines.find((line) => line.startsWith('{"checkpoint"'))).checkpoint.note;
  const [all, command] = await audit(good, { held: [note] });
  assert.deepEqual(all, command);
  assert.equal(all.exit, 0);
  const [shorter, said] = await audit(whole(records.slice(0, 3)), { held: [note] });
  assert.deepEqual(shorter, said);
  assert.equal(shorter.exit, 1);
});

test("what the program exports is verified, in words of any script", async () => {
  stemma("remember", "Die Kasse ist seit Freitag langsam: 索引がない 👩‍👩‍👧‍👦", "--wait");
  stemma("export", "--proofs", "-o", "own.jsonl");
  const [page, command] = await audit(readFileSync(join(home, "own.jsonl")));
  assert.deepEqual(page, command);
  assert.equal(page.exit, 0);
});

// held returns what the command and the page say of a pack, and of an answer beside it: a report, or why there is none.
const held = async (pack, answer) => {
  const name = join(home, "pack.json");
  writeFileSync(name, pack);
  const text = join(home, "answer.md");
  if (answer !== undefined) writeFileSync(text, answer);
  const args = ["audit", "--json", name, ...(answer === undefined ? [] : ["--answer", text])];
  const ran = spawnSync(process.env.STEMMA_BINARY, args, { cwd: home, env, encoding: "utf8" });
  const page = await verify(name, { answer: answer === undefined ? undefined : new Uint8Array(Buffer.from(answer)) });
  const command = ran.stdout ? JSON.parse(ran.stdout) : undefined;
  for (const r of [command, page.report]) if (r?.records) delete r.records.elapsed_ns;
  return { page, command, ran };
};

test("a pack, and what an answer quotes of it, as the command says", async () => {
  const words = "The gateway keeps no state because two of them answer at the same time.";
  stemma("remember", words, "--wait");
  stemma("remember", "Die Kasse bucht jede Zahlung genau einmal, auch nach einem Neustart.", "--wait");
  const pack = JSON.stringify(JSON.parse(stemma("recall", "why does the gateway keep no state", "--json", "--proofs")));
  const answer = `# Gateway\n\n${words} 👩‍👩‍👧‍👦\n\nIt is a myth that ${words.toLowerCase()}\n\n- The gateway keeps no state because three of them answer.\n`;
  for (const [what, content, text, exit] of [
    ["a pack", pack, undefined, 0],
    ["an answer", pack, answer, 2],
    ["an answer that quotes all", pack, words, 0],
    ["words that were changed", pack.replace("keeps no state", "keeps some state"), answer, 1],
    ["an empty answer", pack, "", 2],
  ]) {
    const { page, command, ran } = await held(content, text);
    assert.equal(page.failed, undefined, what);
    assert.deepEqual(page.report, command, what);
    assert.equal(page.report.exit, exit, what);
    assert.equal(ran.status, exit, what);
  }
  const verdicts = (await held(pack, answer)).page.report.sentences.map((s) => s.verdict);
  assert.deepEqual(verdicts, ["none", "quotes", "negated", "differs"]);
  const bare = JSON.parse(pack);
  delete bare.proofs;
  for (const [content, why] of [[JSON.stringify(bare), /has no proofs/], [good, /a bundle, not a pack/], ["Dear Ada", /not a pack/]]) {
    const { page, ran } = await held(content, answer);
    assert.match(page.failed, why);
    assert.ok(ran.stderr.includes(page.failed), ran.stderr);
    assert.notEqual(ran.status, 0);
  }
});

// Each line is a record of 1 MB with a wrong signature: nothing is kept of it.
test("a file of 64 MB is never in memory at once", async () => {
  const long = payload(records[0], (r) => (r.body.name = "x".repeat(700_000)));
  const name = join(home, "long.jsonl");
  writeFileSync(name, (long + "\n").repeat(64));
  const { report, progress, memory } = await verify(name);
  assert.equal(report.statements, 64);
  assert.equal(report.exit, 1);
  assert.ok(progress.length > 55 && progress.every((at, i) => i === 0 || at > progress[i - 1]), "no progress");
  console.log(`${memory} bytes of memory`);
  assert.ok(memory < 64 << 20, `${memory} bytes of memory`);
});

test("a file that cannot be read gives a reason and no report", async () => {
  const name = join(home, "gone.jsonl");
  writeFileSync(name, good);
  const { report, failed } = await verify(name, { cut: 100 });
  assert.equal(report, undefined);
  assert.match(failed, /read line 1/);
});

test("a program that is damaged gives a reason and no report", async () => {
  const { report, failed } = await verify(join(home, "bundle.jsonl"), { program: part("program").slice(0, 1000) });
  assert.equal(report, undefined);
  assert.ok(failed);
});

test("the page names no address and allows none", () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^ ]*' 'wasm-unsafe-eval'; style-src 'sha256-[^ ]*'; worker-src blob:/);
  assert.doesNotMatch(html.replace(part("worker"), ""), /https?:|src=|href=|innerHTML/);
});
