// Search as a person uses it: as they type, narrowed by facets, kept in an address, saved as files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser, refs;
before(async () => {
  s = store();
  refs = sample(s);
  for (let i = 0; i < 45; i++) s.run("raw", `harbour turn ${i} of the long talk`, "--speaker", i % 2 ? "Dana" : "Sam", "--tag", i % 3 ? "talk" : "third");
  s.run("raw", '=HYPERLINK("http://evil.example","harbour formula")', "--tag", "@SUM(1)");
  server = await serve(s);
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
  await page.route("**/ui/found", async (route) => {
    if (JSON.parse(route.request().postData()).query === "harb") await new Promise((go) => setTimeout(go, 700));
    await route.continue().catch(() => {});
  });
  await page.focus("#q");
  await page.keyboard.type("harb");
  await page.waitForTimeout(100);
  await page.keyboard.type("our", { delay: 5 });
  await page.waitForSelector(".result mark");
  await page.waitForTimeout(900);
  assert.equal(await page.locator(".result mark").first().textContent(), "harbour");
  assert.equal(await address(page), "/search?q=harbour");
  assert.equal(await page.inputValue("#q"), "harbour");
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#q"), "harbour", "what was typed stays");
  assert.deepEqual(v.wrong, []);
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("facets count what they give, and the address keeps all of it", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  await v.to("/search?q=harbour");
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
  assert.match(kept, /tag=third/);
  await v.to(kept);
  assert.equal(await page.locator(".result").count(), count, "the address gives the same");
  await page.click('.facets section[aria-label="Tag"] .on a');
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 20);
  await page.click("button:text-is('More')");
  await page.waitForFunction(() => document.querySelectorAll(".result").length === 46);
  assert.equal(await page.locator("button:text-is('More')").count(), 0);
  await v.to("/search?kind=raw&tier_is=nothing");
  assert.match(await page.textContent("main"), /No results/);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("Ctrl-K searches from any view, by keys alone", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  await v.to("/health");
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
  const v = await visit(browser, server);
  const { page } = v;
  await v.to("/search?q=batch+every+lookup");
  const one = page.locator(".result", { hasText: "Batch every lookup that" }).first();
  assert.equal(await one.locator(".scales").count(), 0);
  await one.locator(".chip").focus();
  await page.keyboard.press("Enter");
  await one.locator(".scales").waitFor();
  assert.match(await one.locator(".scales").textContent(), /tier.*observed.*trust.*0\.\d\d.*confidence.*0\.80/);
  const time = one.locator("time");
  assert.match(await time.textContent(), /(now|seconds?|minutes? ago).*\d{4}/, "in words, and exactly for who hears it");
  assert.match(await time.getAttribute("title"), /\d{4}/);
  await v.end();
});

test("lists are saved as JSON and as CSV that runs nothing", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  await v.to("/search?q=harbour");
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
  assert.deepEqual(v.outside(), []);
  await v.end();
});

test("what comes meanwhile is offered, and nothing moves until it is asked for", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  await v.to("/");
  await page.waitForRequest(/\/v1\/events/);
  await page.waitForTimeout(700);
  const before = await page.textContent(".results");
  for (const n of [1, 2]) await server.ask("add", { kind: "note", text: `came meanwhile ${n}` });
  await page.waitForSelector("button:text-is('2 new: show')");
  assert.equal(await page.textContent(".results"), before);
  await page.click("button:text-is('2 new: show')");
  await page.waitForSelector("text=came meanwhile 2");
  assert.equal(await page.locator(".news button").count(), 0);
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("a server that goes away and comes back is said, and what was typed stays", async () => {
  const v = await visit(browser, server);
  const { page } = v;
  await v.to("/search");
  let down = true;
  await page.route(/\/(ui|v1|healthz)/, (route) => (down ? route.abort("connectionrefused") : route.continue()));
  await page.fill("#q", "harbour");
  await page.waitForSelector(".away");
  assert.match(await page.textContent(".away"), /does not answer/);
  assert.equal(await page.inputValue("#q"), "harbour");
  down = false;
  await page.waitForSelector(".result mark", { timeout: 10_000 });
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
  assert.deepEqual(v.wrong.filter((w) => !/Failed to load resource/.test(w)), []);
  await v.end();
});
