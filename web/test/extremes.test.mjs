// What a queue has that no design had in mind: hundreds of memories, long texts, other scripts, names of any length, three
// that contradict each other, nobody who may decide, and nothing at all. And the four words for how a memory stands.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fillAlone, fillDesk, reads } from "./desk.mjs";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let s, server, browser;
before(async () => (browser = await browse()));
afterEach(async () => {
  await server?.end();
  s?.end();
  server = s = undefined;
});
after(() => browser?.close());

const begin = async (policy) => {
  s = store(policy);
  server = await serve(s);
};

// fits asks for what is wider than the screen, at three widths and in both colours.
async function fits(v, view) {
  for (const width of [1280, 768, 390]) {
    await v.page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"]) {
      await v.page.emulateMedia({ colorScheme });
      const wide = await v.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${view} is ${wide} pixels wider than ${width} in ${colorScheme}`);
    }
    await v.shot(`extreme-${view.replace(/\W/g, "")}-${width}`);
  }
}

test("500 memories and more: the list is there, the count says so, and one is decided", async () => {
  s = store();
  writeFileSync(join(s.home, "many.jsonl"), Array.from({ length: 520 }, (_, i) => JSON.stringify({ id: String(i), kind: "belief", text: `Memory number ${i} of many` })).join("\n"));
  s.run("import", "jsonl", "many.jsonl");
  server = await serve(s);
  const v = await visit(browser, server), { page } = v;
  const began = Date.now();
  await v.to("/review");
  assert.equal(await page.locator(".pick-one").count(), 500);
  assert.equal(await page.textContent("#place"), "1 of 500 and more");
  console.log(`# 500 in ${Date.now() - began} ms`);
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.querySelector("#place")?.textContent === "2 of 500 and more");
  await fits(v, "/review");
  await v.to("/");
  assert.match(await page.textContent("#needs + p"), /200\+ memories/);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("long texts, Arabic, markup in words and an agent's name of 200 characters", async () => {
  await begin();
  const agent = "agent-".padEnd(200, "x"), more = { "Stemma-Agent": agent, "Stemma-Session": "s".repeat(120) };
  const long = "A word that is followed by others. ".repeat(900), unbroken = "y".repeat(6000), arabic = "الفريق يجتمع يوم الأحد في الطابق الثالث";
  const texts = [long, unbroken, arabic, "<img src=x onerror=window.__ran=1><script>window.__ran=1</script>", "</bdi></button><h1>Approved</h1>"];
  for (const text of texts) {
    const from = (await server.ask("capture", { text: `${text} (as it was said)`, speaker: "Dana ".repeat(30).trim().slice(0, 120), event: "turn" }, "token", more)).ref;
    await server.ask("promote", { from: [from], kind: "note", text }, "token", more);
  }
  const v = await visit(browser, server, { bypassCSP: true }), { page } = v;
  await fits(v, "/");
  await v.to("/review");
  for (const [i, text] of texts.entries()) {
    await page.waitForFunction((n) => document.querySelector("#place")?.textContent === `${n} of 5`, i + 1);
    await settled(page);
    assert.equal((await page.textContent(".item-words")).trim(), text.trim());
    assert.ok((await page.locator(".turn.behind").textContent()).includes(text.trim().slice(0, 3000)), "the words that it comes from are whole");
    await fits(v, `/review ${i}`);
    await page.keyboard.press("j");
  }
  assert.equal(await page.locator(".item-words bdi").getAttribute("dir"), "auto");
  await page.keyboard.press("A");
  await page.waitForSelector(".together");
  assert.deepEqual((await page.locator(".together .tick .words").allTextContents()).map((t) => t.trim()), texts.map((t) => t.trim()), "a decision about several covers what stands there word for word");
  await fits(v, "/review together");
  await page.addScriptTag({ path: axe });
  assert.deepEqual(await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((x) => `${x.id}: ${x.nodes[0].html.slice(0, 200)}`))), []);
  for (const view of ["/timeline", "/given", "/decisions", "/search?q=word"]) {
    await v.to(view);
    await fits(v, view);
  }
  assert.equal(await page.evaluate(() => window.__ran), undefined);
  await v.end();
});

test("a memory has one date, when it was said; when it was imported is second", async () => {
  s = store();
  writeFileSync(join(s.home, "old.jsonl"), JSON.stringify({ id: "1", text: "The harbour froze over", speaker: "Ada", occurred_at: "2024-03-04T09:00:00Z", session: "winter" }));
  s.run("import", "jsonl", "old.jsonl");
  server = await serve(s);
  const ref = (await server.ask("search", { query: "harbour" })).results[0].ref;
  const v = await visit(browser, server, { at: `/memory/${ref}` }), { page } = v;
  const line = await page.textContent(".memory .overline");
  assert.match(line, /4 Mar 2024.*imported \d+ \w+ 202\d/);
  assert.equal(await page.textContent(".node .day"), "4 Mar 2024");
  await v.to("/search?q=harbour");
  assert.match(await page.getAttribute(".result time", "datetime"), /^2024-03-04/);
  await v.to("/timeline?kind=raw");
  assert.match(await page.textContent(".day li"), /09:00 · Ada/);
  assert.equal(await page.textContent(".day h2"), "4 Mar 2024");
  // the hour, or the day that it was said, stands beside the badge
  const [badge, hour] = [await page.locator(".day li .chip").boundingBox(), await page.locator(".day li time").boundingBox()];
  assert.ok(Math.abs(badge.y - hour.y) < 12 && hour.x > badge.x && hour.x - badge.x < 200, JSON.stringify([badge, hour]));
  await v.end();
});

test("a store without anything says what will be there", async () => {
  await begin();
  const v = await visit(browser, server), { page } = v;
  for (const [view, says] of [["/review", /Nothing to review/], ["/conflicts", /No open conflicts/], ["/decisions", /No decisions yet/], ["/given", /No agent was given anything yet/], ["/review?from=0123456789ab", /Nothing of that group waits/]]) {
    await v.to(view);
    assert.match(await page.textContent("main"), says, view);
    for (const key of ["a", "r", "A", "R", "J", "K", "j", "k", "g", "u", "Enter", "."]) await page.keyboard.press(key);
    await settled(page);
    await fits(v, view);
  }
  assert.deepEqual(v.wrong.filter((w) => !/status of 4\d\d/.test(w)), []);
  await v.end();
});

test("of three that contradict each other each pair is decided, with days, sources and words for people", async () => {
  await begin();
  const said = ["The deploy runs on Fridays", "The deploy does not run on Fridays", "The deploy never runs on Fridays"];
  const made = [];
  for (const [i, text] of said.entries()) {
    const from = (await server.ask("capture", { text: `${text}, says the note on the door.`, speaker: ["Dana", "Sam", "Mira"][i], occurred_at: `2026-0${i + 3}-03T10:00:00Z` }, "token")).ref;
    made.push((await server.ask("promote", { from: [from], kind: "belief", text }, "token")).ref);
  }
  for (const ref of made) await server.ask("compare", { ref });
  s.run("jobs", "run"); // a server compares by and by
  const v = await visit(browser, server, { at: "/conflicts" }), { page } = v;
  const n = (await server.ask("conflicts")).conflicts.length;
  assert.ok(n >= 2, `${n} conflicts`);
  const text = await page.locator(".item").innerText();
  assert.match(text, /contradict each other/i);
  assert.doesNotMatch(text, /rules\/|\d\.\d\d|sure|detector/, "no figures and no names of rules");
  assert.match(text, /\d+ \w{3} 2026/);
  assert.match(text, /older\s+3 Mar 2026[^]*said by Dana/i);
  assert.match(await page.locator(".turn.behind").first().innerText(), /Dana 3 Mar 2026, 10:00\s+The deploy runs on Fridays, says the note on the door\./);
  await fits(v, "/conflicts");
  await page.setViewportSize({ width: 1280, height: 900 });
  let left = n;
  for (let i = 0; i < n && (await page.locator(".pair").count()); i++) {
    const key = await page.getAttribute(".queue .reason .ref", "title");
    await page.keyboard.press("b");
    await page.waitForFunction((k) => document.querySelector(".queue .reason .ref")?.getAttribute("title") !== k, key);
    await settled(page);
    assert.equal((await server.ask("conflicts")).conflicts.length, --left);
  }
  assert.equal(left, 0);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("who may not decide sees the queue, and can do nothing about it", async () => {
  await begin();
  await fillDesk(server);
  const context = await browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${server.token("token")}` } }), page = await context.newPage();
  await page.goto(`${server.url}/review`);
  await page.waitForSelector(".pick-one");
  await settled(page);
  assert.equal(await page.locator(".pick-one").count(), 40);
  for (const key of "aArRemfqwvxu.") await page.keyboard.press(key);
  await settled(page);
  assert.equal(await page.locator(".together, .ask, dialog[open], .batch header button").count(), 0);
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.querySelector("#place")?.textContent === "2 of 40");
  assert.equal((await server.ask("review", { limit: -1 })).pending.length, 40);
  const status = await page.evaluate(() => fetch("/v1/approve", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ refs: [document.querySelector(".pick-one").dataset.ref] }) }).then((r) => r.status));
  assert.equal(status, 403);
  await context.close();
});

// The states have four words. What happened to a memory that is not given any more is no state of review.
const four = ["approved", "not reviewed", "external", "disputed", "approved, external"], happened = ["rejected", "forgotten", "quarantined", "replaced", "purged", "missing", "capture"];
const others = /\b(unverified|pending|unreviewed|tainted|unrated|superseded|outranked|vouched|attested|unapproved|accepted|held back)\b/i;

test("one vocabulary of four for how a memory stands, in every view", async () => {
  s = store();
  reads(s, "one", "https://docs.example.org/run", "How to run it: The payments port is 9443.");
  const refs = sample(s);
  s.run("import", "git", "--help");
  writeFileSync(join(s.home, "in.jsonl"), JSON.stringify({ id: "1", kind: "note", text: "a note from elsewhere" }));
  s.run("import", "jsonl", "in.jsonl");
  server = await serve(s);
  await fillAlone(server);
  await server.ask("approve", { refs: [refs.batched] });
  await server.ask("reject", { refs: [refs.index] });
  await server.ask("witness", { ref: refs.loops, attestation: "dispute", notes: "no" });
  await server.ask("quarantine", { target: refs.rumour, reason: "hearsay" });
  await server.ask("search", { query: "orders" }, "token");
  const v = await visit(browser, server), { page } = v, seen = new Set();
  for (const view of ["/", "/review", "/conflicts", "/search?q=orders&all=1", "/decisions", "/given", "/timeline", "/people?name=Alice", "/pack?q=orders", `/blast?target=${refs.rumour}`, `/memory/${refs.batch}`, `/memory/${refs.loops}`, `/memory/${refs.missing}`, `/memory/${refs.heard}`]) {
    await v.show(view);
    if (view.startsWith("/search")) await page.locator(".chip").first().click();
    if (view.startsWith("/search")) assert.doesNotMatch(await page.locator(".facets").innerText(), others);
    const found = await page.evaluate(() => {
      const words = [...document.querySelectorAll("main .chip, main .mark, main .flag")].flatMap((e) => e.textContent.split(" · ")), own = document.querySelector("main").cloneNode(true);
      own.querySelectorAll("bdi, .said, textarea, input").forEach((e) => e.remove()); // what others say
      return { words: words.map((w) => w.trim()), text: own.textContent.replace(/\s+/g, " ") };
    });
    for (const w of found.words) {
      if (!/^held until/.test(w)) assert.ok([...four, ...happened].includes(w), `“${w}” in ${view}`);
      seen.add(w);
    }
    const other = others.exec(found.text);
    assert.equal(other && found.text.slice(Math.max(0, other.index - 60), other.index + 60), null, `${view} has another word`);
  }
  assert.doesNotMatch(await (await v.page.goto(`${server.url}/plain/${refs.loops}`)).text(), others);
  for (const w of ["approved", "not reviewed", "external", "disputed"]) assert.ok(seen.has(w), `${w} is nowhere`);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("red is for what is wrong", async () => {
  s = store();
  sample(s);
  server = await serve(s);
  await server.ask("approve", { refs: [(await server.ask("review")).pending[0].ref] });
  const v = await visit(browser, server, { colorScheme: "light" }), { page } = v;
  for (const view of ["/", "/review", "/search?q=orders", "/decisions", "/given", "/timeline", "/people", "/pack?q=orders"]) {
    await v.show(view);
    const red = await page.evaluate(() => {
      const is = (c) => c === "rgb(150, 42, 27)", out = [];
      for (const e of document.querySelectorAll("body *")) {
        if (!e.checkVisibility()) continue;
        const c = getComputedStyle(e);
        if ((is(c.color) && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) || is(c.backgroundColor) || (is(c.borderLeftColor) && parseFloat(c.borderLeftWidth) > 0)) out.push(e.outerHTML.slice(0, 120));
      }
      return out.filter((h) => !/t-bad/.test(h));
    });
    assert.deepEqual(red, [], view);
  }
  await v.end();
});
