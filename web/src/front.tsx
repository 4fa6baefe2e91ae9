import { useState } from "preact/hooks";
import { type Found, Problem } from "./api";
import { lost } from "./away";
import { readsAs } from "./chosen";
import { takeFront } from "./first";
import { cutTo, type From, FromWords } from "./from";
import { Item } from "./found";
import { News, useNews } from "./link";
import { To } from "./route";
import { Setup } from "./setup";
import { Ago } from "./standing";
import { useAsk } from "./use";
import { figure, kinds, many, Siglum, Trouble, Words } from "./words";

interface Counted { count: number; more?: boolean }
export interface Status {
  records: number;
  memories: { kind: string; total: number; live: number }[];
  unprocessed_raws: number;
  open_jobs: number;
  pending_reviews: Counted;
  open_conflicts: Counted;
  held_back: Counted;
  proposals: Record<string, number>;
  needs_verification: Counted;
  uncertain: Counted;
  last_capture?: string;
}
interface One { ref: string; type: string; text: string; beside?: string; at: string }
interface Waits { groups: { from: From; count: number; first: One[] }[]; others?: number; count: number; more?: boolean; conflicts?: number }
export interface Front { waits: Waits; newest: Found[]; status: Status }

async function front(signal: AbortSignal): Promise<Front> {
  let r: Response;
  try {
    r = await fetch("/ui/front", { signal, headers: readsAs() });
  } catch (e) {
    if (!signal.aborted) lost();
    throw signal.aborted ? e : new Problem(0, "unreachable", "The server does not answer.");
  }
  if (r.status === 401) window.dispatchEvent(new Event("stemma:signed-out"));
  if (!r.ok) throw new Problem(r.status, "", String(((await r.json().catch(() => ({}))) as { detail?: string }).detail ?? `The server answered ${r.status}.`));
  return (await r.json()) as Front;
}

// FrontView is the first view, before anything is asked. The server writes the same (internal/web/firsthtml.go).
export function FrontView({ queue }: { queue?: boolean }) {
  const [given] = useState(takeFront<Front>), asked = useAsk(front, [], given);
  const [news, none] = useNews((k) => k !== "raw" && kinds.includes(k));
  const c = (n: Counted) => `${figure(n.count)}${n.more ? "+" : ""}`;
  const s = asked.reply?.status, list = asked.reply?.newest;
  const empty = list?.length === 0 && s?.unprocessed_raws === 0 && s.memories.length === 0;
  return (
    <div class="front">
      <div>
      {queue && !empty && asked.reply && <Needs of={asked.reply.waits} />}
      <section aria-labelledby="newest">
        <div class="row"><h2 id="newest" class={empty ? "sr" : undefined}>New</h2><News count={news} show={() => { none(); asked.again(); }} /></div>
        <Trouble error={asked.error} again={asked.again} />
        {empty && <Setup title="This store is empty. Three ways to begin" done={asked.again} />}
        {list?.[0]?.type === "raw" && <p class="note">Only captures so far. <code>stemma process</code> makes memories of them.</p>}
        <ol class="results">{list?.map((m) => <Item key={m.ref} r={m} />)}</ol>
      </section>
      </div>
      <section aria-labelledby="waits">
        <h2 id="waits">In numbers</h2>
        {s && (
          <dl class="tally">
            <dt><To to="/review">to review</To></dt><dd>{c(s.pending_reviews)}</dd>
            <dt><To to="/review">after outside words</To></dt><dd>{c(s.held_back)}</dd>
            <dt><To to="/conflicts">conflicts</To></dt><dd>{c(s.open_conflicts)}</dd>
            <dt><To to="/conflicts">proposals for you</To></dt><dd>{figure(s.proposals.for_person ?? 0)}</dd>
            <dt>proposals for agents</dt><dd>{figure(s.proposals.for_agent ?? 0)}</dd>
            <dt>about code, to verify</dt><dd>{c(s.needs_verification)}</dd>
            <dt>confidence below 0.50</dt><dd>{c(s.uncertain)}</dd>
            <dt>unprocessed captures</dt><dd>{figure(s.unprocessed_raws)}</dd>
            <dt><To to="/health">open jobs</To></dt><dd>{figure(s.open_jobs)}</dd>
          </dl>
        )}
        {s && <h2>In this store</h2>}
        {s && (
          <dl class="tally">
            {s.memories.length === 0 && <><dt class="note">nothing yet</dt><dd /></>}
            {s.memories.map((k) => <><dt key={k.kind}><Siglum kind={k.kind} /> <To to={`/search?kind=${k.kind}&space=*`}>{k.kind}</To></dt><dd>{figure(k.live)}</dd></>)}
          </dl>
        )}
        {s && !empty && <p class="note"><To to="/begin">Connect an agent or import</To></p>}
      </section>
    </div>
  );
}

// Needs is what waits for a person, in groups: those with the oldest first.
function Needs({ of: w }: { of: Waits }) {
  return (
    <section aria-labelledby="needs">
      <div class="row"><h2 id="needs">Needs you</h2>{w.count > 0 && <><p class="note">{w.more ? `${figure(w.count)}+ memories` : many(w.count, "memory", "memories")}</p><span class="push" /><To class="go" to="/review">Review all</To></>}</div>
      {w.count + (w.conflicts ?? 0) === 0 && <p class="note">Nothing waits for you.</p>}
      <ol class="plain needs">
        {w.groups.map((g) => (
          <li key={g.from.how + g.from.key}>
            <p><To class="headline" to={g.from.how === "conflicts" ? "/conflicts" : `/review?from=${g.from.key}`}><FromWords of={g.from} /></To> <span class="note">{g.from.agent && <><Words>{cutTo(g.from.agent)}</Words> · </>}{g.from.how === "conflicts" ? figure(g.count) : many(g.count, "memory", "memories")} · <Ago at={g.first[0]!.at} /></span></p>
            <ul class="plain">{g.first.map((one) => <li key={one.ref}><Siglum kind={one.type} /> <Words>{one.text}</Words>{one.beside && <> <span class="note">or</span> <Words>{one.beside}</Words></>}</li>)}{g.count > g.first.length && <li class="note">and {figure(g.count - g.first.length)} more</li>}</ul>
          </li>
        ))}
      </ol>
      {!!w.others && <p class="note"><To to="/review">and {figure(w.others)} more groups</To></p>}
    </section>
  );
}
