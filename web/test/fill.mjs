// A store to measure on: many records, and a tree of thousands on the first of them.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const words = "orders page cache index table query driver deploy review ledger harbour signal batch loop customer account weekend import release note measure profile latency memory tree source witness anchor".split(" ");
let seed = 7;
const chance = (n) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
export const sentence = (n) => Array.from({ length: n }, () => words[chance(words.length)]).join(" ");

// fill imports so many records with a binary, and gives how many lines there were.
export function fill(s, records, binary) {
  seed = 7;
  const lines = Array.from({ length: records }, (_, i) => JSON.stringify({ id: String(i), kind: "raw", text: `${i} ${sentence(8 + chance(12))}`, session: `s${(i / 30) | 0}`, speaker: i % 2 ? "Dana" : "Sam" }));
  // a tree of 5,000 on the first of them: episodes, beliefs, and one that rests on all
  const derive = (id, kind, from, text) => lines.push(JSON.stringify({ id, kind, text, from: [...new Set(from)], via: kind === "episode" ? "promote" : "consolidate" }));
  for (let i = 0; i < 1200; i++) derive(`e${i}`, "episode", [0, 1, 2].map((k) => String((i * 3 + k) % 3300)), `episode ${i} ${sentence(7)}`);
  for (let i = 0; i < 480; i++) derive(`b${i}`, "belief", [0, 1, 2, 3].map((k) => `e${(i * 5 + k * 3) % 1200}`), `belief ${i} ${sentence(6)}`);
  for (let i = 0; i < 24; i++) derive(`t${i}`, "belief", Array.from({ length: 20 }, (_, k) => `b${i * 20 + k}`), `part ${i} ${sentence(6)}`);
  derive("top", "belief", Array.from({ length: 24 }, (_, i) => `t${i}`), "what all of it shows together");
  writeFileSync(join(s.home, "talk.jsonl"), lines.join("\n") + "\n");
  const imported = spawnSync(binary, ["import", "jsonl", "talk.jsonl"], { cwd: s.home, env: s.env, encoding: "utf8" });
  if (imported.status !== 0) throw new Error(imported.stderr);
  return lines.length;
}
