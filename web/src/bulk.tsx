// Several memories of a list, decided at once: chosen, confirmed with their counts, done, and undone together.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Found, picture, type Standing, standings } from "./api";
import { type Act, acts, standsAs } from "./acts";
import { did, undoLast } from "./actbox";
import { Key } from "./queue";
import { changedSince, decide, type Left, leftAs, Outcomes } from "./several";
import { leave, useAsk, useKeys } from "./use";
import { Busy, figure, many, Siglum, Trouble, visible, Words } from "./words";

export interface Choice {
  refs: string[];
  has: (ref: string) => boolean;
  set: (refs: string[], yes: boolean) => void;
}

export function useChoice(of: string): Choice {
  const [state, set] = useState<{ of: string; refs: string[] }>({ of, refs: [] });
  const refs = state.of === of ? state.refs : []; // another question begins without any
  return {
    refs,
    has: (ref) => refs.includes(ref),
    set: (list, yes) => set((was) => {
      const now = was.of === of ? was.refs : [];
      return { of, refs: [...now.filter((r) => !list.includes(r)), ...(yes ? list : [])] };
    }),
  };
}

const offered = ["approve", "reject", "forget", "quarantine"].map((id) => acts.find((a) => a.id === id)!);

// Bulk is the bar under a list of which something is chosen. All asks for everything that matches.
export function Bulk({ choice, list, all }: { choice: Choice; list: Found[]; all: () => Promise<Found[]> }) {
  const { refs } = choice;
  const [act, setAct] = useState<Act>();
  const [left, name] = useState<{ did: string; list: Left[] }>();
  const [error, fail] = useState<Error>(), [busy, work] = useState(false);
  // how the memories stood when they were chosen goes along with the decision
  const seen = useRef(new Map<string, Standing>());
  const fresh = refs.filter((r) => !seen.current.has(r));
  const read = useAsk(fresh.length ? (s) => standings(fresh, s).then((got) => got.forEach((m) => seen.current.set(m.ref, m))) : null, [fresh.join()]);
  useEffect(() => {
    if (!refs.length) seen.current.clear();
  }, [!refs.length]);

  const more = async (same: (of: Found, chosen: Found[]) => boolean) => {
    fail(undefined);
    work(true);
    try {
      const every = await all(), chosen = every.filter((r) => choice.has(r.ref));
      choice.set(every.filter((r) => same(r, chosen)).map((r) => r.ref), true);
    } catch (e) {
      fail(e as Error);
    }
    work(false);
  };
  // a stranger may give a session the name of one's own
  const talk = (r: Found) => r.session && [r.session, r.space, /did:key:\S+$/.exec(r.author ?? "")?.[0]].join(" ");
  const session = () => more((r, chosen) => chosen.some((c) => talk(c) && talk(c) === talk(r)));
  const source = async () => {
    fail(undefined);
    work(true);
    try {
      const every = await all(), stand = new Map((await standings([...new Set([...every.map((r) => r.ref), ...refs])])).map((m) => [m.ref, m]));
      const roots = new Set(refs.flatMap((r) => [r, ...(stand.get(r)?.derived_from ?? [])]));
      choice.set(every.map((r) => r.ref).filter((r) => roots.has(r) || stand.get(r)?.derived_from?.some((f) => roots.has(f))), true);
    } catch (e) {
      fail(e as Error);
    }
    work(false);
  };
  const shown = list.map((r) => r.ref), whole = shown.length > 0 && shown.every(choice.has);
  const begin = (a: Act) => refs.length && !busy && (name(undefined), setAct(a));
  useKeys(act ? {} : {
    u: undoLast,
    X: () => choice.set(shown, !whole),
    ...(refs.length ? { ...Object.fromEntries(offered.map((a) => [a.key, () => begin(a)])), Escape: () => choice.set(refs, false) } : {}),
  });
  const done = (d: { did: string; list: Left[] }) => {
    setAct(undefined);
    choice.set(refs, false);
    name(d.list.length ? d : undefined);
  };
  return (
    <>
      {left && <Outcomes did={left.did} list={left.list} close={() => name(undefined)} />}
      {refs.length > 0 && (
        <div class="bulk" role="group" aria-label="Selected memories">
          <Trouble error={error ?? read.error} />
          <p class="row"><b role="status">{many(refs.length, "memory", "memories")} selected{refs.length >= 1000 && ", the most at once"}</b>
            <button type="button" class="quiet" onClick={() => void more(() => true)} disabled={busy}>All that match</button>
            <button type="button" class="quiet" onClick={() => void session()} disabled={busy} title="All results of the sessions of what you selected">Same session</button>
            <button type="button" class="quiet" onClick={() => void source()} disabled={busy} title="All results that were made of the same sources">Same source</button>
            <button type="button" class="quiet" aria-keyshortcuts="Escape" onClick={() => choice.set(refs, false)}>None <kbd aria-hidden="true">esc</kbd></button></p>
          <div class="acts">{offered.map((a) => <Key key={a.id} k={a.key} act={() => begin(a)} main={a.id === "approve"}>{a.name}</Key>)}</div>
        </div>
      )}
      {act && <Confirm act={act} refs={refs} seen={seen.current} onDone={done} onStop={() => setAct(undefined)} />}
    </>
  );
}

// Confirm says what an act would do to how many, asks once, and does it.
function Confirm({ act, refs, seen, onDone, onStop }: { act: Act; refs: string[]; seen: Map<string, Standing>; onDone: (d: { did: string; list: Left[] }) => void; onStop: () => void }) {
  const box = useRef<HTMLDialogElement>(null), go = useRef<HTMLButtonElement>(null);
  const names = useRef(new Map<string, string>()); // a request that is sent again is done once
  const [reason, say] = useState(""), [busy, work] = useState(false), [error, fail] = useState<Error>();
  const asked = useAsk((s) => standings(refs, s), [refs.join()]);
  const now = asked.reply ?? [];
  const could = now.filter((m) => act.when(m) && !changedSince(m, seen));
  const radius = useAsk(act.id === "quarantine" && could.length ? (s) => picture<{ falls: number }>("falling", { refs: could.map((m) => m.ref) }, s) : null, [could.map((m) => m.ref).join()]);
  const kinds = new Map<string, number>();
  for (const m of could) kinds.set(m.type, (kinds.get(m.type) ?? 0) + 1);
  const ready = !busy && !!asked.reply && could.length > 0 && (act.id !== "quarantine" || !!radius.reply);
  useLayoutEffect(() => box.current?.showModal(), []);
  useEffect(() => {
    if (ready && !box.current?.querySelector("textarea:focus")) go.current?.focus();
  }, [ready]);
  const lefts = (list: Standing[]) => list.map((m) => leftAs(m, seen));
  const submit = async () => {
    if (!ready) return;
    work(true);
    fail(undefined);
    try {
      const { done, left, replies } = await decide(act, could, seen, reason.trim(), names.current);
      const n = done.length, text = `${act.done} ${many(n, "memory", "memories")}`;
      if (n) void did(text, replies, false, act.id === "quarantine" ? n : 1);
      onDone({ did: n ? `${text}.` : "Nothing was done.", list: [...lefts(now.filter((m) => !could.includes(m))), ...left] });
    } catch (e) {
      fail(e as Error);
      work(false);
    }
  };
  return (
    <dialog ref={box} class="actbox" aria-labelledby="bulk" onCancel={() => leave(box.current)} onClose={() => box.current?.open || onStop()} onClick={(e) => e.target === box.current && box.current?.close()}>
      <form class="ask" onSubmit={(e) => { e.preventDefault(); void submit(); }}>
        <h2 id="bulk">{act.name} {asked.reply ? many(could.length, "memory", "memories") : "…"}</h2>
        <Trouble error={asked.error ?? radius.error ?? error} />
        {!asked.reply && <Busy when>reading how they stand…</Busy>}
        {asked.reply && (
          <>
            <p>{[...kinds].map(([k, n]) => many(n, k === "raw" ? "capture" : k)).join(", ")}{could.length > 0 && "."} {now.length > could.length && <b>{many(now.length - could.length, "memory is", "memories are")} left as {now.length - could.length === 1 ? "it is" : "they are"}.</b>}</p>
            {act.says && <p class="note">{act.says}</p>}
            {act.id === "quarantine" && could.length > 0 && (radius.reply ? <p>{radius.reply.falls ? many(radius.reply.falls, "other memory falls", "other memories fall") : "No other memory falls"} with {could.length === 1 ? "it" : "them"}.</p> : <Busy when>reading what rests on them…</Busy>)}
            <details>
              <summary>Which ones</summary>
              <ul class="plain">
                {could.slice(0, 100).map((m) => <li key={m.ref}><Siglum kind={m.type} /> <Words>{m.headline}</Words> <span class="note">{standsAs(m)}</span></li>)}
                {could.length > 100 && <li class="note">and {figure(could.length - 100)} more</li>}
                {lefts(now.filter((m) => !could.includes(m))).slice(0, 100).map(({ m, why }) => <li key={m.ref} class="note"><Siglum kind={m.type} /> <Words>{m.headline}</Words> left: {visible(why)}</li>)}
              </ul>
            </details>
            <label>Why? (optional) <textarea rows={2} value={reason} onInput={(e) => say(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === "Enter" && !e.shiftKey) { e.preventDefault(); void submit(); } }} /></label>
          </>
        )}
        <div class="acts">
          <button ref={go} type="submit" class={act.id === "quarantine" ? "danger" : "main"} disabled={!ready}>{busy ? "Working…" : `${act.name} ${figure(could.length)}`} <kbd aria-hidden="true">↵</kbd></button>
          <button type="button" onClick={() => box.current?.close()}>Never mind <kbd aria-hidden="true">esc</kbd></button>
        </div>
      </form>
    </dialog>
  );
}
