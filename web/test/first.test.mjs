// The first view as the server writes it: the same that the script draws, and usable before the script is there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { payloads } from "./payloads.mjs";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser;
const git = (...a) => execFileSync("git", ["-c", "user.name=Dana", "-c", "user.email=d@example.org", ...a], { cwd: s.home, stdio: "ignore" });
before(async () => {
  s = store();
  git("init", "-q");
  writeFileSync(join(s.home, "store.go"), "package store\n\nfunc Open() {}\n");
  git("add", "store.go");
  git("commit", "-q", "-m", "Open");
  server = await serve(s);
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

// form writes elements in one way: attributes by name, texts joined. A button or a choice that waits for the script is not said
// to. Times of the last minutes are one, since the clock goes on.
const form = () => {
  const write = (n) => {
    if (n.nodeType === 3) return n.data.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    if (n.nodeType !== 1) return `<!--${n.data}-->`;
    const with_ = [...n.attributes].map((a) => `${a.name}=${JSON.stringify(a.value)}`).filter((a) => !["button", "select"].includes(n.localName) || a !== 'disabled=""').sort();
    if (n.localName === "option") { // what is chosen is no attribute where the script draws it
      with_.splice(0, with_.length, ...with_.filter((a) => a !== 'selected=""'), ...(n.selected ? ["chosen"] : []));
    }
    const inner = [...n.childNodes].map(write).join("");
    return `<${[n.localName, ...with_].join(" ")}>${n.localName === "time" ? inner.replace(/^(just now|[1-5] minutes? ago)$/, "now") : inner}</${n.localName}>`;
  };
  return ["header", "main > [role=status]", "main > .view"].map((q) => [...document.querySelectorAll(`#page > ${q}, #page ${q}`)].map(write).join("")).join("\n").replaceAll("><", ">\n<");
};

// watch keeps what the server wrote, what the script made of it, and which elements were there.
const watch = (form) => {
  const write = eval(`(${form})`), kept = (window.__first = {});
  document.addEventListener("readystatechange", () => {
    if (document.readyState !== "interactive") return; // before any script of the page
    kept.server = write();
    kept.there = [...document.querySelectorAll("#page *")].filter((n) => !n.closest(".without, noscript"));
    new MutationObserver((_, o) => {
      if (document.querySelector("header button:disabled")) return;
      o.disconnect();
      kept.script = write();
      kept.lost = kept.there.filter((n) => !n.isConnected).map((n) => n.outerHTML);
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
};

// same loads the first view and compares what the server wrote with what the script drew over it.
async function same(page, what, ...has) {
  await page.goto(server.url + "/", { waitUntil: "commit" });
  await page.waitForFunction(() => window.__first?.script);
  const { server: wrote, script, lost, ran } = await page.evaluate(() => ({ ...window.__first, there: 0, ran: window.__ran }));
  assert.equal(wrote, script, what);
  assert.deepEqual(lost, [], `${what}: elements that were made a second time`);
  for (const one of has) assert.match(wrote, one, what);
  assert.ok(!ran, `${what}: a script ran`);
}

test("the server writes what the script draws, and no element is made twice", async () => {
  const v = await visit(browser, server), { page } = v;
  await page.addInitScript(watch, form.toString());
  await same(page, "an empty store", /This store is empty/, /nothing yet/);
  await settled(page);
  const capture = async (text, more) => (await server.ask("capture", { text, ...more }, "token")).ref;
  const held = await capture("the cache was cold", { speaker: "Dana", occurred_at: "2021-05-05T05:05:05Z" });
  for (const [i, at] of ["2026-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"].entries()) await capture(`turn ${i}`, { occurred_at: at, tags: ["a b&c+(d)!'*~é", "#", "x, y"], speaker: "<b>Sam</b>" }).catch((e) => assert.match(e.message, /occurred_at|tags/));
  await same(page, "captures alone", /Only captures so far/, />capture</, /Dana/, /tag_is=x%2C%20y/);

  const add = async (text, more = {}, who = "token") => (await server.ask("add", { kind: "belief", text, ...more }, who)).ref;
  const says = async (text, more) => add(text, more, "owner.token");
  const approved = await says("approved by a person");
  await server.ask("approve", { refs: [approved] });
  const disputed = await add("disputed by a person");
  await server.ask("witness", { ref: disputed, attestation: "dispute", notes: "no" });
  await says("over since a while", { valid_until: "2020-03-03T12:00:00Z" });
  await says("over since yesterday night", { valid_until: "2020-12-31T23:59:59Z" });
  await add("made of words", { from: [held], tags: ["cache & co", "é"] });
  await says("Open opens the store", { kind: "note", type: "decision", files: ["store.go#Open"], speaker: "Dana" });
  await add("שלום עולם: the words run to the left");
  await add("مرحبا 👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 and a pair at the end of a label: ".padEnd(79, "x") + "😀 and more");
  await add("two\nlines\tand a tab");
  const wrong = await add("a source to reject");
  await add("its source is rejected", { from: [wrong] });
  await server.ask("reject", { refs: [wrong] });
  await same(page, "marks", /held until 3 Mar 2020/, /held until 31 Dec 2020/, />disputed</, />approved</, /none of its sources counts/);

  writeFileSync(join(s.home, "store.go"), "package store\n\nfunc Open() { panic(1) }\n");
  git("commit", "-q", "-a", "-m", "Open panics");
  await server.ask("check");
  writeFileSync(join(s.home, "in.jsonl"), [1, 2].map((i) => JSON.stringify({ id: String(i), kind: "note", text: `from elsewhere ${i}` })).join("\n"));
  s.run("import", "jsonl", "in.jsonl");
  await same(page, "imported", /external/, /code changed/);
  for (const kind of ["episode", "goal", "value", "drive", "relationship", "playbook"]) await says(`a ${kind} & more`, { kind });
  await same(page, "each kind", /k-relationship" role="img" title="relationship">&amp;</, /k-playbook/, /k-goal/);
  sample(s);
  await same(page, "a week of work, with updates that are not decided", /Undecided: /, /perhaps replaced by/, /contradicts/);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.click("button:text-is('auto')");
  // a browser stores what a page sets a moment later
  while (!(await v.context.cookies()).some((c) => c.name === "stemma-theme" && c.value === "light")) await page.evaluate(() => new Promise(requestAnimationFrame));
  await same(page, "a chosen theme", /"Colours: light"/);

  // and the same as where the script had to ask
  await page.waitForFunction(() => !document.documentElement.dataset.waiting || document.documentElement.dataset.waiting === "0");
  await page.goto(server.url + "/review");
  await settled(page);
  await page.click("header .name");
  await page.waitForSelector(".front .tally dd");
  await settled(page);
  const asked = await page.evaluate((form) => {
    document.querySelectorAll("time").forEach((t) => (t.removeAttribute("title"), t.querySelector(".sr")?.remove()));
    document.querySelector(".search details > :not(summary)")?.remove();
    document.querySelectorAll("#reads option").forEach((o) => o.selected || o.remove()); // as they come when it is calm
    return eval(`(${form})()`);
  }, form.toString());
  await same(page, "again");
  assert.equal(asked, await page.evaluate(() => window.__first.server), "what the script draws by itself");
  assert.deepEqual(v.wrong.filter((w) => !/status of 4\d\d/.test(w)), []);
  await v.end();
});

test("hostile texts are the same words in the document as from the script, and nothing of them runs", async () => {
  const v = await visit(browser, server), { page } = v;
  await page.addInitScript(watch, form.toString());
  const list = payloads();
  for (let from = 0; from < list.length; from += 12) {
    for (const [i, p] of list.slice(from, from + 12).entries()) {
      const request = { kind: "note", text: `zq${from + i}z ${p}`, speaker: p.slice(0, 20), tags: [p.slice(0, 20)] };
      await server.ask("add", request, "token").catch(() => server.ask("add", { kind: "note", text: request.text }, "token"));
    }
    await same(page, `texts from ${from}`, new RegExp(`zq${from}z`));
  }
  assert.deepEqual(v.wrong, []);
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("links work and words are kept before the script is there", async () => {
  for (let i = 0; i < 12; i++) await server.ask("add", { kind: "note", text: `harbour turn ${i}` }, "token");
  const v = await visit(browser, server);
  const held = [];
  const page = await v.context.newPage();
  await page.route("**/assets/main-*.js", (r) => held.push(r));
  await page.goto(server.url + "/", { waitUntil: "commit" });
  await page.waitForSelector(".front .tally dd");
  assert.ok((await page.locator("button:enabled").count()) === 1, "only what works without the script is enabled: to search");
  await page.click("nav a:text-is('Review')", { noWaitAfter: true });
  await page.waitForURL("**/review", { waitUntil: "commit" });
  await page.goto(server.url + "/", { waitUntil: "commit" });
  await page.fill("#q", "harbour turn");
  for (const r of held.splice(0)) await r.continue().catch(() => {});
  await page.waitForSelector(".results .why");
  assert.equal(await page.inputValue("#q"), "harbour turn");
  assert.match(page.url(), /q=harbour/);
  assert.match(await page.textContent(".results"), /harbour turn 1/);
  await page.goto(server.url + "/", { waitUntil: "commit" });
  await page.click(".chip");
  for (const r of held) await r.continue().catch(() => {});
  await page.waitForSelector(".scales"); // what was opened stays open
  await page.unroute("**/assets/main-*.js");
  await page.goto(server.url + "/?q=harbour"); // as the form asks before the script is there
  await page.waitForSelector(".results .why");
  assert.equal(await page.inputValue("#q"), "harbour");
  await page.route("**/assets/main-*.js", (r) => r.abort());
  await page.goto(server.url + "/");
  await page.waitForSelector("#page:has-text('did not load')"); // beside the view
  assert.equal(await page.locator(".front .result").count(), 12);
  await page.close();
  // without the script, the form asks by its address
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await plain.addCookies(await v.context.cookies());
  const still = await plain.newPage();
  await still.goto(server.url + "/");
  assert.ok((await still.locator(".front .result").count()) === 12);
  await still.fill("#q", "harbour");
  await still.press("#q", "Enter");
  await still.waitForURL("**/?q=harbour");
  await plain.close();
  await v.end();
});

test("a view that the server could not write is asked for by the script", async () => {
  const v = await visit(browser, server), page = await v.context.newPage();
  await page.route(server.url + "/", async (r) => {
    const answer = await r.fetch(), text = await answer.text(), [before, rest] = text.split('<div class="front">');
    await r.fulfill({ response: answer, body: before + "</div>" + rest.slice(rest.indexOf("</script>") + "</script>".length) });
  });
  let asks = 0;
  page.on("request", (r) => (asks += r.url().endsWith("/ui/front") ? 1 : 0));
  await page.goto(server.url + "/");
  await page.waitForSelector(".front .result");
  await page.waitForSelector(".front .tally dd");
  assert.equal(asks, 1);
  assert.equal(await page.locator("main").count(), 1);
  await v.end();
});
