import { standsAs } from "./acts";
import { type Drawing, type LinkEnd, type LinkView, op, picture, Problem, type Standing, standings } from "./api";
import { Ask, Key, Said, useQueue } from "./queue";
import { go, type Place, To } from "./route";
import { Save } from "./save";
import { changedSince } from "./several";
import { useAsk, useKeys, useMe, useOf, useTitle } from "./use";
import { AxesLine, Busy, kindOf, many, Marks, Ref, Siglum, Trouble, two, When, Words } from "./words";

interface Open { conflicts: LinkView[]; more?: boolean }

const undecided = (l: LinkView) => l.state === "open" || l.state === "proposed";

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
  const ends = useAsk(l ? (s) => picture<Drawing>("graph", { only: [l.old.ref, l.new.ref] }, s) : null, [l?.ref]);
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
  const axes = (end: LinkEnd) => ends.reply?.nodes.find((n) => n.ref === end.ref);

  return (
    <section aria-labelledby="conflicts" class="queue">
      <div class="row"><h1 id="conflicts">Conflicts</h1><p class="note" role="status">{asked.reply && q.left ? `${q.place} of ${many(q.left, "conflict")}${asked.reply.more ? " and more" : ""}` : ""}</p><span class="push" />
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
          <p class="overline">{l.relation === "contradict" ? "They contradict each other" : l.relation === "update" ? "The new one may replace the old" : l.relation}, {two(l.confidence)} sure{l.detector && <>, found by <Words>{l.detector}</Words></>} · <Ref to={l.ref} /></p>
          {l.reason && <p class="reason"><Words>{l.reason}</Words></p>}
          <div class="pair">
            <Side title="Old" end={l.old} other={l.new} of={axes(l.old)} />
            <Side title="New" end={l.new} other={l.old} of={axes(l.new)} />
          </div>
          {merging && <Ask label="Text that replaces both" act="Merge" text={l.new.headline} onDone={(merge) => decide("merged", { merge })} onStop={() => merges(undefined)} />}
          <div class="acts">
            {mine && (
              <>
                <Key k="o" act={acts.o}>Keep old</Key>
                <Key k="n" act={acts.n}>Keep new</Key>
                <Key k="b" act={acts.b}>Keep both</Key>
                <Key k="m" act={acts.m}>Merge</Key>
                <Key k="d" act={acts.d}>Dismiss</Key>
              </>
            )}
            <Key k="s" act={q.skip}>Skip</Key>
          </div>
        </article>
      )}
    </section>
  );
}

function Side({ title, end, other, of }: { title: string; end: LinkEnd; other: LinkEnd; of?: Drawing["nodes"][number] }) {
  const pair = other.ref.slice(0, other.ref.indexOf(":") + 9); // that the two are a pair is said above them
  return (
    <div class="side">
      <h2>{title}</h2>
      <p class="overline"><Siglum kind={kindOf(end.ref)} /> <Ref to={end.ref} /> · <When at={end.at ?? end.created_at} /> <Marks hidden={end.hidden} /></p>
      <p class="item-words"><Words>{end.text ?? end.headline}</Words></p>
      {end.marks?.map((m) => m !== end.hidden && !m.includes(pair) && <p key={m} class="note"><Words>{m}</Words></p>)}
      {of && <AxesLine of={of} />}
    </div>
  );
}
