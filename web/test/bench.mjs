// What the page takes: its first view of 100,000 records, a click on a node, and a
// tree of 5,000. Medians of several runs, with what else the machine does on it.
//
//   scripts/page.sh bench
//   STEMMA_BENCH_RECORDS=20000 scripts/page.sh bench

import { fill, sentence } from "./fill.mjs";
import { browse, serve, settled, store, visit } from "./stage.mjs";

const records = Number(process.env.STEMMA_BENCH_RECORDS || 100_000);
const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const say = (what, list) => console.log(`${what.padEnd(58)} ${middle(list).toFixed(0).padStart(6)} ms   ${Math.min(...list).toFixed(0)} to ${Math.max(...list).toFixed(0)}, ${list.length} runs`);

const s = store();
const took = Date.now(), lines = fill(s, records, process.env.STEMMA_BINARY);
console.log(`${lines} records imported in ${((Date.now() - took) / 1000).toFixed(1)} s`);

const server = await serve(s);
const newest = (await server.ask("list", { kind: "belief", limit: 25 })).memories.map((m) => m.ref);
const top = newest[0], part = newest[1];

const browser = await browse();
try {
  const first = [], firstWarm = [], searched = [], opened = [];
  for (let i = 0; i < 5; i++) {
    const v = await visit(browser, server);
    // a browser that has nothing of the page yet, but is signed in
    const fresh = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await fresh.addCookies(await v.context.cookies());
    for (const list of [first, firstWarm]) {
      const page = await fresh.newPage();
      const began = performance.now();
      await page.goto(server.url + "/", { waitUntil: "commit" });
      await page.waitForSelector(".results .result");
      await page.waitForSelector(".tally dd");
      list.push(performance.now() - began);
      await page.close();
    }
    const page = await fresh.newPage();
    await page.goto(server.url + "/");
    await settled(page);
    await page.fill("#q", sentence(3));
    let began = performance.now();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".results .why");
    searched.push(performance.now() - began);
    began = performance.now();
    await page.click(".result a.headline");
    await page.waitForSelector(".graph .face");
    opened.push(performance.now() - began);
    await fresh.close();
    await v.end();
  }
  say(`first view of ${records} records, nothing kept`, first);
  say("the same, the bundle kept", firstWarm);
  say("search, from the key to the results", searched);
  say("a memory, from the click to its tree", opened);

  const v = await visit(browser, server);
  const { page } = v;
  const whole = [], clicks = [], expands = [];
  for (let i = 0; i < 3; i++) {
    const began = performance.now();
    await page.goto(`${server.url}/memory/${top}?back=-1&forward=-1&limit=10000`);
    await page.waitForSelector(".graph .face");
    whole.push(performance.now() - began);
  }
  const nodes = /[\d,]+/.exec(await page.textContent(".lineage .note"))[0];
  say(`a tree of ${nodes} records, from its address to its picture`, whole);
  await settled(page);
  // measured within the page: from the event until the next picture is painted
  const within = (act, selector) => page.evaluate(([act, selector]) => new Promise((done) => {
    const el = typeof selector === "string" ? document.querySelector(selector) : null;
    const began = performance.now();
    if (act === "click") el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else el.focus(), el.dispatchEvent(new KeyboardEvent("keydown", { key: act, bubbles: true, cancelable: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  }), [act, selector]);
  for (let i = 0; i < 20; i++) clicks.push(await within(["ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight"][i % 4], ".face[tabindex='0']"));
  say("a step from node to node by key, in that tree, until painted", clicks);
  const taps = [];
  for (let i = 0; i < 20; i++) {
    const cards = await page.locator(".face").count();
    taps.push(await within("click", `.node:nth-of-type(${1 + (i % Math.min(cards, 8))}) .face, .face`));
  }
  say("a click on a node, in that tree, until painted", taps);
  await page.evaluate(() => document.querySelector(".graph-frame").scrollIntoView());
  const frames = async (name, act) => {
    await page.evaluate(() => {
      window.__frames = [];
      let last = performance.now();
      const tick = (t) => {
        window.__frames.push(t - last);
        last = t;
        window.__raf = requestAnimationFrame(tick);
      };
      window.__raf = requestAnimationFrame(tick);
    });
    await act();
    const list = (await page.evaluate(() => (cancelAnimationFrame(window.__raf), window.__frames))).slice(1);
    list.sort((a, b) => a - b);
    console.log(`${name.padEnd(58)} ${middle(list).toFixed(0).padStart(6)} ms a frame, 95 of 100 within ${list[(list.length * 0.95) | 0].toFixed(0)}, ${list.length} frames`);
  };
  const box = await page.locator(".graph-frame").boundingBox();
  const drag = async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    for (let i = 0; i < 60; i++) await page.mouse.move(box.x + box.width / 2 + 300 * Math.sin(i / 8), box.y + box.height / 2 + 300 * Math.cos(i / 8));
    await page.mouse.up();
  };
  await frames("dragging it, near", drag);
  await page.click("button:text-is('whole')");
  await frames("dragging it, all of it in view", drag);
  await page.goto(`${server.url}/memory/${part}?back=1&forward=0`);
  await page.waitForSelector(".graph .more");
  for (let i = 0; i < 5; i++) {
    const before = await page.textContent(".lineage .note");
    const began = performance.now();
    await page.locator(".more").first().dispatchEvent("click");
    await page.waitForFunction((was) => (document.querySelector(".lineage .note")?.textContent ?? "") !== was, before);
    expands.push(performance.now() - began);
  }
  say("a node expanded, from the click to the new picture", expands);
  if (v.wrong.length) console.log(v.wrong);
  await v.end();
} finally {
  await browser.close();
  await server.end();
  s.end();
}
