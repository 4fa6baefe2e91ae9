// What the tests of the page stand on: a store made with the real binary, served by
// it, and a browser signed in to it, all of which ends with the test.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const binary = process.env.STEMMA_BINARY;
if (!binary) throw new Error("STEMMA_BINARY names no binary: run scripts/page.sh test");

// A Store is a home of its own with a store in it.
export function store(policy = "strict") {
  const home = mkdtempSync(join(tmpdir(), "stemma-page-"));
  // what is there at the first run counts as the person's: everything is asked of them
  mkdirSync(join(home, "config", "stemma"), { recursive: true });
  writeFileSync(join(home, "config", "stemma", "config.toml"), `[review]\npolicy = "${policy}"\n`);
  const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: join(home, "data"), XDG_CONFIG_HOME: join(home, "config"), XDG_CACHE_HOME: join(home, "cache"), STEMMA_RECEIPTS: "0", STEMMA_WRITES: "0", TZ: "UTC" };
  return {
    home,
    env,
    // run runs a verb as an agent and gives what it prints.
    run(...args) {
      return this.runIn(".", ...args);
    },
    runIn: (dir, ...args) => execFileSync(binary, args, { cwd: join(home, dir), env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim(),
    // repository makes a git repository with one commit.
    repository(dir) {
      mkdirSync(join(home, dir));
      const git = (...a) => execFileSync("git", ["-c", "user.name=Dana", "-c", "user.email=d@example.org", ...a], { cwd: join(home, dir), env, stdio: "ignore" });
      git("init", "-q");
      git("commit", "-q", "--allow-empty", "-m", `Begin ${dir}`);
    },
    first(...args) {
      return this.run(...args).split("\n")[0];
    },
    end: () => rmSync(home, { recursive: true, force: true }),
  };
}

// serve starts the server of a store and waits until it says where it listens.
export async function serve(s, port = 0, program = binary, dir = ".") {
  const child = spawn(program, ["serve", "--addr", `127.0.0.1:${port}`], { cwd: join(s.home, dir), env: s.env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const url = await new Promise((found, lost) => {
    const read = (chunk) => {
      said += chunk;
      const at = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (at) found(at[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => lost(new Error(`the server ended with ${code}: ${said}`)));
  });
  // a test that fails before it ends its server keeps no other waiting
  for (const one of [child, child.stdout, child.stderr]) one.unref();
  const kill = () => child.kill();
  process.once("exit", kill);
  const token = (name) => readFileSync(join(s.env.XDG_DATA_HOME, "stemma", "server", name), "utf8").trim();
  return {
    url,
    token,
    // ask asks an operation, as the person or as an agent.
    async ask(name, request = {}, who = "owner.token", more = {}) {
      const r = await fetch(`${url}/v1/${name}`, { method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${token(who)}`, ...more }, body: JSON.stringify(request) });
      const text = await r.text();
      if (!r.ok) throw new Error(`${name}: ${r.status} ${text}`);
      return JSON.parse(text);
    },
    // entry gives the address at which a browser signs in, once.
    async entry() {
      const r = await fetch(`${url}/signin/code`, { method: "POST", headers: { Authorization: `Bearer ${token("owner.token")}` } });
      return url + (await r.json()).path;
    },
    end: () =>
      new Promise((done) => {
        child.ref();
        process.removeListener("exit", kill);
        child.removeAllListeners("exit");
        child.on("exit", done);
        child.kill("SIGINT");
      }),
  };
}

export const browse = () => chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

// patience is how long something may take at most, in milliseconds: a machine may be busy.
const patience = Number(process.env.STEMMA_PATIENCE) || 120_000;

// visit opens a signed-in page that remembers what went wrong and what it asked for. At is the view that it opens first:
// without it, the one at which signing in ends.
export async function visit(browser, server, { at, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-GB", timezoneId: "UTC", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const wrong = [], asked = [], open = new Set();
  pending.set(page, open);
  page.on("request", (r) => r.url().includes("/v1/events") || r.isNavigationRequest() || open.add(r));
  page.on("requestfinished", (r) => open.delete(r));
  page.on("requestfailed", (r) => open.delete(r));
  page.on("framenavigated", () => open.clear());
  page.on("pageerror", (e) => wrong.push(`error: ${e.message}`));
  page.on("dialog", (d) => {
    wrong.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.on("console", (m) => m.type() === "error" && wrong.push(`console: ${m.text()}${/status of/.test(m.text()) ? ` ${m.location().url}` : ""}`));
  context.on("request", (r) => asked.push(r.url()));
  if (at) await context.request.get(await server.entry());
  await page.goto(at ? server.url + at : await server.entry());
  // the first document has the header too, with buttons that do nothing until the script runs
  await page.waitForSelector(".corner button:not([disabled])");
  if (at) {
    await page.waitForSelector("main h1, main h2");
    await settled(page);
  } else await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  return {
    context,
    page,
    wrong,
    outside: () => asked.filter((u) => !u.startsWith(server.url + "/") && !u.startsWith("data:")),
    async to(path) {
      await page.goto(server.url + path);
      await page.waitForSelector("main h1, main h2");
      await settled(page);
    },
    // show leads to another view as a link does, without a new document.
    async show(path) {
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        window.dispatchEvent(new Event("stemma:moved"));
      }, path);
      await page.waitForSelector("main h1, main h2");
      await settled(page);
    },
    async shot(name) {
      const dir = process.env.STEMMA_SHOTS;
      if (!dir) return;
      mkdirSync(dir, { recursive: true });
      await page.screenshot({ path: join(dir, `${name}.png`), fullPage: true });
    },
    end: () => context.close(),
  };
}

// settled waits until nothing is on its way and everything that came is drawn. The page counts what it
// waits for; three frames in a row without any are enough for an effect that asks once more.
const pending = new WeakMap();
export async function settled(page) {
  for (const until = Date.now() + patience; ; ) {
    await page.waitForLoadState("load");
    const drawn = page.evaluate(async () => {
      const busy = () => Number(document.documentElement.dataset.waiting ?? 0) || [...document.querySelectorAll(".busy")].some((b) => b.textContent);
      for (let quiet = 0; quiet < 3; quiet = busy() ? 0 : quiet + 1) await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    });
    await drawn.catch(() => {}); // another document came meanwhile
    if (!pending.get(page)?.size) return;
    if (Date.now() > until) throw new Error(`still asked for: ${[...pending.get(page)].map((r) => r.url())}`);
  }
}

// sample fills a store with a week of work: words, what was made of them, what was
// revised, what does not go together, and drafts that wait for a person.
export function sample(s) {
  const raw = (text, ...more) => s.first("raw", text, ...more);
  const promote = (text, ...from) => s.first("promote", ...from, "-m", text);
  const consolidate = (text, ...from) => s.first("consolidate", ...from, "-m", text);
  const r = {};
  r.slow = raw("the orders page took nine seconds this morning", "--speaker", "Dana");
  r.pprof = raw("pprof: 81% of the time in loadCustomer, called once per order");
  r.scan = raw("EXPLAIN shows a sequential scan on customers");
  r.fixed = raw("After batching, p95 of /orders went from 9.1 s to 310 ms");
  r.rumour = raw("Sam heard that the weekend import doubled the customers table", "--speaker", "Sam");
  r.profiled = promote("Profiled the slow orders page: one query per order", r.slow, r.pprof);
  r.index = promote("Found a missing index on customers.account_id", r.scan);
  r.batched = promote("Batched the customer lookups of the orders page", r.fixed);
  r.heard = promote("The weekend import doubled the customers table", r.rumour);
  r.loops = consolidate("Queries inside a loop over orders are what makes this service slow", r.profiled, r.batched);
  r.grew = consolidate("The database grows faster than planned", r.heard);
  r.missing = consolidate("Slow pages here are usually missing indexes", r.profiled, r.index, r.heard);
  r.batch = consolidate("Batch every lookup that a list page makes", r.loops, r.batched);
  r.revised = s.first("revise", r.missing, "-m", "Slow pages here are queries in loops, and sometimes a missing index");
  s.run("remember", "Alice works at Acme", "--wait");
  s.run("remember", "Alice left Acme and joined StartupX", "--wait");
  s.run("remember", "The deploy runs on Fridays", "--wait");
  s.run("remember", "The deploy does not run on Fridays", "--wait");
  return r;
}

// forked leaves a store in which two revisions of one memory stand beside each other: two machines of one person made them
// apart, and exchanged them. It gives their texts.
export async function forked(s) {
  const there = { home: s.home, env: { ...s.env, XDG_DATA_HOME: join(s.home, "there") } }, texts = ["Friday is a bad day to deploy the web shop", "Friday afternoon is a bad day to deploy"];
  mkdirSync(join(s.home, "shared"));
  let here = await serve(s);
  const begin = async (server) => server.ask("remote_add", { name: "folder", address: join(s.home, "shared"), whose: "mine" });
  const ref = (await here.ask("add", { kind: "belief", text: "Friday is a bad day to deploy" }, "owner.token")).ref;
  await begin(here);
  await here.ask("sync");
  cpSync(join(s.env.XDG_DATA_HOME, "stemma", "keys"), join(there.env.XDG_DATA_HOME, "stemma", "keys"), { recursive: true });
  const other = await serve(there);
  await begin(other);
  await other.ask("sync");
  await other.ask("revise", { ref, text: texts[1] });
  await here.ask("revise", { ref, text: texts[0] });
  await here.ask("sync");
  await other.ask("sync");
  await here.ask("sync");
  await other.end();
  await here.end();
  return texts;
}
