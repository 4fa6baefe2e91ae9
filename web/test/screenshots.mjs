// The pictures of the documentation: a week of work, decided on as a person would.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browse, sample, serve, store, visit } from "./stage.mjs";

const dir = process.argv[2];
mkdirSync(dir, { recursive: true });
const s = store(), refs = sample(s), server = await serve(s), browser = await browse();
try {
  await server.ask("approve", { refs: [refs.slow, refs.profiled, refs.batched, refs.loops].filter((r) => !r.startsWith("raw:")) });
  await server.ask("reinforce", { ref: refs.loops, because: [refs.batched], reason: "batching brought the page from 9.1 s to 310 ms" });
  await server.ask("quarantine", { target: refs.rumour, reason: "hearsay" });
  for (const [name, path, options, before] of [
    ["page-memory", `/memory/${refs.batch}`, { viewport: { width: 1180, height: 760 }, colorScheme: "light" }],
    ["page-memory-dark", `/memory/${refs.revised}`, { viewport: { width: 1180, height: 760 }, colorScheme: "dark" }],
    ["page-search", "/search?q=slow+orders+page", { viewport: { width: 1180, height: 620 }, colorScheme: "light" }, (p) => p.click(".chip")],
    ["page-person", "/people?name=Alice", { viewport: { width: 1180, height: 620 }, colorScheme: "light" }],
    ["page-conflicts", "/conflicts", { viewport: { width: 1180, height: 460 }, colorScheme: "light" }],
    ["page-blast", `/blast?target=${refs.rumour}`, { viewport: { width: 1180, height: 700 }, colorScheme: "light" }],
    ["page-phone", "/review", { viewport: { width: 360, height: 640 }, colorScheme: "light", isMobile: true, hasTouch: true }],
  ]) {
    const v = await visit(browser, server, options);
    await v.to(path);
    if (before) await before(v.page);
    await v.page.screenshot({ path: join(dir, `${name}.png`) });
    await v.end();
  }
} finally {
  await browser.close();
  await server.end();
  s.end();
}
