// Acts, where they are seen: by keys alone, by whom, and against somebody else's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, sample, serve, settled, store, visit } from "./stage.mjs";

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

const show = (ref) => server.ask("show", { ref });
const told = (page, what) => page.waitForFunction((w) => new RegExp(w).test((document.querySelector(".told")?.textContent ?? "")), what);
const ready = (page) => page.waitForSelector(".memory header .acts button");

// by keyboard to the button of a name, as somebody who hears the page would
async function tabTo(page, name) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((n) => document.activeElement.matches("button, a") && document.activeElement.textContent.trim().startsWith(n), name)) return;
  }
  assert.fail(`${name} is not reached by the tab key`);
}

test("every act by its key alone, each with its undo", async () => {
  const v = await visit(browser, server), { page } = v, ref = refs.loops;
  await v.to(`/memory/${ref}`);
  await ready(page);
  const undo = async () => {
    await page.waitForSelector(".told button:has-text('Undo')");
    await page.keyboard.press("u");
    await told(page, "Took back");
  };
  const act = async (key, typed, done, check) => {
    await settled(page);
    await ready(page);
    await page.keyboard.press(key);
    if (typed !== undefined) {
      await page.waitForSelector("dialog.actbox[open] textarea");
      await page.waitForFunction(() => document.activeElement.tagName === "TEXTAREA");
      if (key === "q") await page.waitForSelector("dialog .radius");
      await page.keyboard.type(typed);
      await page.keyboard.press("Enter");
    }
    await told(page, done);
    await check(await show(ref));
  };
  await act("a", undefined, "^approved", (m) => assert.equal(m.review, "approved"));
  await undo();
  await page.waitForSelector(".memory header .chip:text-is('not reviewed')");
  assert.equal((await show(ref)).review, "pending");
  await act("r", "a guess", "^rejected", (m) => assert.equal(m.review, "rejected"));
  await undo();
  await act("f", "no use", "^forgot", (m) => assert.equal(m.hidden, "forgotten"));
  await page.waitForSelector(".memory header .chip:text-is('forgotten')");
  await act("f", undefined, "^brought back", (m) => assert.equal(m.hidden ?? "", ""));
  await act("q", "doubtful", "^quarantined", (m) => assert.equal(m.hidden, "quarantined"));
  await page.waitForSelector(".memory header .chip:text-is('quarantined')");
  await act("q", undefined, "", () => {});
  await page.waitForSelector("dialog.actbox[open] textarea"); // release asks why
  await page.keyboard.press("Enter");
  await told(page, "^released");
  await act("v", "read the profile again", "^verified", (m) => assert.equal(m.verification_count, 1));
  await act("w", "it is so", "^witnessed", async (m) => assert.ok(m.claims.some((c) => c.type === "witness")));

  // a revision shows its difference first
  await settled(page);
  await page.keyboard.press("e");
  await page.waitForSelector(".actbox textarea");
  await page.keyboard.press("End");
  await page.keyboard.type(" in March");
  assert.equal(await page.textContent(".difference ins"), " in March");
  assert.equal(await page.locator(".difference del").count(), 0);
  await page.keyboard.press("Control+Enter");
  await told(page, "^revised");
  const revised = await show(ref);
  await page.waitForFunction(() => /Replaced by “.* in March”/.test(document.querySelector(".banner")?.textContent ?? ""));
  assert.equal(revised.hidden, "superseded");
  assert.equal((await show(revised.superseded_by)).review, "approved", "who typed better words vouched for them");
  await undo();

  // unless they say otherwise
  await v.to(`/memory/${refs.revised}`);
  await settled(page);
  await ready(page);
  await page.keyboard.press("e");
  await page.waitForSelector(".actbox textarea");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Slow pages are what no test measures, in loops and elsewhere");
  assert.equal(await page.locator(".difference del").count(), await page.locator(".difference ins").count(), "what is gone stands together");
  assert.ok((await page.locator(".difference del").count()) <= 3, await page.textContent(".difference"));
  assert.equal((await page.locator(".actbox .tick input").boundingBox()).y < (await page.locator(".actbox .tick").boundingBox()).y + 12, true, "a tick stands beside its words");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  assert.equal(await page.isChecked(".actbox .tick input"), false);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Control+Enter");
  await told(page, "^revised");
  assert.notEqual((await show((await show(refs.revised)).superseded_by)).review, "approved");
  await undo();

  await v.to(`/memory/${refs.batch}`);
  await ready(page);
  await page.keyboard.press("c");
  await told(page, `copied ${refs.batch}`);
  await page.keyboard.press("b");
  await page.waitForSelector(".radius");
  assert.match(page.url(), /blast\?target=/);
  await page.goBack();
  await ready(page);
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.activeElement?.closest(".lineage"));
  await page.keyboard.press(".");
  await page.waitForSelector("dialog.actbox[open] .acts");
  await tabTo(page, "Reject");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog.actbox[open] textarea");
  await page.keyboard.press("Escape");
  assert.equal((await show(refs.batch)).review, "pending", "nothing was decided");
  assert.deepEqual(v.wrong, []);
  await v.end();
});

test("with an agent's token there are no acts, and without a session no page", async () => {
  const agent = await visit(browser, server);
  const context = await browser.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${server.token("token")}` } });
  const page = await context.newPage();
  await page.goto(`${server.url}/memory/${refs.batch}`);
  await page.waitForSelector(".lineage .node");
  await settled(page);
  assert.equal(await page.locator("main .acts button, .more-acts").count(), 0);
  const was = (await server.ask("stats")).records;
  for (const key of "arefqwvu.") await page.keyboard.press(key);
  await settled(page);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  const answers = await page.evaluate(async (ref) => {
    const ask = (name, body) => fetch(`/v1/${name}`, { method: "POST", headers: { "Content-Type": "application/json", "Stemma-Page": "x" }, body: JSON.stringify(body) }).then((r) => r.status);
    return [await ask("approve", { refs: [ref] }), await ask("reject", { refs: [ref] }), await ask("forget", { refs: [ref] }), await ask("quarantine", { target: ref }), await ask("undo", {})];
  }, refs.batch);
  assert.deepEqual(answers, [403, 403, 403, 403, 403]);
  assert.equal((await server.ask("stats")).records, was);
  // nor where decisions wait: an agent may look at them, one after another
  for (const [view, keys, waits] of [["/", "", "#newest"], ["/review", "areAmuR", ".item"], ["/conflicts", "onbmdu", ".pair"], ["/search?q=orders", "xXarfq", ".result"], [`/blast?target=${refs.rumour}`, "qu", ".radius"]]) {
    await page.goto(server.url + view);
    await page.waitForSelector(waits);
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
    assert.deepEqual(await page.locator("main .acts button, .more-acts, .pick, .batch header button, .together, .bulk, .ask, dialog[open]").allTextContents().then((all) => all.filter((b) => !/^Later/.test(b))), [], view);
  }
  assert.equal((await server.ask("stats")).records, was);
  // a signed-in browser whose script does not know the page's header
  const stolen = await agent.page.evaluate(async (ref) => (await fetch("/v1/approve", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ refs: [ref] }) })).status, refs.batch);
  assert.equal(stolen, 403);
  await context.close();
  await agent.end();
});

test("two people at once: the later one is shown what the other decided, and nothing typed is lost", async () => {
  const one = await visit(browser, server), two = await visit(browser, server), ref = refs.grew;
  for (const v of [one, two]) {
    await v.to(`/memory/${ref}`);
    await ready(v.page);
  }
  await one.page.keyboard.press("r");
  await one.page.waitForSelector(".actbox textarea");
  await one.page.keyboard.type("Sam was not there");
  await two.page.keyboard.press("a");
  await told(two.page, "^approved");
  await one.page.keyboard.press("Enter");
  await one.page.waitForSelector(".actbox .trouble");
  await settled(one.page);
  assert.match(await one.page.textContent(".actbox .trouble"), /changed since you read it.*Meanwhile: approved/s);
  assert.equal((await show(ref)).review, "approved", "nothing was stored");
  assert.equal(await one.page.inputValue(".actbox textarea"), "Sam was not there");
  await one.shot("changed-light");
  await one.page.click("text=Look again");
  await one.page.focus(".actbox textarea");
  await one.page.keyboard.press("Enter");
  await told(one.page, "^rejected");
  const m = await show(ref);
  assert.equal(m.review, "rejected");
  assert.ok(m.claims.some((c) => c.content?.reason === "Sam was not there"));
  // and the undo that the other was offered is not done blindly
  await two.page.keyboard.press("u");
  await two.page.waitForSelector(".told .trouble");
  assert.match(await two.page.textContent(".told .trouble"), /another one now: reject/);
  assert.equal((await show(ref)).review, "rejected");
  await one.end();
  await two.end();
});

test("a conflict of which one side changed meanwhile, or that somebody else decided, is not decided by what was shown", async () => {
  const v = await visit(browser, server), { page } = v;
  for (const l of (await server.ask("conflicts", { all: true })).conflicts) await server.ask("witness", { ref: l.old.ref, attestation: "dispute", notes: "no" });
  await v.to("/conflicts?all=1");
  const links = (await server.ask("conflicts", { all: true })).conflicts;
  const shown = async () => {
    const at = await page.getAttribute(".queue .reason .ref", "title");
    return links.find((l) => l.ref === at) ?? assert.fail(`${at} is no conflict`);
  };
  const first = await shown();
  await server.ask("revise", { ref: first.new.ref, text: "Words that were not shown" }, "token");
  await page.keyboard.press("n");
  await page.waitForSelector(".queue .trouble");
  assert.match(await page.textContent(".queue .trouble"), /nothing was stored: “.*” is now replaced/);
  assert.equal((await server.ask("show", { ref: first.old.ref })).hidden, undefined);
  await page.click("button:text-is('Look again')");
  await page.waitForSelector(".queue .trouble", { state: "detached" });
  await settled(page);
  const second = await shown();
  // what else is said of each side stands with it
  const marks = [[second.old, second.new], [second.new, second.old]].flatMap(([end, other]) => (end.marks ?? []).filter((m) => m !== end.hidden && m !== "disputed" && !m.includes(other.ref.slice(0, other.ref.indexOf(":") + 9))));
  assert.deepEqual(await page.locator(".side > .note .words").allTextContents(), marks);
  assert.ok((await page.locator(".side .chip:text-is('disputed')").count()) > 0, "the side that was disputed says so");
  await server.ask("resolve", { ref: second.ref, keep: "both" });
  await page.keyboard.press("n");
  await page.waitForSelector(".queue .trouble");
  assert.match(await page.textContent(".queue .trouble"), /nothing was stored: it is decided: both were kept/);
  assert.equal((await server.ask("show", { ref: second.ref })).superseded_by, undefined);
  await v.end();
});

test("a server that goes away: said, resumed, nothing typed is lost", async () => {
  const v = await visit(browser, server, { at: `/memory/${refs.batched}` }), { page } = v;
  await ready(page);
  await page.keyboard.press("r");
  await page.waitForSelector(".actbox textarea");
  await page.keyboard.type("typed while it was away");
  const port = new URL(server.url).port;
  await server.end();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".actbox .trouble:has-text('does not answer')");
  assert.equal(await page.inputValue(".actbox textarea"), "typed while it was away");
  server = await serve(s, port);
  await page.waitForSelector(".actbox .trouble:has-text('signed out')"); // sessions end with the server
  assert.equal(await page.inputValue(".actbox textarea"), "typed while it was away");
  const other = await v.context.newPage(); // as 'stemma ui' would
  await other.goto(await server.entry());
  await other.waitForSelector("nav");
  await other.close();
  await page.focus(".actbox textarea");
  await page.keyboard.press("Enter");
  await told(page, "^rejected");
  assert.ok((await show(refs.batched)).claims.some((c) => c.content?.reason === "typed while it was away"));
  // a line that drops once: the same request is sent again by itself, and done once
  await v.to(`/memory/${refs.profiled}`);
  await ready(page);
  let dropped = 0;
  await page.route("**/v1/approve", async (route) => {
    if (dropped++ === 0) {
      await route.fetch(); // it is done, and the answer is lost
      return route.abort();
    }
    return route.continue();
  });
  await page.keyboard.press("a");
  await told(page, "^approved");
  assert.equal(dropped, 2);
  assert.equal((await show(refs.profiled)).claims.filter((c) => c.content?.verb === "approve").length, 1, "approved once");
  await v.end();
});

test("where the key has a passphrase, the page asks for it, and says when it is wrong", async (t) => {
  const own = store(), made = sample(own);
  execFileSync("ssh-keygen", ["-q", "-p", "-P", "", "-N", "wörds 100%", "-f", join(own.env.XDG_DATA_HOME, "stemma", "keys", "owner")]);
  const server = await serve(own);
  t.after(async () => {
    await server.end();
    own.end();
  });
  const v = await visit(browser, server, { at: `/memory/${made.loops}` }), { page } = v;
  await ready(page);
  await page.keyboard.press("a");
  await page.waitForSelector("dialog[open] input[type=password]");
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog[open] >> text=wrong passphrase");
  assert.equal((await server.ask("show", { ref: made.loops })).review, "pending");
  await page.keyboard.type("wörds 100%");
  await page.keyboard.press("Enter");
  await told(page, "^approved");
  assert.equal((await server.ask("show", { ref: made.loops })).review, "approved");
  await page.waitForSelector("dialog[open]", { state: "detached" });
  await page.keyboard.press("f"); // it is kept for a while
  await page.waitForSelector("dialog[open] textarea");
  await page.keyboard.press("Enter");
  await told(page, "^forgot");
  await v.end();
});
