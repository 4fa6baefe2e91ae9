// The pictures of the documentation: a week of work, decided on as a person would.
//
//   STEMMA_SHOTS=DIR scripts/page.sh screenshots    every view in both themes, at three widths, to be looked at

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fillAlone, fillDesk, fillPairs } from "./desk.mjs";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

const dir = process.argv[2];
mkdirSync(dir, { recursive: true });
const s = store(), refs = sample(s), server = await serve(s), browser = await browse();
try {
  await review(browser);
  await conflicts(browser);
  await server.ask("approve", { refs: [refs.slow, refs.profiled, refs.batched, refs.loops].filter((r) => !r.startsWith("raw:")) });
  await server.ask("reinforce", { ref: refs.loops, because: [refs.batched], reason: "batching brought the page from 9.1 s to 310 ms" });
  await server.ask("quarantine", { target: refs.rumour, reason: "hearsay" });
  for (const [name, path, options, before] of [
    ["page-memory", `/memory/${refs.batch}`, { viewport: { width: 1180, height: 760 }, colorScheme: "light" }],
    ["page-memory-dark", `/memory/${refs.revised}`, { viewport: { width: 1180, height: 760 }, colorScheme: "dark" }],
    ["page-search", "/search?q=slow+orders+page", { viewport: { width: 1180, height: 620 }, colorScheme: "light" }, (p) => p.click(".chip")],
    ["page-person", "/people?name=Alice", { viewport: { width: 1180, height: 620 }, colorScheme: "light" }],
    ["page-blast", `/blast?target=${refs.rumour}`, { viewport: { width: 1180, height: 700 }, colorScheme: "light" }],
    ["page-phone", "/review", { viewport: { width: 360, height: 640 }, colorScheme: "light", isMobile: true, hasTouch: true }],
  ]) {
    const v = await visit(browser, server, options);
    await v.to(path);
    if (before) await before(v.page);
    await v.page.screenshot({ path: join(dir, `${name}.png`) });
    await v.end();
  }
  if (process.env.STEMMA_SHOTS) await everything(process.env.STEMMA_SHOTS);
} finally {
  await browser.close();
  await server.end();
  s.end();
}

// review takes the queue of a morning, and where one memory comes from.
async function review(browser) {
  const s = store(), server = await serve(s);
  try {
    await fillDesk(server);
    await fillAlone(server);
    for (const [name, path, height, before] of [
      ["page-queue", "/", 620], ["page-review", "/review", 720, (p) => p.keyboard.press("j")], ["page-group", "/review", 720, (p) => p.keyboard.press("A")],
    ]) {
      if (name !== "page-review" && !process.env.STEMMA_SHOTS) continue;
      const v = await visit(browser, server, { viewport: { width: 1180, height }, colorScheme: "light" });
      await v.to(path);
      if (before) await before(v.page);
      await settled(v.page);
      await v.page.screenshot({ path: join(name === "page-review" ? dir : process.env.STEMMA_SHOTS, `${name}.png`) });
      await v.end();
    }
  } finally {
    await server.end();
    s.end();
  }
}

// conflicts takes two sides with who said them.
async function conflicts(browser) {
  const s = store(), server = await serve(s);
  try {
    await fillPairs(s, server);
    const v = await visit(browser, server, { at: "/conflicts", viewport: { width: 1180, height: 720 }, colorScheme: "light" });
    await v.page.keyboard.press("j");
    await settled(v.page);
    await v.page.screenshot({ path: join(dir, "page-conflicts.png") });
    await v.end();
  } finally {
    await server.end();
    s.end();
  }
}

// everything takes each view, and what opens in it, so that a person can look at all of them.
async function everything(dir) {
  mkdirSync(dir, { recursive: true });
  const key = (k, wait) => async (p) => {
    await p.keyboard.press(k);
    await p.waitForSelector(wait);
  };
  const several = async (p) => {
    for (const box of await p.locator("input.pick").all()) await box.check();
  };
  const views = [
    ["front", "/"], ["search", "/search?q=slow+orders&all=1"], ["scales", "/search?q=slow+orders&all=1", (p) => p.click(".chip")], ["several", "/search?q=slow+orders", several],
    ["confirm", "/search?q=slow+orders", async (p) => { await several(p); await p.keyboard.press("q"); await p.waitForSelector("dialog[open] textarea"); }],
    ["none", "/search?q=zebra"], ["memory", `/memory/${refs.batch}`], ["raw", `/memory/${refs.slow}`], ["revised", `/memory/${refs.missing}`], ["acts", `/memory/${refs.loops}`, key(".", "dialog[open] .acts")],
    ["revise", `/memory/${refs.loops}`, key("e", "dialog[open] textarea")], ["quarantine", `/memory/${refs.profiled}`, key("q", "dialog .radius")], ["review", "/review"], ["groups", "/review", key("A", ".together")], ["decisions", "/decisions"], ["given", "/given"],
    ["conflicts", "/conflicts"], ["blast", `/blast?target=${refs.rumour}`], ["blastwords", "/blast?q=weekend+import"], ["blastempty", "/blast"], ["people", "/people"], ["person", "/people?name=Alice"],
    ["timeline", "/timeline"], ["then", "/timeline?as_of=24h"], ["pack", "/pack?q=slow+orders"], ["health", "/health"], ["begin", "/begin"], ["help", "/", key("?", "dialog[open] .keys")],
    ["quick", "/health", async (p) => { await p.keyboard.press("Control+k"); await p.keyboard.type("slow"); await p.waitForSelector(".quick mark"); }], ["plain", `/plain/${refs.batch}`],
  ];
  for (const width of [1280, 768, 390]) {
    const small = width < 500;
    const v = await visit(browser, server, { viewport: { width, height: small ? 844 : 900 }, colorScheme: "light", isMobile: small, hasTouch: small });
    for (const [name, path, open] of views) {
      await v.to(path);
      if (open) await open(v.page).catch((e) => console.log(name, width, e.message.split("\n")[0]));
      await settled(v.page);
      for (const colorScheme of ["light", "dark"]) {
        await v.page.emulateMedia({ colorScheme });
        await v.page.screenshot({ path: join(dir, `${name}-${width}-${colorScheme}.png`), fullPage: !/confirm|acts|revise$|quarantine|help|quick/.test(name) });
      }
      await v.page.emulateMedia({ colorScheme: "light" });
    }
    await v.end();
  }
  const empty = store(), bare = await serve(empty);
  try {
    const v = await visit(browser, bare, { colorScheme: "light" });
    for (const view of ["", "review", "conflicts", "blast", "people", "timeline", "pack", "health"]) {
      await v.to(`/${view}`);
      await v.page.screenshot({ path: join(dir, `empty-${view || "front"}.png`) });
    }
    await v.end();
  } finally {
    await bare.end();
    empty.end();
  }
}
