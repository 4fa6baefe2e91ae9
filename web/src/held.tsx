// What is held back because its author had been shown outside words: a group per source, and one decision for a group.
// It covers what stands here word for word. What directs, or would replace something approved, is decided by itself.

import { useMemo, useRef } from "preact/hooks";
import { type Memory, standings } from "./api";
import { acts } from "./acts";
import { ActsButton } from "./doer";
import { Ask, type Queue } from "./queue";
import { decide, type Left, leftAs } from "./several";
import { useAsk, useMe, useOf } from "./use";
import { many, Ref, Siglum, Trouble, When, Words } from "./words";

export interface HeldGroup { source: string; count: number; memories: Memory[]; one_by_one?: string[] }

const all = (groups: HeldGroup[]) => groups.flatMap((g) => g.memories.map((m) => m.ref));

export function Held<T>({ groups, q, told }: { groups: HeldGroup[]; q: Queue<T>; told: (l: Left[]) => void }) {
  const mine = useMe()?.acts, refs = all(groups);
  const asked = useAsk(mine && refs.length ? (s) => standings(refs, s) : null, [groups, mine]);
  const seen = useMemo(() => new Map((asked.reply ?? []).map((m) => [m.ref, m])), [asked.reply]);
  const names = useRef(new Map<string, string>()); // a request that is sent again is done once
  const [rejecting, rejects] = useOf<string[]>(refs.join());
  const act = (id: string, of: string[], reason = "") => {
    rejects(undefined);
    void q.several(async () => {
      const a = acts.find((one) => one.id === id)!, stand = of.flatMap((r) => seen.get(r) ?? []), could = stand.filter(a.when);
      const { done, left, replies } = await decide(a, could, seen, reason, names.current);
      names.current.clear();
      told([...stand.filter((m) => !could.includes(m)).map((m) => leftAs(m, seen)), ...left]);
      q.again();
      return { said: done.length ? `${a.done} ${many(done.length, "memory", "memories")}` : "", reply: replies, gone: done };
    });
  };
  const both = (of: string[], label: string) => (
    <>
      <button type="button" disabled={!asked.reply} onClick={() => act("approve", of)}>Approve {label}</button>
      <button type="button" disabled={!asked.reply} onClick={() => rejects(of)}>Reject {label}</button>
    </>
  );
  if (!groups.length) return null;
  return (
    <section aria-labelledby="held" class="groups held">
      <h2 id="held">Held back after outside words</h2>
      <p class="note">An agent wrote this in a session in which it had read words from outside. It is not given as it stands until you decide.</p>
      <Trouble error={asked.error} again={asked.again} />
      {groups.map((g) => {
        const alone = new Set(g.one_by_one), together = g.memories.map((m) => m.ref).filter((r) => !alone.has(r));
        const ask = rejecting?.some((r) => g.memories.some((m) => m.ref === r)) && rejecting;
        return (
          <fieldset key={g.source} class="group">
            <legend><b>after reading <Words>{g.source}</Words></b>, {many(g.count, "memory", "memories")}</legend>
            <ul class="plain">
              {g.memories.map((m) => (
                <li key={m.ref}>
                  <p><Siglum kind={m.type} /> <Words>{m.text ?? m.headline}</Words> {mine && <ActsButton of={m.ref} words={m.headline} />}</p>
                  <p class="note"><Ref to={m.ref} /> · <When at={m.at ?? m.created_at} />{m.marks?.map((one) => <> · <Words key={one}>{one}</Words></>)}</p>
                  {alone.has(m.ref) && <p class="acts"><span class="note">Decided by itself: it directs, or would replace what a person approved.</span> {mine && both([m.ref], "it")}</p>}
                </li>
              ))}
            </ul>
            {mine && together.length > 0 && <p class="acts">{both(together, together.length === 1 ? "it" : `these ${together.length}`)}</p>}
            {ask && <Ask label="Why is it wrong? (optional)" act="Reject" empty onDone={(why) => act("reject", ask, why)} onStop={() => rejects(undefined)} />}
          </fieldset>
        );
      })}
    </section>
  );
}
