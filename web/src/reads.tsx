// Where it is chosen what the page reads.

import { useEffect, useRef, useState } from "preact/hooks";
import { choose, reads, usual } from "./chosen";
import { useCalm } from "./use";
import type { Choice } from "./wire";

// useReads is the choice, for what has to be drawn anew with it.
export function useReads(): string {
  const [is, set] = useState(reads);
  useEffect(() => {
    const now = () => set(reads);
    window.addEventListener("stemma:reads", now);
    return () => window.removeEventListener("stemma:reads", now);
  }, []);
  return is;
}

const plainly: Record<string, string> = { here: "this project", me: "yours", all: "all projects" };

// Reads is where it is chosen.
export function Reads({ choices, look }: { choices?: Choice[]; look: () => void }) {
  const now = useReads(), box = useRef<HTMLSelectElement>(null);
  const one = choices?.find((c) => c.value === now) ?? { value: now, name: plainly[now] ?? now.replace(/^.*[:/]/, "project ") };
  const list = useCalm() && choices?.length ? choices : [one]; // the others are seen by nobody before
  useEffect(() => {
    // it was a choice of another store, or of a project whose memories are gone
    if (choices?.length && !choices.some((c) => c.value === now)) choose(usual);
  }, [choices, now]);
  return (
    <label class="reads"><span class="sr">What is read</span><select id="reads" ref={box} autocomplete="off" aria-keyshortcuts="p" onFocus={look} onChange={(e) => choose(e.currentTarget.value)}>
      {list.map((c) => <option key={c.value} value={c.value} selected={c.value === now}>{c.name}</option>)}
    </select></label>
  );
}
