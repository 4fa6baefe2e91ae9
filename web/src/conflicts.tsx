import { standsAs } from "./acts";
import { Difference } from "./actbox";
import { type LinkEnd, type LinkView, op, Problem, type Standing, standings } from "./api";
import { around } from "./around";
import { cutTo } from "./from";
import { Menu } from "./menu";
import { Ask, Key, Said, useQueue } from "./queue";
import { go, type Place, To } from "./route";
import { Save } from "./save";
import { changedSince } from "./several";
import { Chip } from "./standing";
import { useAsk, useKeys, useMe, useOf, useTitle } from "./use";
import { beside, Busy, kindOf, many, Ref, Siglum, Trouble, When, Words } from "./words";

interface Open { conflicts: LinkView[]; more?: boolean }

const undecided = (l: LinkView) => l.state === "open" || l.state === "proposed";

// What was found, and how, in words.
const found: Record<string, string> = { contradict: "They contradict each other", update: "The newer one may replace the older", extend: "The newer one adds to the older", derive: "The newer one follows from the older" };
const by = (detector = "") => (detector.startsWith("rules") ? "Found by comparing their words." : detector === "model" ? "A model found it." : detector.startsWith("said") ? "It was said again in other words." : detector === "person" || detector === "owner" ? "A person linked them." : "");

const decided = (m: Standing) => (m.superseded_by ? "decided: one was kept" : m.review === "rejected" ? "dismissed" : m.review === "approved" ? "decided: both were kept" : "open again");

// ask reads what waits for a decision; with all also what the policy asks no person about; and of one memory both.
async function ask(of: string, all: boolean, s?: AbortSignal, limit = 50): Promise<Open> {
  if (of) return { conflicts: ((await op<{ links?: LinkView[] }>("show", { ref: of }, s)).links ?? []).filter(undecided) };
  const r = await op<Open>("conflicts", all ? { all, limit: -1 } : { limit }, s);
  return { ...r, conflicts: r.conflicts.filter(undecided) };
}

// ConflictsView is the queue of memories that do not go together.
export function ConflictsView({ place }: { place: Place }) {
  useTitle("conflicts");
  const mine = useMe()?.acts; // an agent may look
  const of = place.query.get("of") ?? "", all = !!place.query.get("all");
  const asked = useAsk((s) => ask(of, all, s), [of, all]);
  const q = useQueue(asked.reply?.conflicts, (l) => l.ref, asked.again, asked.reply?.more);
  const l = q.now;
  const [merging, merges] = useOf<true>(l?.ref);
  // what is decided on is the link and its two memories as they were shown
  const seen = useAsk(l ? (s) => standings([l.ref, l.old.ref, l.new.ref], s) : null, [asked.reply, l?.ref]);
  const decide = (what: string, how: Record<string, unknown>) => l && void q.act(what, async (headers) => {
    const was = new Map((seen.reply ?? []).map((m) => [m.ref, m])), now = await standings([l.ref, l.old.ref, l.new.ref]);
    const said = now.filter((m) => changedSince(m, was)).map((m) => (m.ref === l.ref ? "it is " + decided(m) : `“${m.headline}” is now ${standsAs(m)}`));
    if (said.length) throw new Problem(409, "changed", `changed since you read it, so nothing was stored: ${said.join("; ")}`);
    return op("resolve", { ref: l.ref, ...how }, undefined, { ...headers, "If-Match": was.has(l.ref) ? `"${was.get(l.ref)!.tag}"` : "*" });
  });
  const acts = {
    o: () => decide("kept the old one", { keep: "old" }),
    n: () => decide("kept the new one", { keep: "new" }),
    b: () => decide("kept both", { keep: "both" }),
    m: () => merges(true),
    d: () => decide("they have nothing to do with each other", { dismiss: true }),
  };
  const move = { s: q.skip, j: q.skip, k: q.back };
  useKeys(!mine ? move : merging ? { ...move, Escape: () => merges(undefined) } : { ...move, ...acts, u: () => void q.undo() });
  const is = new Map((seen.reply ?? []).map((m) => [m.ref, m]));

  return (
    <section aria-labelledby="conflicts" class="queue">
      <div class="row"><h1 id="conflicts">Conflicts</h1><p class="note" role="status">{asked.reply && q.left ? `${q.place} of ${many(q.total, "conflict")}${asked.reply.more ? " and more" : ""}` : ""}</p><span class="push" />
        {l && <Save name="stemma-conflicts" what="these conflicts" lines={async () => (await ask(of, all, undefined, -1)).conflicts.map((c) => ({ ref: c.ref, relation: c.relation, old: c.old.ref, old_text: c.old.text ?? c.old.headline, new: c.new.ref, new_text: c.new.text ?? c.new.headline, reason: c.reason, confidence: c.confidence, detector: c.detector, state: c.state, created_at: c.created_at }))} />}</div>
      {of ? <p class="note">Of one memory: <Ref to={of} />. <To to="/conflicts">All conflicts</To></p> : (
        <label class="tick"><input type="checkbox" checked={all} onChange={(e) => go(e.currentTarget.checked ? "/conflicts?all=1" : "/conflicts", true)} /> also what needs no decision</label>
      )}
      <Said q={q} />
      <Trouble error={asked.error} again={asked.again} />
      {!asked.reply && <Busy when={asked.busy} />}
      {asked.reply && !l && <p class="done">No open conflicts. Memories that contradict or may replace each other wait here{of || all ? "" : " when the policy asks you about them"}.</p>}
      {l && (
        <article class="item" aria-label="To be decided">
          <h2>{found[l.relation] ?? l.relation}</h2>
          <p class="reason">{l.reason && <><Words>{l.reason}</Words>. </>}<span class="note">{by(l.detector)} <Ref to={l.ref}>the record of it</Ref></span></p>
          <div class="pair">
            <Side title="Older" end={l.old} other={l.new} is={is.get(l.old.ref)} />
            <Side title="Newer" end={l.new} other={l.old} is={is.get(l.new.ref)} />
          </div>
          <Difference before={l.old.text ?? l.old.headline} after={l.new.text ?? l.new.headline} />
          {merging && <Ask label="Text that replaces both" act="Merge" text={l.new.headline} onDone={(merge) => decide("merged", { merge })} onStop={() => merges(undefined)} />}
          <div class="acts">
            {mine && (
              <>
                <Key k="o" act={acts.o}>Keep old</Key>
                <Key k="n" act={acts.n}>Keep new</Key>
                <Key k="b" act={acts.b}>Keep both</Key>
                <Menu>
                  <Key k="m" act={acts.m}>Merge</Key>
                  <Key k="d" act={acts.d}>Dismiss: they have nothing to do with each other</Key>
                </Menu>
              </>
            )}
            <Key k="s" act={q.skip}>Skip</Key>
          </div>
        </article>
      )}
    </section>
  );
}

// Side is one of the two: when it was said, by whom, and the words that it comes from.
function Side({ title, end, other, is }: { title: string; end: LinkEnd; other: LinkEnd; is?: Standing }) {
  const pair = other.ref.slice(0, other.ref.indexOf(":") + 9); // that the two are a pair is said above them
  const behind = useAsk(() => around(end.ref), [end.ref]);
  const turns = behind.reply?.ref === end.ref ? behind.reply.talks.flatMap((t) => t.turns.filter((u) => u.behind)) : [];
  const who = end.speaker ?? end.by ?? is?.agent;
  return (
    <div class="side">
      <h2>{title} <span class="note"><When at={end.at ?? end.created_at} /></span></h2>
      <p class="item-words"><Words>{end.text ?? end.headline}</Words></p>
      <p class="overline">{is && <Chip of={is} />} <Siglum kind={kindOf(end.ref)} /> {who ? <Words>{cutTo(who)}</Words> : is?.origin === "owner" ? "you" : "an agent"} · <Ref to={end.ref} /></p>
      {beside(end.marks).map((m) => m !== end.hidden && !m.includes(pair) && <p key={m} class="note"><Words>{m}</Words></p>)}
      {behind.reply && !turns.length && <p class="note">No captured words stand behind it.</p>}
      {turns.map((u) => <p key={u.ref} class="quote">{u.speaker && <><Words>{cutTo(u.speaker, 40)}</Words>, </>}<When at={u.at ?? u.created_at} only="day" />: “<Ref to={u.ref}><Words>{cutTo(u.text ?? u.headline, 600)}</Words></Ref>”</p>)}
    </div>
  );
}
