import { useEffect, useState } from "preact/hooks";
import { type Node, picture } from "./api";
import { go, memoryPath, type Place, To } from "./route";
import { useAsk, useTitle } from "./use";
import { AxesLine, Busy, kinds, Marks, Siglum, Trouble, two, When, Words } from "./words";

interface Entry extends Node { tier_now?: string; confidence_now?: number; hidden_now?: string }
interface Reply { as_of?: string; entries: Entry[]; more?: boolean }

const steps: [string, string][] = [["", "now"], ["24h", "a day ago"], ["168h", "a week ago"], ["720h", "30 days ago"]];

// TimelineView is what was recorded, as it was known at a time.
export function TimelineView({ place }: { place: Place }) {
  useTitle("timeline");
  const asOf = place.query.get("as_of") ?? "", kind = place.query.get("kind") ?? "";
  const [older, setOlder] = useState<Entry[]>([]);
  const [before, setBefore] = useState<string>();
  const base = { as_of: asOf || undefined, kind: kind || undefined, limit: 60 };
  const asked = useAsk((s) => picture<Reply>("timeline", { ...base, before }, s), [asOf, kind, before]);
  useEffect(() => {
    setOlder([]);
    setBefore(undefined);
  }, [asOf, kind]);
  const r = asked.reply;
  const known = new Set(older.map((e) => e.ref));
  const all = [...older, ...(r?.entries.filter((e) => !known.has(e.ref)) ?? [])];
  const show = (next: { as_of?: string; kind?: string }) => {
    const q = new URLSearchParams();
    const to = { as_of: asOf, kind, ...next };
    if (to.as_of) q.set("as_of", to.as_of);
    if (to.kind) q.set("kind", to.kind);
    go(`/timeline${q.size ? `?${q}` : ""}`);
  };
  return (
    <section aria-labelledby="timeline">
      <h1 id="timeline">Timeline</h1>
      <form class="row" onSubmit={(e) => e.preventDefault()}>
        <div class="tools" role="group" aria-label="As known on a day">
          {steps.map(([v, name]) => <button key={v} type="button" aria-pressed={asOf === v} onClick={() => show({ as_of: v })}>{name}</button>)}
        </div>
        <label>at <input type="datetime-local" value={/^\d{4}-/.test(asOf) ? local(asOf) : ""} onChange={(e) => {
          const at = new Date(e.currentTarget.value);
          show({ as_of: isNaN(at.getTime()) ? "" : at.toISOString() });
        }} /></label>
        <label>kind <select value={kind} onChange={(e) => show({ kind: e.currentTarget.value })}><option value="">all but raw</option>{kinds.map((k) => <option key={k}>{k}</option>)}</select></label>
      </form>
      {r?.as_of && <p class="banner">As known on <When at={r.as_of} />. Trust is today's.</p>}
      <Trouble error={asked.error} again={asked.again} />
      {!r && <Busy when={asked.busy} />}
      {r && !all.length && <p class="note">Nothing was recorded yet.</p>}
      {days(all).map(([at, list]) => (
        <section key={at} class="day" aria-label={at}>
          <h2><When at={list[0]!.at} only="day" /></h2>
          <ol class="plain">
            {list.map((e) => (
              <li key={e.ref}>
                <time class="hour" dateTime={e.at}>{new Date(e.at!).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}</time>
                <div>
                  <Siglum kind={e.kind} /> <To to={memoryPath(e.ref)} class={`headline ${e.hidden ? "was-" + e.hidden : ""}`}><Words>{e.words}</Words></To> <Marks hidden={e.hidden} disputed={e.disputed} />
                  <p class="under"><AxesLine of={e} /></p>
                  {(e.hidden_now || e.tier_now || e.confidence_now !== undefined) && (
                    <p class="note since">since then: {[e.hidden_now, e.tier_now, e.confidence_now !== undefined && `confidence ${two(e.confidence_now)}`].filter(Boolean).join(", ")}</p>
                  )}
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {r?.more && <p><button type="button" onClick={() => { setOlder(all); setBefore(all.at(-1)!.at); }}>Earlier</button></p>}
    </section>
  );
}

function days(list: Entry[]): [string, Entry[]][] {
  const by = new Map<string, Entry[]>();
  for (const e of list) {
    const day = new Date(e.at ?? 0).toDateString();
    by.set(day, [...(by.get(day) ?? []), e]);
  }
  return [...by];
}

function local(iso: string): string {
  const d = new Date(iso);
  return isNaN(d.getTime()) ? "" : new Date(d.getTime() - d.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
