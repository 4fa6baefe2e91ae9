import { useEffect, useState } from "preact/hooks";
import { type Memory, op, type Result } from "./api";
import { go, memoryPath, type Place, To } from "./route";
import { useAsk, useKeys, useTitle, wish } from "./use";
import { AxesLine, kinds, many, Marks, Ref, Siglum, Trouble, two, When, Words } from "./words";

interface Reply { results: Result[]; warnings?: string[]; embedder?: string; as_of?: string }
interface Status {
  records: number;
  memories: { kind: string; total: number; live: number }[];
  unprocessed_raws: number;
  open_jobs: number;
  pending_reviews: { count: number; more?: boolean };
  open_conflicts: { count: number; more?: boolean };
  needs_verification: { count: number; more?: boolean };
  uncertain: { count: number; more?: boolean };
  last_capture?: string;
}

const filters = ["kind", "tier", "min_level", "type", "tag", "session", "since", "until", "as_of"] as const;

// request makes of an address what is asked of the engine.
function request(q: URLSearchParams): Record<string, unknown> {
  const r: Record<string, unknown> = { query: q.get("q") ?? "", explain: true, include_provenance: true, limit: 20 };
  for (const f of filters) if (q.get(f)) r[f] = q.get(f);
  if (q.get("all")) r.all = true;
  return r;
}

export function SearchView({ place }: { place: Place }) {
  const q = place.query;
  const asks = [...q.keys()].some((k) => k === "q" || k === "all" || (filters as readonly string[]).includes(k)) && q.toString() !== "q=";
  const found = useAsk(asks ? (s) => op<Reply>("search", request(q), s) : null, [q.toString()]);
  const [at, setAt] = useState(-1);
  const list = asks ? (found.reply?.results ?? []) : [];
  useEffect(() => setAt(-1), [found.reply]);
  useEffect(() => {
    if (at >= 0) document.querySelectorAll<HTMLElement>(".result a.headline")[at]?.focus();
  }, [at]);
  useKeys({
    j: () => setAt(Math.min(at + 1, list.length - 1)),
    k: () => setAt(Math.max(at - 1, 0)),
  });
  useTitle(q.get("q") || "search");
  return (
    <>
      <SearchForm q={q} />
      {asks ? (
        <section aria-labelledby="found">
          <div class="row"><h2 id="found">{found.reply ? many(list.length, "memory", "memories") : "Searching"}</h2>
            <p class="note" role="status">{found.busy ? "searching…" : found.reply?.embedder ? `compared by words and by ${found.reply.embedder}` : ""}</p></div>
          <Trouble error={found.error} again={found.again} />
          {found.reply?.warnings?.map((w) => <p key={w} class="note"><Words>{w}</Words></p>)}
          {found.reply && list.length === 0 && <p class="note">No results. Try fewer words or filters.</p>}
          <ol class="results">{list.map((r) => <Found key={r.ref} r={r} />)}</ol>
        </section>
      ) : (
        <Front />
      )}
    </>
  );
}

function SearchForm({ q }: { q: URLSearchParams }) {
  const filtered = filters.some((f) => q.get(f)) || q.get("all");
  useEffect(() => {
    if (wish.search) document.getElementById("q")?.focus();
    wish.search = false;
  }, []);
  const submit = (e: Event) => {
    e.preventDefault();
    const out = new URLSearchParams();
    new FormData(e.currentTarget as HTMLFormElement).forEach((v, k) => {
      if (typeof v === "string" && v.trim()) out.set(k, v.trim());
    });
    go(`/search?${out}`);
  };
  return (
    <form role="search" class="search" onSubmit={submit} key={q.toString()}>
      <div class="row">
        <label class="sr" for="q">Search</label>
        <input id="q" name="q" type="search" value={q.get("q") ?? ""} placeholder="Search your memories" autocomplete="off" spellcheck={false} />
        <button type="submit" class="main">Search</button>
      </div>
      <details open={!!filtered}>
        <summary>Filters</summary>
        <div class="filters">
          <Pick name="kind" label="kind" q={q} from={kinds} />
          <Pick name="tier" label="tier, at least" q={q} from={["grounded", "observed", "inferred", "hypothesis"]} />
          <Pick name="min_level" label="trust, at least" q={q} from={["attested", "anchored", "consensus"]} />
          <Fill name="tag" label="tag" q={q} />
          <Fill name="type" label="type" q={q} />
          <Fill name="session" label="session" q={q} />
          <Fill name="since" label="since" q={q} hint="2026-01-31 or 48h" />
          <Fill name="until" label="until" q={q} />
          <Fill name="as_of" label="as known at" q={q} />
          <label class="tick"><input type="checkbox" name="all" value="1" checked={!!q.get("all")} /> hidden ones too</label>
        </div>
      </details>
    </form>
  );
}

function Pick({ name, label, q, from }: { name: string; label: string; q: URLSearchParams; from: string[] }) {
  return (
    <label>{label}
      <select name={name}>
        <option value="">any</option>
        {from.map((o) => <option key={o} value={o} selected={q.get(name) === o}>{o}</option>)}
      </select>
    </label>
  );
}

const Fill = ({ name, label, q, hint }: { name: string; label: string; q: URLSearchParams; hint?: string }) => (
  <label>{label} <input name={name} value={q.get(name) ?? ""} placeholder={hint} autocomplete="off" /></label>
);

function Found({ r }: { r: Result }) {
  const f = r.factors, w = r.why;
  return (
    <li class="result">
      <p>
        <Siglum kind={r.type} /> <To to={memoryPath(r.ref)} class={`headline ${r.hidden ? "was-" + r.hidden : ""}`}><Words>{r.text}</Words></To>
        <Marks hidden={r.hidden} tainted={r.tainted} />
      </p>
      <p class="under"><AxesLine of={r.type === "raw" ? { ...r, confidence: undefined } : r} /> <span class="note">{r.speaker && <><Words>{r.speaker}</Words>, </>}<When at={r.occurred_at ?? r.created_at} />{r.from && <> · from {r.from}</>}</span></p>
      <details class="why">
        <summary>
          <span class="number">{r.score.toFixed(3)}</span> = relevance {f.relevance.toFixed(3)} × tier {f.tier} × trust {f.trust.toFixed(3)} × recency {f.recency.toFixed(3)}
        </summary>
        {w && (
          <dl class="record">
            {!!w.terms?.length && <><dt>words it has</dt><dd>{w.terms.join(", ")}{w.asked && ` (of ${w.asked.join(", ")})`}</dd></>}
            <dt>its own words</dt><dd class="number">{w.own.toFixed(3)}</dd>
            {!!w.lent && <><dt>lent by its neighbours</dt><dd class="number">{w.lent.toFixed(3)}</dd></>}
            {!!w.session && <><dt>by its session</dt><dd class="number">{w.session.toFixed(3)}</dd></>}
            {!!w.graph && <><dt>by its lineage</dt><dd><span class="number">{w.graph.toFixed(3)}</span> {w.graph_by && <Ref to={w.graph_by} />}</dd></>}
            {!!w.cosine && <><dt>nearness of its vector</dt><dd class="number">{two(w.cosine)}</dd></>}
          </dl>
        )}
      </details>
      {r.undecided?.map((u) => <p key={u} class="note">Undecided: <Words>{u}</Words> <To to="/conflicts">decide</To></p>)}
    </li>
  );
}

// Front is what stands there before anything is asked.
function Front() {
  const status = useAsk((s) => op<Status>("status", {}, s), []);
  const newest = useAsk((s) => op<{ memories: Memory[] }>("list", { limit: 12 }, s), []);
  const c = (n: { count: number; more?: boolean }) => `${n.count.toLocaleString("en")}${n.more ? "+" : ""}`;
  const s = status.reply;
  return (
    <div class="front">
      <section aria-labelledby="newest">
        <h2 id="newest">Newest</h2>
        <Trouble error={newest.error} again={newest.again} />
        {newest.reply?.memories.length === 0 && <p class="note">No memories yet. To add one: <code>stemma remember "some words"</code></p>}
        <ol class="results">
          {newest.reply?.memories.map((m) => (
            <li key={m.ref} class="result">
              <p><Siglum kind={m.type} /> <To to={memoryPath(m.ref)} class="headline"><Words>{m.headline}</Words></To><Marks hidden={m.hidden} review={m.review} /></p>
              <p class="under"><AxesLine of={m} /> <span class="note"><When at={m.created_at} /> · {m.source}</span></p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="waits">
        <h2 id="waits">Waiting for you</h2>
        <Trouble error={status.error} again={status.again} />
        {s && (
          <dl class="tally">
            <dt><To to="/review">to be reviewed</To></dt><dd>{c(s.pending_reviews)}</dd>
            <dt><To to="/conflicts">conflicts</To></dt><dd>{c(s.open_conflicts)}</dd>
            <dt>of code, unverified</dt><dd>{c(s.needs_verification)}</dd>
            <dt>weak, below 0.50</dt><dd>{c(s.uncertain)}</dd>
            <dt>raws nothing was made of</dt><dd>{s.unprocessed_raws.toLocaleString("en")}</dd>
            <dt><To to="/health">jobs</To></dt><dd>{s.open_jobs.toLocaleString("en")}</dd>
          </dl>
        )}
        {s && <h2>In this store</h2>}
        {s && (
          <dl class="tally">
            {s.memories.map((k) => <><dt key={k.kind}><Siglum kind={k.kind} /> <To to={`/search?kind=${k.kind}`}>{k.kind}</To></dt><dd>{k.live.toLocaleString("en")}</dd></>)}
          </dl>
        )}
      </section>
    </div>
  );
}
