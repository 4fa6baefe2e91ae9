// Groups are memories to review side by side: all of a group are chosen at once, or all but some.

import { useState } from "preact/hooks";
import { type Memory, op, type Source } from "./api";
import { Ask, Key, type Queue } from "./queue";
import { useKeys, useOf } from "./use";
import { many, Ref, Siglum, When, Words } from "./words";

export interface Pending extends Memory { asks: boolean; why?: string; sources?: Source[] }
export const groupings = ["one by one", "session", "source", "kind"] as const;
export type Grouping = (typeof groupings)[number];

// keyOf gives what a memory is grouped by: in our word and in its own.
function keyOf(p: Pending, by: Grouping): [string, string?] {
  switch (by) {
    case "session": return p.session ? ["session", p.session] : ["no session"];
    case "source": return p.sources?.length ? ["from", p.sources[0]!.headline] : ["no source"];
    default: return ["kind", p.type === "note" && typeof p.content?.type === "string" ? p.content.type : p.type];
  }
}

export function Groups({ list, by, q }: { list: Pending[]; by: Grouping; q: Queue<Pending> }) {
  const [chosen, choose] = useState<string[]>([]);
  const [rejecting, rejects] = useOf<true>(by);
  const groups = new Map<string, Pending[]>();
  for (const p of list) {
    const name = keyOf(p, by).join(" ");
    groups.set(name, [...(groups.get(name) ?? []), p]);
  }
  const refs = chosen.filter((ref) => list.some((p) => p.ref === ref));
  const set = (of: Pending[], yes: boolean) => choose((was) => [...was.filter((ref) => !of.some((p) => p.ref === ref)), ...(yes ? of.map((p) => p.ref) : [])]);
  const all = refs.length === list.length;
  const decide = (done: string, operation: string, reason?: string) => {
    rejects(undefined);
    if (refs.length) void q.act(`${done} ${many(refs.length, "memory", "memories")}`, (h) => op(operation, { refs, reason }, undefined, h), refs).then(() => choose([]));
  };
  const approve = () => decide("approved", "approve");
  const reject = () => refs.length > 0 && rejects(true);
  useKeys(rejecting ? { Escape: () => rejects(undefined) } : { a: approve, r: reject, x: () => set(list, !all), u: () => void q.undo() });
  return (
    <div class="groups">
      {[...groups].map(([name, of]) => {
        const [what, own] = keyOf(of[0]!, by);
        const picked = of.filter((p) => refs.includes(p.ref)).length;
        return (
          <fieldset key={name} class="group">
            <legend>
              <label class="tick"><input type="checkbox" checked={picked === of.length} ref={(box) => { if (box) box.indeterminate = picked > 0 && picked < of.length; }} onChange={(e) => set(of, e.currentTarget.checked)} /> <b>{what}{own && <> <Words>{own}</Words></>}</b>, {many(of.length, "memory", "memories")}</label>
            </legend>
            <ul class="plain">
              {of.map((p) => (
                <li key={p.ref}>
                  <label class="tick"><input type="checkbox" checked={refs.includes(p.ref)} onChange={(e) => set([p], e.currentTarget.checked)} /> <Siglum kind={p.type} /> <Words>{p.headline}</Words></label>{" "}
                  <span class="note"><Ref to={p.ref} /> · <When at={p.created_at} />{p.why && ` · ${p.why}`}</span>
                </li>
              ))}
            </ul>
          </fieldset>
        );
      })}
      {rejecting && <Ask label="Why are they wrong? (optional)" act="Reject" empty onDone={(why) => decide("rejected", "reject", why || undefined)} onStop={() => rejects(undefined)} />}
      <div class="acts">
        <Key k="a" act={approve} main>Approve {refs.length}</Key>
        <Key k="r" act={reject}>Reject {refs.length}</Key>
        <Key k="x" act={() => set(list, !all)}>{all ? "Select none" : "Select all"}</Key>
      </div>
    </div>
  );
}
