import { memo } from "preact/compat";
import type { Node } from "./api";
import { card, place, wrap } from "./geometry";
import { dayOf, figure, happened, heldUntil, shapeOf, siglum, two, visible } from "./words";

// describe says of a node what the picture shows of it.
export function describe(n: Node): string {
  const parts = [n.kind, visible(n.words)];
  if (n.folded) return [...parts, n.behind ? `${n.behind} records behind them` : "", "press enter to unfold"].filter(Boolean).join(", ");
  if (n.missing) parts.push("missing");
  if (n.hidden) parts.push(happened(n.hidden));
  else if (n.until) parts.push(heldUntil(n.until));
  if (n.disputed) parts.push("disputed");
  if (n.tainted) parts.push("external");
  if (n.speaker) parts.push(`said by ${visible(n.speaker)}`);
  else if (n.writer) parts.push(`written by ${visible(n.writer)}`);
  if (n.at) parts.push(dayOf(n.said ?? n.at));
  if (n.fate === "falls") parts.push("would be hidden");
  if (n.fate === "stays") parts.push("also has other sources");
  if (n.tier) parts.push(n.tier);
  if (n.trust !== undefined) parts.push(`trust ${two(n.trust)}`);
  if (n.confidence !== undefined) parts.push(`confidence ${two(n.confidence)}`);
  if (n.older) parts.push(`${n.older} older not shown`);
  if (n.newer) parts.push(`${n.newer} newer not shown`);
  return parts.join(", ");
}

// How wide words are, as the sheet sets them: fonts differ, and so do scripts.
const fonts = { said: "14px var(--serif)", speaker: "11.5px var(--sans)", folded: "600 13px var(--sans)" };
const pens = new Map<string, (s: string) => number>();
function pen(of: keyof typeof fonts): (s: string) => number {
  let size = pens.get(of);
  if (!size) {
    const draws = document.createElement("canvas").getContext("2d"), seen = new Map<string, number>();
    if (draws) draws.font = fonts[of].replace(/var\((.*)\)/, (_, v) => getComputedStyle(document.documentElement).getPropertyValue(v));
    size = (s) => {
      let w = seen.get(s);
      if (w === undefined) seen.set(s, (w = draws ? draws.measureText(s).width : 8 * s.length));
      return w;
    };
    pens.set(of, size);
  }
  return size;
}

export interface CardProps {
  n: Node;
  i: number;
  selected: boolean;
  root: boolean;
  entry: boolean; // the one that the tab key reaches
  after: boolean; // a blast: as it would be after the quarantine
  expand?: (i: number, dir: "back" | "forward") => void;
}

// Shapes differ by kind, so that colour is not the only sign.
function Shape({ kind }: { kind: string }) {
  switch (shapeOf(kind)) {
    case "square":
      return <rect x="8" y="9" width="22" height="22" />;
    case "diamond":
      return <path d="M19 7 31 20 19 33 7 20Z" />;
    case "page":
      return <path d="M8 9H25L30 14V31H8Z" />;
    default:
      return <circle cx="19" cy="20" r="12" />;
  }
}

export const Card = memo(function Card({ n, i, selected, root, entry, after, expand }: CardProps) {
  const p = place(n);
  const gone = after && (n.fate === "falls" || n.fate === "root") ? "quarantined" : n.hidden;
  const marks = n.missing ? ["missing"] : [gone ? happened(gone) : heldUntil(n.until), n.disputed && "disputed", n.tainted && "external", !gone && !n.until && !n.disputed && !n.tainted && n.review === "pending" && "not reviewed"].filter(Boolean);
  const mark = marks.join(" · ");
  const lines = wrap(visible(n.words), card.w - 38 - (n.tainted ? 15 : 6), 3, pen(n.folded ? "folded" : "said"));
  const when = n.at ? dayOf(n.said ?? n.at) : "";
  const speaker = wrap(visible(n.speaker ?? n.writer ?? ""), card.w - 46, 1, pen("speaker"))[0];
  const cls = ["node", `k-${n.kind || "other"}`, gone && `is-${gone}`, n.missing && "is-missing", n.disputed && "is-disputed", n.tainted && "is-tainted", n.folded && "is-folded", selected && "is-selected", root && "is-root", n.fate && `fate-${n.fate}`].filter(Boolean).join(" ");
  return (
    <g class={cls} transform={`translate(${p.x} ${p.y})`} data-i={i}>
      <g class="face" role="button" tabindex={entry ? 0 : -1} data-ref={n.ref} aria-label={describe(n)} aria-pressed={selected}>
        {n.folded && <path class="card pile" d={`M8 ${card.h + 4}H${card.w + 4}V6`} />}
        {n.folded && <path class="card pile" d={`M14 ${card.h + 8}H${card.w + 8}V12`} />}
        <rect class="card" width={card.w} height={card.h} rx="3" />
        {n.disputed && <path class="dispute" d={`M0 4L4 0M0 ${card.h}V0M3 6h${card.w - 6}M3 ${card.h - 3}h${card.w - 6}`} />}
        {n.tainted && <path class="taint" d={`M${card.w - 7} 1v${card.h - 2}`} />}
      </g>
      <g class="ink" aria-hidden="true">
        <g class="badge">
          <Shape kind={n.kind} />
          <text x="19" y="25" text-anchor="middle">
            {n.folded ? "+" : siglum(n.kind)}
          </text>
        </g>
        {lines.map((l, j) => (
          <text key={j} class="said" x="38" y={19 + j * 17}>
            {l}
          </text>
        ))}
        {!n.folded && <text class="day" x="1" y="-4">{when}</text>}
        <text class="figures" x="38" y={card.h - 9}>
          {n.folded ? (n.behind ? `and ${figure(n.behind)} behind them: unfold` : "unfold") : n.missing ? "not held here" : speaker}
        </text>
        {mark && (
          <text class={["disputed", "quarantined", "rejected"].some((w) => mark.includes(w)) ? "flag" : "flag waits"} x={card.w - 6} y="-4" text-anchor="end">
            {mark}
          </text>
        )}
      </g>
      {expand && !!n.older && <More x={-11} n={n.older} label={`Show ${n.older} older`} act={() => expand(i, "back")} />}
      {expand && !!n.newer && <More x={card.w + 11} n={n.newer} label={`Show ${n.newer} newer`} act={() => expand(i, "forward")} />}
    </g>
  );
});

function More({ x, n, label, act }: { x: number; n: number; label: string; act: () => void }) {
  return (
    <g
      class="more"
      role="button"
      tabindex={-1}
      aria-label={label}
      transform={`translate(${x} ${card.h / 2})`}
      onClick={(e: MouseEvent) => {
        e.stopPropagation();
        act();
      }}
    >
      <circle r="10" />
      <text text-anchor="middle" y="3.5" aria-hidden="true">
        {n > 99 ? "+" : `+${n}`}
      </text>
    </g>
  );
}
