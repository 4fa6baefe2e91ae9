// What a reviewer finds in the morning: 40 memories of 8 sessions of two agents, each with a conversation around it.

import { execFileSync } from "node:child_process";

const talks = [
  ["orders page is slow", ["The orders page takes nine seconds on Mondays", "One query per order makes the orders page slow", "Batching brought the orders page to 310 ms", "The orders page has 40 rows by default", "Orders older than a year come from the archive"]],
  ["release train", ["Releases are cut on Tuesdays", "A release needs two green runs in a row", "Release notes are written by who merges last", "The release branch is deleted after a week", "Hotfixes skip the release train"]],
  ["payment provider", ["Payments go through Adyen since May", "Refunds take three working days", "The payment webhook retries five times", "Test cards end in 4242", "Disputed payments are handled by Mira"]],
  ["logging", ["Logs are kept for 30 days", "Request bodies are never logged", "The log level is info in production", "Log lines are JSON", "Noisy loggers are listed in logs.md"]],
  ["on call", ["Dana is on call in odd weeks", "Sam is on call in even weeks", "The pager is quiet from 22 to 7 for warnings", "Incidents get a page in the wiki", "Two people look at each incident report"]],
  ["customer import", ["The customer import runs on Saturdays", "Imports of more than 2 million rows are split", "Duplicate customers are merged by e-mail", "The import skips rows without a country", "The last import doubled the customers table"]],
  ["search index", ["The search index is rebuilt nightly", "German text is stemmed with snowball", "Titles weigh three times as much as bodies", "The index has 12 shards", "Queries above two seconds are cancelled"]],
  ["office move", ["The team moves to the third floor in March", "Desks are booked by the week", "The server room stays in the old building", "Parking is at the back", "The kitchen opens at eight"]],
];

// fillDesk captures the conversations and what agents made of them, at several days. It gives the refs of the memories.
export async function fillDesk(server, { sessions = talks, each = 5 } = {}) {
  const refs = [];
  for (const [i, [topic, list]] of sessions.entries()) {
    const agent = i % 2 ? "codex" : "claude-code", session = `${topic.replaceAll(" ", "-")}-${i + 1}`, more = { "Stemma-Agent": agent, "Stemma-Session": session };
    const at = (n) => new Date(Date.UTC(2026, 9, 5 + 4 * i, 9, n)).toISOString();
    const say = async (text, n, speaker) => (await server.ask("capture", { text, event: "turn", speaker, occurred_at: at(n) }, "token", more)).ref;
    await say(`Let us talk about the ${topic}.`, 0, "Dana");
    const turns = [];
    for (const [n, text] of list.slice(0, each).entries()) {
      turns.push(await say(`I checked it again: ${text[0].toLowerCase()}${text.slice(1)}, as far as I can see.`, 3 * n + 1, n % 2 ? "Sam" : "Dana"));
      await say("Noted. Anything else?", 3 * n + 2, agent);
    }
    for (const [n, text] of list.slice(0, each).entries()) refs.push((await server.ask("promote", { from: [turns[n]], kind: "belief", text }, "token", more)).ref);
  }
  return refs;
}

// directs are memories that no decision about a group covers: one directs, one replaces what was approved.
export async function fillAlone(server, session = "office-move-8") {
  const more = { "Stemma-Agent": "codex", "Stemma-Session": session };
  const rule = (await server.ask("add", { kind: "note", type: "constraint", text: "Never book the server room" }, "token", more)).ref;
  const old = (await server.ask("add", { kind: "belief", text: "The kitchen closes at six in the evening" }, "owner.token")).ref;
  await server.ask("approve", { refs: [old] });
  const again = await server.ask("revise", { ref: old, text: "The kitchen closes at eight in the evening" }, "token", more);
  return { rule, old, newer: again.ref, again };
}

// reader is an agent that is shown outside words, and then writes.
export const host = (s, session, input, ...args) => execFileSync(process.env.STEMMA_BINARY, args, { cwd: s.home, env: { ...s.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session }, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
export const reads = (s, session, url, text) => host(s, session, JSON.stringify({ session_id: session, tool_name: "WebFetch", tool_input: { url }, tool_response: text, tool_use_id: `t-${session}` }), "hook", "run", "claude-code", "PostToolUse");

const couples = [["The deploy runs on Fridays", "The deploy does not run on Fridays", "The deploy"], ["The staging database listens on port 5432", "The staging database listens on port 5433", "The staging database listens on port"], ["Alice works at Acme", "Alice left Acme and joined StartupX", "Alice"], ["The office closes at six in the evening", "The office closes at eight in the evening", "The office closes at"], ["The importer retries 3 times", "The importer retries 5 times", "The importer retries"], ["The cache holds 40 entries", "The cache holds 60 entries", "The cache holds"]];

// fillPairs makes memories that contradict each other, each of a conversation of its own. Words that are given take the
// place of the first pairs'.
export async function fillPairs(s, server, words) {
  const list = couples.slice(0, words?.length), names = ["Dana", "Sam", "Mira"], out = [];
  for (const [i, [one, other, subject]] of list.entries()) {
    const sides = [];
    for (const [n, text] of [one, other].entries()) {
      const side = { text, agent: n ? "codex" : "claude-code", session: `talk-${i}-${n}`, speaker: names[(i + n) % 3], said: `${text}, as far as I can see.`, day: `${i + 3} ${n ? "Jun" : "Mar"} 2026` };
      const more = { "Stemma-Agent": side.agent, "Stemma-Session": side.session }, occurred_at = new Date(Date.UTC(2026, n ? 5 : 2, i + 3, 10)).toISOString();
      const say = async (text, speaker) => (await server.ask("capture", { text, event: "turn", speaker, occurred_at }, "token", more)).ref;
      await say("Let me write down what I know.", side.speaker);
      const from = await say(side.said, side.speaker);
      await say("Noted. Anything else?", side.agent);
      side.ref = (await server.ask("promote", { from: [from], kind: "belief", text }, "token", more)).ref;
      await server.ask("compare", { ref: side.ref });
      sides.push(side);
    }
    out.push({ subject, sides });
  }
  s.run("jobs", "run"); // a server compares by and by
  for (const [i, pair] of (words ?? []).entries()) for (const [n, text] of pair.entries()) await server.ask("revise", { ref: out[i].sides[n].ref, text }, "token", { "Stemma-Agent": "codex", "Stemma-Session": "in-other-words" });
  return out;
}
