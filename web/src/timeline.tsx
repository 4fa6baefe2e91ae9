import { useEffect, useState } from "preact/hooks";
import { type Node, picture } from "./api";
import { News, useNews } from "./link";
import { go, memoryPath, type Place, To } from "./route";
import { type Line, Save } from "./save";
import { Standing, status } from "./standing";
import { useAsk, useTitle } from "./use";
import { Busy, dayOf, happened, kinds, Siglum, Trouble, two, When, Words } from "./words";

interface Entry extends Node { happened?: string; tier_now?: string; confidence_now?: number; hidden_now?: string }
interface Reply { as_of?: string; entries: Entry[]; more?: boolean }

const page = 60, mostAtOnce = 500, mostSaved = 20_000;

// earlier asks for what follows a list. What was recorded at the same moment as its last is asked for again.
const earlier = (list: Entry[]) => {
  const last = list.at(-1)?.at;
  return { before: last, limit: Math.min(mostAtOnce, page + list.filter((e) => e.at === last).length) };
};

const join = (list: Entry[], next: Entry[]) => {
  const known = new Set(list.map((e) => e.ref));
  return [...list, ...next.filter((e) => !known.has(e.ref))];
};

const lineOf = (e: Entry): Line => ({
  recorded: e.at, ref: e.ref, kind: e.kind, text: e.words, speaker: e.speaker, status: status(e)[0], tier: e.tier, trust: e.trust, level: e.level, confidence: e.confidence, since_then: since(e),
});

const since = (e: Entry) => [e.hidden_now && happened(e.hidden_now), e.tier_now, e.confidence_now !== undefined && `confidence ${two(e.confidence_now)}`].filter(Boolean).join(", ");

const steps: [string, string][] = [["", "now"], ["24h", "a day ago"], ["168h", "a week ago"], ["720h", "30 days ago"]];

// TimelineView is what was recorded, as it was known at a time.
export function TimelineView({ place }: { place: Place }) {
  useTitle("timeline");
  const asOf = place.query.get("as_of") ?? "", kind = place.query.get("kind") ?? "";
  const [older, setOlder] = useState<Entry[]>([]);
  const base = { as_of: asOf || undefined, kind: kind || undefined };
  const asked = useAsk((s) => picture<Reply>("timeline", { ...base, ...(older.length ? earlier(older) : { limit: page }) }, s), [asOf, kind, older]);
  const [news, none] = useNews((k) => !asOf && (kind ? k === kind : k !== "raw" && kinds.includes(k)));
  const first = () => setOlder((was) => (was.length ? [] : was));
  useEffect(first, [asOf, kind]);
  const r = asked.reply, all = join(older, r?.entries ?? []), stuck = !asked.busy && older.length > 0 && all.length === older.length;
  const again = () => {
    none();
    first();
    asked.again();
  };
  const every = async () => {
    let list = all;
    for (let more = r?.more; more && list.length < mostSaved; ) {
      const next = await picture<Reply>("timeline", { ...base, ...earlier(list), limit: mostAtOnce }), joined = join(list, next.entries);
      more = next.more && joined.length > list.length;
      list = joined;
    }
    return list.map(lineOf);
  };
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
      {r && <div class="row"><News count={news} show={again} /><span class="push" />{all.length > 0 && <Save name="stemma-timeline" what="this timeline" lines={every} most={mostSaved} />}</div>}
      {r?.as_of && <p class="banner">As known on <When at={r.as_of} />. Trust is today's.</p>}
      <Trouble error={asked.error} again={asked.again} />
      {!r && <Busy when={asked.busy} />}
      {r && !all.length && <p class="note">{asOf || kind ? "Nothing was recorded by then, or of this kind." : <>Nothing was recorded yet. <To to="/begin">Connect an agent or import</To> to fill it.</>}</p>}
      {days(all).map(([at, list]) => (
        <section key={at} class="day" aria-label={at}>
          <h2><When at={list[0]!.at} only="day" /></h2>
          <ol class="plain">
            {list.map((e) => (
              <li key={e.ref}>
                <div>
                  <Siglum kind={e.kind} /> <To to={memoryPath(e.ref)} class={`headline ${e.hidden ? "was-" + e.hidden : ""}`}><Words>{e.words}</Words></To>
                  <div class="under"><Standing of={e.kind === "raw" ? { ...e, confidence: undefined } : e} /><span class="note">{e.happened && dayOf(e.happened) !== dayOf(e.at!) ? <>said <When at={e.happened} /></> : <When at={e.happened ?? e.at} only="hour" />}{(e.speaker ?? e.writer) && <> · <Words>{e.speaker ?? e.writer!}</Words></>}</span></div>
                  {since(e) && <p class="note since">since then: {since(e)}</p>}
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {r?.more && !stuck && <p><button type="button" onClick={() => setOlder(all)}>Earlier</button></p>}
      {r?.more && stuck && <p class="note">More than {mostAtOnce} were recorded at the same moment. Choose a kind or an earlier time to see others.</p>}
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
