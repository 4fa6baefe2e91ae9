// Where an act is asked for, shown and done: one box for all views.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { asks, type Blast, once, op, picture, Problem, type Standing, standings, tagged } from "./api";
import { type Act, acts, type Input, possible, standsAs } from "./acts";
import { difference } from "./diff";
import { Menu } from "./menu";
import { Radius } from "./radius";
import { changed, leave, useAsk, useMe, writing } from "./use";
import { Busy, cut, short, Siglum, visible, When, Words } from "./words";

export interface Wish { ref: string; act?: string; seen?: Standing }
interface Undoing { what?: string; tag: string; act: string; did: string; undone: string[]; refs?: string; times?: number }
interface Said { text: string; undo?: Undoing; error?: Problem }

let show: ((w: Wish) => void) | undefined;
let tell: ((s: Said) => void) | undefined;

// actOn asks for an act on a memory, or for the list of them.
export const actOn = (w: Wish) => show?.(w);

const quote = (m: Standing) => `“${cut(m.headline, 80)}”`;

// wouldUndo reads what an undo would take back, with the tag of it.
export async function wouldUndo(): Promise<Undoing> {
  const { reply, tag } = await tagged<{ act: string; did: string; undone: string[] }>("undo", { dry_run: true });
  return { ...reply, tag };
}

// did says what was done and offers to take it back, if it is still the last thing done. What took several
// acts is taken back as often.
export async function did(text: string, reply: unknown, lasts = false, times = 1): Promise<void> {
  tell?.({ text });
  changed();
  if (lasts) return;
  const refs = JSON.stringify(reply);
  try {
    const u = await wouldUndo();
    if (u.undone.some((r) => refs.includes(r))) tell?.({ text, undo: { ...u, what: text, refs, times } });
  } catch {} // there is nothing to take back
}

async function undo(u: Undoing): Promise<void> {
  const back = (tag: string) => op<{ act: string; hint?: string }>("undo", {}, undefined, { "If-Match": tag, "Idempotency-Key": once() });
  const r = await back(u.tag);
  let n = 1;
  for (; n < (u.times ?? 1); n++) {
    const next = await wouldUndo();
    if (!next.undone.some((x) => u.refs!.includes(x))) break;
    await back(next.tag);
  }
  tell?.({ text: n > 1 ? `Took back ${n} acts, the last: ${r.act}.` : `Took back: ${u.what ?? r.act}. ${r.hint ?? ""}` });
  changed();
}

// undoLast takes back what was done last, from anywhere.
export const undoLast = () => actOn({ ref: "", act: "undo" });

function place(ref: string, act: string) {
  return `stemma:typed:${act}:${ref}`;
}
function typed(ref: string, act: string): string | undefined {
  try {
    return sessionStorage.getItem(place(ref, act)) ?? undefined;
  } catch {
    return undefined;
  }
}
function keep(ref: string, act: string, text: string | undefined) {
  try {
    if (text === undefined) sessionStorage.removeItem(place(ref, act));
    else sessionStorage.setItem(place(ref, act), text);
  } catch {}
}

// ActBox holds the dialog of acts and the line that says what was done.
export function ActBox() {
  const who = useMe();
  const [wish, setWish] = useState<Wish>();
  const [m, setM] = useState<Standing>();
  const [act, setAct] = useState<Act>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [now, setNow] = useState<Standing>(); // how it stands, where that is not what was seen
  const [away, setAway] = useState<() => void>();
  const [said, setSaid] = useState<Said>({ text: "" });
  const box = useRef<HTMLDialogElement>(null);
  const asked = useRef(0);

  // a browser tells of a closed box later: it may be open again by then
  const close = () => {
    asked.current++;
    setAway(undefined);
    leave(box.current);
    box.current?.close();
    setWish(undefined);
  };
  const open = () => {
    if (!box.current?.open) box.current?.showModal();
  };
  const clear = () => {
    setError(undefined);
    setNow(undefined);
    setAway(undefined);
  };

  const submit = async (a: Act, of: Standing, input: Input, name = once()) => {
    const mine = ++asked.current;
    setBusy(true);
    clear();
    try {
      const reply = await op<unknown>(a.op!, a.request!(of, input), undefined, { "If-Match": of.tag ? `"${of.tag}"` : "*", "Idempotency-Key": name });
      keep(of.ref, a.id, undefined);
      if (mine === asked.current) close();
      void did(`${a.done} ${quote(of)}`, reply, a.id === "verify");
    } catch (e) {
      if (mine !== asked.current) return;
      open();
      setAct(a);
      setError(e as Error);
      const p = e as Problem;
      if (p.kind === "changed") setNow((await standings([of.ref]).catch(() => []))[0]);
      if (p.status === 0) setAway(() => () => void submit(a, of, input, name)); // the same request: done once
    } finally {
      setBusy(false);
    }
  };

  const choose = (a: Act, of: Standing) => {
    clear();
    if (a.local) {
      close();
      void Promise.resolve(a.local(of)).then(() => a.id === "copy" && tell?.({ text: `copied ${of.ref}` }));
    } else if (a.ask) {
      setAct(a);
      open();
    } else void submit(a, of, {});
  };

  show = (w) => {
    if (!who?.acts && w.act !== "copy") return;
    clear();
    setWish(w);
    setAct(undefined);
    setM(w.seen);
    const wanted = acts.find((a) => a.id === w.act);
    if (w.act === "undo" && said.undo) {
      setWish(undefined);
      void undoIt(said.undo);
    } else if (w.act === "undo") {
      setAct(wanted);
      open();
    } else if (w.seen && wanted) choose(wanted, w.seen);
    else {
      open();
      const mine = ++asked.current;
      standings([w.ref]).then(
        (list) => {
          if (mine !== asked.current || !list[0]) return;
          setM(list[0]);
          const by = wanted && possible(list[0]).includes(wanted) ? wanted : undefined;
          if (by) choose(by, list[0]);
        },
        (e) => mine === asked.current && setError(e),
      );
    }
  };
  tell = setSaid;

  // once the server is back, what was on its way is sent again
  useEffect(() => {
    if (!away) return;
    window.addEventListener("stemma:back", away);
    return () => window.removeEventListener("stemma:back", away);
  }, [away]);

  // undo is at hand in every view; a view that has a meaning of its own for the key comes first
  useEffect(() => {
    if (!who?.acts) return;
    const last = (e: KeyboardEvent) => {
      if (e.key !== "u" || e.ctrlKey || e.metaKey || e.altKey || writing(e.target) || document.querySelector("dialog[open]")) return;
      setTimeout(() => e.defaultPrevented || undoLast());
    };
    window.addEventListener("keydown", last);
    return () => window.removeEventListener("keydown", last);
  }, [who?.acts]);

  const keys = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || act || !m || e.target instanceof HTMLTextAreaElement || e.target instanceof HTMLInputElement) return;
    const a = possible(m).find((x) => x.key === e.key);
    if (!a) return;
    e.preventDefault();
    choose(a, m);
  };
  const again = () => {
    if (now) setM(now);
    if (now && act && !act.when(now)) setAct(undefined);
    setError(undefined);
    setNow(undefined);
  };
  const undoIt = async (u: Undoing) => {
    setSaid({ text: "" });
    try {
      await undo(u);
    } catch (e) {
      setSaid({ text: "", error: e as Problem });
    }
  };

  return (
    <>
      <div class={`told ${said.text || said.error ? "" : "empty"}`}>
        <p role="status">{visible(said.text)}</p>
        {said.undo && <button type="button" aria-keyshortcuts="u" onClick={() => void undoIt(said.undo!)}>Undo <kbd aria-hidden="true">u</kbd></button>}
        {said.error && <p class="trouble" role="alert">{visible(said.error.message)} {said.error.kind === "changed" && <button type="button" onClick={() => { setSaid({ text: "" }); undoLast(); }}>Look again</button>}</p>}
        {(said.text || said.error) && <button type="button" class="quiet" aria-label="Close this message" onClick={() => setSaid({ text: "" })}>×</button>}
      </div>
      <dialog ref={box} class="actbox" aria-labelledby="actbox" onCancel={() => leave(box.current)} onClose={() => box.current?.open || close()} onKeyDown={keys} onClick={(e) => e.target === box.current && close()}>
        {wish && (
          <>
            <div class="row"><h2 id="actbox">{act ? act.name : "Acts"}</h2><span class="push" /><button type="button" onClick={close}>Close <kbd aria-hidden="true">esc</kbd></button></div>
            {m && act?.id !== "undo" && <Subject m={m} />}
            {!m && wish.ref && <Busy when={!error} />}
            {error && (
              <div class="trouble" role="alert">
                <p>{away ? "The server does not answer. What you typed is kept, and is sent once the server is back." : (error as Problem).status === 401
                  ? <>You are signed out. Run <code>stemma ui</code> at a terminal, then do this again here. What you typed is kept.</> : visible(error.message)}</p>
                {now && <p>Meanwhile: <b>{standsAs(now)}</b>{now.reviewed_at && <> (<When at={now.reviewed_at} />)</>}. <button type="button" onClick={again} autofocus>Look again</button></p>}
              </div>
            )}
            {m && !act && <Buttons m={m} choose={(a) => choose(a, m)} />}
            {act?.ask === "undo" && <UndoForm onDone={(u) => { close(); void undoIt(u); }} />}
            {act && act.ask !== "undo" && m && <Form key={act.id + m.ref} act={act} m={m} busy={busy} onDone={(i) => void submit(act, m, i)} onStop={wish.act ? close : () => { clear(); setAct(undefined); }} />}
          </>
        )}
      </dialog>
      <Passphrase />
    </>
  );
}

function Subject({ m }: { m: Standing }) {
  return (
    <div class="subject">
      <p class="overline"><Siglum kind={m.type} /> {m.type} <bdi class="mono">{short(m.ref)}</bdi> · {standsAs(m)} · <When at={m.at ?? m.created_at} /></p>
      <blockquote><Words>{m.headline}</Words></blockquote>
    </div>
  );
}

// Buttons are the acts that are possible on a memory, each with its key: all, or the first ones and a menu.
export function Buttons({ m, choose, first }: { m: Standing; choose: (a: Act) => void; first?: number }) {
  const all = possible(m), most = first ?? all.length;
  const one = (a: Act) => <button key={a.id} type="button" class={a.id === "approve" ? "main" : ""} aria-keyshortcuts={a.key} title={a.says} onClick={() => choose(a)}>{a.name} <kbd aria-hidden="true">{a.key}</kbd></button>;
  return (
    <div class="acts" role="group" aria-label="Acts">
      {all.slice(0, most).map(one)}
      {all.length > most && <Menu>{all.slice(most).map(one)}</Menu>}
    </div>
  );
}

const labels: Record<string, string> = { reason: "Why? (optional)", notes: "How did you check it? (optional)", witness: "Notes (optional)", words: "In better words", radius: "Why? (optional)" };

function Form({ act, m, busy, onDone, onStop }: { act: Act; m: Standing; busy: boolean; onDone: (i: Input) => void; onStop: () => void }) {
  const before = m.text ?? m.headline;
  const [text, setText] = useState(() => typed(m.ref, act.id) ?? (act.ask === "words" ? before : ""));
  const [choice, setChoice] = useState(m.external || m.unverified ? "confirm" : "dispute");
  const [approve, setApprove] = useState(true); // who types better words vouches for them, unless they say otherwise
  const area = useRef<HTMLTextAreaElement>(null);
  const radius = useAsk(act.ask === "radius" ? (s) => picture<Blast>("blast", { target: m.ref }, s) : null, [m.ref, m.tag]);
  useLayoutEffect(() => area.current?.focus(), []);
  const same = act.ask === "words" && text.trim() === before.trim();
  const ready = !busy && !(act.ask === "words" && (same || !text.trim())) && !(act.ask === "radius" && !radius.reply);
  const write = (t: string) => {
    setText(t);
    keep(m.ref, act.id, act.ask === "words" && t === before ? undefined : t || undefined);
  };
  const done = () => ready && onDone({ text: text.trim(), choice, approve });
  return (
    <form class="ask" onSubmit={(e) => { e.preventDefault(); done(); }}>
      {act.says && <p class="note">{act.says}</p>}
      {act.ask === "radius" && (radius.reply ? <Radius b={radius.reply} /> : radius.error ? <p class="trouble" role="alert">{visible(radius.error.message)}</p> : <Busy when>reading what rests on it…</Busy>)}
      {act.ask === "witness" && (
        <label>Your word <select value={choice} onChange={(e) => setChoice(e.currentTarget.value)}>
          <option value="confirm">confirm: it is true</option><option value="partial">partial: some of it is true</option><option value="dispute">dispute: it is not true</option>
        </select></label>
      )}
      <label>{labels[act.ask ?? "reason"]}
        <textarea ref={area} rows={act.ask === "words" ? Math.min(12, 3 + before.length / 80) : 2} value={text} onInput={(e) => write(e.currentTarget.value)}
          onKeyDown={(e) => { if (e.key === "Enter" && (act.ask !== "words" ? !e.shiftKey : e.ctrlKey || e.metaKey)) { e.preventDefault(); done(); } }} />
      </label>
      {act.ask === "words" && <Difference before={before} after={text} />}
      {act.ask === "words" && <label class="tick"><input type="checkbox" checked={approve} onChange={(e) => setApprove(e.currentTarget.checked)} /> Approve it too</label>}
      <div class="acts">
        <button type="submit" class={act.ask === "radius" ? "danger" : "main"} disabled={!ready}>{act.ask === "words" ? "Store the revision" : act.name} <kbd aria-hidden="true">{act.ask === "words" ? "ctrl ↵" : "↵"}</kbd></button>
        <button type="button" onClick={onStop}>Never mind</button>
      </div>
    </form>
  );
}

// Difference shows what a revision changes, before it is stored.
export function Difference({ before, after, brief }: { before: string; after: string; brief?: boolean }) {
  const all = difference(before, after), same = all.filter((p) => p.how === "same");
  if (same.length === all.length) return brief ? null : <p class="note" role="status">Nothing is changed yet.</p>;
  const parts = brief ? all.map((p, i) => (p.how === "same" ? { ...p, text: around(p.text, i > 0, i < all.length - 1) } : p)) : all;
  const text = parts.map((p) => p.text).join(""); // a box that scrolls is reached by the keyboard: on a phone, a line has 40 characters
  // two texts that have little in common say more side by side
  if (brief && same.reduce((n, p) => n + p.text.trim().length, 0) * 3 < Math.min(before.length, after.length)) return null;
  return (
    <div class="difference" role="group" aria-label={brief ? "What differs" : "What changes"} tabIndex={text.length + 40 * text.split("\n").length > 290 ? 0 : undefined}>
      <bdi class="words" dir="auto">{parts.map((p, i) => p.how === "gone" ? <del key={i}>{visible(p.text)}</del> : p.how === "new" ? <ins key={i}>{visible(p.text)}</ins> : <span key={i}>{visible(p.text)}</span>)}</bdi>
    </div>
  );
}

const near = 80; // characters of what is the same that stand beside a change

// around is what of a text stands beside changes before and after it.
function around(text: string, before: boolean, after: boolean): string {
  const head = before ? [...text.slice(0, near * 2)].slice(0, near).join("") : "", tail = after ? [...text.slice(-near * 2)].slice(-near).join("") : "";
  return head.length + tail.length + 8 < text.length ? `${head} … ${tail}` : text;
}

function UndoForm({ onDone }: { onDone: (u: Undoing) => void }) {
  const last = useAsk(() => wouldUndo(), []);
  const u = last.reply;
  return (
    <form class="ask" onSubmit={(e) => { e.preventDefault(); if (u) onDone(u); }}>
      {u ? <p>Your last act in this store: <b>{visible(u.act)}</b>.{u.did && <span class="note"> Undo: {visible(u.did)}.</span>}</p> : last.error ? <p class="note" role="alert">{visible(last.error.message)}</p> : <Busy when />}
      {u && <div class="acts"><button type="submit" class="main" autofocus ref={(b) => b?.focus()}>Undo <kbd aria-hidden="true">↵</kbd></button></div>}
    </form>
  );
}

// Passphrase asks for the passphrase of the owner's key.
function Passphrase() {
  const [why, setWhy] = useState<string>();
  const box = useRef<HTMLDialogElement>(null), field = useRef<HTMLInputElement>(null);
  const answer = useRef<(text?: string) => void>(undefined);
  asks.passphrase = (text) =>
    new Promise((done) => {
      answer.current?.(undefined);
      answer.current = done;
      setWhy(text);
    });
  useLayoutEffect(() => {
    if (why === undefined) return;
    box.current?.showModal();
    field.current?.focus();
  }, [why]);
  const end = (text?: string) => {
    answer.current?.(text);
    answer.current = undefined;
    box.current?.close();
    setWhy(undefined);
  };
  return (
    <dialog ref={box} class="actbox" aria-labelledby="passphrase" onClose={() => box.current?.open || end()}>
      {why !== undefined && <form class="ask" method="dialog" onSubmit={(e) => { e.preventDefault(); end(field.current!.value); }}>
        <h2 id="passphrase">Passphrase of your key</h2>
        <p class="note" role="alert">{visible(why)}</p>
        <label>Passphrase <input ref={field} type="password" autocomplete="off" required /></label>
        <p class="note">This tab keeps it for ten minutes.</p>
        <div class="acts"><button type="submit" class="main">Go on</button><button type="button" onClick={() => end()}>Never mind</button></div>
      </form>}
    </dialog>
  );
}

