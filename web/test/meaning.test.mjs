// What says something in other words, on the page: beside what waits for a decision, and beside a memory.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, serve, settled, store, visit } from "./stage.mjs";

const old = "Invoices are created after midnight by a scheduled task.", now = "The billing job starts in the small hours.";
let s, server, browser;
before(async () => {
  s = store();
  for (const text of [old, "Jon is vegetarian.", "The kitchen closes at nine on Sundays.", now]) s.run("remember", text);
  s.run("embed");
  server = await serve(s);
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

test("the review card names what is near, and merging offers what is like it", async () => {
  const v = await visit(browser, server, { at: "/review" }), { page } = v;
  for (let n = 0; n < 4 && !(await page.textContent(".item-words")).includes("billing job"); n++) await page.keyboard.press("s");
  const near = page.locator(".item h2:text-is('Similar memories') + ul");
  assert.match(await near.textContent(), /created after midnight/);
  assert.doesNotMatch(await near.textContent(), /vegetarian/);
  await v.shot("review-near");
  await page.keyboard.press("m");
  await settled(page);
  assert.match(await page.textContent(".item"), /created after midnight/);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a memory shows more like it when asked", async () => {
  const v = await visit(browser, server), { page } = v;
  const { results } = await server.ask("search", { query: "billing job" });
  await v.to(`/memory/${encodeURIComponent(results[0].ref)}`);
  assert.equal(await page.locator("section[aria-labelledby=alike] li").count(), 0, "nothing is asked before");
  await page.click("section[aria-labelledby=alike] button");
  await settled(page);
  const like = await page.locator("section[aria-labelledby=alike] li").allTextContents();
  assert.match(like[0], /created after midnight/);
  assert.ok(!like.some((l) => l.includes("billing job")), "itself is not like it");
  await v.shot("memory-alike");
  assert.deepEqual(v.wrong, []);
  await v.end();
});
