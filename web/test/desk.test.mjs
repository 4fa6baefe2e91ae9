// The queue as a reviewer works it off in the morning, by keys alone.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { fillAlone, fillDesk } from "./desk.mjs";
import { browse, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser, refs;
before(async () => (browser = await browse()));
beforeEach(async () => {
  await server?.end();
  s?.end();
  s = store();
  server = await serve(s);
  refs = await fillDesk(server);
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

const review = async (ref) => (await server.ask("show", { ref })).review;
const place = (page) => page.textContent("#place");
const waits = async (page, what) => page.waitForFunction((w) => document.querySelector("#place")?.textContent === w, what);

test("40 memories of 8 sources are decided with at most 60 keys", async () => {
  const v = await visit(browser, server), { page } = v;
  let keys = 0;
  const press = async (...list) => {
    for (const k of list) {
      keys++;
      await page.keyboard.press(k);
    }
  };
  await settled(page);
  await press("2"); // from the first view
  await page.waitForSelector(".pick-one");
  await settled(page);
  assert.equal(await page.locator(".batch").count(), 8);
  assert.equal(await place(page), "1 of 40");
  // of each conversation the second one is wrong, and the others are right
  for (let i = 0; i < 8; i++) {
    await press("j");
    await waits(page, `${5 * i + 2} of 40`);
    const words = await page.textContent(".item-words");
    await press("r");
    await page.waitForSelector(".ask textarea");
    await press("Enter");
    await page.waitForFunction((w) => document.querySelector(".item-words")?.textContent !== w, words);
    await press("A");
    await page.waitForSelector(".together button.main:focus");
    assert.equal(await page.locator(".together input").count(), 4);
    await press("Enter");
    if (i < 7) await waits(page, `${5 * i + 6} of 40`);
  }
  await page.waitForSelector(".done");
  assert.match(await page.textContent(".done"), /All 40 are decided/);
  assert.ok(keys <= 60, `${keys} keys`);
  console.log(`# ${keys} keys`);
  for (const [n, ref] of refs.entries()) assert.equal(await review(ref), n % 5 === 1 ? "rejected" : "approved", `${n}`);
  assert.equal((await server.ask("review")).pending.length, 0);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("each memory shows the words it comes from and the conversation around them, without another view", async () => {
  const v = await visit(browser, server, { at: "/review" }), { page } = v;
  const asks = [];
  page.on("request", (r) => r.isNavigationRequest() && asks.push(r.url()));
  const rows = await page.locator(".pick-one").evaluateAll((all) => all.map((b) => ({ words: b.querySelector(".words").textContent, quote: b.querySelector(".quote").textContent, seen: b.querySelector(".quote").getBoundingClientRect().height })));
  assert.equal(rows.length, 40);
  for (const r of rows) {
    assert.match(r.quote, new RegExp(`^(Dana|Sam): “I checked it again: .*${r.words.slice(1, 20)}`));
    assert.ok(r.seen >= 15, r.quote);
  }
  for (let i = 0; i < 40; i++) {
    await page.waitForSelector(`.pick-one[aria-current]:has-text(${JSON.stringify(rows[i].words)})`);
    await page.waitForFunction((w) => document.querySelector(".item-words")?.textContent === w && document.querySelector(".turn.behind"), rows[i].words);
    const turns = await page.locator(".turn").evaluateAll((all) => all.map((t) => ({ text: t.innerText, behind: t.classList.contains("behind") })));
    const at = turns.findIndex((t) => t.behind);
    assert.ok(turns[at].text.includes(rows[i].words.slice(1)), turns[at].text);
    assert.ok(at > 0 && at < turns.length - 1, `a turn before and one after: ${JSON.stringify(turns)}`);
    assert.match(await page.textContent(".talk h2"), i % 10 < 5 ? /with claude-code · session/ : /with codex · session/);
    await page.keyboard.press("j");
  }
  assert.deepEqual(asks, []);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("what directs or would replace what was approved is decided by itself, whatever is decided about its group", async () => {
  const alone = await fillAlone(server);
  const v = await visit(browser, server), { page } = v;
  for (const by of [0, 1, 2]) { // however it is grouped
    await v.to("/review");
    for (let i = 0; i < by; i++) await page.keyboard.press("g");
    await settled(page);
    assert.equal(await place(page), `1 of ${(await page.locator(".pick-one").count()) + 0}`);
    const batches = await page.locator(".batch").count();
    for (let i = 0; i < batches; i++) {
      await page.keyboard.press("A");
      if (await page.locator(".together").count()) {
        await page.keyboard.press(by ? "Escape" : "Enter");
        await page.waitForSelector(".together", { state: "detached" });
      }
      await settled(page);
      if (by) await page.keyboard.press("J");
    }
    assert.notEqual(await review(alone.rule), "approved", `grouped ${by}`);
    assert.notEqual(await review(alone.newer), "approved", `grouped ${by}`);
    if (by) continue;
    for (const ref of refs) assert.equal(await review(ref), "approved");
  }
  // each by its key; what it would replace stands beside it, word for word
  await v.to("/review");
  assert.equal(await place(page), "1 of 2");
  await page.locator(".pick-one", { hasText: "closes at eight" }).click();
  await page.waitForSelector(".difference");
  assert.equal(await page.textContent(".difference del"), "six");
  assert.equal(await page.textContent(".difference ins"), "eight");
  assert.match(await page.textContent(".older"), /It would replace.*approved/s);
  await page.keyboard.press("a");
  await page.waitForSelector(".said-done:has-text('approved')");
  await page.waitForFunction(() => /Never book/.test(document.querySelector(".item-words")?.textContent ?? ""));
  await page.keyboard.press("a");
  await page.waitForSelector(".done");
  for (const ref of [alone.rule, alone.newer]) assert.equal(await review(ref), "approved");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a server that goes away while one approves: the count stays true, and nothing is done twice", async () => {
  const v = await visit(browser, server), { page } = v, port = new URL(server.url).port;
  const log = async () => (await server.ask("decisions", { limit: -1 })).decisions;
  // a server that was started again knows no browser: the person signs in, and goes on
  const back = async () => {
    server = await serve(s, port);
    await page.waitForSelector("#out");
    // what is not seen is not decided on
    let decided = 0;
    const count = (r) => (decided += /approve|reject/.test(r.url()));
    page.on("request", count);
    await page.keyboard.press("a");
    // who looks at what is read is not taken for an agent afterwards, whose keys do nothing
    const told = page.waitForResponse("**/ui/me");
    await page.focus("#reads");
    await told;
    page.off("request", count);
    assert.equal(decided, 0);
    await page.evaluate(() => document.activeElement.blur());
    const tab = await v.context.newPage();
    await tab.goto(await server.entry());
    await tab.close();
    // a page that asks meanwhile whether the server is back has gone on by itself
    await page.evaluate(() => [...document.querySelectorAll("button")].find((b) => b.textContent === "Continue")?.click());
    await page.waitForSelector("#out", { state: "detached" });
  };
  await v.to("/review");
  await page.keyboard.press("a");
  await waits(page, "2 of 40");
  // it goes before it is asked
  await server.end();
  await page.keyboard.press("a");
  await page.waitForSelector(".trouble:has-text('sent when that is over')");
  assert.equal(await place(page), "2 of 40");
  await page.keyboard.press("a"); // impatiently
  await page.keyboard.press("a");
  await back();
  await waits(page, "3 of 40");
  assert.equal((await log()).length, 2);
  // it goes after it stored the decision, and before it said so; what it knows of answers goes with it
  const ref = await page.getAttribute(".pick-one[aria-current]", "data-ref");
  await page.route("**/v1/approve", async (r) => {
    await r.fetch();
    await server.end();
    await r.abort();
  });
  await page.keyboard.press("a");
  await page.waitForSelector(".trouble:has-text('sent when that is over')");
  assert.equal(await place(page), "3 of 40");
  await page.unroute("**/v1/approve");
  await back();
  await waits(page, "4 of 40");
  assert.equal(await review(ref), "approved");
  assert.equal((await log()).length, 3, "each was decided once");
  // the same with a group
  let sent = 0;
  await page.route("**/v1/approve", async (r) => {
    if (sent++) return r.continue();
    await r.fetch();
    await server.end();
    await r.abort();
  });
  await page.keyboard.press("A");
  await page.waitForSelector(".together");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".trouble:has-text('sent when that is over')");
  assert.equal(await place(page), "4 of 40");
  await back();
  await waits(page, "6 of 40");
  assert.equal(await page.locator(".together").count(), 0);
  assert.equal((await log()).length, 4);
  await page.keyboard.press("u");
  await page.waitForSelector(".said-done:has-text('taken back'), .queue .trouble");
  assert.equal((await server.ask("review", { limit: -1 })).pending.length, 37);
  assert.match(await place(page), /^\d+ of 40$/);
  await v.end();
});

test("two keys in one frame decide on two, each once", async () => {
  const v = await visit(browser, server, { at: "/review" }), { page } = v;
  await page.evaluate(() => {
    for (let i = 0; i < 5; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
  });
  await waits(page, "2 of 40");
  await settled(page);
  assert.equal((await server.ask("decisions")).decisions.length, 1, "five at once are one: the others were not seen yet");
  await v.end();
});
