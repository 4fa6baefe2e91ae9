// One act on several memories: done for those that are as they were seen, and each of the others left, with what it is now.

import { once, op, type Problem, type Standing, standings } from "./api";
import { type Act, standsAs } from "./acts";
import { many, Ref, Siglum, visible, Words } from "./words";

export interface Left { m: Standing; why: string }
export interface Outcome { done: string[]; left: Left[]; replies: unknown[] }

// changedSince says whether a memory stands otherwise now than when it was seen.
export const changedSince = (m: Standing, seen: Map<string, Standing>) => seen.has(m.ref) && seen.get(m.ref)!.tag !== m.tag;

export const leftAs = (m: Standing, seen: Map<string, Standing>): Left => ({ m, why: changedSince(m, seen) ? `changed meanwhile: ${standsAs(m)}` : `it is ${standsAs(m)}` });

// Outcomes names each memory that an act left as it is, and why.
export function Outcomes({ did, list, close }: { did?: string; list: Left[]; close: () => void }) {
  return (
    <div class="trouble" role="alert">
      <p>{did && did + " "}{many(list.length, "memory was", "memories were")} left:</p>
      <ul class="plain">{list.map(({ m, why }) => <li key={m.ref}><Siglum kind={m.type} /> <Ref to={m.ref}><Words>{m.headline}</Words></Ref> <span class="note">{visible(why)}</span></li>)}</ul>
      <button type="button" onClick={close}>Close</button>
    </div>
  );
}

// lostOnce stands among the names of requests once an answer was lost: what was asked for may be done by now.
export const lostOnce = "lost";

const asDone: Record<string, string> = { approve: "approved", reject: "rejected" };

// decide does an act on each, as it was seen. Names are those of requests, by what they ask: one that is sent again
// is done once.
export async function decide(act: Act, list: Standing[], seen: Map<string, Standing>, reason: string, names: Map<string, string>): Promise<Outcome> {
  const out: Outcome = { done: [], left: [], replies: [] }, input = { text: reason || undefined };
  const tag = (m: Standing) => `"${seen.get(m.ref)?.tag ?? m.tag}"`;
  const name = (of: Standing[]) => {
    const what = JSON.stringify([act.id, of.map((m) => m.ref + tag(m)), reason]);
    if (!names.has(what)) names.set(what, once());
    return names.get(what)!;
  };
  const one = (of: Standing[]) => op<unknown>(act.op!, { ...act.request!(of[0]!, input), ...(act.id === "quarantine" ? {} : { refs: of.map((m) => m.ref) }), ...(act.id === "approve" ? { force: of.some((m) => m.review === "rejected") || undefined } : {}) }, undefined,
    { "If-Match": of.map(tag).join(", "), "Idempotency-Key": name(of) });
  const parts = act.id === "quarantine" ? list.map((m) => [m]) : [list];
  for (let part of parts) {
    for (let turn = 0; part.length; turn++) {
      try {
        out.replies.push(await one(part));
        out.done.push(...part.map((m) => m.ref));
        break;
      } catch (e) {
        const told = new Map(((e as Problem).changed ?? []).map((c) => [c.ref, c.now])), other = part.filter((m) => told.has(m.ref));
        if (!other.length || turn > 2) throw e;
        const now = new Map((await standings([...told.keys()]).catch(() => [])).map((m) => [m.ref, m]));
        const sent = other.filter((m) => names.has(lostOnce) && now.get(m.ref)?.review === asDone[act.id]);
        out.done.push(...sent.map((m) => m.ref));
        if (sent[0]) out.replies.push(await op("show", { ref: sent[0].ref })); // with what was said of it, by which an undo knows it
        out.left.push(...other.filter((m) => !sent.includes(m)).map((m) => ({ m, why: `changed meanwhile: ${now.has(m.ref) ? standsAs(now.get(m.ref)!) : told.get(m.ref)}` })));
        part = part.filter((m) => !told.has(m.ref));
      }
    }
  }
  return out;
}
