// What agents were given: a session after another, the newest first, each with its answers in the order of time.

import { useState } from "preact/hooks";
import { op } from "./api";
import { cutTo } from "./from";
import { type Place, To } from "./route";
import { Save } from "./save";
import { useAsk, useTitle } from "./use";
import { Busy, dayOf, kindOf, many, Ref, Siglum, Trouble, When, Words } from "./words";

interface Given { rank: number; ref: string; text: string; external?: boolean; remote?: string }
interface Receipt { id: string; op: string; at: string; origin: string; agent?: string; session?: string; query?: string; results: Given[] | null }
interface Reply { receipts: Receipt[]; more?: boolean }

// What an answer was asked for with.
const asked: Record<string, string> = { search: "searched", context: "asked for a pack", load: "was given the start", list: "listed", show: "looked at", timeline: "looked at the timeline", hook: "was shown by a tool" };

interface Session { key: string; of: Receipt; answers: Receipt[] }

// sessions puts answers together; those without a session are one of an agent's day.
function sessions(list: Receipt[]): Session[] {
  const out = new Map<string, Session>();
  for (const r of list) {
    const key = [r.agent ?? "", r.origin, r.session || dayOf(r.at)].join("\0");
    const s = out.get(key);
    if (s) s.answers.unshift(r);
    else out.set(key, { key, of: r, answers: [r] });
  }
  return [...out.values()];
}

const shown = 3;

// GivenView is the timeline of what agents were given.
export function GivenView({ place }: { place: Place }) {
  useTitle("given");
  const session = place.query.get("session") ?? "", ref = place.query.get("ref") ?? "";
  const [most, setMost] = useState(200);
  const found = useAsk((s) => op<Reply>("receipts", { limit: most, session: session || undefined, ref: ref || undefined }, s), [most, session, ref]);
  const list = found.reply?.receipts;
  return (
    <section aria-labelledby="given">
      <div class="row"><h1 id="given">Given to agents</h1><span class="push" />{!!list?.length && <Save name="stemma-given" what="what was given" lines={() => list.flatMap((r) => (r.results ?? []).map((g) => ({ at: r.at, agent: r.agent, session: r.session, asked: r.op, query: r.query, ref: g.ref, text: g.text, external: !!g.external })))} />}</div>
      <p class="note">What each session asked, and the memories in the answer. {(session || ref) && <To to="/given">All sessions</To>}</p>
      <Trouble error={found.error} again={found.again} />
      {!list && <Busy when={found.busy} />}
      {list?.length === 0 && <p class="note">No agent was given anything yet. <To to="/begin">Connect an agent</To> to begin.</p>}
      {sessions(list ?? []).map((s) => (
        <section key={s.key} class="given" aria-label={`Session of ${cutTo(s.of.agent ?? s.of.origin)}`}>
          <h2>{s.of.agent ? <Words>{cutTo(s.of.agent)}</Words> : s.of.origin === "owner" ? "you" : "an agent"} <span class="note"><When at={s.answers[0]!.at} />{s.of.session && <> · session <Words>{cutTo(s.of.session, 60)}</Words></>} · {many(s.answers.length, "answer")}</span></h2>
          <ol class="plain line">{s.answers.map((r) => <Answer key={r.id} of={r} />)}</ol>
        </section>
      ))}
      {found.reply?.more && <p><button type="button" onClick={() => setMost(most * 4)}>Earlier</button></p>}
    </section>
  );
}

function Answer({ of: r }: { of: Receipt }) {
  const [all, show] = useState(false), got = r.results ?? [], list = all ? got : got.slice(0, shown);
  return (
    <li>
      <p class="note"><When at={r.at} only="hour" /> {asked[r.op] ?? r.op}{r.query && <> “<Words>{cutTo(r.query, 200)}</Words>”</>} · {got.length ? many(got.length, "memory", "memories") : "nothing"}</p>
      <ul class="plain">
        {list.map((g) => <li key={g.ref}><Siglum kind={kindOf(g.ref)} /> <Ref to={g.ref}><Words>{cutTo(g.text, 300)}</Words></Ref>{g.external && <> <span class="chip t-waits">external</span></>}</li>)}
        {got.length > list.length && <li><button type="button" class="quiet" onClick={() => show(true)}>and {got.length - list.length} more</button></li>}
      </ul>
    </li>
  );
}
