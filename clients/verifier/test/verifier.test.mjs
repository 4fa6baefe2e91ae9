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
