// How single things are shown: words, axes, refs, times.

import type { ComponentChildren } from "preact";
import type { Axes } from "./api";
import { memoryPath, To } from "./route";

// Characters that steer rather than say something: controls, directions, tags and
// what cannot be seen. They are shown as escapes, as on a terminal.
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/gu;

// Most words have nothing of it, and a browser takes milliseconds to make the table above.
const plain = /^[\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/;

export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(steering, (c) => ("\n\t\u200d".includes(c) ? c : `\\u{${c.codePointAt(0)!.toString(16)}}`));
}

// Words are what a memory says: text, and never anything else.
// Pieces are the same text in parts; every second one matches what is searched for.
export function Words({ children, class: c = "", pieces }: { children: string; class?: string; pieces?: string[] }) {
  return (
    <bdi class={`words ${c}`} dir="auto">
      {pieces ? pieces.map((p, i) => (i % 2 ? <mark key={i}>{visible(p)}</mark> : visible(p))) : visible(children)}
    </bdi>
  );
}

// Whole is all that a memory says, with code as code. The text is the same: its fences stay.
export function Whole({ children: text }: { children: string }) {
  return (
    <bdi class="words" dir="auto">
      {text.includes("```") ? text.split(/(^[ \t]*```[^`]*^[ \t]*```[ \t]*$)/m).map((p, i) => (i % 2 ? <code key={i}>{visible(p)}</code> : visible(p))) : visible(text)}
    </bdi>
  );
}

const long = 500; // characters: beyond them words are set smaller

// ItemWords are the words that a decision is about.
export const ItemWords = ({ children: text }: { children: string }) => <p class={text.length > long ? "item-words long" : "item-words"}><Whole>{text}</Whole></p>;

// A kind has a siglum, a shape and a colour, so that none is the only sign. The program says
// which kinds there are; the sheet has their colours.
const forms: { kind: string; letter: string; shape?: string }[] = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="kinds"]')?.content || "[]",
);
const sigla = Object.fromEntries(forms.map((f) => [f.kind, f.letter]));
const shapes = Object.fromEntries(forms.map((f) => [f.kind, f.shape]));
export const kinds = Object.keys(sigla);
export const shapeOf = (kind: string) => shapes[kind];
export const siglum = (kind: string) => sigla[kind] ?? "?";

export function Siglum({ kind }: { kind: string }) {
  return (
    <span class={`siglum k-${sigla[kind] ? kind : "other"}`} title={kind} role="img" aria-label={kind}>
      {siglum(kind)}
    </span>
  );
}

export const kindOf = (ref: string) => ref.split(":")[0] ?? "";
export const short = (ref: string) => {
  const [kind, id = ""] = ref.split(":");
  return `${kind}:${id.slice(0, 8)}`;
};

export function Ref({ to, children }: { to: string; children?: ComponentChildren }) {
  return (
    <To to={memoryPath(to)} class="ref" title={to}>
      {children ?? short(to)}
    </To>
  );
}

export const two = (n: number) => n.toFixed(2);

const tiers = ["hypothesis", "inferred", "observed", "grounded"];

// The three axes stand side by side and are never made into one figure.
export function AxesLine({ of: a }: { of: Axes }) {
  return (
    <span class="axes">
      <span class="axis">
        <span class="axis-name">tier</span> <Steps n={tiers.indexOf(a.tier ?? "") + 1} /> {a.tier || "raw words"}
      </span>
      <span class="axis">
        <span class="axis-name">trust</span> {a.trust === undefined ? "–" : two(a.trust)}
      </span>
      <span class="axis">
        <span class="axis-name">confidence</span> {a.confidence === undefined ? "–" : two(a.confidence)}
      </span>
    </span>
  );
}

function Steps({ n }: { n: number }) {
  return (
    <svg class="steps" viewBox="0 0 19 8" width="19" height="8" aria-hidden="true">
      {[0, 1, 2, 3].map((i) => (
        <rect key={i} x={i * 5 + 0.5} y={0.5} width="3" height="7" class={i < n ? "on" : "off"} />
      ))}
    </svg>
  );
}

// A mark of one word stands beside what else is said of a memory, a sentence below it.
export const brief = (mark: string) => !mark.includes(" ");

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

// heldUntil says of a memory that is over until when it held: the day as its marks have it, in no browser's own way,
// since the server writes it too.
export function heldUntil(until?: string): string {
  if (!until) return "";
  const d = new Date(until);
  return `held until ${isNaN(d.getTime()) ? visible(until) : `${d.getUTCDate()} ${months[d.getUTCMonth()]} ${String(d.getUTCFullYear()).padStart(4, "0")}`}`;
}

// beginning is what a label has of a text: no half of a character.
export const beginning = (text: string) => visible(text.slice(0, 80).replace(/[\ud800-\udbff]$/, ""));

// happened says what happened to a memory that is not given any more.
export const happened = (hidden: string) => (hidden === "superseded" || hidden === "outranked" ? "replaced" : hidden);

// Marks that the chip says, and others that stand beside it.
const stateMarks = ["unverified", "external", "disputed", "rejected", "quarantined", "forgotten", "purged"];
export const beside = (marks?: string[]) => (marks ?? []).filter((m) => !stateMarks.includes(m));

// past gives a time if it is over.
export const past = (at?: string) => (at && new Date(at).getTime() <= Date.now() ? at : undefined);

// Marks says in words what is not as usual with a memory.
export function Marks({ hidden, until, review, disputed, tainted, missing }: { hidden?: string; until?: string; review?: string; disputed?: boolean; tainted?: boolean; missing?: boolean }) {
  const list = [missing && "missing", hidden && happened(hidden), !hidden && heldUntil(until), !hidden && review === "pending" && "not reviewed", review === "approved" && "approved", disputed && "disputed", tainted && "external"].filter(Boolean) as string[];
  return (
    <>
      {list.map((m) => (
        <span key={m} class={`mark m-${m.startsWith("held") ? "over" : m.split(" ").pop()}`}>
          {m}
        </span>
      ))}
    </>
  );
}

// format makes a format of times when it is asked for first: a browser takes milliseconds for each.
export function format(locale: string | undefined, how: Intl.DateTimeFormatOptions): (d: Date | number) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (d) => (made ??= new Intl.DateTimeFormat(locale, how)).format(d);
}

const day = format(undefined, { dateStyle: "medium" });
const wholeDay = format(undefined, { dateStyle: "medium", timeZone: "UTC" }); // a day without a time is the same everywhere
const moment = format(undefined, { dateStyle: "medium", timeStyle: "short" });

export function dayOf(at: string): string {
  const d = new Date(at);
  return isNaN(d.getTime()) ? visible(at) : (/^\d{4}-\d\d-\d\d$/.test(at) ? wholeDay : day)(d);
}

const hour = format(undefined, { timeStyle: "short" });

export function When({ at, only }: { at?: string; only?: "day" | "hour" }) {
  if (!at) return null;
  const d = new Date(at);
  if (isNaN(d.getTime())) return <>{visible(at)}</>;
  return (
    <time dateTime={at} title={at}>
      {(only === "day" ? day : only === "hour" ? hour : moment)(d)}
    </time>
  );
}

// Imported says when a memory came here, where it was said at another time.
export function Imported({ of: m }: { of: { at?: string; created_at: string; created_via?: string } }) {
  if (!m.at || Math.abs(new Date(m.created_at).getTime() - new Date(m.at).getTime()) < 60_000) return null;
  return <span class="second"> · {m.created_via === "import" ? "imported" : "recorded"} <When at={m.created_at} only="day" /></span>;
}

// Address shows where something points. Only addresses of the web are links, and
// their text is the address itself.
export function Address({ children }: { children: string }) {
  let url: URL | undefined;
  try {
    url = new URL(children);
  } catch {}
  const text = visible(children);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:") || url.username || text !== children) return <bdi class="mono">{text}</bdi>;
  return (
    <a class="mono" href={url.href} rel="noopener noreferrer" target="_blank">
      {url.href}
    </a>
  );
}

export function Trouble({ error, again }: { error?: Error; again?: () => void }) {
  if (!error) return null;
  return (
    <p class="trouble" role="alert">
      <Words>{error.message}</Words>{" "}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </p>
  );
}

// Busy tells that something is on its way, without moving.
export const Busy = ({ when, children = "reading…" }: { when: boolean; children?: string }) => (
  <p class="busy" role="status">
    {when ? children : ""}
  </p>
);

// cut gives at most so many characters of a text, whole words where there are any.
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const part = text.slice(0, most), end = part.search(/\s\S*$/);
  return (end > most / 2 ? part.slice(0, end) : part.slice(0, -1)).trimEnd() + "…";
}

// figure writes a whole number with commas.
export const figure = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

export const many = (n: number, one: string, more = one + "s") => `${figure(n)} ${n === 1 ? one : more}`;
