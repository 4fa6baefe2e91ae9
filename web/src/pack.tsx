import { op } from "./api";
import { News, useNews } from "./link";
import { go, memoryPath, type Place, To } from "./route";
import { Save } from "./save";
import { Standing, type Stands, status } from "./standing";
import { useAsk, useTitle } from "./use";
import { beside as others, Busy, figure, kinds, many, Siglum, Trouble, Words } from "./words";

interface Entry {
  ref: string; kind: string; type?: string; tier?: string; state?: string; text: string; path?: string; why?: string;
  origin?: string; review?: string; level?: string; actionable?: boolean; disputed?: boolean; external?: boolean; marks?: string[];
}
interface Reply {
  level: string;
  budget: number;
  used: number;
  sections: { name: string; entries: Entry[] }[];
  omitted?: { section?: string; reason: string; count: number }[]; // without a section: of the whole store
}

const titles: Record<string, string> = {
  needs: "Needs verification", constraints: "Constraints (always apply)", values: "Values", goals: "Goals", drives: "Drives",
  verified: "Approved", observed: "Not reviewed, from captured words", unverified: "Not reviewed or external: to be used with caution",
};

// How an entry stands, as lists show it. A pack has no figure of trust.
const stands = (e: Entry): Stands => ({ type: e.kind, tier: e.tier, level: e.level, review: e.review, disputed: e.disputed, unverified: e.external, actionable: e.actionable });

// What a reader must know of an entry beside that before acting on it.
const beside = (e: Entry) => [
  e.state && `code ${e.state.replaceAll("_", " ")}`, e.type, e.origin && `by ${e.origin}`, !e.marks && e.external && "from outside", !e.actionable && "ask before acting on it", e.path, ...others(e.marks),
].filter(Boolean).join(" · ");

const levels: [string, string][] = [["minimal", "500"], ["task", "2,000"], ["deep", "4,000"]];

// PackView is what an agent would be given for a question, within its budget.
export function PackView({ place }: { place: Place }) {
  useTitle("context pack");
  const q = place.query, query = q.get("q") ?? "", level = q.get("level") ?? "task", budget = Number(q.get("budget")) || undefined;
  const asked = useAsk((s) => op<Reply>("context", { query: query || undefined, level, budget }, s), [q.toString()]);
  const [news, none] = useNews((k) => kinds.includes(k));
  const r = asked.reply;
  const larger = r && [500, 2000, 4000, 8000, 16_000, 50_000].find((n) => n > r.budget);
  const lines = () => r!.sections.flatMap((s) => s.entries.map((e) => ({ section: titles[s.name] ?? s.name, ref: e.ref, kind: e.kind, text: e.text, status: status(stands(e))[0], tier: e.tier, level: e.level, origin: e.origin, review: e.review, actionable: e.actionable, disputed: e.disputed, external: e.external, code: e.state, path: e.path })));
  const full = r ? Math.min(1, r.used / r.budget) : 0;
  return (
    <section aria-labelledby="pack">
      <h1 id="pack">Context pack</h1>
      <p class="note">What an agent gets for a question, within a budget of tokens. Without a question: the best supported and newest memories.</p>
      <form class="search" key={q.toString()} onSubmit={(e) => {
        e.preventDefault();
        const out = new URLSearchParams();
        new FormData(e.currentTarget).forEach((v, k) => v && out.set(k, String(v)));
        go(`/pack?${out}`);
      }}>
        <div class="row">
          <label class="sr" for="pq">Question</label>
          <input id="pq" name="q" type="search" defaultValue={query} placeholder="A question or a task" autocomplete="off" />
          <label>level <select name="level">{levels.map(([l, n]) => <option key={l} value={l} selected={l === level}>{l}: {n}</option>)}</select></label>
          <label>budget <input class="narrow" name="budget" type="number" min="100" max="50000" defaultValue={budget?.toString() ?? ""} placeholder="tokens" /></label>
          <button type="submit" class="main">Pack</button>
        </div>
      </form>
      <Trouble error={asked.error} again={asked.again} />
      {!r && <Busy when={asked.busy} />}
      {r && (
        <>
          <div class="budget">
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={`${r.used} of ${r.budget} tokens used`}><rect class="room" width="100" height="4" /><rect class="taken" width={full * 100} height="4" /></svg>
            <p>{figure(r.used)} of {many(r.budget, "token")}</p>
          </div>
          <div class="row"><News count={news} show={() => { none(); asked.again(); }} /><span class="push" />{r.sections.length > 0 && <Save name="stemma-pack" what="this pack" lines={lines} />}</div>
          {r.sections.length === 0 && <p class="note">{query ? "No memory is relevant. Try other words." : <>Nothing to pack yet. <To to="/begin">Connect an agent or import</To> to fill it.</>}</p>}
          {r.sections.map((s) => (
            <section key={s.name} aria-label={s.name}>
              <h2>{titles[s.name] ?? s.name}</h2>
              <ol class="plain said">
                {s.entries.map((e) => (
                  <li key={e.ref}>
                    <Siglum kind={e.kind} /> <To to={memoryPath(e.ref)} class="headline"><Words>{e.text}</Words></To>
                    <div class="under"><Standing of={stands(e)} /><span class="note">{beside(e)}{e.why && <> · <Words>{e.why}</Words></>}</span></div>
                  </li>
                ))}
              </ol>
            </section>
          ))}
          {!!r.omitted?.length && (
            <details>
              <summary>Left out</summary>
              {larger && <p><button type="button" onClick={() => { const out = new URLSearchParams(q); out.set("budget", String(larger)); go(`/pack?${out}`); }}>More: a budget of {figure(larger)} tokens</button></p>}
              <ul class="plain note">{r.omitted.map((o) => <li key={`${o.section} ${o.reason}`}>{o.count}{o.section && ` of ${titles[o.section] ?? o.section}`}: <Words>{o.reason}</Words></li>)}</ul>
            </details>
          )}
        </>
      )}
    </section>
  );
}
