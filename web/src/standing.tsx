// How a memory stands: one chip, and the three scales behind it for who asks.

import { useState } from "preact/hooks";
import type { Axes } from "./api";
import { useCalm } from "./use";
import { format, happened, heldUntil, two, visible } from "./words";

export interface Stands extends Axes {
  kind?: string;
  type?: string;
  hidden?: string;
  until?: string;
  review?: string;
  disputed?: boolean;
  tainted?: boolean;
  unverified?: boolean;
  external?: boolean;
  actionable?: boolean;
  missing?: boolean;
}

// status is how a memory stands, in one of four words, and the class of its colour; of one that is not given any more,
// what happened to it.
export function status(m: Stands): [word: string, tone: string] {
  const kind = m.kind ?? m.type, approved = m.review === "approved";
  if (m.missing) return ["missing", "gone"];
  if (m.until && (!m.hidden || m.hidden === "over")) return [heldUntil(m.until), "gone"];
  if (m.hidden) return [happened(m.hidden), ["rejected", "quarantined"].includes(m.hidden) ? "bad" : "gone"];
  if (m.disputed) return ["disputed", "bad"];
  if (approved && m.actionable) return ["approved", "good"];
  if (m.tainted || m.unverified || m.external) return [approved ? "approved, external" : "external", "waits"];
  if (approved || (!m.review && m.actionable)) return ["approved", "good"];
  if (kind === "raw") return ["capture", "plain"];
  return ["not reviewed", "waits"];
}

// Chip is the word alone.
export function Chip({ of: m }: { of: Stands }) {
  const [word, tone] = status(m);
  return <span class={`chip t-${tone}`}>{word}</span>;
}

// The words of docs/explanation/tiers-trust-confidence.md, shorter.
const tiers: Record<string, string> = {
  grounded: "it names code, is approved, and was verified against the code",
  observed: "its lineage reaches captured words, or it is approved",
  inferred: "an agent or a model wrote it, and no person reviewed it",
  hypothesis: "none of what the other tiers need",
};

const levels: Record<string, string> = {
  unverified: "no witness and no anchor supports it",
  attested: "a witness or an anchor supports it",
  anchored: "an anchor supports it, and the score is 0.60 or more",
  consensus: "two independent witnesses and an anchor support it, and none disputes it",
  rejected: "its signature is wrong",
};

// Standing is the chip. The scales are in the document once they are asked for.
export function Standing({ of: m }: { of: Stands }) {
  const [open, set] = useState(false);
  const [word, tone] = status(m);
  return (
    <details class="standing" onToggle={(e) => set(e.currentTarget.open)}>
      <summary class={`chip t-${tone}`} aria-label={`${word}: show tier, trust and confidence`}>{word}</summary>
      {open && (
        <dl class="scales">
          <dt>tier</dt><dd><Scale at={m.tier ? ["hypothesis", "inferred", "observed", "grounded"].indexOf(m.tier) + 1 : 0} of={4} /> <b>{m.tier || "none"}</b> <span>{m.tier ? tiers[m.tier] : "captured words have no tier"}</span></dd>
          <dt>trust</dt><dd><Scale at={m.trust ?? 0} of={1} /> <b>{m.trust === undefined ? "–" : two(m.trust)}</b> <span>{levels[m.level ?? ""] ?? "not rated"}</span></dd>
          <dt>confidence</dt><dd><Scale at={m.confidence ?? 0} of={1} /> <b>{m.confidence === undefined ? "–" : two(m.confidence)}</b> <span>how sure its author is</span></dd>
        </dl>
      )}
    </details>
  );
}

const Scale = ({ at, of }: { at: number; of: number }) => (
  <svg class="scale" viewBox="0 0 60 6" width="60" height="6" aria-hidden="true"><rect class="room" width="60" height="6" /><rect class="taken" width={60 * Math.max(0, Math.min(1, at / of))} height="6" /></svg>
);

const steps: [string, number][] = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60]];
const exact = format(undefined, { dateStyle: "full", timeStyle: "short" });

// ago says how long ago a time is, in words.
export function ago(at: Date, now = Date.now()): string {
  const s = (at.getTime() - now) / 1000;
  for (const [unit, size] of steps) {
    const n = Math.trunc(Math.abs(s) / size), many = unit === "hour" || unit === "minute";
    if (n === 1 && !many) return unit === "day" ? (s < 0 ? "yesterday" : "tomorrow") : `${s < 0 ? "last" : "next"} ${unit}`;
    if (n >= 1) return s < 0 ? `${n} ${unit}${n > 1 ? "s" : ""} ago` : `in ${n} ${unit}${n > 1 ? "s" : ""}`;
  }
  return s > 0 ? "in a moment" : "just now";
}

// Ago shows how long ago a time is; the exact time is its title, and is read aloud. On the first view that comes
// after what can be seen.
export function Ago({ at }: { at?: string }) {
  const calm = useCalm();
  if (!at) return null;
  const d = new Date(at);
  if (isNaN(d.getTime())) return <>{visible(at)}</>;
  const full = calm ? exact(d) : undefined;
  return <time dateTime={at} title={full}>{ago(d)}{full && <span class="sr"> ({full})</span>}</time>;
}
