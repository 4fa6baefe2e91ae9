// People and things: whom memories are about, and what is known of each, when.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser;
const odd = ["ليلى حداد", "王小明", "🦊 Fuchs", "=cmd|'/c calc'!A0", "<img src=x onerror=alert(1)>", "\u202eevil"];
before(async () => {
  s = store();
  const lines = [];
  for (let i = 0; i < 40; i++) lines.push({ id: `m${i}`, kind: "note", text: `Dana reported on part ${i}`, about: ["Dana", `Part ${i}`], created_at: `20${10 + (i % 12)}-0${1 + (i % 9)}-03T10:00:00Z`, valid_from: `20${10 + (i % 12)}-0${1 + (i % 9)}-03T10:00:00Z` });
  for (const [i, name] of odd.entries()) lines.push({ id: `o${i}`, kind: "note", text: `${name} came with Dana`, about: [name, "Dana"] });
  for (let i = 0; i < 1000; i++) lines.push({ id: `n${i}`, kind: "note", text: `list ${i}`, about: Array.from({ length: 10 }, (_, k) => `Entity ${i * 10 + k}`) });
  writeFileSync(join(s.home, "people.jsonl"), lines.map((l) => JSON.stringify(l)).join("\n") + "\n");
  s.run("import", "jsonl", "people.jsonl");
  server = await serve(s);
  const old = await server.ask("add", { kind: "belief", text: "Dana works on billing", about: ["Dana"] });
  await server.ask("revise", { ref: old.ref, text: "Dana works on storage" });
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

test("10,000 names are listed in parts, filtered, and each leads to its page", async () => {
  const v = await visit(browser, server, { at: "/people" });
  const { page } = v;
  assert.match(await page.textContent("main [role=status].note"), /^10,0\d\d names/);
  assert.equal(await page.locator(".names > li").count(), 60);
  await page.click("button:text-is('More')");
  await page.waitForFunction(() => document.querySelectorAll(".names > li").length === 240);
  for (const name of odd.slice(0, 3)) {
    await page.fill("#like", name);
    await page.waitForFunction((n) => [...document.querySelectorAll(".names > li a.headline")].map((a) => a.textContent).join() === n, name); // not that of the name before
    await page.click(".names a.headline");
    await page.waitForFunction((n) => document.querySelector("h1")?.textContent === n, name);
    await settled(page);
    await page.goBack();
    await page.waitForSelector("#like");
  }
  assert.deepEqual(v.wrong, []);
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("a page of one: what is so now with what it replaced, the events on an axis, who is near", async () => {
  const v = await visit(browser, server, { at: "/people?name=dana" });
  const { page } = v;
  assert.equal(await page.textContent("h1"), "Dana");
  const fact = page.locator("section[aria-labelledby=facts] li", { hasText: "Dana works on storage" });
  assert.match(await fact.locator(".replaced").textContent(), /Dana works on billing/);
  assert.equal(await page.locator(".near li").count(), 29);
  assert.match(await page.textContent(".around"), /and 17 others/);
  assert.ok((await page.locator(".axis-figure rect").count()) > 5);
  const all = await page.locator(".events > li").count();
  await page.click('[aria-label="Zoom in"]');
  await page.waitForFunction((n) => document.querySelectorAll(".events > li").length < n, all);
  assert.match(page.url(), /from=\d{4}-\d\d-\d\d&to=/, "the address keeps the range");
  await settled(page);
  await page.click("button:text-is('whole')");
  await page.waitForFunction((n) => document.querySelectorAll(".events > li").length === n, all);
  await v.shot("person-light");
  await v.to("/people?name=dana&n=20");
  assert.equal(await page.locator(".events > li").count(), 20);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("button:text-is('JSON')")]);
  assert.equal(JSON.parse(readFileSync(await file.path(), "utf8")).length, all, "a file has all events, not only those that are shown");
  await v.to("/people?name=nobody+at+all");
  assert.match(await page.textContent(".trouble"), /nothing is about/);
  assert.deepEqual(v.wrong.filter((w) => !/404/.test(w)), []);
  await v.end();
});
