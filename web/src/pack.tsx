import { op } from "./api";
import { go, memoryPath, type Place, To } from "./route";
import { useAsk, useTitle } from "./use";
import { Busy, many, Siglum, Trouble, Words } from "./words";

interface Entry {
  ref: string; kind: string; type?: string; tier?: string; state?: string; text: string; path?: string; why?: string;
  origin?: string; review?: string; level?: string; actionable?: boolean; disputed?: boolean; external?: boolean;
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
  verified: "Verified memories", observed: "Observed, not approved", unverified: "Unverified (use with caution)",
};

// What a reader must know of an entry before acting on it, in the words of the answer.
const standing = (e: Entry) => [
  e.tier, e.state, e.type, e.origin && `by ${e.origin}`, e.review, e.disputed && "disputed", e.external && "external", !e.actionable && "not to be acted on", e.path,
].filter(Boolean).join(" · ");

const levels: [string, string][] = [["minimal", "500"], ["task", "2,000"], ["deep", "4,000"]];

// PackView is what an agent would be given for a question, within its budget.
export function PackView({ place }: { place: Place }) {
  useTitle("context pack");
  const q = place.query, query = q.get("q") ?? "", level = q.get("level") ?? "task", budget = Number(q.get("budget")) || undefined;
  const asked = useAsk((s) => op<Reply>("context", { query: query || undefined, level, budget }, s), [q.toString()]);
  const r = asked.reply;
  const full = r ? Math.min(1, r.used / r.budget) : 0;
  return (
    <section aria-labelledby="pack">
      <h1 id="pack">Context pack</h1>
      <p class="note">What an agent gets for a question, within a budget of tokens.</p>
      <form class="search" key={q.toString()} onSubmit={(e) => {
        e.preventDefault();
        const out = new URLSearchParams();
        new FormData(e.currentTarget).forEach((v, k) => v && out.set(k, String(v)));
        go(`/pack?${out}`);
      }}>
        <div class="row">
          <label class="sr" for="pq">Question</label>
          <input id="pq" name="q" type="search" defaultValue={query} placeholder="Leave empty for the best grounded and newest" autocomplete="off" />
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
            <p>{r.used.toLocaleString("en")} of {many(r.budget, "token")}</p>
          </div>
          {r.sections.length === 0 && <p class="note">No memory is relevant.</p>}
          {r.sections.map((s) => (
            <section key={s.name} aria-label={s.name}>
              <h2>{titles[s.name] ?? s.name}</h2>
              <ol class="plain said">
                {s.entries.map((e) => (
                  <li key={e.ref}>
                    <Siglum kind={e.kind} /> <To to={memoryPath(e.ref)} class="headline"><Words>{e.text}</Words></To>
                    <p class="note">{standing(e)} {e.why && <Words>{e.why}</Words>}</p>
                  </li>
                ))}
              </ol>
            </section>
          ))}
          {!!r.omitted?.length && (
            <details>
              <summary>Left out</summary>
              <ul class="plain note">{r.omitted.map((o) => <li key={`${o.section} ${o.reason}`}>{o.count}{o.section && ` of ${titles[o.section] ?? o.section}`}: <Words>{o.reason}</Words></li>)}</ul>
            </details>
          )}
        </>
      )}
    </section>
  );
}
