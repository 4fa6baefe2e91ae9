// Groups are memories to review side by side: all of a group are chosen at once, or all but some.

import { useRef, useState } from "preact/hooks";
import { type Memory, type Source, type Standing, standings } from "./api";
import { acts } from "./acts";
import { Ask, Key, type Queue } from "./queue";
import { decide, type Left, leftAs } from "./several";
import { useKeys, useMe, useOf } from "./use";
import { many, Ref, Siglum, When, Words } from "./words";

export interface Pending extends Memory { asks: boolean; why?: string; sources?: Source[]; near?: Source[] }
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

// strange is whose session it is where that is somebody else: they may give it the name of one's own.
const strange = (p: Pending) => (p.marks?.includes("external") ? p.author : "");

export function Groups({ list, by, q, seen, told }: { list: Pending[]; by: Grouping; q: Queue<Pending>; seen: Map<string, Standing>; told: (l: Left[]) => void }) {
  const mine = useMe()?.acts;
  const [chosen, choose] = useState<string[]>([]);
  const names = useRef(new Map<string, string>()); // a request that is sent again is done once
  const [rejecting, rejects] = useOf<true>(by);
  const groups = new Map<string, Pending[]>();
  for (const p of list) {
    const name = [...keyOf(p, by), ...(by === "session" ? [p.space, strange(p)] : [])].join(" ");
    groups.set(name, [...(groups.get(name) ?? []), p]);
  }
  const refs = chosen.filter((ref) => list.some((p) => p.ref === ref));
  const set = (of: Pending[], yes: boolean) => choose((was) => [...was.filter((ref) => !of.some((p) => p.ref === ref)), ...(yes ? of.map((p) => p.ref) : [])]);
  const all = refs.length === list.length;
  const act = (id: string, reason = "") => {
    rejects(undefined);
    if (refs.length) void q.several(async () => {
      const a = acts.find((one) => one.id === id)!, late = await standings(refs.filter((r) => !seen.has(r)));
      const all = [...refs.flatMap((r) => seen.get(r) ?? []), ...late], could = all.filter(a.when);
      const { done, left, replies } = await decide(a, could, seen, reason, names.current);
      names.current.clear();
      choose([]);
      const said = done.length ? `${a.done} ${many(done.length, "memory", "memories")}` : "";
      const rest = [...all.filter((m) => !could.includes(m)).map((m) => leftAs(m, seen)), ...left];
      told(rest);
      if (rest.length) q.again();
      return { said, reply: replies, gone: done };
    });
  };
  const approve = () => act("approve");
  const reject = () => refs.length > 0 && rejects(true);
  useKeys(!mine ? {} : rejecting ? { Escape: () => rejects(undefined) } : { a: approve, r: reject, x: () => set(list, !all) });
  return (
    <div class="groups">
      {[...groups].map(([name, of]) => {
        const [what, own] = keyOf(of[0]!, by);
        const picked = of.filter((p) => refs.includes(p.ref)).length;
        return (
          <fieldset key={name} class="group">
            <legend>
              <label class="tick"><input type="checkbox" disabled={!mine} checked={picked === of.length} ref={(box) => { if (box) box.indeterminate = picked > 0 && picked < of.length; }} onChange={(e) => set(of, e.currentTarget.checked)} /> <span><b>{what}{own && <> <Words>{own}</Words></>}</b>{by === "session" && strange(of[0]!) && <> of <bdi class="mono" title={strange(of[0]!)}>…{strange(of[0]!).slice(-8)}</bdi></>}, {many(of.length, "memory", "memories")}</span></label>
            </legend>
            <ul class="plain">
              {of.map((p) => (
                <li key={p.ref}>
                  <label class="tick"><input type="checkbox" disabled={!mine} checked={refs.includes(p.ref)} onChange={(e) => set([p], e.currentTarget.checked)} /> <Siglum kind={p.type} /> <Words>{p.text ?? p.headline}</Words></label>{" "}
                  <span class="note"><Ref to={p.ref} /> · <When at={p.at ?? p.created_at} />{p.why && ` · ${p.why}`}</span>
                </li>
              ))}
            </ul>
          </fieldset>
        );
      })}
      {rejecting && <Ask label="Why are they wrong? (optional)" act="Reject" empty onDone={(why) => act("reject", why)} onStop={() => rejects(undefined)} />}
      {mine && (
        <div class="acts">
          <Key k="a" act={approve} main>Approve {refs.length || ""}</Key>
          <Key k="r" act={reject}>Reject {refs.length || ""}</Key>
          <Key k="x" act={() => set(list, !all)}>{all ? "Select none" : "Select all"}</Key>
        </div>
      )}
    </div>
  );
}
