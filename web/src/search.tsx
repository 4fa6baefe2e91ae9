import { render, type VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Found, type FoundReply, picture } from "./api";
import { Bulk, type Choice, useChoice } from "./bulk";
import { Facets, levelWords, members } from "./facets";
import { takeTyped } from "./first";
import { Item, lineOf } from "./found";
import { FrontView } from "./front";
import { News, useNews } from "./link";
import { reads, readsAs } from "./chosen";
import { address, go, is, moved, type Place } from "./route";
import { Save } from "./save";
import { type Asked, useAsk, useCalm, useKeys, useMe, useTitle, waits, wish } from "./use";
import { figure, kinds, many, Trouble, Words } from "./words";

const filters = ["kind", "tier", "min_level", "type", "tag", "session", "since", "until", "as_of", "space", ...members];

// How many are shown at first, at each step and at most.
const first = 20, step = 40, most = 1000, atOnce = 9;

// How long an answer is waited for before the next letters are asked about.
const between = 60;

// request is what an address asks of the engine.
function request(q: URLSearchParams): Record<string, unknown> {
  const r: Record<string, unknown> = { query: q.get("q") ?? "", explain: true, include_provenance: true, limit: Math.min(Number(q.get("n")) || first, most) };
  for (const f of filters) if (q.get(f) && f !== "space") r[f] = f === "tag_is" ? q.getAll(f) : q.get(f);
  if (q.get("all")) r.all = true;
  return r;
}

const asksFor = (q: URLSearchParams) => !!q.get("q")?.trim() || !!q.get("all") || filters.some((f) => q.get(f));

const find = (q: URLSearchParams, more: Record<string, unknown>, s?: AbortSignal) => picture<FoundReply>("found", { ...request(q), ...more }, s, q.get("space") ? readsAs(q.get("space")!) : undefined);

// The first view is not drawn again at each key.
const frontView = <FrontView queue />, newView = <FrontView />;

// What was asked at a key, before anything of it is drawn.
interface Early { key: string; reply: Promise<FoundReply>; got?: FoundReply; taken?: boolean; stop: AbortController }
let early: Early | undefined;

function ahead(q: URLSearchParams): Early | undefined {
  early?.stop.abort();
  early = undefined;
  if (!q.get("q")?.trim()) return;
  const stop = new AbortController(), reply = find(q, { here: true }, stop.signal), mine: Early = { key: q.toString() + reads(), reply, stop };
  reply.then((r) => (mine.got = r), () => {}); // whoever takes it up is told
  return (early = mine);
}

function taken(q: URLSearchParams): Promise<FoundReply> | FoundReply | undefined {
  if (early?.key !== q.toString() + reads()) return;
  if (!early.taken) return (early.taken = true) && (early.got ?? early.reply);
  early = undefined; // it is asked again: what came first is old

}

export function SearchView({ place }: { place: Place }) {
  const q = place.query, key = q.toString(), asks = asksFor(q), words = !!q.get("q")?.trim();
  const [typing, setTyping] = useState(false), queued = useRef(false); // who types on the first page is at /search by then
  const found = useAsk(asks ? (s) => (typing && taken(q)) || find(q, { here: typing }, s) : null, [key, typing]);
  // facets wait until nobody types: they look at everything that matches
  const [calm, setCalm] = useState("");
  useEffect(() => {
    if (!asks) return;
    const over = waits();
    const wait = window.setTimeout(() => {
      setCalm(key);
      over();
    }, typing ? 400 : 30);
    return () => {
      clearTimeout(wait);
      over();
    };
  }, [key, typing]);
  const [round, turn] = useState(0);
  const counted = useAsk(calm && asks ? (s) => find(new URLSearchParams(calm), { facets: true, here: true, limit: 1, explain: false }, s) : null, [calm, round, asks]);
  const [news, none] = useNews((k) => ((q.get("kind_is") ?? q.get("kind")) ? (q.get("kind_is") ?? q.get("kind")) === k : k !== "raw" && kinds.includes(k)));
  const [at, setAt] = useState(-1);
  const choice = useChoice(key), pick = useMe()?.acts ? choice : undefined;
  const come = typing && early?.key === key + reads() ? early.got : undefined;
  const r = asks ? (come ?? found.reply) : undefined, list = r?.results ?? [];
  // while somebody types, what is below the edge of the screen is drawn after what is above it
  const [drawn, draw] = useState<FoundReply>();
  useEffect(() => {
    if (!typing) return draw(r);
    const over = waits(), rest = window.setTimeout(() => {
      draw(r);
      over();
    }, between);
    return () => {
      clearTimeout(rest);
      over();
    };
  }, [r, typing]);
  const soon = typing && drawn !== r ? list.slice(0, atOnce) : list;
  // what an answer on its way does not change is not drawn again
  const items = useMemo(() => soon.map((one) => <Item key={one.ref} r={one} scored={words} choice={pick} />), [r, soon.length, key, !!pick, choice.refs.join()]);
  useEffect(() => setAt(-1), [key]);
  useEffect(() => {
    if (at >= 0) document.querySelectorAll<HTMLElement>(".result a.headline")[at]?.focus();
  }, [at]);
  useKeys({
    j: () => setAt(Math.min(at + 1, list.length - 1)),
    k: () => setAt(Math.max(at - 1, 0)),
    x: () => list[at] && pick?.set([list[at].ref], !pick.has(list[at].ref)),
  });
  const home = place.path === "/" || queued.current;
  queued.current = home && !asks;
  useTitle(q.get("q") || (home && !asks ? "queue" : "search"));
  const again = () => {
    none();
    found.again();
    turn(round + 1);
  };
  const total = counted.reply && calm === key ? counted.reply : undefined;
  // who types on the first page keeps it until there is something to show: one change of the page, and no empty list
  const stays = useRef(!asks), front = (stays.current = !asks || (stays.current && typing && !r && !found.error));
  const still = useCalm();
  useEffect(() => {
    if (!still || rehearsed) return;
    rehearsed = true;
    (window.requestIdleCallback ?? setTimeout)(rehearse);
  }, [still]);
  return (
    <>
      <h1 class="sr">{asks || !home ? "Search" : "Queue"}</h1>
      <SearchForm q={q} typed={setTyping} down={() => setAt(0)} />
      {asks && front && <p class="sr" role="status">Searching</p>}
      {front ? (home ? frontView : newView) : <Hunt q={q} of={r} items={items} total={total} news={news} again={again} asked={found} counted={counted} choice={pick} />}
    </>
  );
}

interface Hunted { q: URLSearchParams; of?: FoundReply; items: VNode[]; total?: FoundReply; news: number; again: () => void; asked: Asked<FoundReply>; counted: Asked<FoundReply>; choice?: Choice }

// Hunt is what was found, with what it can be narrowed to.
function Hunt({ q, of: r, items, total, news, again, asked, counted, choice }: Hunted) {
  const list = r?.results ?? [], all = async () => (await find(q, { limit: most, explain: false })).results;
  const more = () => {
    const out = new URLSearchParams(q);
    out.set("n", String(Math.min(list.length + step, most)));
    go(`/search?${out}`, true);
  };
  return (
    <div class="hunt">
      <section aria-labelledby="found">
        <div class="row">
          <h2 id="found"><span role="status">{!r ? "Searching" : total && !total.bounded ? many(total.total ?? 0, "memory", "memories") : `${many(list.length, "memory", "memories")}${r.more ? " and more" : ""}`}</span></h2>
          <News count={news} show={again} />
          <span class="push" />
          {r?.embedder && <span class="note">compared by words and by {r.embedder}</span>}
          {list.length > 0 && <Save name="stemma-search" what="these memories" most={most} lines={async () => (await all()).map(lineOf)} />}
        </div>
        <Trouble error={asked.error} again={asked.again} />
        {r?.warnings?.map((w) => <p key={w} class="note"><Words>{w}</Words></p>)}
        {r && list.length === 0 && <p class="note">No results. Try fewer words or filters, or include hidden memories.</p>}
        <ol class="results">{items}</ol>
        {r?.more && list.length < most && <p><button type="button" onClick={more}>More</button></p>}
        {choice && <Bulk choice={choice} list={list} all={all} key={q.toString()} />}
        {r?.more && list.length >= most && <p class="note">These are the best {figure(most)}. More words or a filter show others.</p>}
      </section>
      <Facets q={q} of={counted.reply} busy={counted.busy} />
    </div>
  );
}

// rehearse draws results where no one sees them, once the first view is there: a browser compiles what draws them then,
// and not at the first key.
function rehearse() {
  const off = document.createElement("div"), nothing = () => {}, asked = { busy: false, again: nothing };
  const one: Found = { rank: 1, ref: "note:0", type: "note", text: "words", pieces: ["", "words", " "], score: 1, factors: { relevance: 1, tier: 1, trust: 1, recency: 1 }, actionable: false, at: "2026-01-01T00:00:00Z", created_at: "", speaker: "words", marks: ["external", "two words"], tags: ["words"] };
  const list = Array.from({ length: atOnce }, () => one), of = { results: list }, choice: Choice = { refs: [], has: () => false, set: nothing };
  render(<Hunt q={new URLSearchParams()} of={of} items={list.map((r) => <Item r={r} scored choice={choice} />)} news={0} again={nothing} asked={asked} counted={asked} choice={choice} />, off);
  render(null, off);
}
let rehearsed = false;

function SearchForm({ q, typed, down }: { q: URLSearchParams; typed: (is: boolean) => void; down: () => void }) {
  const filtered = filters.some((f) => q.get(f)) || q.get("all");
  const [early] = useState(takeTyped), [text, setText] = useState(q.get("q") || early), calm = useCalm();
  const asked = useRef(q.get("q") ?? ""), last = useRef(0), wait = useRef(0), later = useRef<(() => void) | undefined>(undefined);
  useEffect(() => { // by the keys back and forward, or by a link
    const now = q.get("q") ?? "";
    if (now !== asked.current) {
      later.current = undefined;
      asked.current = now;
      setText(now);
    }
  }, [q.get("q")]);
  useEffect(() => {
    if (wish.search) document.getElementById("q")?.focus();
    wish.search = false;
    if (early.trim() && text === early) ask(early, true); // it was typed before the script came
    return () => {
      clearTimeout(wait.current);
      later.current = undefined;
    };
  }, []);
  const ask = (value: string, now: boolean, out = new URLSearchParams(location.search)) => {
    clearTimeout(wait.current);
    last.current = performance.now();
    const over = waits();
    asked.current = value.trim();
    out.delete("n");
    if (asked.current) out.set("q", asked.current);
    else out.delete("q");
    const to = `/search${out.size ? `?${out}` : ""}`;
    const move = (later.current = () => {
      over();
      if (later.current !== move || !is(to)) return; // another key came, or another view
      later.current = undefined;
      typed(now);
      moved();
    });
    const coming = now && ahead(out);
    address(to, location.pathname === "/search");
    if (!coming) return move();
    // the page is drawn once, with the answer; where that takes long, without it
    coming.reply.then(move, move);
    setTimeout(move, between);
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(wait.current);
    const rest = last.current + between - performance.now();
    if (rest <= 0) ask(value, true);
    else wait.current = window.setTimeout(() => ask(value, true), rest);
  };
  const submit = (e: Event) => {
    e.preventDefault();
    const out = new URLSearchParams(location.search);
    new FormData(e.currentTarget as HTMLFormElement).forEach((v, k) => {
      if (k !== "q" && typeof v === "string") v.trim() ? out.set(k, v.trim()) : out.delete(k);
    });
    const all = (e.currentTarget as HTMLFormElement).elements.namedItem("all") as HTMLInputElement | null;
    if (all && !all.checked) out.delete("all");
    ask(text, false, out);
  };
  const keys = (e: KeyboardEvent) => {
    if (e.key === "Escape") e.preventDefault(); // a browser would clear the field
    if (e.key === "ArrowDown") {
      e.preventDefault();
      down();
    }
  };
  const set = filters.map((f) => q.get(f)).join();
  // what a key does not change is not drawn again
  const fields = useMemo(() => (
    <div class="filters">
      <Pick name="kind" label="kind" q={q} from={kinds} />
      <Pick name="tier" label="tier, at least" q={q} from={["grounded", "observed", "inferred", "hypothesis"]} />
      <Pick name="min_level" label="trust, at least" q={q} from={["attested", "anchored", "consensus"]} />
      <Fill name="tag" label="tag" q={q} />
      <Fill name="type" label="type" q={q} />
      <Fill name="author" label="author" q={q} />
      <Fill name="session" label="session" q={q} />
      <Fill name="space" label="space" q={q} hint="* is all" />
      <Fill name="since" label="since" q={q} hint="2026-01-31 or 48h" />
      <Fill name="until" label="until" q={q} />
      <Fill name="as_of" label="as known at" q={q} />
      <label class="tick"><input type="checkbox" name="all" value="1" checked={!!q.get("all")} /> include hidden</label>
    </div>
  ), [set, q.get("all")]);
  return (
    <form role="search" class="search" onSubmit={submit}>
      <div class="row">
        <label class="sr" for="q">Search</label>
        <input id="q" name="q" type="search" value={text} onInput={(e) => type(e.currentTarget.value)} onKeyDown={keys} placeholder="Search your memories" autocomplete="off" spellcheck={false} />
        <button type="submit" class="main">Search</button>
      </div>
      <details open={!!filtered} key={set}>
        <summary>Filters</summary>
        {(calm || filtered) && fields}
      </details>
    </form>
  );
}

function Pick({ name, label, q, from }: { name: string; label: string; q: URLSearchParams; from: string[] }) {
  const now = q.get(name);
  return (
    <label>{label}
      <select name={name}>
        <option value="">any</option>
        {(now && !from.includes(now) ? [now, ...from] : from).map((o) => <option key={o} value={o} selected={now === o}>{name === "min_level" ? (levelWords[o] ?? o) : o}</option>)}
      </select>
    </label>
  );
}

const Fill = ({ name, label, q, hint }: { name: string; label: string; q: URLSearchParams; hint?: string }) => (
  <label>{label} <input name={name} defaultValue={q.get(name) ?? ""} placeholder={hint} autocomplete="off" /></label>
);
