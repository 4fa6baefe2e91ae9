// What queues have in common: one thing at a time, decided and gone.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { once, op, Problem, type Standing } from "./api";
import { Difference, wouldUndo } from "./actbox";
import { address, type Place, within } from "./route";
import { lostOnce } from "./several";
import { visible } from "./words";

export interface Decided { said: string; reply: unknown; gone: string[] }

export interface Queue<T> {
  now?: T;
  list: T[];
  place: number; // of the one that is shown, counted from what was there first
  total: number;
  left: number;
  done: number; // decided here
  busy: boolean;
  said: string;
  error?: Error;
  // act decides on the one that is shown. How is what the request says besides what and on which; wished is how the
  // memory stands once it was done: a request whose answer was lost is found so.
  act(what: string, write: (headers: Record<string, string>) => Promise<unknown>, how?: string, wished?: (m: Standing) => boolean): Promise<boolean>;
  // several does what decides on some of the list, and says which
  several(make: (names: Map<string, string>) => Promise<Decided>): Promise<boolean>;
  again(): void;
  undo(): Promise<boolean>;
  skip(): void;
  back(): void;
  choose(key: string): void;
}

// goesOn says whether what failed is sent again by itself: the server went away, or the browser was signed out.
const goesOn = (e: Problem) => e.status === 0 || e.status === 401;

// Waiting is what a queue is of: its list as it was read, with how each stood then.
interface Waiting<T> { place: Place; list?: T[]; key: (t: T) => string; again: () => void; more?: boolean; seen?: Map<string, Standing> }

export function useQueue<T>({ place: { path, query }, list, key, again, more, seen }: Waiting<T>): Queue<T> {
  const [done, setDone] = useState<string[]>([]);
  const wanted = query.get("at") ?? undefined;
  const [at, setAt] = useState<{ i: number; key?: string; moved?: boolean }>({ i: 0, key: wanted });
  const [state, set] = useState<{ busy: boolean; said: string; error?: Error }>({ busy: false, said: "" });
  const working = useRef(false), last = useRef<{ refs: string; gone: string[] }[]>([]);
  const names = useRef(new Map<string, string>()); // of requests: one that is sent again is done once
  const retry = useRef<() => void>(undefined);
  const left = useMemo(() => (list ?? []).filter((t) => !done.includes(key(t))), [list, done]);
  const found = at.key === undefined ? -1 : left.findIndex((t) => key(t) === at.key);
  const i = found >= 0 ? found : Math.min(at.i, Math.max(0, left.length - 1));
  const now = left[i], chosen = now && key(now);
  // the address has what is looked at, so that who comes back finds it again
  useLayoutEffect(() => {
    if (at.moved && chosen && location.pathname === path) address(within({ at: chosen }), true);
  }, [at.moved, chosen]);
  useLayoutEffect(() => {
    if (wanted) setAt((was) => ({ ...was, key: wanted }));
  }, [wanted]);
  const write = async (make: () => Promise<Decided>, after: (d: Decided) => void): Promise<boolean> => {
    if (working.current) return false; // a key pressed twice decides once
    working.current = true;
    retry.current = undefined;
    set({ busy: true, said: "" });
    try {
      const d = await make();
      set({ busy: false, said: d.said });
      after(d);
      return true;
    } catch (e) {
      const error = e as Problem;
      if (error.status === 0) names.current.set(lostOnce, "1");
      if (goesOn(error)) retry.current = () => void write(make, after);
      set({ busy: false, said: "", error });
      return false;
    } finally {
      working.current = false;
    }
  };
  // what was on its way when the server went is sent again once it is back
  useEffect(() => {
    const back = () => retry.current?.();
    window.addEventListener("stemma:back", back);
    return () => window.removeEventListener("stemma:back", back);
  }, []);
  const decided = (d: Decided) => {
    names.current.clear();
    if (d.gone.length) last.current.push({ refs: JSON.stringify(d.reply), gone: d.gone });
    setDone((was) => [...new Set([...was, ...d.gone])]);
    if (left.length === d.gone.length && more) again();
  };
  const undo = async () => {
    const u = await wouldUndo(), mine = last.current.at(-1);
    if (!mine || !u.undone.some((r) => mine.refs.includes(r))) throw new Problem(409, "changed", `Something else was decided since: ${u.act}.`);
    return { said: "the last decision was taken back", reply: await op("undo", {}, undefined, { "If-Match": u.tag }), gone: [] };
  };
  const go = (to: number) => setAt({ i: to, key: left[to] && key(left[to]), moved: true });
  return {
    ...state, now, list: left, place: done.length + i + 1, total: done.length + left.length, left: left.length, done: done.length,
    again: () => {
      set((was) => ({ ...was, error: undefined }));
      again();
    },
    act: (said, make, how = "", wished) => {
      const ref = chosen, stood = ref === undefined ? undefined : seen?.get(ref)?.tag, name = JSON.stringify([said, ref, stood, how]);
      if (!names.current.has(name)) names.current.set(name, once());
      // what the person saw of the memory goes along with what they decide on it
      const headers: Record<string, string> = { "Idempotency-Key": names.current.get(name)!, ...(stood && { "If-Match": `"${stood}"` }) };
      const place = i;
      return write(async () => {
        const gone = ref === undefined ? [] : [ref];
        try {
          return { said, reply: await make(headers), gone };
        } catch (e) {
          if (!wished || !ref || (e as Problem).kind !== "changed" || !names.current.has(lostOnce)) throw e;
          const is = await op<Standing>("show", { ref }); // with what was said of it, by which an undo knows it
          if (!wished(is)) throw e;
          return { said, reply: is, gone };
        }
      }, (d) => {
        setAt({ i: place, moved: true });
        decided(d);
      });
    },
    several: (make) => write(() => make(names.current), (d) => {
      const first = left.findIndex((t) => d.gone.includes(key(t)));
      if (first >= 0) setAt({ i: first, moved: true }); // what comes after them, or the first that is left of them
      decided(d);
    }),
    undo: () => write(undo, () => {
      const back = last.current.pop()!.gone;
      setDone((was) => was.filter((r) => !back.includes(r)));
      setAt({ i, key: back[0], moved: true });
      again();
    }),
    skip: () => go((i + 1) % Math.max(1, left.length)),
    back: () => go((i + left.length - 1) % Math.max(1, left.length)),
    choose: (k) => setAt({ i, key: k, moved: true }),
  };
}

// moves are the keys that all queues have.
export const moves = ({ skip, back }: Queue<unknown>) => ({ s: skip, j: skip, k: back });

// Said tells what was done last, and what went wrong.
export function Said<T>({ q }: { q: Queue<T> }) {
  return (
    <>
      <p class="said-done" role="status">{q.said && <>{visible(q.said)} <button type="button" class="quiet" onClick={() => void q.undo()}>undo <kbd>u</kbd></button></>}</p>
      {q.error && <p class="trouble" role="alert">{visible(q.error.message)} {goesOn(q.error as Problem) && "Your decision is sent when that is over. "}{["changed", "conflict"].includes((q.error as Problem).kind) && <button type="button" onClick={q.again}>Look again</button>}</p>}
    </>
  );
}

export function Key({ k, act, children, main }: { k: string; act: () => void; children: ComponentChildren; main?: boolean }) {
  return <button type="button" class={main ? "main" : ""} onClick={act} aria-keyshortcuts={k}>{children} <kbd aria-hidden="true">{k}</kbd></button>;
}

// Ask takes words, and gives them or stops.
export function Ask({ label, act, text = "", empty, differs, onDone, onStop }: { label: string; act: string; text?: string; empty?: boolean; differs?: boolean; onDone: (text: string) => void; onStop: () => void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [now, setNow] = useState(text);
  // at once, not after the next frame: the letters that follow are for this box
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  const done = () => {
    const words = box.current!.value.trim();
    if (words || empty) onDone(words);
  };
  return (
    <form class="ask" onSubmit={(e) => { e.preventDefault(); done(); }}>
      <label>{visible(label)}
        <textarea ref={box} rows={3} defaultValue={text} onInput={(e) => setNow(e.currentTarget.value)} onKeyDown={(e) => {
          if (e.key === "Escape") { e.stopPropagation(); onStop(); }
          if (e.key === "Enter" && !e.shiftKey) { e.preventDefault(); done(); }
        }} />
      </label>
      {differs && <Difference before={text} after={now} />}
      <div class="acts"><button type="submit" class="main">{act} <kbd aria-hidden="true">↵</kbd></button><button type="button" onClick={onStop}>Never mind <kbd aria-hidden="true">esc</kbd></button></div>
    </form>
  );
}
