// The family tree: read at a glance, unfolded by mouse and by keys, a list on a phone.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, serve, settled, store, visit } from "./stage.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
let s, server, browser;
const r = {}, speakers = ["Dana", "Sam", "Aleksandra"];
before(async () => {
  s = store();
  writeFileSync(join(s.home, "talk.jsonl"), JSON.stringify({ id: "1", kind: "raw", text: "A web page says that signing takes an hour" }) + "\n");
  s.run("import", "jsonl", "talk.jsonl");
  server = await serve(s);
  browser = await browse();
  const ref = async (name, request, who) => (await server.ask(name, request, who)).ref;
  const raw = (text, more) => ref("capture", { text, ...more });
  r.outside = (await server.ask("search", { query: "web page signing hour", kind: "raw", all: true })).results[0].ref;
  r.raws = [];
  const parts = [];
  for (let i = 0; i < 4; i++) {
    const from = [];
    for (let k = 0; k < 3; k++) from.push(await raw(`Turn ${i}.${k}: the release of week ${i * 3 + k} was late because nobody had looked at the signing of the packages before`, { speaker: speakers[k], occurred_at: `2026-03-${10 + i * 3 + k}T09:00:00Z` }));
    r.raws.push(...from);
    parts.push(await ref("promote", { from, kind: "episode", text: `The releases of month ${i} were late, each for the same reason` }));
  }
  r.part = parts[0];
  r.many = [];
  for (let i = 0; i < 40; i++) r.many.push(await raw(`Complaint ${i} about a late release`, { speaker: "Dana" }));
  r.heard = await ref("promote", { from: [r.outside], kind: "episode", text: "Signing takes an hour" });
  r.wide = await ref("promote", { from: r.many, kind: "episode", text: "Customers complain of late releases" });
  r.old = await ref("promote", { from: [r.many[0]], again: true, kind: "episode", text: "Nobody complains" });
  await server.ask("reject", { refs: [r.old], reason: "they do" });
  r.disputed = await ref("promote", { from: [r.many[1]], again: true, kind: "episode", text: "One complaint is about something else" });
  await server.ask("witness", { ref: r.disputed, attestation: "dispute", notes: "it is not" });
  r.top = await ref("consolidate", { from: [...parts, r.wide, r.heard, r.old, r.disputed], text: "Releases are late because signing comes last" });
  for (let i = 1; i <= 7; i++) r.top = await ref("revise", { ref: r.top, text: `Releases are late because signing comes last, version ${i}` });
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

const card = (page, ref) => page.locator(`.face[data-ref="${ref}"]`);
const folded = (page, ref) => page.locator(`.node.is-folded .face[data-ref="${ref}"]`);

// inView gives the height of a line of words and whether it is within the frame.
const inView = (page, ref) => page.evaluate((ref) => {
  const said = document.querySelector(`.face[data-ref="${ref}"]`)?.parentNode.querySelector(".said");
  if (!said) return { seen: false };
  const a = said.getBoundingClientRect(), f = document.querySelector(".graph-frame").getBoundingClientRect();
  return { seen: a.left >= f.left && a.right <= f.right && a.top >= f.top && a.bottom <= f.bottom, height: parseFloat(getComputedStyle(said).fontSize) * document.querySelector(".world").getCTM().a };
}, ref);

test("the tree opens with words as they were said in view, of a size one reads, with who said them and when", async () => {
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }]) {
    const v = await visit(browser, server, options);
    const { page } = v;
    await v.to(`/memory/${r.top}`);
    await page.waitForSelector(".graph .face");
    await v.shot(`tree-1280-${options.colorScheme}`);
    let seen = 0, one;
    for (const ref of [...r.raws, ...r.many]) {
      const is = await inView(page, ref);
      if (!is.seen) continue;
      seen++;
      if (r.raws.includes(ref)) one ??= ref;
      assert.ok(is.height >= 10, `words of ${is.height} pixels`);
    }
    assert.ok(seen >= 3, `${seen} raws in view`);
    const first = page.locator(".node", { has: card(page, one) });
    const i = r.raws.indexOf(one);
    assert.equal(await first.locator(".day").textContent(), `${10 + i} Mar 2026`);
    assert.equal(await first.locator(".figures").textContent(), speakers[i % 3], "the second line of a box is who said it");
    assert.match(await card(page, one).getAttribute("aria-label"), new RegExp(`said by ${speakers[i % 3]}, ${10 + i} Mar 2026`));
    for (const n of await page.locator(".node").evaluateAll((all) => all.map((g) => [...g.querySelectorAll(".said")].map((l) => l.textContent)))) {
      const words = n.join(" ");
      if (words.endsWith("…")) assert.match(words.slice(0, -1), /[\w.:,]$/);
    }
    const cut = await first.locator(".said").last().textContent();
    assert.match(cut, /…$/);
    const whole = `Turn ${Math.floor(i / 3)}.${i % 3}: the release of week ${i} was late because nobody had looked at the signing of the packages before`;
    const shown = (await first.locator(".said").allTextContents()).join(" ").slice(0, -1);
    assert.ok(whole.startsWith(shown + " "), `“${shown}” is not cut between words`);
    assert.deepEqual(v.wrong, []);
    await v.end();
  }
});

test("earlier revisions are one node, unfolded by a key; so is a wide fan, by a click", async () => {
  const v = await visit(browser, server, { at: `/memory/${r.top}` });
  const { page } = v;
  const chain = folded(page, `folded-revisions:${r.top}`);
  await chain.waitFor();
  assert.match(await chain.getAttribute("aria-label"), /7 earlier revisions.*press enter to unfold/);
  const before = await page.locator(".lineage .note[role=status]").textContent();
  await chain.focus();
  await page.keyboard.press("Enter");
  await chain.waitFor({ state: "detached" });
  await page.waitForFunction((top) => document.activeElement.getAttribute("data-ref") === top, r.top); // beside what was unfolded
  assert.equal(await page.locator(".lineage .note[role=status]").textContent(), before, "as many records as before");
  await page.click("button:text-is('whole')");
  await settled(page);

  await v.to(`/memory/${r.wide}`);
  const fan = folded(page, `folded-older:${r.wide}`);
  await fan.waitFor();
  const count = async () => Number(/(\d+) more/.exec(await fan.getAttribute("aria-label"))[1]);
  const at = await count();
  await fan.evaluate((e) => e.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  await settled(page);
  await page.click("button:text-is('As lists')");
  await page.waitForFunction((left) => (document.querySelector(".lists")?.textContent ?? "").includes(`${left} more: ${left} raw`), at - 12);
  await page.click("button:text-is('As lists')");
  assert.ok(decodeURIComponent(page.url()).endsWith(r.wide), "to unfold opens no other page");
  await page.click("button:text-is('All of it')");
  await page.waitForFunction(() => !document.querySelector(".is-folded"));
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("what is disputed, external or no longer counts is told without colour", async () => {
  const v = await visit(browser, server, { at: `/memory/${r.disputed}`, forcedColors: "none" });
  const { page } = v;
  const node = (ref) => page.locator(".node", { has: card(page, ref) });
  await node(r.disputed).waitFor();
  assert.match(await node(r.disputed).locator(".flag").textContent(), /disputed/);
  assert.equal(await node(r.disputed).locator("path.dispute").count(), 1);
  assert.match(await card(page, r.disputed).getAttribute("aria-label"), /, disputed,/);
  await v.shot("tree-disputed");
  await v.to(`/memory/${r.heard}`);
  await node(r.heard).waitFor();
  assert.match(await node(r.heard).locator(".flag").textContent(), /external/);
  assert.equal(await node(r.heard).locator("path.taint").count(), 1);
  assert.match(await card(page, r.heard).getAttribute("aria-label"), /, external,/);
  await v.shot("tree-tainted");
  await v.to(`/memory/${r.old}`);
  await node(r.old).waitFor();
  assert.match(await node(r.old).locator(".flag").textContent(), /rejected/);
  assert.equal(await node(r.old).locator(".said").first().evaluate((e) => getComputedStyle(e).textDecorationLine), "line-through");
  assert.equal(await node(r.many[0]).locator("path.dispute, path.taint").count(), 0, "a record without doubts has no sign of one");
  await v.shot("tree-rejected");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("on a phone the tree is a nested list that unfolds", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const v = await visit(browser, server, { ...phone, colorScheme });
    const { page } = v;
    await v.to(`/memory/${r.top}`);
    await page.waitForSelector(".lists li");
    assert.equal(await page.locator(".graph").count(), 0);
    const lists = page.locator(".lists");
    assert.match(await lists.textContent(), /7 earlier revisions/);
    await page.locator(".lists .unfolds", { hasText: "7 earlier revisions" }).tap();
    await page.waitForFunction(() => !/7 earlier revisions/.test(document.querySelector(".lists")?.textContent ?? "7 earlier revisions"));
    await v.shot(`tree-390-${colorScheme}`);
    for (let i = 0; i < 30 && !(/Turn 0\.0/.test(await lists.textContent()) && /Nobody complains/.test(await lists.textContent())); i++) {
      await page.locator('.lists .unfolds[aria-expanded="false"], .lists .unfolds:not([aria-expanded])').first().focus();
      await page.keyboard.press("Enter");
      await settled(page);
    }
    await page.waitForFunction(() => /Turn 0\.0/.test((document.querySelector(".lists")?.textContent ?? "")));
    assert.match(await lists.textContent(), /Dana, 10 Mar 2026/);
    const struck = page.locator(".lists .was-rejected", { hasText: "Nobody complains" }).first();
    assert.equal(await struck.evaluate((e) => getComputedStyle(e).textDecorationLine), "line-through");
    for (const mark of ["rejected", "disputed", "external"]) assert.ok(await page.locator(`.lists .mark:text-is('${mark}')`).count(), `no mark ${mark}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "wider than the screen");
    assert.deepEqual(v.wrong, []);
    await v.end();
  }
});
