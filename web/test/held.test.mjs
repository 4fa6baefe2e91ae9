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

test("the first view counts what waits after outside words, and shows it by source; so does the review", async () => {
  const v = await visit(browser, server), { page } = v;
  await settled(page);
  assert.equal(await tally(page, "after outside words"), "4");
  const needs = await page.$$eval(".needs > li", (all) => all.map((g) => g.innerText.replace(/\s+/g, " ")));
  assert.equal(needs.length, 2);
  assert.match(needs[0], /after reading https:\/\/docs.* 3 memories/);
  await v.shot("held-first");
  await page.click(".needs a >> nth=0");
  await page.waitForSelector(".pick-one");
  await settled(page);
  await v.shot("held");
  assert.equal(await page.locator(".pick-one").count(), 3, "one group alone");
  await page.click("text=All that waits");
  await settled(page);
  const groups = await page.$$eval(".batch", (all) => all.map((g) => g.innerText.replace(/\s+/g, " ")));
  assert.equal(groups.length, 2);
  const of = (source) => groups.find((g) => g.includes(`after reading ${source}`));
  for (const text of [words.port, words.job, words.tests]) assert.ok(of(docs).includes(text.replace(/\.$/, "")), text);
  assert.match(of(docs), /table tests.*by itself/);
  assert.ok(of(issue).includes("bucket heron"));
  // the conversation has the outside words, marked, and what the page says of it
  await page.locator(".pick-one", { hasText: "9443" }).click();
  await page.waitForSelector(".talk");
  await settled(page);
  const item = (await page.locator(".item").innerText()).replace(/\s+/g, " ");
  assert.match(item, /external/);
  assert.match(item, /written after reading https:\/\/docs/);
  assert.match(item, /How to run it: The payments port is 9443/);
  await v.end();
});

test("one decision covers a group but for what is decided by itself, and can be taken back", async () => {
  const v = await visit(browser, server, { at: "/review" }), { page } = v;
  const list = async () => (await server.ask("list", { limit: 50 })).memories, of = async (text) => (await list()).find((m) => m.headline.startsWith(text.slice(0, 20)));
  await page.keyboard.press("A");
  await page.waitForSelector(".together");
  assert.equal(await page.locator(".together input").count(), 2);
  assert.match(await page.locator(".together").innerText(), /1 memory directs, or would replace what was approved.*\s+.*table tests/);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".said-done:has-text('approved 2 memories')");
  await settled(page);
  assert.equal(await page.textContent("#place"), "3 of 4");
  assert.equal((await of(words.port)).review, "approved");
  assert.equal((await of(words.job)).review, "approved");
  assert.notEqual((await of(words.tests)).review, "approved");
  await page.keyboard.press("u");
  await page.waitForSelector(".said-done:has-text('taken back')");
  await settled(page);
  assert.match(await page.textContent("#place"), /of 4$/);
  assert.notEqual((await of(words.port)).review, "approved");

  // by itself: a group of nothing else asks about nothing
  await page.locator(".pick-one", { hasText: "table tests" }).click();
  await page.keyboard.press("a");
  await page.waitForSelector(".said-done:has-text('approved “Prefer table tests')");
  await settled(page);

  // a reason goes along
  await page.locator(".pick-one", { hasText: "bucket heron" }).click();
  await page.keyboard.press("r");
  await page.keyboard.type("a rumour");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".said-done:has-text('rejected “Backups')");
  await settled(page);
  assert.equal(await page.locator(".batch").count(), 1);
  await v.to("/");
  assert.equal(await tally(page, "after outside words"), "2");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("what changed since it was shown is left as it is", async () => {
  const v = await visit(browser, server, { at: "/review" }), { page } = v;
  const ref = (await server.ask("review")).held_back[0].memories.find((m) => m.headline.includes("9443")).ref;
  await server.ask("reject", { refs: [ref] });
  await page.keyboard.press("A");
  await page.waitForSelector(".together");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert]:has-text('1 memory was left')");
  await settled(page);
  assert.match(await page.textContent("[role=alert]"), /changed meanwhile: rejected/);
  assert.equal((await server.ask("show", { ref })).review, "rejected");
  assert.equal(await page.locator(".pick-one").count(), 0);
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
