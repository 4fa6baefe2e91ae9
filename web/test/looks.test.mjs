// What must be in view: the record that a tree is of, words within their card, a conflict that is named, the way back.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser;
const r = {};
before(async () => {
  s = store("default");
  server = await serve(s);
  browser = await browse();
  const ref = async (name, request) => (await server.ask(name, request)).ref;
  let at = await ref("capture", { text: "The cache never expires" });
  for (let i = 1; i <= 12; i++) {
    const seen = await ref("capture", { text: `Observation ${i}: WWWW MMMMM entries from before the deploy are still served` });
    at = await ref("consolidate", { from: [at, seen], text: `Conclusion ${i} of MMMMMMMMMMMMMMMMMMMMMMMMMMMMM: 支持小组在星期五的聚会上讨论了缓存为什么从不过期的问题` });
  }
  r.deep = at;
  // two memories of words from outside contradict each other: nothing of the person's is at stake
  const said = ["The deploy runs on Fridays", "The deploy does not run on Fridays"];
  writeFileSync(join(s.home, "talk.jsonl"), said.map((text, i) => JSON.stringify({ id: `${i}`, kind: "raw", text }) + "\n").join(""));
  s.run("import", "jsonl", "talk.jsonl");
  for (const text of said) {
    const from = (await server.ask("search", { query: text, kind: "raw", all: true })).results.find((x) => x.text === text).ref;
    const made = await ref("promote", { from: [from], kind: "belief", text });
    await server.ask("compare", { ref: made });
  }
  s.run("jobs", "run"); // a server compares by and by
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

test("a deep tree opens with its record in view, words as they were said beside it, and no words over the edge of a card", async () => {
  for (const width of [1280, 768]) {
    const v = await visit(browser, server, { viewport: { width, height: 900 } });
    await v.to(`/memory/${r.deep}`);
    await v.page.waitForSelector(".graph .face");
    const there = await v.page.evaluate((root) => {
      const frame = document.querySelector(".graph-frame").getBoundingClientRect(), over = [], whole = [];
      for (const node of document.querySelectorAll(".node")) {
        const card = node.querySelector("rect.card").getBoundingClientRect();
        if (card.left >= frame.left && card.right <= frame.right && card.top >= frame.top && card.bottom <= frame.bottom) whole.push(node.querySelector(".face").dataset.ref);
        for (const line of node.querySelectorAll(".said")) if (line.getBoundingClientRect().right > card.right) over.push(line.textContent);
      }
      return { root: whole.includes(root), raws: whole.filter((ref) => ref.startsWith("raw:")).length, over };
    }, r.deep);
    assert.deepEqual(there.over, [], `words over the edge at ${width}`);
    assert.ok(there.root, `the record itself is not in view at ${width}`);
    assert.ok(there.raws >= 2, `${there.raws} raws in view at ${width}`);
    if (width === 1280) { // a window made smaller keeps it
      await v.page.setViewportSize({ width: 700, height: 900 });
      await v.page.waitForFunction((ref) => {
        const card = document.querySelector(`.face[data-ref="${ref}"]`)?.getBoundingClientRect(), frame = document.querySelector(".graph-frame").getBoundingClientRect();
        return card && frame.width < 700 && card.left >= frame.left && card.right <= frame.right;
      }, r.deep, { timeout: 10_000 });
    }
    assert.deepEqual(v.wrong, []);
    await v.end();
  }
});

test("a conflict that the policy asks no person about is found from a search, and decided", async () => {
  assert.equal((await server.ask("conflicts")).conflicts.length, 0);
  const v = await visit(browser, server, { at: "/search?q=deploy+Fridays" }), { page } = v;
  await page.locator(".result", { hasText: "does not run" }).locator("a", { hasText: "decide" }).click();
  await page.waitForSelector(".pair");
  assert.match(await page.textContent("[role=status].note"), /^1 of 1$/);
  await page.click("text=All conflicts");
  await page.waitForSelector(".done");
  await page.click("text=also what needs no decision");
  await page.waitForSelector(".pair");
  const [old, kept] = await page.locator(".side .item-words").allTextContents();
  await page.keyboard.press("n");
  await page.waitForFunction(() => /kept the newer one/.test(document.querySelector(".said-done")?.textContent ?? ""));
  const found = (await server.ask("search", { query: "deploy Fridays", kind: "belief" })).results.map((one) => one.text);
  assert.ok(found.includes(kept) && !found.includes(old), `found ${found}, kept ${kept}`);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("the last act is undone by its key from any view, also after the page was loaded again", async () => {
  const v = await visit(browser, server), { page } = v;
  await server.ask("reject", { refs: [r.deep], reason: "by mistake" });
  await v.to("/timeline");
  await page.keyboard.press("u");
  await page.waitForSelector("dialog[open] .ask button.main");
  assert.match(await page.textContent("dialog[open]"), /reject of belief/);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /Took back/.test(document.querySelector(".told")?.textContent ?? ""));
  assert.equal((await server.ask("show", { ref: r.deep })).hidden ?? "", "");
  await v.to("/review"); // a view with a meaning of its own for the key asks nothing more
  await page.keyboard.press("u");
  await settled(page);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await v.end();
});

test("an address of no page says so, and has the way back", async () => {
  const v = await visit(browser, server), { page } = v;
  const answer = await page.goto(`${server.url}/nothing/here`);
  assert.equal(answer.status(), 404);
  await page.click("main a");
  await page.waitForSelector("#q");
  await v.end();
});
