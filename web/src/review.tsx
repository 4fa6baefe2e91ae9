import { useMemo, useState } from "preact/hooks";
import { op, type Result, type Standing, standings } from "./api";
import { actOn } from "./actbox";
import { byKey } from "./acts";
import { ActsButton } from "./doer";
import { type Grouping, groupings, Groups, type Pending } from "./groups";
import { Held, type HeldGroup } from "./held";
import { go, memoryPath } from "./route";
import { Ask, Key, Said, useQueue } from "./queue";
import { Save } from "./save";
import { type Left, Outcomes } from "./several";
import { useAsk, useKeys, useMe, useOf, useTitle } from "./use";
import { AxesLine, Busy, many, Marks, Ref, Siglum, Trouble, When, Words } from "./words";

type Doing = "reject" | "edit" | "merge" | undefined;

// ReviewView is the queue of what waits for a person, one by one or in groups, or of all that
// agents and models wrote and no person decided on.
export function ReviewView() {
  useTitle("review");
  const acts = useMe()?.acts; // an agent may look
  const [by, setBy] = useState<Grouping>("one by one");
  const [all, setAll] = useState(false);
  const grouped = by !== "one by one";
  const asked = useAsk((s) => op<{ pending: Pending[]; more?: boolean; held_back?: HeldGroup[] }>("review", { limit: grouped ? 500 : 50, all }, s), [grouped, all]);
  const seen = useAsk(asked.reply ? (s) => standings(asked.reply!.pending.map((p) => p.ref), s) : null, [asked.reply]);
  const tags = useMemo(() => new Map((seen.reply ?? []).map((m): [string, Standing] => [m.ref, m])), [seen.reply]);
  const q = useQueue(asked.reply?.pending, (p) => p.ref, asked.again, asked.reply?.more, tags);
  const p = q.now, held = asked.reply?.held_back ?? [];
  const [left, leave] = useState<Left[]>([]); // of a group, with what each is now
  const [doing, does] = useOf<Doing>(p?.ref);

  const approve = () => p && q.act(`approved “${p.headline}”`, (h) => op("approve", { refs: [p.ref] }, undefined, h));
  const reject = (reason: string) => p && q.act(`rejected “${p.headline}”`, (h) => op("reject", { refs: [p.ref], reason: reason || undefined }, undefined, h));
  const edit = (text: string) => p && q.act(`edited: “${text}”`, (h) => op("edit_suggestion", { ref: p.ref, text }, undefined, h));
  const merge = (text: string, ref: string) => p && q.act(`merged with ${ref}`, (h) => op("revise", { ref: p.ref, merge: [ref], from: [ref], text, approve: true }, undefined, h));

  const move = { s: q.skip, j: q.skip, k: q.back };
  // a decision begun is ended or left before another one
  const next = () => setBy(groupings[(groupings.indexOf(by) + 1) % groupings.length]!);
  useKeys(!acts ? { ...move, g: next } : doing ? { ...move, Escape: () => does(undefined) } : grouped ? { g: next, u: () => void q.undo() } : {
    ...move,
    g: next,
    a: () => void approve(),
    r: () => does("reject"),
    e: () => does("edit"),
    m: () => does("merge"),
    ...Object.fromEntries(["f", "q", "w", "v", "c", "t", "b"].map((k) => [k, () => {
      const m = p && tags.get(p.ref), a = m && byKey(m, k);
      if (a) actOn({ ref: m.ref, seen: m, act: a.id });
    }])),
    ".": () => p && actOn({ ref: p.ref, seen: tags.get(p.ref) }),
    Enter: () => p && go(memoryPath(p.ref)),
    u: () => void q.undo(),
  });

  return (
    <section aria-labelledby="review" class="queue">
      <div class="row"><h1 id="review">Review</h1><p class="note" role="status">{asked.reply && (q.left ? `${grouped ? "" : `${q.place} of `}${many(q.left, "memory", "memories")}${asked.reply.more ? " and more" : ""}` : "")}</p><span class="push" />
        {p && <Save name="stemma-review" what="what waits for review" lines={async () => (await op<{ pending: Pending[] }>("review", { limit: -1, all })).pending.map((m) => ({ ref: m.ref, kind: m.type, text: m.text ?? m.headline, why: m.why, tier: m.tier, trust: m.trust, level: m.level, confidence: m.confidence, origin: m.origin, agent: m.agent, session: m.session, space: m.space, tags: m.tags, at: m.at, created_at: m.created_at, source: m.source }))} />}</div>
      <div class="filters">
        <label>Group by <select value={by} onChange={(e) => setBy(e.currentTarget.value as Grouping)} aria-keyshortcuts="g">{groupings.map((g) => <option key={g}>{g}</option>)}</select></label>
        <label class="tick"><input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> also what needs no decision</label>
      </div>
      <Said q={q} />
      {left.length > 0 && <Outcomes list={left} close={() => leave([])} />}
      <Trouble error={asked.error} again={asked.again} />
      {!asked.reply && <Busy when={asked.busy} />}
      {asked.reply && !p && !held.length && <p class="done">Nothing to review. What an agent writes waits here when the policy asks you about it.</p>}
      {grouped && p && <Groups list={q.list} by={by} q={q} seen={tags} told={leave} />}
      {!grouped && p && (
        <article class="item" aria-label="To be decided">
          <p class="overline"><Siglum kind={p.type} /> {p.type} <Ref to={p.ref} /> · <When at={p.at ?? p.created_at} /> · {/^\d+ (?!source)/.test(p.source) && "from "}{p.source} · written by {p.origin === "owner" ? "you" : `an ${p.origin}`} <Marks hidden={p.hidden} /></p>
          <p class="item-words"><Words>{p.text ?? p.headline}</Words></p>
          {p.why && <p class="reason">You are asked because {p.why}.</p>}
          <AxesLine of={p} />
          {!!p.sources?.length && (
            <>
              <h2>Sources</h2>
              <ul class="plain">{p.sources.map((s) => <li key={s.ref}><Siglum kind={s.ref.split(":")[0]!} /> <Ref to={s.ref}><Words>{s.text ?? s.headline}</Words></Ref></li>)}</ul>
            </>
          )}
          {!!p.near?.length && (
            <>
              <h2>Near it</h2>
              <ul class="plain">{p.near.map((s) => <li key={s.ref}><Siglum kind={s.ref.split(":")[0]!} /> <Ref to={s.ref}><Words>{s.text ?? s.headline}</Words></Ref></li>)}</ul>
            </>
          )}
          {doing === "reject" && <Ask label="Why is it wrong? (optional)" act="Reject" empty onDone={reject} onStop={() => does(undefined)} />}
          {doing === "edit" && <Ask label="In better words" act="Keep these words" text={tags.get(p.ref)?.text ?? p.headline} differs onDone={edit} onStop={() => does(undefined)} />}
          {doing === "merge" && <Merge p={p} onDone={merge} onStop={() => does(undefined)} />}
          <div class="acts">
            {acts && (
              <>
                <Key k="a" act={() => void approve()} main>Approve</Key>
                <Key k="r" act={() => does("reject")}>Reject</Key>
                <Key k="e" act={() => does("edit")}>Edit</Key>
                <Key k="m" act={() => does("merge")}>Merge</Key>
              </>
            )}
            <Key k="s" act={q.skip}>Skip</Key>
            <ActsButton of={p.ref} words={p.headline} />
          </div>
        </article>
      )}
      <Held groups={held} q={q} told={leave} />
    </section>
  );
}

// Merge asks with which memory, and in what words.
function Merge({ p, onDone, onStop }: { p: Pending; onDone: (text: string, ref: string) => void; onStop: () => void }) {
  const near = useAsk((s) => op<{ results: Result[] }>("search", { like: p.ref, kind: p.type, limit: 6 }, s), [p.ref]);
  const [ref, setRef] = useState("");
  const others = near.reply?.results.filter((r) => r.ref !== p.ref) ?? [];
  if (near.reply && !others.length) return <p class="note">There is no other {p.type} like it. <button type="button" onClick={onStop}>Never mind</button></p>;
  if (ref) {
    const other = others.find((o) => o.ref === ref)!;
    return <Ask label={`Words that take the place of both (the other: “${other.text}”)`} act="Merge" text={p.headline} onDone={(t) => onDone(t, ref)} onStop={onStop} />;
  }
  return (
    <fieldset class="ask">
      <legend>Merge with</legend>
      <Busy when={near.busy} />
      <ul class="plain">{others.map((o, i) => <li key={o.ref}><button type="button" class="quiet" autofocus={i === 0} onClick={() => setRef(o.ref)}><Words>{o.text}</Words></button></li>)}</ul>
      <button type="button" onClick={onStop}>Never mind</button>
    </fieldset>
  );
}
