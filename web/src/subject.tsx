import { useState } from "preact/hooks";
import { type Node, picture } from "./api";
import { go, memoryPath, type Place, To } from "./route";
import { Save } from "./save";
import { Ago, Standing, status } from "./standing";
import { useAsk, useTitle } from "./use";
import { Busy, figure, format, many, Siglum, Trouble, visible, Words } from "./words";

export const personPath = (name: string) => `/people?name=${encodeURIComponent(name)}`;

export interface Entity { name: string; kind: string; type?: string; count: number; kinds: Record<string, number>; first_seen: string; last_seen: string }
interface Event extends Node { happened: string; replaced_by?: string; open?: string[]; replaced?: Event[] }
interface Near { name: string; count: number }
interface Reply extends Entity {
  known: Event[];
  beyond?: number;
  events: Event[];
  more?: boolean;
  days: { day: string; count: number }[];
  near: Near[];
  others?: number;
  ties?: { a: number; b: number; count: number }[];
}

const day = 86_400_000;
const at = (d: string) => Date.parse(d + "T00:00:00Z");
const iso = (t: number) => new Date(t).toISOString().slice(0, 10);
const dated = format(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const say = (d: string) => dated(at(d));

// SubjectView is everything about one name: what is so now, what it replaced, what happened when, and who is near.
export function SubjectView({ name, place }: { name: string; place: Place }) {
  useTitle(visible(name));
  const q = place.query, from = q.get("from") ?? "", to = q.get("to") ?? "", n = Number(q.get("n")) || 100;
  const [known, setKnown] = useState(12);
  const asked = useAsk((s) => picture<Reply>("subject", { name, from: from || undefined, to: to || undefined, limit: Math.min(n, 1000), known }, s), [name, from, to, n, known]);
  const r = asked.reply;
  const range = (a: string, b: string, more = 0) => {
    const out = new URLSearchParams({ name });
    if (a && b) {
      out.set("from", a);
      out.set("to", b);
    }
    if (more) out.set("n", String(more));
    go(`/people?${out}`, true);
  };
  return (
    <article class="person" aria-labelledby="subject">
      <p class="overline"><To to="/people">People and things</To>{r && <> · {r.type || (r.kind !== "other" && r.kind)}{(r.type || r.kind !== "other") && " · "}{many(r.count ?? 0, "memory", "memories")}</>}</p>
      <h1 id="subject"><Words>{r?.name ?? name}</Words></h1>
      <Trouble error={asked.error} again={asked.again} />
      {!r && <Busy when={asked.busy} />}
      {r && (
        <div class="hunt">
          <div>
            <section aria-labelledby="facts">
              <h2 id="facts">What is known now</h2>
              {r.known.length === 0 && <p class="note">No current memory beyond captures and episodes.</p>}
              <ol class="results">
                {r.known.map((e) => (
                  <li key={e.ref} class="result">
                    <One e={e} />
                    {e.replaced?.map((old) => <p key={old.ref} class="note replaced">replaced: <To to={memoryPath(old.ref)} class={`was-${old.hidden}`}><Words>{old.words}</Words></To> <Ago at={old.happened} /></p>)}
                  </li>
                ))}
              </ol>
              {!!r.beyond && <p><button type="button" onClick={() => setKnown(Math.min(known * 4, 1000))} disabled={known >= 1000}>{many(r.beyond, "more", "more")} known now</button></p>}
            </section>
            <section aria-labelledby="events">
              <div class="row"><h2 id="events">Events</h2><span class="push" />
                <Save name="stemma-events" what="these events" most={1000} lines={async () => (await picture<Reply>("subject", { name, from: from || undefined, to: to || undefined, limit: 1000 })).events.map((e) => ({ happened: e.happened, ref: e.ref, kind: e.kind, text: e.words, status: status(e)[0], tier: e.tier, trust: e.trust, level: e.level, confidence: e.confidence, recorded: e.at }))} />
              </div>
              <Axis days={r.days} from={from} to={to} range={range} />
              <ol class="plain events">
                {r.events.map((e) => <li key={e.ref}><time dateTime={e.happened}>{say(e.happened.slice(0, 10))}</time><div><One e={e} /></div></li>)}
              </ol>
              {r.more && n < 1000 && <p><button type="button" onClick={() => range(from, to, Math.min(n * 3, 1000))}>Earlier</button></p>}
              {r.more && n >= 1000 && <p class="note">These are the newest 1,000 of the range. A narrower range shows others.</p>}
            </section>
          </div>
          <Around name={r.name} near={r.near} others={r.others ?? 0} ties={r.ties ?? []} />
        </div>
      )}
    </article>
  );
}

const One = ({ e }: { e: Event }) => (
  <>
    <p><Siglum kind={e.kind} /> <To to={memoryPath(e.ref)} class={`headline ${e.hidden ? "was-" + e.hidden : ""}`}><Words>{e.words}</Words></To></p>
    <div class="under"><Standing of={e} /><span class="note">{e.speaker && <><Words>{e.speaker}</Words> · </>}<Ago at={e.happened} /></span></div>
    {e.open?.map((o) => <p key={o} class="note">{visible(o)}, undecided</p>)}
  </>
);

const most = 60; // bars

// Axis shows how much happened when; a bar, or the keys, go into a part of it.
function Axis({ days, from, to, range }: { days: Reply["days"]; from: string; to: string; range: (a: string, b: string) => void }) {
  const lo = at(from || days[0]!.day), hi = at(to || days.at(-1)!.day), span = Math.max(1, Math.round((hi - lo) / day) + 1);
  const wide = Math.max(1, Math.ceil(span / most)), bars: { from: string; to: string; count: number }[] = [];
  for (let t = lo; t <= hi; t += wide * day) bars.push({ from: iso(t), to: iso(Math.min(hi, t + (wide - 1) * day)), count: 0 });
  for (const d of days) {
    const i = Math.floor((at(d.day) - lo) / (wide * day));
    if (bars[i] && at(d.day) <= hi) bars[i].count += d.count;
  }
  if (days.length < 2 && !from) return null; // one day needs no axis
  const top = Math.max(1, ...bars.map((b) => b.count)), x = 600 / bars.length;
  const zoom = (by: number) => {
    const middle = (lo + hi) / 2, half = Math.max(day / 2, ((hi - lo + day) / 2) * by);
    const first = at(days[0]!.day), last = at(days.at(-1)!.day);
    const a = Math.max(first, middle - half), b = Math.min(last, middle + half - day / 2);
    if (a <= first && b >= last) return range("", "");
    range(iso(a), iso(Math.max(a, b)));
  };
  const move = (by: number) => {
    const step = by * Math.max(1, Math.round(span / 2)) * day;
    range(iso(lo + step), iso(hi + step));
  };
  return (
    <figure class="axis-figure">
      <svg viewBox="0 0 600 64" preserveAspectRatio="none" role="img" aria-label={`${many(bars.reduce((n, b) => n + b.count, 0), "event")} from ${say(iso(lo))} to ${say(iso(hi))}`}>
        {bars.map((b, i) => b.count > 0 && (
          <rect key={b.from} x={i * x} width={Math.max(1, x - 1)} y={60 - Math.max(3, (56 * b.count) / top)} height={Math.max(3, (56 * b.count) / top)} onClick={() => range(b.from, b.to)}>
            <title>{`${b.from === b.to ? say(b.from) : `${say(b.from)} to ${say(b.to)}`}: ${many(b.count, "event")}`}</title>
          </rect>
        ))}
        <line x1="0" y1="61" x2="600" y2="61" />
      </svg>
      <figcaption>
        <span>{say(iso(lo))}</span>
        <span class="tools" role="group" aria-label="Range of the events">
          <button type="button" onClick={() => move(-1)} aria-label="Earlier days">←</button>
          <button type="button" onClick={() => zoom(0.5)} aria-label="Zoom in" disabled={span <= 1}>+</button>
          <button type="button" onClick={() => zoom(2)} aria-label="Zoom out" disabled={!from}>−</button>
          <button type="button" onClick={() => range("", "")} disabled={!from}>whole</button>
          <button type="button" onClick={() => move(1)} aria-label="Later days">→</button>
        </span>
        <span>{say(iso(hi))}</span>
      </figcaption>
    </figure>
  );
}

// Around is who and what stands in the same memories: a ring of at most 29, and the rest as a number.
function Around({ name, near, others, ties }: { name: string; near: Near[]; others: number; ties: NonNullable<Reply["ties"]> }) {
  if (near.length === 0) return <aside class="around" aria-label="In the same memories"><h2>In the same memories</h2><p class="note">No other name yet.</p></aside>;
  const r = 104, spot = (i: number) => {
    const a = (2 * Math.PI * i) / near.length - Math.PI / 2;
    return [130 + r * Math.cos(a), 130 + r * Math.sin(a)] as const;
  };
  const top = near[0]!.count;
  return (
    <aside class="around" aria-label="In the same memories">
      <h2>In the same memories</h2>
      <svg viewBox="0 0 260 260" aria-hidden="true">
        {ties.slice(0, 60).map((t) => <line key={`${t.a} ${t.b}`} class="tie" x1={spot(t.a)[0]} y1={spot(t.a)[1]} x2={spot(t.b)[0]} y2={spot(t.b)[1]} />)}
        {near.map((n, i) => <line key={n.name} class="spoke" x1="130" y1="130" x2={spot(i)[0]} y2={spot(i)[1]} stroke-width={0.8 + (3 * n.count) / top} />)}
        {near.map((n, i) => <g key={n.name} onClick={() => go(personPath(n.name))} class="spot"><circle cx={spot(i)[0]} cy={spot(i)[1]} r={6 + (5 * n.count) / top} /><text x={spot(i)[0]} y={spot(i)[1] + 3.2}>{i + 1}</text><title>{visible(n.name)}</title></g>)}
        <circle class="hub" cx="130" cy="130" r="16" />
        <text class="hub-name" x="130" y="134">{[...visible(name)][0] ?? ""}</text>
      </svg>
      <ol class="near">{near.map((n) => <li key={n.name}><To to={personPath(n.name)}><Words>{n.name}</Words></To> <span class="count number">{figure(n.count)}</span></li>)}</ol>
      {others > 0 && <p class="note">and {many(others, "other")} in fewer memories</p>}
    </aside>
  );
}
