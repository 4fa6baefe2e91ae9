import { useEffect, useMemo, useState } from "preact/hooks";
import { op, picture, type Result, type Standing } from "./api";
import { actOn } from "./actbox";
import { acts, byKey } from "./acts";
import { Around, around, forgetAround } from "./around";
import { AlsoOthers, type Batch, Desk } from "./desk";
import { Author, fromText, FromWords, type QueueItem } from "./from";
import { grouped, type Grouping, groupings, Row, together, Together } from "./groups";
import { Menu } from "./menu";
import { go, memoryPath, type Place, To, within } from "./route";
import { Ask, Key, moves, useQueue } from "./queue";
import { Save } from "./save";
import { decide, type Left, leftAs, Outcomes } from "./several";
import { Chip } from "./standing";
import { useAsk, useKeys, useMe, useOf, useTitle } from "./use";
import { beside, brief, Busy, Imported, ItemWords, many, Ref, Siglum, When, Words } from "./words";

type Doing = "reject" | "edit" | "merge" | undefined;

interface Reply { items: QueueItem[]; more?: boolean }

// ReviewView is what waits for a person: a list, and beside it all that a decision needs.
export function ReviewView({ place }: { place: Place }) {
  useTitle("review");
  const mine = useMe()?.acts; // an agent may look
  const only = place.query.get("from") ?? "";
  const all = !!place.query.get("all"), by = groupings.find((g) => g === place.query.get("by")) ?? groupings[0];
  const setBy = (g: Grouping) => go(within({ by: g === groupings[0] ? undefined : g }), true);
  const asked = useAsk((s) => picture<Reply>("queue", { all }, s), [all]);
  const groups = useMemo(() => {
    const list = asked.reply?.items, some = only ? list?.filter((p) => p.from.key === only) : list;
    return some && grouped(some, by);
  }, [asked.reply, by, only]);
  const seen = useMemo(() => new Map((asked.reply?.items ?? []).map((m): [string, Standing] => [m.ref, m])), [asked.reply]);
  const list = useMemo(() => groups?.flatMap((g) => g.items), [groups]);
  const more = asked.reply?.more && !only;
  const q = useQueue({ place, list, key: (p) => p.ref, again: () => (forgetAround(), asked.again()), more, seen });
  const p = q.now, waiting = useMemo(() => grouped(q.list, by), [q.list, by]);
  const [left, leave] = useState<Left[]>([]); // of a group, with what each is now
  const [doing, does] = useOf<Doing>(p?.ref);
  const [deciding, decides] = useState<{ act: "approve" | "reject"; key: string }>();
  const group = deciding && waiting.find((g) => g.key === deciding.key);
  const next = q.list[(q.place - q.done) % Math.max(1, q.left)];
  useEffect(() => {
    if (!p) return;
    around(p.ref).then(() => void (next && next !== p && around(next.ref)), () => {});
  }, [p?.ref]);

  // how it stands once it was decided so: a request whose answer was lost is found to be done
  const approve = () => p && q.act(`approved “${p.headline}”`, (h) => op("approve", { refs: [p.ref] }, undefined, h), "", (m) => m.review === "approved");
  const reject = (reason: string) => p && q.act(`rejected “${p.headline}”`, (h) => op("reject", { refs: [p.ref], reason: reason || undefined }, undefined, h), reason, (m) => m.review === "rejected");
  const edit = (text: string) => p && q.act(`edited: “${text}”`, (h) => op("edit_suggestion", { ref: p.ref, text }, undefined, h), text, (m) => !!m.superseded_by);
  const merge = (text: string, ref: string) => p && q.act(`merged with ${ref}`, (h) => op("revise", { ref: p.ref, merge: [ref], from: [ref], text, approve: true }, undefined, h), text + ref, (m) => !!m.superseded_by);
  const several = (act: "approve" | "reject", refs: string[], reason: string) => {
    void q.several(async (names) => {
      const a = acts.find((one) => one.id === act)!, stand = refs.flatMap((r) => seen.get(r) ?? []), could = stand.filter(a.when);
      const { done, left, replies } = await decide(a, could, seen, reason, names);
      leave([...stand.filter((m) => !could.includes(m)).map((m) => leftAs(m, seen)), ...left]);
      if (left.length) asked.again();
      return { said: done.length ? `${a.done} ${many(done.length, "memory", "memories")}` : "", reply: replies, gone: done };
    }).then((done) => done && decides(undefined));
  };
  const askGroup = (act: "approve" | "reject", g?: Batch<QueueItem>) => {
    if (!g) return;
    if (together(g).length) decides({ act, key: g.key });
    else leave([]);
  };
  const here = () => waiting.find((g) => g.items.some((o) => o.ref === p?.ref));
  const step = (by: number) => {
    const at = waiting.indexOf(here()!), g = waiting[(at + by + waiting.length) % waiting.length];
    if (g) q.choose(g.items[0]!.ref);
  };
  const move = { ...moves(q), J: () => step(1), K: () => step(-1), Enter: () => p && go(memoryPath(p.ref)), g: () => setBy(groupings[(groupings.indexOf(by) + 1) % groupings.length]!) };
  // a decision begun is ended or left before another one
  useKeys(!mine ? move : group ? { Escape: () => decides(undefined) } : doing ? { ...moves(q), Escape: () => does(undefined) } : {
    ...move,
    a: () => void approve(),
    r: () => does("reject"),
    e: () => does("edit"),
    m: () => does("merge"),
    A: () => askGroup("approve", here()),
    R: () => askGroup("reject", here()),
    ...Object.fromEntries(["f", "q", "w", "v", "c", "t", "b"].map((k) => [k, () => {
      const a = p && byKey(p, k);
      if (a) actOn({ ref: p.ref, seen: p, act: a.id });
    }])),
    ".": () => p && actOn({ ref: p.ref, seen: p }),
    u: () => void q.undo(),
  });

  const of = only && asked.reply?.items.find((o) => o.from.key === only);
  return (
    <Desk name="review" title="Review" q={q} asked={{ ...asked, reply: asked.reply && { more } }} groups={waiting} of={(m) => m.ref} row={(m) => <Row of={m} />} choose={(ref) => (decides(undefined), q.choose(ref))}
      acts={(g) => mine && together(g).length > 1 && <button type="button" class="quiet" onClick={() => askGroup("approve", g)}>All <span class="sr">of <Words>{g.label}</Words></span><kbd aria-hidden="true">A</kbd></button>}
      tools={<>
        <label>Group by <select value={by} onChange={(e) => setBy(e.currentTarget.value as Grouping)} aria-keyshortcuts="g">{groupings.map((g) => <option key={g}>{g}</option>)}</select></label>
        <AlsoOthers all={all} />
        {p && <Save name="stemma-review" what="what waits for review" lines={() => q.list.map((m) => ({ ref: m.ref, kind: m.type, text: m.text ?? m.headline, why: m.why, from: fromText(m.from), words: m.words?.map((w) => w.headline).join(" | "), by_itself: !!m.one_by_one, tier: m.tier, trust: m.trust, confidence: m.confidence, origin: m.origin, agent: m.agent, session: m.session, space: m.space, tags: m.tags, at: m.at, created_at: m.created_at }))} />}
      </>}
      about={only && <>{of ? <>Only <FromWords of={of.from} />. </> : "Nothing of that group waits any more. "}<To to="/review">All that waits</To></>}
      left={left.length > 0 && <Outcomes list={left} close={() => leave([])} />}
      none="Nothing to review." says="What an agent writes waits here when the policy asks you about it.">
      {p && (group ? <Together key={deciding!.act + group.key} of={group} act={deciding!.act} onDone={(refs, why) => several(deciding!.act, refs, why)} onStop={() => decides(undefined)} /> : (
        <article class="item" aria-label="To be decided" aria-describedby="place">
          <p class="overline"><Chip of={p} /> <Siglum kind={p.type} /> {p.type} · <When at={p.at ?? p.created_at} /> · <Author of={p} />{p.session && <> · session <Words>{p.session}</Words></>} <Imported of={p} /> · <Ref to={p.ref} /></p>
          <ItemWords>{p.text ?? p.headline}</ItemWords>
          {p.why && <p class="reason">You are asked because {p.why}.</p>}
          {beside(p.marks).filter((m) => !brief(m)).map((m) => <p key={m} class="note"><Words>{m}</Words></p>)}
          {p.one_by_one && <p class="note">Decided by itself: it directs, or would replace what was approved.</p>}
          {p.from.how === "outside" && <p class="reason">It was written <FromWords of={p.from} />, in the same session. Agents are not given it as it stands until you decide.</p>}
          {doing === "reject" && <Ask label="Why is it wrong? (optional)" act="Reject" empty onDone={reject} onStop={() => does(undefined)} />}
          {doing === "edit" && <Ask label="In better words" act="Keep these words" text={p.text ?? p.headline} differs onDone={edit} onStop={() => does(undefined)} />}
          {doing === "merge" && <Merge p={p} onDone={merge} onStop={() => does(undefined)} />}
          {!doing && <div class="acts">
            {mine && (
              <>
                <Key k="a" act={() => void approve()} main>Approve</Key>
                <Key k="r" act={() => does("reject")}>Reject</Key>
                <Key k="e" act={() => does("edit")}>Edit</Key>
                <Menu>
                  <Key k="m" act={() => does("merge")}>Merge</Key>
                  <Key k="A" act={() => askGroup("approve", here())}>Approve the group</Key>
                  <Key k="R" act={() => askGroup("reject", here())}>Reject the group</Key>
                  <Key k="." act={() => actOn({ ref: p.ref, seen: p })}>All acts</Key>
                </Menu>
              </>
            )}
            <Key k="j" act={q.skip}>Later</Key>
          </div>}
          <Around of={p} />
        </article>
      ))}
    </Desk>
  );
}

// Merge asks with which memory, and in what words.
function Merge({ p, onDone, onStop }: { p: Standing; onDone: (text: string, ref: string) => void; onStop: () => void }) {
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
