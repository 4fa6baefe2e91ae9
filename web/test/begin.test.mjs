// A first run: what the page offers an empty store, and does once a person confirms it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, serve, settled, store, visit } from "./stage.mjs";

let s, server, browser;
before(async () => {
  s = store();
  const git = (...a) => execFileSync("git", ["-c", "user.name=Dana", "-c", "user.email=d@example.org", ...a], { cwd: s.home, stdio: "ignore" });
  git("init", "-q");
  for (const m of ["Begin with SQLite", "Use one index for words", "<img src=x onerror=alert(1)>"]) git("commit", "-q", "--allow-empty", "-m", m);
  server = await serve(s);
  browser = await browse();
});
after(async () => {
  await browser?.close();
  await server?.end();
  s?.end();
});

test("an empty store offers three ways to begin, shows the changes and does them", async () => {
  const v = await visit(browser, server, { at: "/" });
  const { page } = v;
  await page.waitForSelector(".ways");
  assert.equal(await page.locator(".ways > li").count(), 3);
  await v.shot("begin-light");
  const settings = join(s.home, ".cursor", "mcp.json");
  await page.click("button:text-is('Cursor')");
  await page.waitForSelector(".plan .diff");
  assert.match(await page.textContent(".plan"), /mcp\.json/);
  assert.match(await page.textContent(".plan .plus"), /\+/);
  assert.ok(!existsSync(settings), "shown, and nothing was written");
  await v.shot("begin-plan-light");
  await page.click(".plan button.main");
  await page.waitForSelector("text=/Connected\\. Restart Cursor/");
  assert.match(readFileSync(settings, "utf8"), /stemma/);

  await page.click("text=/Import 3 commits/");
  await page.waitForSelector(".results .result");
  assert.equal(await page.locator(".ways").count(), 0, "the store has something now");
  await page.click("text=Connect an agent or import");
  await page.waitForSelector(".ways");
  assert.match(await page.textContent(".ways"), /Cursor ✓/);

  const file = join(s.home, "notes.jsonl");
  writeFileSync(file, [1, 2].map((i) => JSON.stringify({ id: String(i), kind: "note", text: `note ${i} of another memory` })).join("\n"));
  await page.setInputFiles("input[type=file]", file);
  await page.waitForSelector("text=jsonl, 2 records");
  await page.click(".ways > li:last-child button.main");
  await page.waitForSelector("text=2 records added, 0 already present.");
  writeFileSync(file, "no memory of any kind");
  await page.setInputFiles("input[type=file]", []);
  await page.setInputFiles("input[type=file]", file);
  await page.waitForSelector(".ways .trouble");
  assert.match(await page.textContent(".ways .trouble"), /unknown format|not JSON|cannot|is no/i);
  await settled(page);
  assert.deepEqual(v.wrong.filter((w) => !/422/.test(w)), []);
  assert.deepEqual(v.outside(), []);
  await v.end();
});
