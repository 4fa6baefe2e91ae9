import { render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ActBox } from "./actbox";
import { actKeys } from "./acts";
import { MemoryView } from "./memory";
import { Away } from "./link";
import { openQuick, Quick } from "./quick";
import { Reads, useReads } from "./reads";
import { go, type Place, To, usePlace } from "./route";
import { SearchView } from "./search";
import { BeginView } from "./setup";
import { me } from "./api";
import { useCalm, useKeys, useMe, waits, writing } from "./use";
import { Busy, Trouble } from "./words";

const views: [string, string][] = [
  ["/", "Queue"], ["/review", "Review"], ["/conflicts", "Conflicts"], ["/search", "Search"], ["/decisions", "Decisions"], ["/given", "Given"], ["/timeline", "Timeline"], ["/people", "People"], ["/pack", "Pack"], ["/health", "Health"],
];

const help: [string, [string, string][]][] = [
  ["Everywhere", [["ctrl k", "search from here"], ["/", "the same"], ["1 – 9 0", "the views, from left to right"], ["p", "choose the project that is read"], ["l", "light, dark, or as the system has it"], ["?", "these keys"], ["esc", "leave a field"]]],
  ["Acts on a memory", actKeys],
  ["In the tree", [["← →", "to what is older, to what is newer"], ["↑ ↓", "within a layer"], ["[ ]", "show what is older, what is newer"], ["↵", "open the record"], ["+ − 0", "nearer, further away, whole"], ["ctrl wheel", "zoom; drag to move"]]],
  ["Results", [["j k", "down, up"], ["↵", "open"], ["x", "select it"], ["X", "select all that are shown"], ["a r f q", "approve, reject, forget, quarantine what is selected"], ["esc", "select none"]]],
  ["Review", [["j k", "next, back"], ["J K", "next group, group before"], ["a", "approve, and the next"], ["r", "reject"], ["e", "edit"], ["A R", "approve, reject the group"], ["m", "merge"], ["u", "undo"], ["g", "group otherwise"], ["↵", "open"]]],
  ["Conflicts", [["j k", "next, back"], ["o", "keep the older one"], ["n", "keep the newer one"], ["b", "keep both"], ["m", "merge"], ["d", "dismiss"], ["u", "undo"], ["↵", "open"]]],
];

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

// The server reads the cookie and writes the colours into the document: nothing is read before the first picture.
const chosen = document.documentElement.dataset.theme as Theme;
const stored: Theme = themes.includes(chosen) ? chosen : "auto";

function keep(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  document.cookie = `stemma-theme=${theme}; path=/; max-age=31536000; samesite=strict`;
}

// What no state reaches is made once.
const quick = <Quick />, actBox = <ActBox />, away = <Away />;

function App() {
  const place = usePlace();
  const [theme, setTheme] = useState(stored), calm = useCalm();
  const [out, setOut] = useState(false);
  const [missed, setMissed] = useState<string>();
  const helpBox = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const signedOut = () => setOut(true), back = () => setOut(false);
    const failed = (e: ErrorEvent | PromiseRejectionEvent) => setMissed("message" in e ? e.message : String(e.reason));
    window.addEventListener("stemma:signed-out", signedOut);
    window.addEventListener("stemma:signed-in", back);
    window.addEventListener("error", failed);
    window.addEventListener("unhandledrejection", failed);
    const esc = (e: KeyboardEvent) => e.key === "Escape" && writing(e.target) && (e.target as HTMLElement).blur();
    window.addEventListener("keydown", esc);
    return () => {
      window.removeEventListener("stemma:signed-out", signedOut);
      window.removeEventListener("stemma:signed-in", back);
      window.removeEventListener("error", failed);
      window.removeEventListener("unhandledrejection", failed);
      window.removeEventListener("keydown", esc);
    };
  }, []);
  // A new view begins at its top, also for who does not see it.
  const main = useRef<HTMLElement>(null), first = useRef(true);
  useEffect(() => {
    if (!first.current && !writing(document.activeElement)) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [place.path]);
  useEffect(() => document.querySelector('nav [aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "nearest" }), [place.path]);
  const nextTheme = () => setTheme((was) => {
    const next = themes[(themes.indexOf(was) + 1) % themes.length]!;
    keep(next);
    return next;
  });
  useKeys({
    "/": openQuick,
    "?": () => helpBox.current?.showModal(),
    l: nextTheme,
    p: () => document.getElementById("reads")?.focus(),
    ...Object.fromEntries(views.map(([to], i) => [String((i + 1) % 10), () => go(to)])),
  });
  const reads = useReads(), who = useMe(), choices = who?.choices;
  const at = place.path;
  const top = useMemo(() => (
      <header class="top">
        <To to="/" class="name" title="the first page">stemma</To>
        {(!who || choices) && <Reads choices={choices} look={() => void me(true)} />}
        <nav aria-label="Views">
          {views.map(([to, name]) => <To key={to} to={to} aria-current={at === to ? "page" : undefined}>{name}</To>)}
        </nav>
        <div class="corner">
          <button type="button" class="quiet lens" onClick={openQuick} aria-label="Search from here" title="ctrl k">⌕</button>
          <button type="button" class="quiet" onClick={nextTheme} aria-label={`Colours: ${theme}`}>{theme}</button>
          <button type="button" class="quiet" onClick={() => helpBox.current?.showModal()} aria-label="Help: keys">?</button>
        </div>
      </header>
  ), [at, theme, who]);
  const keys = useMemo(() => (
      <dialog ref={helpBox} aria-labelledby="help" onClick={(e) => e.target === helpBox.current && helpBox.current?.close()}>
        {calm && <form method="dialog">
          <div class="row"><h2 id="help">Keys</h2><span class="push" /><button type="submit" autofocus>Close</button></div>
          <div class="keys">
            {help.map(([what, list]) => (
              <section key={what}><h3>{what}</h3><dl>{list.map(([k, does]) => <><dt key={k}>{k.split(" ").map((x) => (x === "–" ? " – " : <kbd key={x}>{x}</kbd>))}</dt><dd>{does}</dd></>)}</dl></section>
            ))}
          </div>
        </form>}
      </dialog>
  ), [calm]);
  return (
    <>
      <a class="skip" href="#main">Skip to the content</a>
      {top}
      <main id="main" ref={main} tabIndex={-1}>
        {missed && <p class="trouble" role="alert">The page failed: {missed}. Loading it again may help.</p>}
        {away}
        {out && <SignedOut />}
        <div class="view" hidden={out}><View place={place} key={reads} /></div>
      </main>
      {quick}
      {actBox}
      {keys}
    </>
  );
}

// Seldom is a view that few look at: a browser loads it when somebody does.
let loaded: typeof import("./seldom") | undefined;
function Seldom({ of, place }: { of: keyof typeof import("./seldom"); place: Place }) {
  const [all, set] = useState(loaded), [error, fail] = useState<Error>();
  const load = () => {
    if (loaded) return set(loaded); // it came after this was drawn
    const over = waits();
    fail(undefined);
    import("./seldom").then((all) => set((loaded = all)), fail).finally(over);
  };
  useEffect(load, []);
  const View = all?.[of];
  return View ? <View place={place} /> : <section><Trouble error={error} again={load} /><Busy when={!error} /></section>;
}

function View({ place }: { place: Place }) {
  switch (place.path) {
    case "/":
    case "/search": return <SearchView place={place} />;
    case "/review": return <Seldom of="ReviewView" place={place} key={`review ${place.query.get("from")}`} />;
    case "/conflicts": return <Seldom of="ConflictsView" place={place} key={`conflicts ${place.query.get("of")}`} />;
    case "/blast": return <Seldom of="BlastView" place={place} key="blast" />;
    case "/begin": return <BeginView />;
    case "/people": return <Seldom of="PeopleView" place={place} key="people" />;
    case "/decisions": return <Seldom of="DecisionsView" place={place} key="decisions" />;
    case "/given": return <Seldom of="GivenView" place={place} key="given" />;
    case "/timeline": return <Seldom of="TimelineView" place={place} key="timeline" />;
    case "/pack": return <Seldom of="PackView" place={place} key="pack" />;
    case "/health": return <Seldom of="HealthView" place={place} key="health" />;
  }
  if (place.path.startsWith("/memory/")) {
    let ref = place.path.slice("/memory/".length);
    try {
      ref = decodeURIComponent(ref);
    } catch {}
    return <MemoryView of={ref} key={ref} />;
  }
  return <section aria-labelledby="nowhere"><h1 id="nowhere">There is no such page</h1><p>The address may be mistyped. <To to="/">Search your memories</To></p></section>;
}

// SignedOut keeps the view with all that was typed into it, until this browser is signed in again.
function SignedOut() {
  const [still, say] = useState("");
  const again = async (asked: boolean) => {
    const tell = (what: string) => asked && say(what);
    tell("");
    try {
      if ((await fetch("/v1/status", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" })).ok) {
        window.dispatchEvent(new Event("stemma:signed-in"));
        window.dispatchEvent(new Event("stemma:back"));
        return;
      }
      tell("This browser is still signed out.");
    } catch {
      tell("The server does not answer.");
    }
  };
  // who comes back from the tab that signed in need not ask
  useEffect(() => {
    const seen = () => void (document.visibilityState === "visible" && again(false));
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
  return (
    <section aria-labelledby="out">
      <h1 id="out">You are signed out</h1>
      <p>Run <code>stemma ui</code> at a terminal. It signs this browser in, in a new tab. Then come back to this one: what you typed is kept.</p>
      <p class="row"><button type="button" class="main" onClick={() => void again(true)}>Continue</button> <span role="status" class="note">{still}</span></p>
    </section>
  );
}

// What the server wrote of this view is drawn over, element by element.
const root = document.getElementById("page")!;
const open = root.querySelectorAll<HTMLDetailsElement>("details[open]"); // by a reader who was faster
render(<App />, root);
for (const d of open) d.open = true;
