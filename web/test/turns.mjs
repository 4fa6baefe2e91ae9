// Two programs by turns in one run: the first view, a search from the key to the results, and a tree of
// thousands. Each has a store with the same records. Medians, and their ratio.
//
//   STEMMA_OLD=BINARY scripts/page.sh bench     this program beside an older one
//   STEMMA_BENCH_RECORDS, STEMMA_BENCH_RUNS     how many records (100,000) and turns (9)

import { loadavg } from "node:os";
import { fill } from "./fill.mjs";
import { browse, serve, store, visit } from "./stage.mjs";

const records = Number(process.env.STEMMA_BENCH_RECORDS || 100_000), runs = Number(process.env.STEMMA_BENCH_RUNS || 9);
const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const questions = ["orders page cache", "weekend import table", "signal batch loop", "review ledger harbour", "driver deploy query", "memory tree source", "latency profile measure", "batch tree page", "release import account", "customer loop index", "batch table orders"];

// watch notes within the page when a key was pressed, and when what it asks for was painted.
const watch = () => {
  const t = (window.__t = {}), has = (q) => document.querySelector(q);
  addEventListener("input", () => (t.input = performance.now()), true);
  const painted = (k) => {
    t[k] = -1;
    requestAnimationFrame(() => requestAnimationFrame(() => (t[k] = performance.now())));
  };
  new MutationObserver(() => {
    if (!t.front && has(".results .result") && has(".tally dd")) painted("front");
    if (!t.found && has(".results .why")) painted("found");
    if (!t.tree && has(".graph .face, .graph .dot")) painted("tree");
  }).observe(document, { childList: true, subtree: true });
};

// vectors waits until a program that makes vectors by itself has made them: an import leaves it work that is not measured.
async function vectors(server) {
  for (const until = Date.now() + 600_000; Date.now() < until; await new Promise((go) => setTimeout(go, 500))) {
    const s = await server.ask("status");
    if (!s.embedder || s.embedder === "none" || !s.without_vector) return;
  }
  throw new Error("vectors are still being made after ten minutes");
}

const sides = [];
console.log(`load ${loadavg().map((l) => l.toFixed(1)).join(", ")}`);
for (const [name, binary] of [["old", process.env.STEMMA_OLD], ["new", process.env.STEMMA_BINARY]]) {
  const s = store();
  if (process.env.STEMMA_EMBEDDER) s.env.STEMMA_EMBEDDER = process.env.STEMMA_EMBEDDER; // none: no vectors are made meanwhile
  const lines = fill(s, records, binary), server = await serve(s, 0, binary);
  await vectors(server);
  const top = (await server.ask("list", { kind: "belief", limit: 1 })).memories[0].ref;
  console.log(`${name}: ${lines} records`);
  sides.push({ name, s, server, top, took: {} });
}
const browser = await browse();
try {
  for (let i = 0; i < runs; i++) for (const side of i % 2 ? sides : [...sides].reverse()) {
    const v = await visit(browser, side.server), add = (what, ms) => (side.took[what] ??= []).push(ms);
    const fresh = await browser.newContext({ viewport: { width: 1280, height: 900 } }); // signed in, and nothing kept
    await fresh.addCookies(await v.context.cookies());
    await v.end();
    const open = async (path) => {
      const page = await fresh.newPage();
      await page.addInitScript(watch);
      await page.goto(side.server.url + path, { waitUntil: "commit" });
      return page;
    };
    const when = async (page, k) => {
      await page.waitForFunction((k) => window.__t[k] > 0, k);
      return page.evaluate((k) => window.__t[k], k);
    };
    for (const what of ["first view", "first view, bundle kept"]) {
      const page = await open("/");
      add(what, await when(page, "front"));
      await page.close();
    }
    let page = await open("/");
    await page.waitForLoadState("networkidle");
    await page.fill("#q", questions[i % questions.length]);
    const found = await when(page, "found"); // both ask at the key
    add("search, key to results painted", found - (await page.evaluate(() => window.__t.input)));
    await page.close();
    page = await open(`/memory/${side.top}?back=-1&forward=-1&limit=10000`);
    add("tree, all of it", await when(page, "tree"));
    await page.close();
    await fresh.close();
  }
  for (const what of Object.keys(sides[0].took)) {
    const [old, now] = sides.map((side) => middle(side.took[what]));
    console.log(`${what.padEnd(34)} old ${old.toFixed(0).padStart(6)} ms   new ${now.toFixed(0).padStart(6)} ms   ${(now / old).toFixed(2)}   new ${Math.min(...sides[1].took[what]).toFixed(0)} to ${Math.max(...sides[1].took[what]).toFixed(0)}`);
  }
} finally {
  await browser.close();
  for (const { s, server } of sides) {
    await server.end();
    s.end();
  }
}
