// The acts that a person can do on a memory: one table, with a key for each.

import type { Standing } from "./api";
import { go, memoryPath } from "./route";
import { heldUntil, past } from "./words";

export interface Input { text?: string; choice?: string; approve?: boolean }

export interface Act {
  id: string;
  key: string;
  name: string;
  says?: string; // what it does, where the name does not say it
  ask?: "reason" | "words" | "witness" | "notes" | "radius" | "undo"; // what it asks for first
  when: (m: Standing) => boolean;
  op?: string;
  request?: (m: Standing, i: Input) => Record<string, unknown>;
  done?: string; // what was done, before the words of the memory
  many?: boolean; // it can be done on several at once
  local?: (m: Standing) => void | Promise<void>; // it only looks
}

const claims = ["link", "mark", "witness", "anchor", "key", "assess", "verify"];
const isMemory = (m: Standing) => !claims.includes(m.type);
const isDrawn = (m: Standing) => isMemory(m) && m.type !== "raw";
const current = (m: Standing) => !m.superseded_by && !["forgotten", "quarantined", "purged"].includes(m.hidden ?? "");

export const acts: Act[] = [
  { id: "approve", key: "a", name: "Approve", when: (m) => isDrawn(m) && current(m) && m.review !== "approved", op: "approve", done: "approved", many: true,
    request: (m, i) => ({ refs: [m.ref], force: m.review === "rejected" || undefined, reason: i.text || undefined }) },
  { id: "reject", key: "r", name: "Reject", ask: "reason", when: (m) => isDrawn(m) && current(m) && m.review !== "rejected", op: "reject", done: "rejected", many: true,
    request: (m, i) => ({ refs: [m.ref], reason: i.text || undefined }) },
  { id: "revise", key: "e", name: "Revise", ask: "words", when: (m) => isDrawn(m) && current(m) && m.review !== "rejected", op: "revise", done: "revised",
    request: (m, i) => ({ ref: m.ref, text: i.text, approve: i.approve || undefined }) },
  { id: "forget", key: "f", name: "Forget", ask: "reason", says: "It is left out of lists, searches and packs. You can bring it back.", when: (m) => isMemory(m) && !m.hidden, op: "forget", done: "forgot", many: true,
    request: (m, i) => ({ refs: [m.ref], reason: i.text || undefined }) },
  { id: "recover", key: "f", name: "Bring back", when: (m) => m.hidden === "forgotten", op: "recover", done: "brought back", many: true,
    request: (m) => ({ refs: [m.ref] }) },
  { id: "quarantine", key: "q", name: "Quarantine", ask: "radius", when: (m) => isMemory(m) && m.hidden !== "quarantined" && m.hidden !== "purged", op: "quarantine", done: "quarantined",
    request: (m, i) => ({ target: m.ref, reason: i.text || undefined }) },
  { id: "release", key: "q", name: "Release", ask: "reason", says: "It ends the quarantine, and what the quarantine hid comes back.", when: (m) => m.hidden === "quarantined", op: "release", done: "released",
    request: (m, i) => ({ target: m.ref, reason: i.text || undefined }) },
  { id: "witness", key: "w", name: "Witness", ask: "witness", when: (m) => isMemory(m) && m.hidden !== "purged", op: "witness", done: "witnessed",
    request: (m, i) => ({ ref: m.ref, attestation: i.choice, notes: i.text || undefined }) },
  { id: "verify", key: "v", name: "Verify", ask: "notes", says: "You confirm that it still holds. Undo does not take a verification back.", when: (m) => isDrawn(m) && current(m) && m.review !== "rejected", op: "verify", done: "verified",
    request: (m, i) => ({ ref: m.ref, notes: i.text || undefined }) },
  { id: "undo", key: "u", name: "Undo", ask: "undo", says: "It takes back the last decision that you made in this store.", when: () => true, op: "undo", done: "took back" },
  { id: "copy", key: "c", name: "Copy ref", when: () => true, local: (m) => copy(m.ref) },
  { id: "trace", key: "t", name: "Tree", says: "Open its tree.", when: () => true, local: (m) => {
    const here = [memoryPath(m.ref), `/memory/${m.ref}`].includes(location.pathname);
    go(`${here ? location.pathname : memoryPath(m.ref)}?at=tree`);
    document.querySelector<HTMLElement>(".lineage")?.focus();
  } },
  { id: "blast", key: "b", name: "Blast radius", when: isMemory, local: (m) => go(`/blast?target=${encodeURIComponent(m.ref)}`) },
];

export const possible = (m: Standing) => acts.filter((a) => a.when(m));
export const byKey = (m: Standing, key: string) => acts.find((a) => a.key === key && a.when(m));

// actKeys is for the page of keys.
export const actKeys: [string, string][] = [
  ...[...new Set(acts.map((a) => a.key))].map((k): [string, string] => [k, acts.filter((a) => a.key === k).map((a) => a.name.toLowerCase()).join(", or ")]),
  [".", "all acts on the memory"],
];

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page that is not served over TLS has no clipboard
    const box = document.createElement("textarea");
    box.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
}

// standsAs says in words how a memory stands.
export function standsAs(m: Standing): string {
  const parts = [];
  if (m.superseded_by) parts.push("replaced");
  else if (m.hidden) parts.push(m.hidden);
  else if (past(m.valid_until)) parts.push(heldUntil(m.valid_until));
  if (m.review && m.review !== m.hidden) parts.push(m.review === "pending" ? "not reviewed" : m.review);
  if (m.disputed) parts.push("disputed");
  if (m.tainted) parts.push("external");
  return parts.join(", ") || "current";
}
