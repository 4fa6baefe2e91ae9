// What the page reads: the project that the server was started in, what is the person's, another project, or all.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser;
before(async () => {
  s = store();
  s.repository("engine");
  s.repository("kiosk");
  s.runIn("engine", "remember", "The engine listens on port 8443");
  s.runIn("engine", "remember", "I prefer tabs", "--about", "me");
  s.runIn("kiosk", "remember", "The kiosk listens on port 9000");
  s.run("--space", "main", "remember", "Backups run at night");
  server = await serve(s, 0, undefined, "engine");
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

const options = (page) => page.$$eval("#reads option", (all) => all.map((o) => o.textContent));
const now = (page) => page.$eval("#reads", (b) => b.selectedOptions[0].textContent);
const listed = (page) => page.$$eval(".results .headline", (all) => all.map((a) => a.textContent.trim()).sort());
async function pick(page, name) {
  await page.selectOption("#reads", { label: name });
  await settled(page);
}

const mine = "I prefer tabs", old = "Backups run at night", engine = "The engine listens on port 8443", kiosk = "The kiosk listens on port 9000";

test("the page reads the project that the server was started in, and another or all where a person chooses it", async () => {
  const v = await visit(browser, server), { page } = v;
  await settled(page);
  assert.deepEqual(await options(page), ["this project: engine", "yours", "project kiosk", "of no project", "all projects"]);
  assert.equal(await now(page), "this project: engine");
  assert.deepEqual(await listed(page), [old, mine, engine].sort());
  await v.shot("projects-here");

  await pick(page, "yours");
  assert.deepEqual(await listed(page), [mine]);
  await pick(page, "of no project");
  assert.deepEqual(await listed(page), [old]);
  await pick(page, "project kiosk");
  assert.deepEqual(await listed(page), [old, mine, kiosk].sort());
  await pick(page, "all projects");
  assert.deepEqual(await listed(page), [old, mine, engine, kiosk].sort());
  const text = async (words) => (await page.locator(".result", { hasText: words }).textContent());
  assert.match(await text(kiosk), /of project kiosk/);
  assert.match(await text(engine), /of project engine/);
  assert.match(await text(old), /of no project/);
  assert.doesNotMatch(await text(mine), /of (no )?project/);
  await v.shot("projects-all");

  // the choice stays: in the next document, which the server writes by it, and in every view
  const wrote = await page.evaluate(async () => (await fetch("/")).text());
  assert.match(wrote, /<option value="all" selected>/);
  assert.match(wrote, /class="headline[^>]*><bdi[^>]*>The kiosk/);
  await page.reload();
  await settled(page);
  assert.equal(await now(page), "all projects");
  assert.deepEqual(await listed(page), [old, mine, engine, kiosk].sort());
  for (const view of ["/review", "/conflicts", "/blast", "/people", "/timeline", "/pack", "/health", "/search?q=port", "/nowhere"]) {
    await v.to(view);
    assert.ok(await page.isVisible("#reads"), view);
    assert.equal(await now(page), "all projects", view);
  }
  await v.to("/search?q=port");
  assert.deepEqual(await listed(page), [engine, kiosk].sort());
  await pick(page, "this project: engine");
  assert.deepEqual(await listed(page), [engine]);
  await page.fill("#q", "listens");
  await settled(page);
  assert.deepEqual(await listed(page), [engine]);

  // by keys
  await v.to("/review");
  assert.deepEqual((await page.$$eval(".item-words", (all) => all.map((a) => a.textContent))).some((t) => /kiosk/.test(t)), false);
  await page.keyboard.press("p");
  assert.equal(await page.evaluate(() => document.activeElement.id), "reads");
  assert.deepEqual(v.wrong.filter((w) => !/status of 404/.test(w)), []);
  await v.end();
});

test("what is decided about a memory lies where it lies, whatever is read", async () => {
  const v = await visit(browser, server), { page } = v;
  const held = async () => Object.fromEntries((await server.ask("stats")).spaces.map((one) => [one.space.replace(/^.*\/|-.*$/g, ""), one.records]));
  await pick(page, "all projects");
  for (const [words, space] of [[kiosk, "kiosk"], [mine, "me"]]) {
    const was = await held();
    await page.locator(".result", { hasText: words }).locator(".more-acts").click();
    await page.locator("dialog[open] button", { hasText: "Approve" }).click();
    await page.waitForSelector(".told [role=status]:has-text('approved')");
    await settled(page);
    const is = await held();
    assert.deepEqual(Object.keys(is).filter((k) => is[k] !== was[k]), [space], words);
  }
  await v.end();
});

test("an agent's token reads what the server gives, and has no choice", async () => {
  const other = await serve(s); // outside any project a person would read all
  const context = await browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${other.token("token")}` } });
  await context.addCookies([{ name: `stemma-reads_${new URL(other.url).port}`, value: "all", url: other.url }]);
  const page = await context.newPage();
  for (const view of ["/", "/search?q=tabs", "/review"]) {
    await page.goto(other.url + view);
    await page.waitForSelector(view === "/review" ? ".item" : ".result");
    assert.equal(await page.locator("#reads").count(), 0, view);
    assert.equal(await page.locator("[role=alert]").count(), 0, view);
  }
  await context.close();
  await other.end();
});

test("new memories go to the chosen project, and with all to what is the person's", async () => {
  const v = await visit(browser, server), { page } = v;
  const space = async (text) => (await server.ask("list", { limit: 100 }, "owner.token", { "Stemma-Space": "*" })).memories.find((m) => m.headline === text)?.space.replace(/^.*\/|-.*$/g, "");
  for (const [name, where] of [["project kiosk", "kiosk"], ["all projects", "me"], ["yours", "me"], ["this project: engine", "engine"]]) {
    await v.to("/begin");
    await pick(page, name);
    const words = `Taken in while reading ${name}`;
    await page.setInputFiles("input[type=file]", { name: "in.jsonl", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ id: name, kind: "note", text: words })) });
    await page.click("button.main:text-is('Import')");
    await page.waitForSelector("[role=status]:has-text('1 record added')");
    await settled(page);
    assert.equal(await space(words), where, name);
  }
  await v.end();
});

test("what comes in meanwhile is told where it is read", async () => {
  const v = await visit(browser, server), { page } = v;
  const listens = page.waitForResponse((r) => r.url().includes("/v1/events?project=kiosk"));
  await pick(page, "project kiosk");
  await listens;
  await server.ask("add", { kind: "belief", text: "The engine is quiet" });
  await server.ask("add", { kind: "belief", text: "The kiosk is loud" }, "token", { "Stemma-Project": (await server.ask("stats")).spaces.map((one) => one.space.replace(/^.*\//, "")).find((one) => one.startsWith("kiosk")) });
  await page.waitForSelector(".news button:has-text('1 new')");
  await page.click(".news button");
  await settled(page);
  assert.ok((await listed(page)).includes("The kiosk is loud"));
  assert.ok(!(await listed(page)).includes("The engine is quiet"));
  await v.end();
});

test("outside any project all is read; a choice that there is no more is the usual one", async () => {
  const other = await serve(s);
  try {
    const v = await visit(browser, other), { page } = v;
    await settled(page);
    assert.deepEqual(await options(page), ["yours", "project engine", "project kiosk", "of no project", "all projects"]);
    assert.equal(await now(page), "all projects");
    assert.ok((await listed(page)).includes(kiosk) && (await listed(page)).includes(engine));
    const port = new URL(other.url).port;
    for (const gone of ["project:gone-12345678", "here", "%ff", "space:x y/../z", ""]) {
      await v.context.addCookies([{ name: `stemma-reads_${port}`, value: encodeURIComponent(gone), url: other.url }]);
      for (const view of ["/", "/review", "/health"]) {
        await page.goto(other.url + view);
        await settled(page);
        assert.equal(await now(page), "all projects", gone + view);
      }
    }
    assert.deepEqual(v.wrong.filter((w) => !/status of 422/.test(w)), []); // until it is known what there is
    await v.end();
  } finally {
    await other.end();
  }
});

test("the choice in the dark and on a narrow screen", async () => {
  for (const [name, options] of [["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 360, height: 740 } }]]) {
    const v = await visit(browser, server, options), { page } = v;
    await settled(page);
    assert.ok(await page.isVisible("#reads"));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    await v.shot(`projects-${name}`);
    await v.end();
  }
});
