// Where what waits came from, in words.

import type { Source, Standing } from "./api";
import { visible, Words } from "./words";

export interface From { key: string; how: "outside" | "session" | "import" | "source" | "none" | "conflicts"; name?: string; agent?: string; of?: string }

// An item waits for a decision, with captured words that it comes from.
export interface QueueItem extends Standing { why?: string; one_by_one?: boolean; words?: Source[]; own?: boolean; from: From }

// The server writes the same before a name (internal/web/waits.go).
const before: Record<From["how"], string> = { outside: "after reading ", session: "session ", import: "imported from ", source: "from ", none: "without a conversation", conflicts: "Conflicts" };

const nameShown = 80;

// cutTo is a text of at most so many characters, and no half of one.
export const cutTo = (text: string, most = nameShown) => {
  let n = 0;
  for (const c of text) if ((n += c.length) > most) return text.slice(0, n - c.length) + "…";
  return text;
};

export const FromWords = ({ of: f }: { of: From }) => <>{before[f.how]}{f.name && <Words>{cutTo(f.name)}</Words>}</>;

// fromText is the same as a text, for a label.
export const fromText = (f: From) => visible(before[f.how] + cutTo(f.name ?? ""));

// Author is who said the words of a memory, or wrote it.
export function Author({ of: m }: { of: { speaker?: string; by?: string; agent?: string; origin?: string } }) {
  const name = m.speaker ?? m.by ?? (m.origin === "owner" ? "" : m.agent);
  return name ? <Words>{cutTo(name)}</Words> : <>{m.origin === "owner" ? "you" : m.origin === "tool" ? "a tool" : m.origin === "import" ? "imported" : "an agent"}</>;
}
