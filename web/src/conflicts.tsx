import { standsAs } from "./acts";
import { Difference } from "./actbox";
import { type LinkEnd, type LinkView, op, picture, Problem, type Standing, standings } from "./api";
import { Sources } from "./around";
import { AlsoOthers, Desk } from "./desk";
import { Author, cutTo, type QueueItem } from "./from";
import { Menu } from "./menu";
import { Ask, Key, moves, useQueue } from "./queue";
import { go, memoryPath, type Place, To } from "./route";
import { Save } from "./save";
import { changedSince } from "./several";
import { Chip } from "./standing";
import { useAsk, useKeys, useMe, useOf, useTitle } from "./use";
import { beside, Imported, ItemWords, kindOf, Ref, Siglum, When, Words } from "./words";

// A Pair is two memories that do not go together, or revisions of one that stand beside each other.
interface Pair { ref: string; made: string; relation: string; sides: LinkEnd[]; reason?: string; detector?: string; link?: LinkView }
interface Fork { shown: LinkEnd; siblings: LinkEnd[] }
interface Asked { conflicts: LinkView[]; forks?: Fork[]; more?: boolean }
type Side = Standing & Partial<QueueItem>;
interface Reply { pairs: Pair[]; more?: boolean; is: Map<string, Side> }

// What was found, in words: above the pair, and in the list.
const found: Record<string, [string, string]> = {
  contradict: ["They contradict each other", "contradict"], update: ["The newer one may replace the older", "may replace"], extend: ["The newer one adds to the older", "adds to it"],
  derive: ["The newer one follows from the older", "follows from it"], fork: ["Revised twice, without knowing of each other", "revised twice"],
};
const by = (detector = "") => (detector.startsWith("rules") ? "Found by comparing their words." : detector === "model" ? "A model found it." : detector === "caller" ? "An agent found it." : detector.startsWith("said") ? "It was said again in other words." : detector === "person" || detector === "owner" ? "A person linked them." : "");
// a rule's reason ends in the words that differ, which stand below
const reasonOf = ({ detector, reason = "" }: Pair) => (detector?.startsWith("rules") ? reason.split(": ")[0]!.replace(/^./, (c) => c.toUpperCase()) : reason);

const most = 200; // pairs that are listed at once
const undecided = (l: LinkView) => l.state === "open" || l.state === "proposed";
const ofLink = (l: LinkView): Pair => ({ ref: l.ref, made: l.created_at, relation: l.relation, sides: [l.old, l.new], reason: l.reason, detector: l.detector, link: l });
const ofFork = (f: Fork): Pair => ({ ref: f.shown.ref, made: f.shown.created_at ?? "", relation: "fork", sides: [f.shown, ...f.siblings] });

// all asks for what waits for a decision; with others also what the policy asks no person about; and of one memory both.
async function all(of: string, others: boolean, limit: number, s?: AbortSignal): Promise<Asked> {
  if (of) return { conflicts: ((await op<{ links?: LinkView[] }>("show", { ref: of }, s)).links ?? []).filter(undecided) };
  const r = await op<Asked>("conflicts", others ? { all: true, limit: -1 } : { limit }, s);
  return { ...r, conflicts: r.conflicts.filter(undecided) };
}

// ask asks for the pairs, and how all of them stand.
async function ask(of: string, others: boolean, s: AbortSignal): Promise<Reply> {
  const r = await all(of, others, most, s), list = [...(r.forks ?? []).map(ofFork), ...r.conflicts.map(ofLink)].sort((a, b) => a.made.localeCompare(b.made)), pairs = list.slice(0, most);
  const refs = [...new Set(pairs.flatMap((p) => p.sides.map((e) => e.ref)))];
  const [sides, links] = await Promise.all([
    refs.length ? picture<{ items: QueueItem[] }>("queue", { refs }, s) : { items: [] },
    standings(pairs.flatMap((p) => p.link?.ref ?? []), s),
  ]);
  return { pairs, more: r.more || list.length > most, is: new Map([...sides.items, ...links].map((m): [string, Side] => [m.ref, m])) };
}

const decided = (m: Standing) => (m.superseded_by ? "decided: one was kept" : m.review === "rejected" ? "dismissed" : m.review === "approved" ? "decided: both were kept" : "open again");
const words = (e: LinkEnd) => e.text ?? e.headline;

// subject is what both begin with.
function subject([a, b]: LinkEnd[]): string {
  const other = words(b!).split(/\s+/), one = words(a!).split(/\s+/), end = one.findIndex((w, i) => w !== other[i]);
  const both = one.slice(0, end < 0 ? one.length : end).join(" ");
  return both.length > 4 ? cutTo(both, 60) : "";
}

// ConflictsView is what does not go together: a list, and beside it both sides with the words that they come from.
export function ConflictsView({ place }: { place: Place }) {
  useTitle("conflicts");
  const mine = useMe()?.acts; // an agent may look
  const of = place.query.get("of") ?? "", others = !!place.query.get("all");
  const asked = useAsk((s) => ask(of, others, s), [of, others]);
  const is = asked.reply?.is;
  const q = useQueue({ place, list: asked.reply?.pairs, key: (p) => p.ref, again: asked.again, more: asked.reply?.more, seen: is });
  const p = q.now;
  const [merging, merges] = useOf<true>(p?.ref);
  // what is decided on is the link and its memories as they were shown
  const decide = (what: string, how: Record<string, unknown>) => p && void q.act(what, async (headers) => {
    const was = is!, now = await standings([...new Set([p.ref, ...p.sides.map((e) => e.ref)])].filter((ref) => was.has(ref)));
    const said = now.filter((m) => changedSince(m, was)).map((m) => (m.ref === p.link?.ref ? "it is " + decided(m) : `“${m.headline}” is now ${standsAs(m)}`));
    if (said.length) throw new Problem(409, "changed", `changed since you read it, so nothing was stored: ${said.join("; ")}`);
    return op("resolve", { ref: p.ref, ...how }, undefined, headers);
  });
  const fork = p?.relation === "fork";
  const acts = {
    o: () => decide("kept the older one", { keep: "old" }),
    n: () => decide("kept the newer one", { keep: "new" }),
    b: () => decide("kept both", { keep: "both" }),
    d: () => decide("dismissed: they have nothing to do with each other", { dismiss: true }),
  };
  const merge = () => merges(true), move = { ...moves(q), Enter: () => p && go(memoryPath(p.ref)) };
  useKeys(!mine ? move : merging ? { ...moves(q), Escape: () => merges(undefined) } : { ...move, ...(fork ? {} : acts), m: merge, u: () => void q.undo() });
  const title = (i: number) => (fork ? (i ? "Beside it" : "Shown to readers") : i ? "Newer" : "Older");
  return (
    <Desk name="conflicts" title="Conflicts" q={q} asked={asked} groups={[{ key: "", label: "Conflicts", items: q.list }]} of={(c) => c.ref} row={(c) => <Row of={c} is={is!} />}
      tools={<>
        {!of && <AlsoOthers all={others} />}
        {p && <Save name="stemma-conflicts" what="these conflicts" lines={async () => (await all(of, others, -1)).conflicts.map((c) => ({ ref: c.ref, relation: c.relation, old: c.old.ref, old_text: words(c.old), new: c.new.ref, new_text: words(c.new), reason: c.reason, confidence: c.confidence, detector: c.detector, state: c.state, created_at: c.created_at }))} />}
      </>}
      about={of && <>Of one memory: <Ref to={of} />. <To to="/conflicts">All conflicts</To></>}
      none="No open conflicts." says={`Memories that contradict or may replace each other wait here${of || others ? "" : " when the policy asks you about them"}.`}>
      {p && (
        <article class="item" aria-label="To be decided" aria-describedby="place">
          <h2>{found[p.relation]?.[0] ?? p.relation}</h2>
          <p class="reason">{reasonOf(p) && <><Words>{reasonOf(p)}</Words>. </>}<span class="note">{by(p.detector)} {p.link && <Ref to={p.ref}>Its record</Ref>}</span></p>
          <Difference before={words(p.sides[0]!)} after={words(p.sides[1]!)} brief />
          <div class="pair">{p.sides.map((e, i) => <Half key={e.ref} title={title(i)} end={e} of={p} is={is!.get(e.ref)} />)}</div>
          {merging && <Ask label="Text that replaces both" act="Merge" text={p.sides.at(-1)!.headline} onDone={(text) => decide("merged", { merge: text })} onStop={() => merges(undefined)} />}
          {!merging && <div class="acts">
            {mine && fork && <Key k="m" act={merge}>Merge</Key>}
            {mine && !fork && (
              <>
                <Key k="o" act={acts.o}>Keep older</Key>
                <Key k="n" act={acts.n}>Keep newer</Key>
                <Key k="b" act={acts.b}>Keep both</Key>
                <Menu>
                  <Key k="m" act={merge}>Merge</Key>
                  <Key k="d" act={acts.d}>Dismiss: they have nothing to do with each other</Key>
                </Menu>
              </>
            )}
            <Key k="j" act={q.skip}>Later</Key>
          </div>}
          <div class="pair">{p.sides.map((e, i) => is!.has(e.ref) && <section key={e.ref} class="side" aria-label={`Where it comes from: ${title(i)}`}><Sources of={is!.get(e.ref)!} /></section>)}</div>
        </article>
      )}
    </Desk>
  );
}

// Row is a pair in the list: what it is about, and each side with who said it and when.
const Row = ({ of: p, is }: { of: Pair; is: Map<string, Side> }) => (
  <>
    <span class="note">{subject(p.sides) && <><b><Words>{subject(p.sides)}</Words></b> · </>}{found[p.relation]?.[1] ?? p.relation}</span>
    {p.sides.map((e) => (
      <span key={e.ref} class="one-side">
        <span class="clamp"><Siglum kind={kindOf(e.ref)} /> <Words>{words(e)}</Words></span>
        <span class="note"><Said end={e} is={is.get(e.ref)} /></span>
      </span>
    ))}
  </>
);

// said is a speaker's words that a memory comes from, if any.
const said = (is?: Side) => (is?.own ? undefined : is?.words?.find((w) => w.speaker));

// Said is who said what a side is about, and when; of one without such words, who wrote it.
function Said({ end: e, is }: { end: LinkEnd; is?: Side }) {
  const by = said(is) ?? { ...is, ...e };
  return <><Author of={by} />, <When at={by.at ?? e.created_at} only="day" /></>;
}

// Half is one of the two: its words, when they were said, and by whom.
function Half({ title, end: e, of: p, is }: { title: string; end: LinkEnd; of: Pair; is?: Side }) {
  const others = p.sides.filter((o) => o !== e).map((o) => o.ref.slice(0, o.ref.indexOf(":") + 9)); // that they are a pair is said above them
  const at = said(is)?.at ?? e.at ?? e.created_at ?? "";
  return (
    <section class="side" aria-label={title}>
      <h2>{title} <span class="note"><When at={at} />{is && <Imported of={{ ...is, at }} />}</span></h2>
      <ItemWords>{words(e)}</ItemWords>
      <p class="overline">{is && <Chip of={is} />} <Siglum kind={kindOf(e.ref)} /> {said(is) && <>said by <Author of={said(is)!} /> · written by </>}<Author of={{ ...is, ...e }} />{is?.session && <> · session <Words>{cutTo(is.session)}</Words></>} · <Ref to={e.ref} /></p>
      {beside(e.marks).map((m) => m !== e.hidden && !others.some((o) => m.includes(o)) && <p key={m} class="note"><Words>{m}</Words></p>)}
    </section>
  );
}
