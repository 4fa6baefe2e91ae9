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

// Each view with what is open in it, and the keys that open more.
const views = () => ({
  front: ["/", "?"], search: ["/search?q=slow+orders&all=1", "chip"], memory: [`/memory/${refs.revised}`, ".", "e", "q", "w", "u"], review: ["/review", "e", "A"], decisions: ["/decisions"], given: ["/given"], conflicts: ["/conflicts", "menu", "j", "m"],
  blast: [`/blast?target=${refs.rumour}`], blastwords: ["/blast?q=weekend+import"], timeline: ["/timeline"], pack: ["/pack?q=orders"], health: ["/health", "Control+k"],
  people: ["/people"], person: ["/people?name=Alice"], begin: ["/begin"], allconflicts: ["/conflicts?all=1"], nowhere: ["/nowhere"], plain: [`/plain/${refs.batch}`],
});

// looks at every view once: axe in light with all its rules, then what colours decide in dark, and the width
// of each screen. A tablet's rules are those of the desktop but for what lies where.
for (const [name, options, narrower] of [["desktop and tablet", desktop, [768]], ["phone", phone, []]]) {
  test(`axe finds nothing, and nothing is wider than the screen: ${name}`, async () => {
    const v = await visit(browser, server, { ...options, bypassCSP: true, colorScheme: "light" }); // to bring axe in
    const { page } = v;
    const all = [];
    let begun = false;
    for (const [view, [path, ...keys]] of Object.entries(views())) {
      await page.keyboard.press("Escape");
      const plain = path.startsWith("/plain");
      await (begun && !plain ? v.show(path) : v.to(path));
      if (!begun || plain) await page.addScriptTag({ path: axe });
      begun = true;
      for (const key of ["", ...keys]) {
        await page.keyboard.press("Escape");
        if (key === "chip") await page.locator(".chip").first().click();
        else if (key === "menu") await page.locator(".menu summary").first().click();
        else if (key) await page.keyboard.press(key);
        if (key === "Control+k") {
          await page.keyboard.type("slow");
          await page.waitForSelector(".quick mark");
        }
        await settled(page);
        const look = async (how, rules) => {
          const bad = await page.evaluate((only) => axe.run(document, { resultTypes: ["violations"], selectors: false, ...(only ? { runOnly: { type: "rule", values: only } } : { rules: { "target-size": { enabled: true } } }) }).then((r) => r.violations), rules);
          all.push(...bad.map((x) => `${view}${key} ${how}: ${x.id}: ${x.nodes.map((n) => n.html.slice(0, 160)).slice(0, 3).join(" | ")}`));
        };
        await look("light");
        if (!key) await v.shot(`${view}-light-${name.split(" ")[0]}`);
        await page.emulateMedia({ colorScheme: "dark" });
        await look("dark", ["color-contrast", "link-in-text-block"]);
        if (!key) await v.shot(`${view}-dark-${name.split(" ")[0]}`);
        await page.emulateMedia({ colorScheme: "light" });
        for (const width of [options.viewport.width, ...narrower]) {
          if (width !== options.viewport.width) {
            await page.setViewportSize({ ...options.viewport, width });
            await look(`at ${width}`, ["scrollable-region-focusable", "target-size"]);
          }
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) all.push(`${view}${key} is ${wide} pixels wider than a screen of ${width}`);
        }
        if (narrower.length) await page.setViewportSize(options.viewport);
      }
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
  for (let i = 0; i < 60; i++) {
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
  for (const want of ["Approve a", "Reject r", "Edit e", "More", "Later j"]) assert.ok(seen.has(want), `${want} was not reached: ${[...seen]}`);
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
