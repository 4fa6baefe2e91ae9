// What is held back because of outside words, on the page: counted at first, grouped by source, decided together.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser;
const docs = "https://docs.example.org/run", issue = "https://forum.example.org/7";
const words = {
  port: "The payments port is 9443.", job: "The billing job is broken.", tests: "Prefer table tests in the invoice worker.",
  backup: "Backups are written to bucket heron.",
};
before(async () => {
  s = store("default");
  const agent = (session, input, ...args) => execFileSync(process.env.STEMMA_BINARY, args, { cwd: s.home, env: { ...s.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session }, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
  const reads = (session, url, text) => agent(session, JSON.stringify({ session_id: session, tool_name: "WebFetch", tool_input: { url }, tool_response: text, tool_use_id: `t-${session}` }), "hook", "run", "claude-code", "PostToolUse");
  agent("one", "", "remember", "The invoice worker runs on host kestrel.");
  reads("one", docs, `How to run it: ${words.port} ${words.job}`);
  for (const text of [words.port, words.job]) agent("one", "", "remember", text);
  agent("one", "", "remember", words.tests, "--kind", "preference");
  reads("two", issue, `Somebody says: ${words.backup}`);
  agent("two", "", "remember", words.backup);
  server = await serve(s);
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

const tally = (page, name) => page.$$eval(".tally dt", (all, name) => all.find((dt) => dt.textContent === name)?.nextElementSibling.textContent, name);

test("the first view counts what is held back, and the review page shows it by source", async () => {
  const v = await visit(browser, server), { page } = v;
  await settled(page);
  assert.equal(await tally(page, "held back after outside words"), "4");
  await v.shot("held-first");
  await page.click(".tally a:text-is('held back after outside words')");
  await page.waitForSelector("#held");
  await settled(page);
  await v.shot("held");
  const groups = await page.$$eval(".held .group", (all) => all.map((g) => g.innerText.replace(/\s+/g, " ")));
  assert.equal(groups.length, 2);
  const of = (source) => groups.find((g) => g.includes(`after reading ${source}`));
  for (const text of [words.port, words.job, words.tests]) assert.ok(of(docs).includes(text.replace(/\.$/, "")), text);
  assert.match(of(docs), /3 memories/);
  assert.match(of(docs), /words of https:\/\/docs/);
  assert.match(of(docs), /table tests.*Decided by itself/);
  assert.match(of(docs), /Approve these 2 .*Reject these 2|Approve these 2 Reject these 2/);
  assert.match(of(issue), /1 memory/);
  assert.ok(of(issue).includes("bucket heron"));
  await v.end();
});

test("one decision covers a group but for what is decided by itself, and can be taken back", async () => {
  const v = await visit(browser, server), { page } = v;
  await v.to("/review");
  const held = () => page.$$eval(".held li .words:first-of-type", (all) => all.map((a) => a.textContent)).catch(() => []);
  await page.click(".held button:text-is('Approve these 2')");
  await page.waitForSelector(".said-done:has-text('approved 2 memories')");
  await settled(page);
  const left = await page.locator(".held").innerText();
  assert.ok(!left.includes("9443") && !left.includes("billing job") && left.includes("table tests"), left);
  const list = (await server.ask("list", { limit: 50 })).memories, of = (text) => list.find((m) => m.headline.startsWith(text.slice(0, 20)));
  assert.equal(of(words.port).review, "approved");
  assert.equal(of(words.job).review, "approved");
  assert.notEqual(of(words.tests).review, "approved");
  await page.click(".said-done button");
  await settled(page);
  assert.ok((await page.locator(".held").innerText()).includes("9443"));

  // by itself
  await page.locator(".held li", { hasText: "table tests" }).locator("button", { hasText: "Approve" }).click();
  await page.waitForSelector(".said-done:has-text('approved 1 memory')");
  await settled(page);
  assert.ok(!(await page.locator(".held").innerText()).includes("table tests"));

  // a reason goes along
  await page.locator(".held .group", { hasText: issue }).locator("button", { hasText: "Reject" }).click();
  await page.fill(".held textarea", "a rumour");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".said-done:has-text('rejected 1 memory')");
  await settled(page);
  assert.equal((await page.$$(".held .group")).length, 1);
  await v.to("/");
  assert.equal(await tally(page, "held back after outside words"), "2");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("what changed since it was shown is left as it is", async () => {
  const v = await visit(browser, server), { page } = v;
  await v.to("/review");
  const ref = (await server.ask("review")).held_back[0].memories.find((m) => m.headline.includes("9443")).ref;
  await server.ask("reject", { refs: [ref] });
  await page.click(".held button:text-is('Approve these 2')");
  await page.waitForSelector("[role=alert]:has-text('memory was left')");
  await settled(page);
  assert.equal((await server.ask("show", { ref })).review, "rejected");
  assert.equal((await page.$$(".held")).length, 0);
  await v.end();
});

test("the first view counts proposals", async () => {
  sample(s);
  const v = await visit(browser, server), { page } = v;
  await settled(page);
  const n = (await server.ask("status", {}, "owner.token", { "Stemma-Space": "*" })).proposals;
  assert.ok(n.for_agent + n.for_person > 0);
  assert.equal(await tally(page, "proposals for you"), String(n.for_person));
  assert.equal(await tally(page, "proposals for agents"), String(n.for_agent));
  await v.shot("proposals");
  await v.end();
});
