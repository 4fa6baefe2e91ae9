import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Me, me, meNow } from "./api";

// changed tells all views that something was decided, so that they ask again.
export const changed = () => window.dispatchEvent(new Event("stemma:changed"));

// useMe says for whom the page speaks; undefined is not known yet.
export function useMe(): Me | undefined {
  const [who, set] = useState(meNow);
  useEffect(() => {
    const now = () => set(meNow);
    window.addEventListener("stemma:me", now);
    if (!who) me().then(set, () => {});
    return () => window.removeEventListener("stemma:me", now);
  }, []);
  return who;
}

// waits says that something is on its way to the page, until what it returns is called. The root element has the count.
let waiting = 0;
export function waits(): () => void {
  const say = (n: number) => (document.documentElement.dataset.waiting = String((waiting += n)));
  let open = true;
  say(1);
  return () => {
    if (open) say(-1);
    open = false;
    if (waiting === 1 && !calm) settle();
  };
}

// The page is calm once what it asked for first is painted: what nobody sees yet is made then. Until then it waits.
let calm = false;
const calmed = new Set<(is: boolean) => void>(), first = waits();
const settle = () => setTimeout(() => {
  if (calm || waiting > 1) return;
  calm = true;
  first();
  calmed.forEach((tell) => tell(true));
  calmed.clear();
}, 60);
setTimeout(settle, 200); // where nothing is asked for

export function useCalm(): boolean {
  const [is, set] = useState(calm);
  useLayoutEffect(() => {
    if (calm) set(true);
    else calmed.add(set);
    return () => void calmed.delete(set);
  }, []);
  return is;
}

export interface Asked<T> {
  reply?: T;
  error?: Error;
  busy: boolean;
  again(): void;
}

// useAsk asks when what it depends on changes, and drops answers that come late.
// An older answer stays until the new one is there, so that nothing flickers. Given is an answer that is there already.
export function useAsk<T extends object>(ask: ((signal: AbortSignal) => Promise<T> | T) | null, on: unknown[], given?: T): Asked<T> {
  const [state, set] = useState<{ reply?: T; error?: Error; busy: boolean }>({ reply: given, busy: ask !== null && !given });
  const has = useRef(!!given);
  const [round, turn] = useState(0);
  // before anything is painted: what is asked for is on its way while the rest is drawn
  useLayoutEffect(() => {
    if (!ask) {
      set({ busy: false });
      return;
    }
    if (has.current) {
      has.current = false;
      return waits()(); // what waits for the first answer goes on
    }
    const stop = new AbortController();
    const asked = ask(stop.signal);
    if (!(asked instanceof Promise)) {
      set({ reply: asked, busy: false });
      return;
    }
    const over = waits();
    set((s) => ({ ...s, busy: true }));
    asked.then(
      (reply) => stop.signal.aborted || (set({ reply, busy: false }), over()),
      (error) => stop.signal.aborted || (set((s) => ({ reply: s.reply, error, busy: false })), over()),
    );
    return () => {
      stop.abort();
      over();
    };
  }, [...on, round]);
  const failed = useRef<Error | undefined>(undefined);
  failed.current = state.error;
  useEffect(() => {
    const anew = () => turn((n) => n + 1);
    const back = () => failed.current && anew();
    window.addEventListener("stemma:back", back);
    window.addEventListener("stemma:changed", anew);
    return () => {
      window.removeEventListener("stemma:back", back);
      window.removeEventListener("stemma:changed", anew);
    };
  }, []);
  return { ...state, again: () => turn((n) => n + 1) };
}

// useOf holds what was said of one thing, and nothing for any other.
export function useOf<T>(of: string | undefined): [T | undefined, (value: T | undefined) => void] {
  const [said, say] = useState<{ of?: string; value?: T }>({});
  return [said.of === of ? said.value : undefined, (value) => say({ of, value })];
}

// useKeys calls what a key stands for, unless somebody is writing.
export function useKeys(keys: Record<string, (e: KeyboardEvent) => void>, on: unknown[] = []) {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const down = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || writing(e.target) || document.querySelector("dialog[open], #out")) return; // what is behind those is not seen
      if (e.key === "Enter" && presses(e.target)) return;
      const act = latest.current[e.key];
      if (act) {
        e.preventDefault();
        act(e);
      }
    };
    window.addEventListener("keydown", down);
    return () => window.removeEventListener("keydown", down);
  }, on);
}

// presses says whether a key is for the button or link that has the focus. What is chosen already is opened.
const presses = (target: EventTarget | null) => target instanceof Element && !!target.closest("a, button, summary, select") && !target.closest('[aria-current="true"]');

export function writing(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === "checkbox") return false;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

// leave takes the keyboard out of a box that is about to close: a browser does so a frame later, and a key that
// is pressed by then would be taken for writing.
export function leave(box: HTMLElement | null): void {
  if (box?.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
}

// title names the document by what it shows.
export function useTitle(text: string) {
  useEffect(() => {
    document.title = text ? `${text} · stemma` : "stemma";
  }, [text]);
}

// wish is what the next view is to do once it stands there.
export const wish = { search: false };
