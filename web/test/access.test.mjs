// The page for those who do not see it, do not use a mouse, or hold it in a hand.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
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

const desktop = { viewport: { width: 1280, height: 900 } }, phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
for (const [name, options] of [
  ["light desktop", { ...desktop, colorScheme: "light" }],
  ["dark desktop", { ...desktop, colorScheme: "dark" }],
  ["light tablet", { ...desktop, viewport: { width: 768, height: 1024 }, colorScheme: "light" }],
  ["dark tablet", { ...desktop, viewport: { width: 768, height: 1024 }, colorScheme: "dark" }],
  ["light phone", { ...phone, colorScheme: "light" }],
  ["dark phone", { ...phone, colorScheme: "dark" }],
]) {
  test(`axe finds nothing: ${name}`, { timeout: 180_000 }, async () => {
    const v = await visit(browser, server, { ...options, bypassCSP: true }); // to bring axe in
    const { page } = v;
    const views = { search: "/search?q=slow+orders&all=1", memory: `/memory/${refs.revised}`, review: "/review", conflicts: "/conflicts", blast: `/blast?target=${refs.rumour}`, blastwords: "/blast?q=weekend+import", timeline: "/timeline", pack: "/pack?q=orders", health: "/health", front: "/", people: "/people", person: "/people?name=Alice", begin: "/begin", plain: `/plain/${refs.batch}` };
    const all = [];
    for (const [view, path] of Object.entries(views)) {
      await v.to(path);
      await page.addScriptTag({ path: axe });
      for (const key of view === "front" ? ["", "?"] : view === "health" ? ["", "Control+k"] : view === "search" ? ["", "chip"] : view === "review" ? ["", "e"] : view === "memory" ? ["", ".", "e", "q", "w", "u"] : [""]) {
        await page.keyboard.press("Escape");
        if (key === "chip") await page.locator(".chip").first().click();
        else if (key) await page.keyboard.press(key);
        if (key === "Control+k") {
          await page.keyboard.type("slow");
          await page.waitForSelector(".quick mark");
        }
        await settled(page);
        const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const bad = found.violations;
        all.push(...bad.map((x) => `${view}${key}: ${x.id}: ${x.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`));
      }
      await page.keyboard.press("Escape");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) all.push(`${view} is ${wide} pixels wider than the screen`);
      await v.shot(`${view}-${name.replace(" ", "-")}`);
    }
    assert.deepEqual(all, []);
    await v.end();
  });
}

test("every button and link can be reached and shows that it is", async () => {
  const v = await visit(browser, server, desktop);
  const { page } = v;
  await v.to("/review");
  const seen = new Set();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      const style = getComputedStyle(e);
      return { name: e.textContent.trim().slice(0, 30), tag: e.tagName, outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
    });
    if (at.tag === "BODY") break;
    assert.ok(at.outline, `${at.tag} ${at.name} does not show the focus`);
    seen.add(at.name);
  }
  for (const want of ["Approve a", "Reject r", "Edit e", "Merge m", "Skip s"]) assert.ok(seen.has(want), `${want} was not reached: ${[...seen]}`);
  await v.end();
});

test("colours are switched by a key and kept", async () => {
  const v = await visit(browser, server, { ...desktop, colorScheme: "light" });
  const paper = () => v.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await v.page.keyboard.press("l"); // light
  await v.page.keyboard.press("l"); // dark
  await v.page.waitForFunction((was) => getComputedStyle(document.documentElement).backgroundColor !== was, light);
  const dark = await paper();
  await v.to("/health");
  assert.equal(await paper(), dark);
  await v.end();
});
