// Search as a person uses it: as they type, narrowed by facets, kept in an address, saved as files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser, refs;
before(async () => {
  s = store();
  refs = sample(s);
  server = await serve(s);
  for (let i = 0; i < 45; i++) await server.ask("capture", { text: `harbour turn ${i} of the long talk`, speaker: i % 2 ? "Dana" : "Sam", tags: [i % 3 ? "talk" : "third", ...(i % 5 ? [] : ["one, two"])] }, "token");
  await server.ask("capture", { text: '=HYPERLINK("http://evil.example","harbour formula")', tags: ["@SUM(1)"] }, "token");
  await server.ask("add", { kind: "note", text: "a note of another space" }, "owner.token", { "Stemma-Space": "elsewhere" });
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

const address = (page) => page.evaluate(() => location.pathname + location.search);

test("results come as somebody types, match, and the last answer wins", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  // the answer to the first letters comes last
  let letters, release, answered;
  const asked = new Promise((go) => (letters = go)), held = new Promise((go) => (release = go)), late = new Promise((go) => (answered = go));
  await page.route("**/ui/found", async (route) => {
    if (JSON.parse(route.request().postData()).query !== "harb") return route.continue().catch(() => {});
    letters();
    await held;
    await route.continue().catch(() => {});
    answered();
  });
  await page.focus("#q");
  await page.keyboard.type("harb");
  await asked;
  await page.keyboard.type("our");
  await page.waitForSelector(".result mark:text-is('harbour')");
  release();
  await late;
  await settled(page);
  assert.equal(await page.locator(".result mark").first().textContent(), "harbour");
  assert.equal(await address(page), "/search?q=harbour");
  assert.equal(await page.inputValue("#q"), "harbour");
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#q"), "harbour", "what was typed stays");
  assert.deepEqual(v.wrong, []);
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("who types has one step back, and who leaves while an answer comes is not called back", async () => {
  const v = await visit(browser, server, { at: "/" });
  const { page } = v;
  const steps = await page.evaluate(() => history.length);
  await page.focus("#q");
  await page.keyboard.type("harbour");
  await settled(page);
  assert.equal(await address(page), "/search?q=harbour");
  assert.equal(await page.evaluate(() => history.length), steps + 1);
  await page.goBack();
  await settled(page);
  assert.equal(await page.inputValue("#q"), "");
  assert.ok(await page.locator(".tally dd").count(), "the first view again");
  await page.evaluate(() => { // the wait for the answer ends after the click, and before the other view is drawn
    const later = window.setTimeout, ends = [];
    window.setTimeout = (f, ms, ...more) => (ms === 60 ? ends.push(f) : later(f, ms, ...more));
    const field = document.getElementById("q");
    field.value = "harbour";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    document.querySelector("nav a[href='/review']").click();
    for (const end of ends) end();
    window.setTimeout = later;
  });
  await page.waitForSelector("#review");
  await settled(page);
  assert.equal(await address(page), "/review");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("facets count what they give, and the address keeps all of it", async () => {
  const v = await visit(browser, server, { at: "/search?q=harbour" });
  const { page } = v;
  assert.equal(await page.locator(".result").count(), 20, "the first page");
  const link = page.locator('.facets section[aria-label="Tag"] a', { hasText: "third" });
  const count = Number(await link.locator(".count").textContent());
  assert.equal(count, 15);
  await link.click();
  await page.waitForFunction((n) => document.querySelectorAll(".result").length === n, count);
  await settled(page);
  assert.match(await page.textContent("#found"), /^15 memories$/);
  const kept = await address(page);
  assert.match(kept, /q=harbour/);
  assert.match(kept, /tag_is=third/);
  await v.to(kept);
  assert.equal(await page.locator(".result").count(), count, "the address gives the same");
  await page.click('.facets section[aria-label="Tag"] .on a');
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 20);
  await page.click("button:text-is('More')");
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 46);
  assert.equal(await page.locator("button:text-is('More')").count(), 0);
  const links = () => page.locator(".facets a:has(.count)").evaluateAll((all) => all.map((a) => [a.getAttribute("href"), Number(a.querySelector(".count").textContent)]));
  let followed = 0;
  for (const from of ["/search?q=harbour", "/search?q=harbour&tag_is=third", "/search?q=orders&space=*", "/search?q=&all=1"]) {
    await v.show(from);
    for (const [to, n] of await links()) {
      await v.show(to);
      const on = to.length < from.length; // it is chosen already, and the link takes it away
      if (!on) assert.equal(Number.parseInt(await page.textContent("#found")), n, `${from} counts ${n} of ${to}`);
      followed++;
    }
  }
  assert.ok(followed > 20, `${followed} counts`);
  await v.to("/search?q=harbour&kind_is=raw&tier_is=nothing&tag_is=third&tag_is=one%2C+two");
  assert.match(await page.textContent("main"), /No results/);
  for (let left = 4; left > 0; left--) {
    assert.equal(await page.locator(".facets .on a").count(), left, "what is chosen can be taken away");
    await page.locator(".facets .on a").last().click();
    await settled(page);
  }
  assert.equal(await address(page), "/search?q=harbour");
  // a space that cannot be is no server that is away
  for (const space of ["\u6771\u4eac", "a%0Ab"]) {
    await v.to(`/search?q=harbour&space=${space}`);
    assert.match(await page.textContent("main .trouble"), /^space: a name has letters/);
    assert.equal(await page.locator(".away").count(), 0);
  }
  v.wrong.splice(0, v.wrong.length, ...v.wrong.filter((w) => !/status of 422/.test(w)));
  await v.to("/");
  for (const [to, n] of await page.locator('section[aria-labelledby="waits"] a[href*="kind="]').evaluateAll((all) => all.map((a) => [a.getAttribute("href"), Number(a.closest("dt").nextSibling.textContent)]))) {
    await v.show(to);
    assert.equal(Number.parseInt(await page.textContent("#found")), n, to);
  }
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("Ctrl-K searches from any view, by keys alone", async () => {
  const v = await visit(browser, server, { at: "/health" });
  const { page } = v;
  await page.keyboard.press("Control+k");
  await page.waitForFunction(() => document.activeElement?.id === "quick");
  await page.keyboard.type("batch every lookup");
  await page.waitForSelector(".quick mark");
  await v.shot("quick-light");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".quick").open);
  assert.equal(await address(page), "/health", "closed, and nothing else happened");
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.id === "quick");
  assert.equal(await page.inputValue("#quick"), "batch every lookup", "the words are kept");
  await page.keyboard.press("Enter");
  await page.waitForSelector("h1");
  await page.waitForFunction(() => /^Batch every lookup/.test(document.querySelector("h1")?.textContent ?? ""));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("harbour");
  await page.waitForSelector(".quick mark");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".hunt .result");
  assert.equal(await address(page), "/search?q=harbour");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a chip says how a memory stands, and the scales with their meaning on demand", async () => {
  const v = await visit(browser, server, { at: "/search?q=batch+every+lookup" });
  const { page } = v;
  const one = page.locator(".result", { hasText: "Batch every lookup that" }).first();
  assert.equal(await one.locator(".scales").count(), 0);
  await one.locator(".chip").focus();
  await page.keyboard.press("Enter");
  await one.locator(".scales").waitFor();
  assert.match(await one.locator(".scales").textContent(), /tier.*observed.*trust.*0\.\d\d.*confidence.*0\.80/);
  const time = one.locator("time");
  assert.match(await time.textContent(), /(now|seconds?|minutes? ago).*\d{4}/, "in words, and exactly for who hears it");
  assert.match(await time.getAttribute("title"), /\d{4}/);
  // what is over says until when it held, here and in its tree
  const over = (await server.ask("add", { kind: "belief", text: "The brick office is in Bremen", valid_until: "2020-03-03T12:00:00Z" })).ref;
  await v.to("/search?q=brick+office&all=1");
  assert.equal(await page.textContent(".result .chip"), "held until 3 Mar 2020");
  await v.to(`/memory/${over}`);
  await page.waitForSelector(".graph .face");
  assert.equal(await page.textContent(".memory header .chip"), "held until 3 Mar 2020");
  assert.match(await page.textContent(".node .flag"), /held until 3 Mar 2020/);
  await v.end();
});

test("several are selected and decided at once, by keys, with one confirmation and one undo", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  const made = [];
  for (const i of [0, 1, 2, 3, 4, 5]) made.push(await server.ask("capture", { text: `quarry turn ${i}`, session: i < 4 ? "monday" : "tuesday" }, "token"));
  const notes = [];
  for (const [i, raw] of made.entries()) notes.push((await server.ask("promote", { from: [raw.ref], kind: "note", text: `quarry note ${i}`, session: i < 4 ? "monday" : "tuesday" }, "token")).ref);
  await server.ask("consolidate", { from: [notes[4], notes[5]], text: "quarry notes hang together" }, "token");
  const reviews = async () => (await Promise.all(notes.map((ref) => server.ask("show", { ref })))).map((m) => m.hidden || m.review);
  const told = (what) => page.waitForFunction((w) => new RegExp(w).test((document.querySelector(".told")?.textContent ?? "")), what);
  await settled(page);
  await page.selectOption("#reads", "me"); // without the note of another space
  await v.to("/search?q=quarry+note&kind=note");
  const pick = (i) => page.locator(".result", { hasText: `quarry note ${i}` }).locator("input.pick");

  // one by its box, the rest of its session by a button, then the key
  await pick(1).check();
  await page.click(".bulk button:text-is('Same session')");
  await page.waitForSelector(".bulk >> text=4 memories selected");
  await settled(page);
  await page.keyboard.press("a");
  await page.waitForSelector("dialog[open] h2:text-is('Approve 4 memories')");
  await v.shot("bulk-light");
  assert.match(await page.textContent("dialog[open]"), /4 notes/);
  assert.deepEqual(await reviews(), ["pending", "pending", "pending", "pending", "pending", "pending"], "nothing before it is confirmed");
  // somebody else decides meanwhile: that one is left, and named
  await server.ask("reject", { refs: [notes[2]], reason: "seen elsewhere" });
  await page.keyboard.press("Enter");
  await told("^approved 3 memories");
  await page.waitForSelector(".trouble:has-text('1 memory was left')");
  assert.match(await page.textContent(".trouble:has-text('was left')"), /quarry note 2.*changed meanwhile: rejected/s);
  assert.deepEqual(await reviews(), ["approved", "approved", "rejected", "approved", "pending", "pending"]);
  await page.waitForSelector(".told button:has-text('Undo')");
  await page.keyboard.press("u");
  await page.waitForFunction(() => /Took back/.test((document.querySelector(".told")?.textContent ?? "")));
  assert.deepEqual(await reviews(), ["pending", "pending", "rejected", "pending", "pending", "pending"], "all of them by one undo, and nothing else");

  // by keys alone: down, select, all that are shown, none
  await settled(page);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.waitForSelector(".bulk >> text=1 memory selected");
  await page.keyboard.press("X");
  await page.waitForSelector(".bulk >> text=5 memories selected"); // the rejected one is not in the list
  await page.keyboard.press("Escape");
  await page.waitForSelector(".bulk", { state: "detached" });

  // a quarantine of two says what falls with them, and is taken back as one
  await pick(4).check();
  await pick(5).check();
  await settled(page);
  await page.keyboard.press("q");
  await page.waitForSelector("dialog[open] >> text=1 other memory falls with them.");
  await page.focus("dialog[open] textarea");
  await page.keyboard.type("a rumour");
  await page.keyboard.press("Enter");
  await told("^quarantined 2 memories");
  assert.deepEqual((await reviews()).slice(4), ["quarantined", "quarantined"]);
  await page.waitForSelector(".told button:has-text('Undo')");
  await page.click(".told button:has-text('Undo')");
  await told("^Took back 2 acts");
  assert.deepEqual((await reviews()).slice(4), ["pending", "pending"]);
  await pick(0).check();
  await page.click(".bulk button:text-is('Same source')");
  await settled(page);
  await page.waitForSelector(".bulk >> text=1 memory selected");
  await page.keyboard.press("f");
  await page.waitForSelector("dialog[open] h2:text-is('Forget 1 memory')");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog[open]", { state: "detached" });
  assert.equal((await reviews())[0], "pending", "nothing was done");
  // it is done, and the answer is lost: sent again, it is done once
  let dropped = 0;
  await page.route("**/v1/forget", async (route) => {
    if (dropped++ > 0) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.keyboard.press("f");
  await page.waitForSelector("dialog[open] button[type=submit]:not([disabled])");
  await page.focus("dialog[open] textarea");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open] .trouble");
  await page.keyboard.press("Enter");
  await told("^forgot 1 memory");
  assert.equal(dropped, 2);
  assert.equal((await reviews())[0], "forgotten");
  assert.equal(await page.locator(".trouble:has-text('was left')").count(), 0);
  assert.deepEqual(v.wrong.filter((w) => !/412|409|ERR_FAILED/.test(w)), []);
  await v.end();
});

test("a session of a stranger that has the name of one's own is not selected with it", async (t) => {
  const other = store();
  t.after(() => other.end());
  other.run("raw", "giraffe of a stranger", "--session", "savannah");
  other.run("export", "theirs.jsonl");
  const lines = readFileSync(join(other.home, "theirs.jsonl"), "utf8");
  const taken = await fetch(`${server.url}/v1/import`, { method: "POST", headers: { "Content-Type": "application/x-ndjson", Authorization: `Bearer ${server.token("owner.token")}` }, body: lines });
  assert.ok(taken.ok, await taken.text());
  for (const n of [1, 2]) await server.ask("capture", { text: `giraffe ${n} of one's own`, session: "savannah" }, "token");
  const v = await visit(browser, server, { at: "/search?q=giraffe&space=*&kind=raw" }), { page } = v;
  assert.equal(await page.locator(".result", { hasText: "giraffe" }).count(), 3);
  await page.locator(".result", { hasText: "giraffe 1" }).locator("input.pick").check();
  await settled(page);
  await page.click("button:text-is('Same session')");
  await settled(page);
  assert.match(await page.textContent(".bulk"), /^2 memories selected/);
  await v.end();
});

test("lists are saved as JSON and as CSV that runs nothing", async () => {
  const v = await visit(browser, server, { at: "/search?q=harbour" });
  const { page } = v;
  const saved = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`button:text-is('${name}')`)]);
    return readFileSync(await file.path(), "utf8");
  };
  const lines = JSON.parse(await saved("JSON"));
  assert.equal(lines.length, 46, "all that match, not only what is shown");
  const evil = lines.find((l) => /HYPERLINK/.test(l.text));
  assert.ok(evil.text.startsWith("=HYPERLINK") && evil.ref && evil.status);
  const csv = await saved("CSV");
  assert.equal(csv.split("\r\n").filter(Boolean).length, 47);
  assert.ok(csv.includes(`"'=HYPERLINK(""http://evil.example"",""harbour formula"")"`), "text, and no formula");
  for (const line of csv.split("\r\n").slice(1)) for (const c of line.match(/"(?:[^"]|"")*"|[^,]+/g) ?? []) assert.doesNotMatch(c, /^"?[=+@\t]/, c);
  for (const [path, count, member] of [
    ["/review", (await server.ask("review", { limit: -1 })).pending.length, "text"],
    ["/conflicts?all=1", (await server.ask("conflicts", { all: true })).conflicts.filter((l) => ["open", "proposed"].includes(l.state)).length, "new_text"],
    [`/blast?target=${encodeURIComponent(refs.rumour)}`, 1 + (await server.ask("taint", { target: refs.rumour })).affected_count, "fate"],
  ]) {
    await v.to(path);
    const list = JSON.parse(await saved("JSON")).filter((l) => l.fate !== "stays");
    assert.ok(count > 1 && list.every((l) => l.ref && l[member]), `${path}: ${JSON.stringify(list)}`);
    assert.equal(list.length, count, path);
  }
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("what comes meanwhile is offered, and nothing moves until it is asked for", async () => {
  const v = await visit(browser, server, { at: "/" });
  const { page } = v;
  await page.waitForResponse(/\/v1\/events/); // it is told of what comes from now on
  const shown = () => page.locator(".results .headline").allTextContents();
  const before = await shown();
  for (const n of [1, 2]) await server.ask("add", { kind: "note", text: `came meanwhile ${n}` });
  await page.waitForSelector("button:text-is('2 new: show')");
  assert.deepEqual(await shown(), before);
  // what comes while another tab is in front is offered, too
  const look = (state) => page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
  await look("hidden");
  await server.ask("add", { kind: "note", text: "came while nobody looked" });
  await look("visible");
  await page.waitForSelector("button:text-is('3 new: show')");
  await page.click("button:text-is('3 new: show')");
  await page.waitForSelector("text=came while nobody looked");
  await page.waitForSelector("text=came meanwhile 2");
  assert.equal(await page.locator(".news button").count(), 0);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a server that goes away and comes back is said, and what was typed stays", async () => {
  const v = await visit(browser, server, { at: "/search" });
  const { page } = v;
  let down = true;
  await page.route(/\/(ui|v1|healthz)/, (route) => (down ? route.abort("connectionrefused") : route.continue()));
  await page.fill("#q", "harbour");
  await page.waitForSelector(".away");
  assert.match(await page.textContent(".away"), /does not answer/);
  assert.equal(await page.inputValue("#q"), "harbour");
  down = false;
  await page.waitForSelector(".result mark");
  await page.waitForFunction(() => !document.querySelector(".away"));
  assert.equal(await page.inputValue("#q"), "harbour");
  // a session that ended: the view stays behind it, with its words
  await page.fill("#q", "harbour talk");
  await settled(page);
  const cookies = await v.context.cookies();
  await v.context.clearCookies();
  await page.fill("#q", "harbour talk turn");
  await page.waitForSelector("text=You are signed out");
  await page.click("button:text-is('Continue')");
  await page.waitForSelector("text=still signed out");
  await v.context.addCookies(cookies);
  await page.click("button:text-is('Continue')");
  await page.waitForSelector(".result mark");
  assert.equal(await page.inputValue("#q"), "harbour talk turn");
  // who signs in in another tab and comes back from it need not ask
  await v.context.clearCookies();
  await page.fill("#q", "harbour talk");
  await page.waitForSelector("text=You are signed out");
  await v.context.addCookies(cookies);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.waitForSelector("text=You are signed out", { state: "detached" });
  assert.equal(await page.inputValue("#q"), "harbour talk");
  assert.deepEqual(v.wrong.filter((w) => !/Failed to load resource/.test(w)), []);
  await v.end();
});
