// Conflicts as a list beside the detail: both sides with their words, worked off by keys, and found again by who comes back.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { fillPairs } from "./desk.mjs";
import { browse, forked, serve, settled, store, visit } from "./stage.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let s, server, browser;
before(async () => (browser = await browse()));
afterEach(async () => {
  await server?.end();
  s?.end();
  server = s = undefined;
});
after(() => browser?.close());

const begin = async (more) => {
  s = store();
  server = await serve(s);
  return fillPairs(s, server, more);
};
const at = async (page, what) => page.waitForFunction((w) => document.querySelector("#place")?.textContent === w, what);
const chosen = (page) => page.getAttribute(".pick-one[aria-current]", "data-ref");
const open = async () => (await server.ask("conflicts")).conflicts;

test("a list of all, the oldest first, with subject, speakers and days; both sides whole, with where they come from", async () => {
  const pairs = await begin();
  const v = await visit(browser, server, { at: "/conflicts" }), { page } = v;
  const links = await open();
  assert.equal(links.length, pairs.length);
  assert.deepEqual(await page.locator(".pick-one").evaluateAll((all) => all.map((b) => b.dataset.ref)), links.map((l) => l.ref));
  assert.deepEqual(links.map((l) => l.created_at), links.map((l) => l.created_at).sort());
  for (const [i, p] of pairs.entries()) {
    await at(page, `${i + 1} of ${pairs.length}`);
    await settled(page);
    const row = await page.locator(".pick-one").nth(i).innerText();
    assert.ok(row.startsWith(p.subject), row);
    for (const side of p.sides) assert.ok(row.includes(`${side.speaker}, ${side.day}`), row);
    const halves = await page.locator(".pair:first-of-type .side, .pair .side:has(.item-words)").all();
    assert.equal(halves.length, 2);
    for (const [n, side] of p.sides.entries()) {
      assert.equal(await halves[n].locator(".item-words").textContent(), side.text, "the words are whole");
      assert.match(await halves[n].innerText(), new RegExp(`^${n ? "newer" : "older"}\\s+${side.day}.*said by ${side.speaker} · written by ${side.agent} · session ${side.session}`, "is"));
    }
    const behind = await page.locator(".turn.behind").allInnerTexts();
    for (const [n, side] of p.sides.entries()) assert.ok(behind[n].includes(side.said) && behind[n].includes(side.speaker), behind[n]);
    assert.doesNotMatch(await page.locator(".item").innerText(), /rules\/|detector|sure\b|\b0\.\d\d/, "no figures and no names of rules");
    await page.keyboard.press("j");
  }
  await at(page, `1 of ${pairs.length}`);
  await page.keyboard.press("k");
  await at(page, `${pairs.length} of ${pairs.length}`);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("each is decided by a key, the count goes on, and the last decision is taken back", async () => {
  const pairs = await begin();
  const v = await visit(browser, server), { page } = v, all = pairs.length;
  await v.to("/conflicts");
  const hidden = async (ref) => (await server.ask("show", { ref })).hidden;
  for (const [i, [key, gone]] of [["o", 1], ["n", 0], ["b", -1], ["d", -1]].entries()) {
    const l = (await open())[0];
    assert.equal(await chosen(page), l.ref);
    await page.keyboard.press(key);
    await at(page, `${i + 2} of ${all}`);
    assert.deepEqual([await hidden(l.old.ref), await hidden(l.new.ref)].map(Boolean), [gone === 0, gone === 1], `after ${key}`);
    assert.equal((await open()).length, all - i - 1);
  }
  await page.keyboard.press("u");
  await page.waitForSelector(".said-done:has-text('taken back')");
  await at(page, `4 of ${all}`);
  assert.equal((await open()).length, all - 3);
  // merged, in words that may be edited
  await page.keyboard.press("m");
  await page.waitForSelector(".ask textarea:focus");
  await page.keyboard.type("Both of them, in one sentence");
  await page.keyboard.press("Enter");
  await at(page, `5 of ${all}`);
  for (let i = 4; i < all; i++) {
    await settled(page);
    await page.keyboard.press("b");
    if (i + 1 < all) await at(page, `${i + 2} of ${all}`);
  }
  await page.waitForSelector(".done");
  assert.match(await page.textContent(".done"), new RegExp(`All ${all} are decided`));
  assert.deepEqual(await open(), []);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("back and forward keep what was chosen, in conflicts and in review", async () => {
  await begin();
  const v = await visit(browser, server), { page } = v;
  for (const view of ["/conflicts", "/review?by=kind"]) {
    await v.to(view);
    const all = await page.locator(".pick-one").count();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await at(page, `3 of ${all}`);
    const ref = await chosen(page);
    await page.locator(".item .ref").first().click();
    await page.waitForSelector(".memory h1");
    await page.goBack();
    await page.waitForSelector(".pick-one");
    await settled(page);
    assert.equal(await chosen(page), ref, view);
    assert.equal(await page.textContent("#place"), `3 of ${all}`);
    await page.locator(`nav a[href="${view === "/conflicts" ? "/review" : "/conflicts"}"]`).click();
    await page.waitForSelector(`#${view === "/conflicts" ? "review" : "conflicts"}`);
    await settled(page);
    assert.doesNotMatch(page.url(), /at=/, "another view has its own choice");
    await page.goBack();
    await page.waitForFunction((r) => document.querySelector(".pick-one[aria-current]")?.dataset.ref === r, ref);
    await page.goForward();
    await page.waitForSelector(`#${view === "/conflicts" ? "review" : "conflicts"}`);
    await page.goBack();
    await page.waitForFunction((r) => document.querySelector(".pick-one[aria-current]")?.dataset.ref === r, ref);
  }
  assert.equal(await page.inputValue(".queue select"), "kind");
  // an address of what was decided meanwhile, or never was, begins with the first
  await v.to("/conflicts?at=link:00");
  assert.equal(await chosen(page), (await open())[0].ref);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("by keyboard alone, and for a screen reader: what has the focus is what a key presses", async () => {
  const pairs = await begin();
  const v = await visit(browser, server, { at: "/conflicts" }), { page } = v;
  const list = page.getByRole("region", { name: "What waits" });
  assert.equal(await list.getByRole("button").count(), pairs.length);
  assert.equal(await page.getByRole("article", { name: "To be decided" }).count(), 1);
  for (const name of ["Older", "Newer", "Where it comes from: Older", "Where it comes from: Newer"]) assert.equal(await page.getByRole("region", { name, exact: true }).count(), 1, name);
  assert.match(await page.locator("#place").getAttribute("role"), /status/);
  const reach = async (name) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((n) => document.activeElement.textContent.startsWith(n), name)) return;
    }
    assert.fail(`${name} was not reached`);
  };
  const first = (await open())[0];
  await reach("Keep both");
  await page.keyboard.press("Enter"); // it presses the button; it does not open the record
  await at(page, `2 of ${pairs.length}`);
  assert.equal((await server.ask("show", { ref: first.ref })).review, "approved");
  await reach("Later");
  await page.keyboard.press("Space");
  await at(page, `3 of ${pairs.length}`);
  // in the list, Enter opens what is chosen, and chooses what is not
  await page.locator(".pick-one").first().focus();
  await page.keyboard.press("Enter");
  await at(page, `2 of ${pairs.length}`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".memory h1");
  await page.goBack();
  await page.waitForSelector(".pick-one");
  await v.to("/review");
  await reach("Approve");
  const ref = await chosen(page);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".said-done:has-text('approved')");
  assert.equal((await server.ask("show", { ref })).review, "approved");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("words of 4,000 characters, code and Arabic: what differs is named, the acts stay in reach, nothing is wider", async () => {
  const body = "The importer reads a line, checks it and writes it. ".repeat(78), arabic = "الفريق يجتمع يوم الأحد في الطابق الثالث عند الساعة";
  const code = (n) => `Run it so:\n\`\`\`go\nfunc main() {\n\trun(${n}) // ${"x".repeat(160)}\n}\n\`\`\`\nIt listens on port ${n}`;
  await begin([[`Three. ${body}`, `Five. ${body}And then it stops.`], [`${arabic} 9`, `${arabic} 10`], [code(7001), code(7002)], ["<img src=x onerror=window.__ran=1>", "</bdi></button><script>window.__ran=1</script>"]]);
  const v = await visit(browser, server, { bypassCSP: true }), { page } = v, bad = [];
  await v.to("/conflicts");
  await page.addScriptTag({ path: axe });
  for (let i = 0; i < 4; i++) {
    await at(page, `${i + 1} of 4`);
    await settled(page);
    for (const [width, height] of [[1280, 900], [768, 1024], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) bad.push(`${i} is ${wide} pixels wider than ${width}`);
        bad.push(...(await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((x) => `${x.id}: ${x.nodes[0].html.slice(0, 200)}`)))).map((x) => `${i} at ${width} ${colorScheme}: ${x}`));
      }
      const box = await page.locator(".item > .acts").boundingBox();
      if (i === 0) assert.ok(box.y + box.height <= height + 1, `the acts are at ${box.y} of ${height}`);
      await v.shot(`conflicts-${i}-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    if (i === 0) {
      assert.deepEqual([await page.locator(".difference del").allTextContents(), (await page.locator(".difference ins").allTextContents()).map((t) => t.trim())], [["Three."], ["Five.", "And then it stops."]]);
      assert.ok((await page.textContent(".difference")).length < 500, "of what is the same there is a part");
    }
    if (i === 2) assert.match(await page.locator(".item-words code").first().textContent(), /^```go\nfunc main[^]*```$/);
    await page.keyboard.press("j");
  }
  assert.deepEqual(bad, []);
  assert.equal(await page.evaluate(() => window.__ran), undefined);
  assert.deepEqual(v.wrong.filter((w) => !w.endsWith("/favicon.ico")), []); // which the policy forbids, where it is not bypassed
  await v.end();
});

test("revisions that were made without knowing of each other are a conflict too: at home, in the list, and merged", async () => {
  s = store();
  const texts = await forked(s);
  server = await serve(s);
  const v = await visit(browser, server), { page } = v;
  assert.match(await page.locator(".needs").innerText(), /Conflicts 1 [^]*deploy[^]* or [^]*deploy/);
  await v.to("/conflicts");
  assert.equal(await page.textContent("#place"), "1 of 1");
  assert.deepEqual((await page.locator(".item-words").allTextContents()).sort(), texts.sort());
  assert.match(await page.locator(".item").innerText(), /revised twice/i);
  for (const key of ["o", "n", "b", "d"]) await page.keyboard.press(key);
  await settled(page);
  assert.equal(await page.locator(".trouble").count(), 0, "words replace both: none is kept as it is");
  await page.keyboard.press("m");
  await page.waitForSelector(".ask textarea:focus");
  await page.keyboard.type("Friday afternoon is a bad day to deploy the web shop");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".done");
  assert.equal((await server.ask("conflicts")).forks, undefined);
  assert.equal((await server.ask("search", { query: "Friday deploy web shop" })).results[0].text, "Friday afternoon is a bad day to deploy the web shop");
  assert.deepEqual(v.wrong, []);
  await v.end();
});
