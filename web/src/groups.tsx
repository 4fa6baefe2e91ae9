// What waits, in groups, and the decision about a group.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Batch } from "./desk";
import { cutTo, fromText, FromWords, type QueueItem } from "./from";
import { Ago, Chip, status } from "./standing";
import { figure, many, Siglum, Words } from "./words";

export const groupings = ["where it comes from", "kind", "one list"] as const;
export type Grouping = (typeof groupings)[number];

export interface Group extends Batch<QueueItem> { from: preact.ComponentChildren }

// grouped puts a list into groups, the one with the oldest first.
export function grouped(list: QueueItem[], by: Grouping): Group[] {
  const out = new Map<string, Group>();
  for (const p of list) {
    const kind = p.type, key = by === "kind" ? kind : by === "one list" ? "" : p.from.key;
    let g = out.get(key);
    if (!g) {
      const [from, label] = by === "kind" ? [kind, kind] : by === "one list" ? ["all", "all"] : [<FromWords of={p.from} />, fromText(p.from)];
      out.set(key, (g = { key, from, label, items: [] }));
    }
    g.items.push(p);
  }
  for (const g of out.values()) {
    const agent = g.items[0]!.from.agent;
    g.name = <>{g.from} <span class="note">{agent && <><Words>{cutTo(agent, 40)}</Words> · </>}{figure(g.items.length)}</span></>;
  }
  return [...out.values()];
}

// together are those of a group that one decision may cover.
export const together = (g: Batch<QueueItem>) => g.items.filter((p) => !p.one_by_one);

// Row is a memory of the list, with the words that it comes from.
export const Row = ({ of: p }: { of: QueueItem }) => (
  <>
    <span class="clamp"><Siglum kind={p.type} /> <Words>{p.text ?? p.headline}</Words></span>
    <Quote of={p} />
    <span class="note">{status(p)[0] !== "not reviewed" && <><Chip of={p} /> </>}<Ago at={p.at ?? p.created_at} />{p.one_by_one && " · by itself"}</span>
  </>
);

// Quote is the words that a memory comes from, in short.
export function Quote({ of: p }: { of: QueueItem }) {
  const w = p.words?.[0];
  if (!w) return <span class="quote clamp">{p.from.how === "import" ? "Imported, without captured words." : "Without captured words."}</span>;
  return <span class="quote clamp">{p.own ? "the agent's own words: " : w.speaker ? <><Words>{cutTo(w.speaker, 40)}</Words>: </> : null}“<Words>{cutTo(w.headline, 400)}</Words>”{p.words!.length > 1 && ` and ${p.words!.length - 1} more`}</span>;
}

interface Asked { of: Group; act: "approve" | "reject"; onDone: (refs: string[], reason: string) => void; onStop: () => void }

// Together decides about a group: it covers what stands here, word for word.
export function Together({ of: g, act, onDone, onStop }: Asked) {
  const can = together(g), alone = g.items.filter((p) => p.one_by_one);
  const [out, leave] = useState<string[]>([]), [reason, say] = useState("");
  const refs = can.map((p) => p.ref).filter((r) => !out.includes(r));
  const go = useRef<HTMLButtonElement>(null), why = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => (why.current ?? go.current)?.focus(), []);
  const verb = act === "approve" ? "Approve" : "Reject", done = () => refs.length && onDone(refs, reason.trim());
  return (
    <form class="item together" aria-label={`${verb} a group`} onSubmit={(e) => { e.preventDefault(); done(); }} onKeyDown={(e) => { if (e.key === "Escape") { e.stopPropagation(); onStop(); } }}>
      <h2>{verb} together: {g.from}</h2>
      <ul class="plain">
        {can.map((p) => (
          <li key={p.ref}>
            <label class="tick"><input type="checkbox" checked={!out.includes(p.ref)} onChange={(e) => leave(e.currentTarget.checked ? out.filter((r) => r !== p.ref) : [...out, p.ref])} /> <span><Siglum kind={p.type} /> <Words>{p.text ?? p.headline}</Words></span></label>
            <Quote of={p} />
          </li>
        ))}
      </ul>
      {alone.length > 0 && (
        <>
          <p class="note">{many(alone.length, "memory directs, or would replace what was approved: it is", "memories direct, or would replace what was approved: they are")} decided by {alone.length === 1 ? "itself" : "themselves"}, not here.</p>
          <ul class="plain note">{alone.map((p) => <li key={p.ref}><Siglum kind={p.type} /> <Words>{cutTo(p.headline, 200)}</Words></li>)}</ul>
        </>
      )}
      {act === "reject" && <label class="ask">Why are they wrong? (optional)
        <textarea ref={why} rows={2} value={reason} onInput={(e) => say(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === "Enter" && !e.shiftKey) { e.preventDefault(); done(); } }} /></label>}
      <div class="acts">
        <button ref={go} type="submit" class="main" disabled={!refs.length}>{verb} {refs.length === 1 ? "it" : `these ${figure(refs.length)}`} <kbd aria-hidden="true">↵</kbd></button>
        <button type="button" onClick={onStop}>Never mind <kbd aria-hidden="true">esc</kbd></button>
      </div>
    </form>
  );
}
