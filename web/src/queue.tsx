// What queues have in common: one thing at a time, decided and gone.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { once, op, Problem, type Standing } from "./api";
import { Difference, wouldUndo } from "./actbox";
import { visible } from "./words";

export interface Decided { said: string; reply: unknown; gone: string[] }

export interface Queue<T> {
  now?: T;
  list: T[];
  place: number;
  left: number;
  busy: boolean;
  said: string;
  error?: Error;
  act(what: string, write: (headers: Record<string, string>) => Promise<unknown>): Promise<void>;
  // several does what decides on some of the list, and says which
  several(make: () => Promise<Decided>): Promise<void>;
  again(): void;
  undo(): Promise<void>;
  skip(): void;
  back(): void;
}

export function useQueue<T>(list: T[] | undefined, key: (t: T) => string, again: () => void, more?: boolean, seen?: Map<string, Standing>): Queue<T> {
  const [done, setDone] = useState<string[]>([]);
  const [at, setAt] = useState(0);
  const [state, set] = useState<{ busy: boolean; said: string; error?: Error }>({ busy: false, said: "" });
  const working = useRef(false), last = useRef("");
  const left = useMemo(() => (list ?? []).filter((t) => !done.includes(key(t))), [list, done]);
  const i = Math.min(at, Math.max(0, left.length - 1));
  const now = left[i];
  const write = async (make: () => Promise<Decided>, after: (gone: string[]) => void) => {
    if (working.current) return; // a key pressed twice decides once
    working.current = true;
    set({ busy: true, said: "" });
    try {
      const d = await make();
      if (d.gone.length) last.current = JSON.stringify(d.reply);
      set({ busy: false, said: d.said });
      after(d.gone);
    } catch (error) {
      set({ busy: false, said: "", error: error as Error });
    } finally {
      working.current = false;
    }
  };
  // what the person saw of each memory goes along with what they decide on it
  const headers = (of: string[]) => ({ "Idempotency-Key": once(), ...(seen && of.every((r) => seen.has(r)) ? { "If-Match": of.map((r) => `"${seen.get(r)!.tag}"`).join(", ") } : {}) });
  const undo = async () => {
    const u = await wouldUndo();
    if (!u.undone.some((r) => last.current.includes(r))) throw new Problem(409, "changed", `Something else was decided since: ${u.act}.`);
    return { said: "the last decision was taken back", reply: await op("undo", {}, undefined, { "If-Match": u.tag }), gone: [] };
  };
  const decided = (gone: string[]) => {
    setDone((d) => [...d, ...gone]);
    if (left.length === gone.length && more) again();
  };
  return {
    ...state, now, list: left,
    again: () => {
      set((was) => ({ ...was, error: undefined }));
      again();
    }, place: i + 1, left: left.length,
    act: (said, make) => {
      const of = now ? [key(now)] : [];
      return write(async () => ({ said, reply: await make(headers(of)), gone: of }), decided);
    },
    several: (make) => write(make, decided),
    undo: () => write(undo, () => {
      setDone([]);
      again();
    }),
    skip: () => setAt((i + 1) % Math.max(1, left.length)),
    back: () => setAt((i + left.length - 1) % Math.max(1, left.length)),
  };
}

// Said tells what was done last, and what went wrong.
export function Said<T>({ q }: { q: Queue<T> }) {
  return (
    <>
      <p class="said-done" role="status">{q.said && <>{visible(q.said)} <button type="button" class="quiet" onClick={() => void q.undo()}>undo <kbd>u</kbd></button></>}</p>
      {q.error && <p class="trouble" role="alert">{visible(q.error.message)} {["changed", "conflict"].includes((q.error as Problem).kind) && <button type="button" onClick={q.again}>Look again</button>}</p>}
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
