// Words of strangers are words: whatever they hold, nothing of them runs, opens a
// window, asks for anything or looks like a mark of the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { payloads } from "./payloads.mjs";
import { browse, serve, settled, store, visit } from "./stage.mjs";

const list = payloads();
assert.ok(list.length >= 160, `${list.length} payloads`);

// Each text has a word of its own, one that it shares with the eleven beside it, and one of six.
const word = (i) => `zq${i}z`, lotOf = (i) => `lot${Math.floor(i / 12)}`, sixOf = (i) => `six${Math.floor(i / 6)}`;
const lots = Array.from({ length: Math.ceil(list.length / 12) }, (_, k) => ({ name: `lot${k}`, of: list.map((_, i) => i).filter((i) => Math.floor(i / 12) === k) }));
const said = (i) => `${word(i)} ${list[i]} ${lotOf(i)} ${sixOf(i)}`;
const short = (text, bytes) => {
  let out = "";
  for (const c of text) if (Buffer.byteLength(out + c) <= bytes) out += c;
    else break;
  return out.trimEnd();
};
const named = (i) => short(`${word(i)} ${list[i]}`, 64); // a tag has no more room
const clean = (text) => text.replace(/\p{C}/gu, "");

let s, server, browser, v, page;
const binders = [], bases = [];
before(async () => {
  s = store();
  // settings of a host, as a cloned repository or another program may have left them
  mkdirSync(join(s.home, ".cursor"));
  writeFileSync(join(s.home, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: Object.fromEntries(list.map((p, i) => [`${word(i)} ${p}`, { command: p }])) }));
  execFileSync("git", ["init", "-q"], { cwd: s.home });
  for (const p of list.slice(0, 3)) execFileSync("git", ["-c", "user.name=" + p.replace(/[<>\n]/g, ""), "-c", "user.email=d@example.org", "commit", "-q", "--allow-empty", "-m", p], { cwd: s.home, stdio: "ignore" });
  server = await serve(s);
  // A name or a tag may be refused for what it holds; then it comes without that.
  const made = async (name, request, by) => {
    try {
      return await server.ask(name, request, "token", by);
    } catch {
      const plain = JSON.parse(JSON.stringify(request), (k, x) => (typeof x === "string" && ["speaker", "session"].includes(k) ? clean(x) : x));
      for (const k of ["about", "tags"]) if (plain[k]) plain[k] = plain[k].map(clean);
      return server.ask(name, plain, "token", by);
    }
  };
  for (const lot of lots) {
    const base = (await server.ask("capture", { text: `what ${lot.name} began with` })).ref, refs = [];
    bases.push(base);
    for (const i of lot.of) {
      const p = list[i], name = named(i), about = [name, "Harbour"], session = name, trigger = p.slice(0, 200), by = { "Stemma-Agent": name.replace(/[^ -~]/g, "").trim() };
      const raw = (await made("capture", { text: said(i), speaker: name, caption: p, source: "api", event: "turn", session, trigger, tags: [name], about }, by)).ref;
      const kind = ["episode", "note", "belief", "goal", "value", "drive", "relationship", "playbook"][i % 8];
      const more = {
        episode: { outcome: p, outcome_type: "success", lessons: [p], repeat: [p], avoid: [p] },
        note: { speaker: name, reason: p },
        goal: { description: p },
        value: { name },
        relationship: { name, description: p },
        playbook: { when: p, steps: [p], failure_modes: [p], recovery: [p] },
      }[kind] ?? {};
      const draft = { from: [base, ...(i % 2 ? [raw] : [])], again: true, kind, text: said(i), about, session, trigger, tags: [name] };
      const one = await made("promote", { ...draft, ...more }, by).catch(() => made("promote", draft, by)); // a field that the kind does not have
      refs.push(one.ref);
      if (i % 4 === 2) await server.ask("witness", { ref: one.ref, attestation: "dispute", notes: p }, "token"); // of one's own, which retracts it
      if (/^(https?|javascript|data):/i.test(p)) await server.ask("anchor", { ref: one.ref, type: "url", reference: p }, "token").catch(() => {});
      if (i % 5 === 0) await server.ask("reject", { refs: [one.ref], reason: p });
      if (i % 5 === 1) await server.ask("revise", { ref: one.ref, text: `${said(i)} again` }, "token");
    }
    const all = lot.of.map((i) => list[i]);
    const binder = await server.ask("consolidate", { from: refs, text: `all of ${lot.name}: ${lot.of.map(said).join(" ; ").replaceAll("\n", " ")}` }, "token");
    for (const reason of all.slice(0, 4)) await server.ask("reinforce", { ref: binder.ref, because: [refs[0]], reason }).catch(() => {});
    await server.ask("witness", { ref: binder.ref, attestation: "dispute", notes: all.join(" ; ") });
    binders.push(binder.ref);
  }
  browser = await browse();
  v = await visit(browser, server);
  page = v.page;
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

// sound says what is wrong with what is in view: it ran, it is an element, it leads away, it steers, or it is
// not set apart from what the page itself says.
async function sound(where, want = [], within = "body") {
  const wrong = await page.evaluate(({ url, want, within }) => {
    const out = [], main = [...document.querySelectorAll("main, dialog, .told")];
    if (window.__ran) out.push("a script ran");
    for (const e of document.querySelectorAll("script, iframe, img, object, embed, style, link, meta, base, video, audio, math, [onerror], [onload], [onclick], [srcdoc]")) if (e.closest("main, dialog, .told")) out.push(`an element ${e.outerHTML.slice(0, 80)}`);
    for (const a of document.querySelectorAll("main a, dialog a")) {
      const outside = `${a.protocol}//${a.host}` !== url;
      if (!/^https?:$/.test(a.protocol) || (outside && !(a.rel === "noopener noreferrer" && a.textContent === a.href))) out.push(`a link ${a.href}`);
    }
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(document.body.innerText)) out.push("characters that steer");
    for (const m of main) {
      const walk = document.createTreeWalker(m, NodeFilter.SHOW_TEXT);
      for (let n; (n = walk.nextNode()); ) {
        if (!/zq\d+z/.test(n.data)) continue;
        if (!n.parentElement.closest("bdi, h1, a.words, textarea, option, title, .said, .day, .figures")) out.push(`not set apart: <${n.parentElement.tagName} ${n.parentElement.className}> ${n.data.slice(0, 80)}`);
        if (n.parentElement.closest(".chip, .mark, .siglum, kbd, .count")) out.push(`looks like a mark: ${n.data.slice(0, 80)}`);
      }
    }
    const known = ["approved", "approved, external", "not reviewed", "external", "disputed", "rejected", "forgotten", "quarantined", "replaced", "missing", "purged", "over", "capture"];
    for (const c of document.querySelectorAll(".chip, .mark")) if (!known.includes(c.textContent.trim())) out.push(`a mark ${c.outerHTML.slice(0, 120)}`);
    const shown = [...document.querySelectorAll(within)].map((e) => e.textContent).join(" ");
    for (const w of want) if (!shown.includes(w)) out.push(`${w} is not shown`);
    return out.slice(0, 8);
  }, { url: server.url, want, within });
  assert.deepEqual(wrong, [], where);
}

const go = async (to) => {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    window.dispatchEvent(new Event("stemma:moved"));
  }, to);
  await settled(page);
};
const words = (lot) => lot.of.map(word);

// quiet is what every test ends with: nothing was asked for outside, nothing opened, nothing failed.
function quiet() {
  assert.deepEqual(v.wrong.filter((w) => !/status of 4\d\d/.test(w)), [], "dialogs and errors");
  assert.deepEqual(v.outside(), [], "requests outside");
  assert.equal(v.context.pages().length, 1, "windows");
}

test(`${list.length} texts in search, its facets and the quick search`, async () => {
  for (const lot of lots) {
    await go(`/search?q=${lot.name}&all=1&n=100`);
    await sound(`search ${lot.name}`, words(lot), ".results");
    await sound(`tags of ${lot.name}`, words(lot), '.facets section[aria-label="Tag"]');
    const authors = await page.textContent('.facets section[aria-label="Author"]'); // as many as there is room for
    await sound(`authors of ${lot.name}`, words(lot).filter((w) => authors.includes(w)), '.facets section[aria-label="Author"]');
    assert.ok(words(lot).filter((w) => authors.includes(w)).length >= Math.min(10, lot.of.length - 1), `authors of ${lot.name}: ${authors}`);
    await go(`/search?q=${lot.name}&kind=raw&n=100`);
    await sound(`captures ${lot.name}`, words(lot), ".results");
  }
  await go("/health"); // in the search view the same key is of its own field
  await page.keyboard.press("Control+k");
  for (let i = 0; i < list.length; i += 6) {
    await page.fill("#quick", sixOf(i));
    await page.waitForFunction((w) => (document.querySelector("#quick-list")?.textContent ?? "").includes(w), word(i));
    await settled(page);
    await sound(`quick search ${sixOf(i)}`, [word(i)], "#quick-list");
  }
  await page.keyboard.press("Escape");
  for (const i of list.keys()) if (i % 20 === 0) { // what was typed may be hostile, too
    await go(`/search?q=${encodeURIComponent(list[i])}`);
    await sound(`search for ${i}`);
  }
  await go("/search?as_of=%3Cscript%3E");
  await sound("a time that is none");
  quiet();
});

test(`${list.length} texts in memories, their trees, acts and blast radius`, async () => {
  for (const [k, lot] of lots.entries()) {
    await go(`/memory/${encodeURIComponent(binders[k])}`);
    await page.waitForSelector(".graph .face");
    await sound(`memory ${lot.name}`, words(lot), "h1");
    await page.locator(".graph .face").first().hover();
    await sound(`tip in ${lot.name}`, [], ".tip");
    await page.click("button:text-is('All of it')");
    await settled(page);
    await page.click("button:text-is('As lists')");
    await sound(`lists of ${lot.name}`, words(lot), ".lists");
    await page.waitForSelector(".memory header .acts button");
    for (const key of [".", "e", "q", "w"]) {
      await page.keyboard.press(key);
      await page.waitForSelector("dialog.actbox[open]");
      await settled(page);
      await sound(`acts ${key} on ${lot.name}`, words(lot).slice(0, 1), "dialog.actbox");
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog.actbox[open]", { state: "detached" });
    }
    await go(`/blast?q=${lot.name}`);
    await sound(`blast by words ${lot.name}`);
    await go(`/blast?target=${bases[k]}`);
    await page.waitForSelector(".radius");
    await sound(`blast ${lot.name}`, words(lot), ".radius");
    await go(`/blast?target=${encodeURIComponent("source:" + named(lot.of[0]))}`);
    await sound(`blast of a session ${lot.name}`);
  }
  for (const to of [`/blast?target=${encodeURIComponent(list[0])}`, `/memory/${encodeURIComponent(list[2])}`]) {
    await go(to);
    await sound(to);
  }
  quiet();
});

test(`${list.length} texts as names of people and things`, async () => {
  await go("/people");
  await page.click("button:text-is('More')");
  await settled(page);
  await sound("names", list.map((_, i) => word(i)), ".names");
  await go("/people?name=Harbour");
  for (let more; (more = page.locator("button:text-is('Earlier')")), await more.count(); ) {
    await more.click();
    await settled(page);
  }
  await sound("Harbour", list.map((_, i) => word(i)), ".events");
  await sound("near Harbour", [], ".around");
  for (const i of list.keys()) if (i % 12 === 0) {
    await go(`/people?name=${encodeURIComponent(named(i))}`);
    await sound(`person ${i}`, [word(i)], "h1");
    await go(`/people?like=${encodeURIComponent(list[i])}`);
    await sound(`names like ${i}`);
  }
  quiet();
});

test(`${list.length} texts in review, conflicts, timeline and packs`, async () => {
  const waits = (await server.ask("review", { limit: 50 })).pending;
  await go("/review");
  await page.waitForSelector(".item-words");
  for (let i = 0; i < waits.length; i++) {
    if (i % 5 === 0) await sound(`review ${i}`, [], ".item");
    await page.keyboard.press("s");
  }
  const all = (await server.ask("review", { limit: 500 })).pending.map((p) => /zq\d+z/.exec(p.headline)?.[0]).filter(Boolean);
  assert.ok(all.length > 60, `${all.length} wait`);
  for (const by of ["where it comes from", "kind", "one list"]) {
    await page.selectOption(".queue select", by);
    await settled(page);
    await sound(`review by ${by}`, all, ".waiting");
  }
  await go("/conflicts");
  await sound("conflicts");
  await go("/timeline");
  for (let more; (more = page.locator("button:text-is('Earlier')")), await more.count(); ) {
    await more.click();
    await settled(page);
  }
  await sound("timeline", list.map((_, i) => word(i)), ".day");
  await go(`/timeline?as_of=${encodeURIComponent(list[2])}`);
  await sound("timeline at no time");
  await go("/pack?q=harbour&level=deep&budget=50000");
  await sound("pack", [], ".said");
  await go("/health");
  await page.click("text=verify every signature");
  await settled(page);
  await sound("health");
  quiet();
});

test("settings of a host in the changes that connecting it would make, and documents without scripts", async () => {
  await page.goto(server.url + "/begin");
  await settled(page);
  await page.click("button:text-is('Cursor')");
  await page.waitForSelector(".plan .diff");
  await sound("changes", list.map((_, i) => word(i)), ".plan");
  await page.setInputFiles("input[type=file]", { name: "<img src=x onerror=alert(1)>.jsonl", mimeType: "text/plain", buffer: Buffer.from(list.join("\n")) });
  await page.waitForSelector(".ways .trouble");
  await sound("a file that is none");
  for (const path of ["/plain", ...binders.map((ref) => `/plain/${ref}`)]) {
    await page.goto(server.url + path);
    await sound(path);
  }
  quiet();
});
