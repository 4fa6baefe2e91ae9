// The page as a person uses it: searched, walked, decided on, by mouse and by keys.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser, refs;
before(async () => {
  s = store();
  refs = sample(s);
  server = await serve(s);
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

const card = (page, ref) => page.locator(`.face[data-ref="${ref}"]`);

test("a browser that has not signed in sees nothing but how to", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const r = await page.goto(server.url + "/");
  assert.equal(r.status(), 401);
  assert.match(await page.textContent("body"), /stemma ui/);
  await context.close();
});

test("a belief is searched, its tree walked down to a raw, and a conflict resolved", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  await page.fill("#q", "batch every lookup");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".result");
  await page.click(".result .why summary");
  const why = await page.textContent(".result .formula");
  const [, score, relevance, tier, trust, recency] = /([\d.]+) = relevance ([\d.]+) × tier ([\d.]+) × trust ([\d.]+) × recency ([\d.]+)/.exec(why).map(Number);
  assert.ok(Math.abs(score - relevance * tier * trust * recency) < 0.002, why);
  await v.shot("search-light");
  await page.click(".result a.headline");
  await page.waitForSelector(".graph .node");
  await settled(page);
  assert.equal(await page.textContent("h1"), "Batch every lookup that a list page makes");
  await v.shot("memory-light");

  // from card to card, each older than the one before, down to words as they were said
  await card(page, refs.batch).click();
  for (const ref of [refs.loops, refs.profiled]) {
    await card(page, ref).click();
    await page.waitForSelector(`.node.is-selected [data-ref="${ref}"]`);
  }
  await card(page, refs.pprof).click();
  assert.match(await page.textContent(".chosen"), /pprof: 81% of the time in loadCustomer/);
  await page.click(".chosen button:text-is('Open this record')");
  await page.waitForFunction(() => /^pprof/.test((document.querySelector("h1")?.textContent ?? "")));
  assert.match(page.url(), new RegExp(encodeURIComponent(refs.pprof)));

  await page.click('nav a[href="/conflicts"]');
  await page.waitForSelector(".pair");
  await settled(page);
  await v.shot("conflicts-light");
  const open = (await server.ask("conflicts")).conflicts;
  const words = await page.textContent(".side:last-child .item-words");
  await page.click("text=Keep newer");
  await page.waitForFunction(() => /kept the newer one/.test((document.querySelector(".said-done")?.textContent ?? "")));
  const left = (await server.ask("conflicts")).conflicts;
  assert.equal(left.length, open.length - 1);
  const old = open.find((l) => l.new.headline === words).old;
  assert.equal((await server.ask("show", { ref: old.ref })).hidden, "superseded");
  assert.deepEqual(v.wrong, []);
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("the tree is walked with the arrow keys and grows at its ends", async () => {
  const v = await visit(browser, server, { at: `/memory/${refs.batch}?back=1&forward=0` });
  const { page } = v;
  assert.equal(await card(page, refs.profiled).count(), 0);
  await card(page, refs.batch).focus();
  await page.keyboard.press("ArrowLeft");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-ref"));
  await page.waitForFunction((ref) => document.activeElement?.getAttribute("data-ref") !== ref, refs.batch);
  const at = await focused();
  assert.ok([refs.loops, refs.batched].includes(at));
  await card(page, refs.loops).focus();
  await page.keyboard.press("[");
  await card(page, refs.profiled).waitFor();
  const before = await card(page, refs.loops).boundingBox();
  await card(page, refs.profiled).focus();
  await page.keyboard.press("[");
  await card(page, refs.pprof).waitFor();
  assert.ok(before, "the card that was expanded stays in view");
  assert.equal(await page.locator(".face[tabindex='0']").count(), 1, "one stop of the tab key");
  const label = await card(page, refs.pprof).getAttribute("aria-label");
  assert.match(label, /^raw, pprof: .*trust 0\.30/);
  await card(page, refs.loops).hover();
  assert.match(await page.textContent("[role=tooltip]"), /Queries inside a loop.*tier.*trust.*confidence/s);
  await page.click("text=As lists");
  assert.match(await page.textContent(".lists"), /loadCustomer/);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("what is superseded is struck and said so, and the second line of a box is who said or wrote it", async () => {
  const v = await visit(browser, server, { at: `/memory/${refs.revised}` });
  const node = v.page.locator(".node", { has: card(v.page, refs.missing) });
  assert.match(await node.getAttribute("class"), /is-superseded/);
  assert.match(await node.textContent(), /replaced/);
  assert.ok((await v.page.locator(".node .figures").allTextContents()).includes("Sam"));
  for (const text of await v.page.locator(".node .figures").allTextContents()) assert.match(text, /^(Sam|Dana|an agent|you)$/);
  assert.match(await v.page.textContent("#revisions"), /Revisions\s*2/);
  await v.shot("revised-light");
  await v.end();
});

// Keys pressed faster than frames are drawn: letters of a reason were taken for
// decisions, and a box opened on a new item was closed again.
test("a key pressed before the next frame means what it says", async () => {
  const v = await visit(browser, server, { at: "/review" });
  const { page } = v;
  await page.waitForSelector(".item-words");
  const where = await page.evaluate(async () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true }));
    await new Promise((done) => queueMicrotask(() => queueMicrotask(() => queueMicrotask(done))));
    return document.activeElement.tagName;
  });
  assert.equal(where, "TEXTAREA");
  await page.keyboard.press("Escape");
  const open = await page.evaluate(async () => {
    const words = document.querySelector(".item-words");
    const moved = new Promise((done) => new MutationObserver(done).observe(words, { subtree: true, childList: true, characterData: true }));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true }));
    await moved;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true }));
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    return document.querySelectorAll(".ask").length;
  });
  assert.equal(open, 1);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("the review queue is worked off with the keyboard", async () => {
  const v = await visit(browser, server, { at: "/review" });
  const { page } = v;
  const words = () => page.textContent(".item-words");
  const next = (was) => page.waitForFunction((w) => document.querySelector(".item-words")?.textContent !== w, was);
  const pending = async () => (await server.ask("review", { limit: -1 })).pending.length;
  const at = await pending();
  await v.shot("review-light");

  const first = await words();
  await page.keyboard.press("s");
  await next(first);
  const approved = await words();
  await page.keyboard.press("a");
  await next(approved);
  assert.equal(await pending(), at - 1);

  const rejected = await words();
  await page.keyboard.press("r");
  await page.keyboard.type("that was another page");
  await page.keyboard.press("Enter");
  await next(rejected);
  assert.ok(!(await server.ask("review", { limit: -1 })).pending.some((p) => p.headline === rejected), "what was rejected waits no more");

  const edited = await words();
  await page.keyboard.press("e");
  await page.keyboard.press("End");
  await page.keyboard.type(" (edited)");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("In better words");
  await page.keyboard.press("Enter");
  await next(edited);
  const list = (await server.ask("list", { limit: -1 })).memories;
  const anew = list.find((m) => m.headline === "In better words");
  assert.equal(anew?.review, "approved");
  assert.equal(anew?.origin, "owner");

  await page.keyboard.press("r"); // and not after all
  await page.waitForSelector(".ask");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".ask").count(), 0);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a merge asks with what, and in what words", async () => {
  const v = await visit(browser, server, { at: "/review" });
  const { page } = v;
  for (let i = 0; i < 20 && !/belief/.test(await page.textContent(".item .overline")); i++) {
    await page.keyboard.press("s");
    await settled(page);
  }
  const was = await page.textContent(".item-words");
  await page.keyboard.press("m");
  await page.waitForSelector(".ask .quiet");
  await page.click(".ask .quiet");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Both of them at once");
  await page.keyboard.press("Enter");
  await page.waitForFunction((w) => document.querySelector(".item-words")?.textContent !== w, was);
  const merged = (await server.ask("list", { limit: -1 })).memories.find((m) => m.headline === "Both of them at once");
  assert.equal(merged?.supersedes?.length, 2);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a quarantine shows what falls before and after, and is taken back", async () => {
  const v = await visit(browser, server, { at: `/blast?target=${refs.rumour}` });
  const { page } = v;
  await v.shot("blast-light");
  const figure = async (name) => Number(await page.locator(`.across dt:has-text("${name}") + dd`).textContent());
  assert.ok((await figure("fall with them")) >= 2);
  assert.ok((await figure("survive")) >= 1);
  assert.equal(await figure("quarantined now"), 0);
  assert.equal(await page.locator(".is-quarantined").count(), 0);
  await page.click("text=After a quarantine");
  const after = await page.locator(".is-quarantined").count();
  assert.ok(after >= 3, `${after} would be hidden`);
  await page.click("main button:text-is('Quarantine')");
  await page.keyboard.type("Sam was wrong");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /hidden/.test((document.querySelector(".told")?.textContent ?? "")));
  await settled(page);
  assert.equal((await server.ask("show", { ref: refs.grew })).hidden, "quarantined");
  await page.click("text=As it is");
  assert.equal(await page.locator(".is-quarantined").count(), after, "as it is now is as it would be");
  await v.shot("blast-after-light");
  await page.click("main button:text-is('Release')");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /brought back/.test((document.querySelector(".told")?.textContent ?? "")));
  assert.equal((await server.ask("show", { ref: refs.grew })).hidden ?? "", "");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("the timeline shows what was known at a time", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  const at = (await server.ask("show", { ref: refs.missing })).created_at;
  await v.to(`/timeline?kind=belief&as_of=${encodeURIComponent(at)}`);
  const item = page.locator(".day li", { hasText: "usually missing indexes" });
  assert.notEqual(await item.locator(".chip").textContent(), "replaced", "it had not been superseded then");
  assert.match(await item.textContent(), /since then:.*replaced/);
  assert.equal(await page.locator(".day li", { hasText: "queries in loops" }).count(), 0, "nobody knew of the revision");
  await v.shot("timeline-light");
  await page.click("text=now");
  await page.waitForSelector(".day li .chip:text-is('replaced')");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("packs keep to their budget, health tells what there is, and help is at hand", async () => {
  const v = await visit(browser, server, { at: "/pack?q=slow+orders&budget=300" });
  const { page } = v;
  const [, used, budget] = /([\d,]+) of ([\d,]+) tokens/.exec(await page.textContent(".budget p"));
  assert.ok(Number(used) <= Number(budget) && budget === "300", used);
  await v.shot("pack-light");
  await v.to("/health");
  await page.click("text=verify every signature");
  await page.waitForSelector("text=/0 problems/");
  await v.shot("health-light");
  await v.to("/decisions");
  await page.waitForSelector(".log tbody tr");
  assert.deepEqual(await page.locator(".log th").allTextContents(), ["When", "Who", "What", "Why"]);
  const reason = await page.locator(".log tbody tr", { hasText: "that was another page" }).locator("td").allTextContents();
  assert.match(reason[0], /\d{4}/);
  assert.deepEqual([reason[1], reason[3]], ["you", "that was another page"]);
  assert.match(reason[2], /^reject/);
  await v.shot("decisions-light");
  await page.fill("main input >> nth=0", "somebody who decided nothing");
  await page.press("main input >> nth=0", "Enter");
  await page.waitForSelector("text=No decisions like that.");
  await page.keyboard.press("Escape"); // leaves the field
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await v.shot("help-light");
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.waitForSelector("#review");
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.id === "quick");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a browser that is too old is told so in one line, and nothing fails", async () => {
  const v = await visit(browser, server);
  const cookies = await v.context.cookies();
  for (const [lacks, take] of [["dialogs", () => delete HTMLDialogElement.prototype.showModal], ["JavaScript of 2022", () => delete Array.prototype.at], ["modules", () => delete HTMLScriptElement.prototype.noModule], ["streams", () => delete window.EventSource]]) {
    const old = await browser.newContext();
    await old.addCookies(cookies);
    await old.addInitScript(take);
    const page = await old.newPage(), wrong = [];
    page.on("pageerror", (e) => wrong.push(e.message));
    page.on("console", (m) => m.type() === "error" && wrong.push(m.text()));
    await page.goto(server.url + "/");
    assert.equal((await page.innerText("body")).trim(), `This browser is too old for the page: it lacks ${lacks}. Use one of 2022 or later. Read the memories as plain lists instead.`);
    await page.click("text=plain lists");
    await page.waitForSelector(".lists li a");
    assert.deepEqual(wrong, []);
    await old.close();
  }
  await v.end();
});

test("without scripts the tree is a nested list", async () => {
  const v = await visit(browser, server, { javaScriptEnabled: true });
  const cookies = await v.context.cookies();
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await plain.addCookies(cookies);
  const page = await plain.newPage();
  await page.goto(`${server.url}/`);
  await page.click("noscript a");
  assert.ok((await page.locator(".lists li a").count()) >= 5);
  await page.goto(`${server.url}/plain/${refs.batch}`);
  assert.match(await page.textContent(".lists li li li"), /loadCustomer|nine seconds/);
  await plain.close();
  await v.end();
});
