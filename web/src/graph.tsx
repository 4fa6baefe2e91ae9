import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Drawing, Node } from "./api";
import { type Box, card, column, crosses, place, type Plan, plan, row, seen, type View } from "./geometry";
import { Card, describe } from "./node";
import { AxesLine, kinds, Marks, siglum, Siglum, When, Words } from "./words";

interface Props {
  drawing: Drawing;
  selected?: string;
  onSelect: (ref: string) => void;
  onOpen: (ref: string) => void;
  onUnfold?: (ref: string) => void;
  onExpand?: (ref: string, dir: "back" | "forward") => void;
  after?: boolean;
  label: string;
}

const legible = 0.76; // the least scale at which the words of a card are read with ease
const near = 0.42; // below that scale there is nothing to read, and only marks are drawn
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// A Graph is a drawing one can walk through: dragged, zoomed, and by keys. Only what
// is in view is in the document, and moving the view moves one group.
export function Graph({ drawing, selected, onSelect, onOpen, onUnfold, onExpand, after = false, label }: Props) {
  const p = useMemo(() => plan(drawing), [drawing]);
  const frame = useRef<HTMLDivElement>(null);
  const world = useRef<SVGGElement>(null);
  const view = useRef<View>({ x: 0, y: 0, k: 1 });
  const last = useRef<Plan | undefined>(undefined);
  const [size, setSize] = useState({ w: 0, h: 0 });
  const [shown, setShown] = useState<{ box: Box; k: number }>({ box: { x: 0, y: 0, w: 0, h: 0 }, k: 1 });
  const [hover, setHover] = useState<number>();
  const focus = useRef(false); // the next render moves the keyboard's focus too
  const regain = useRef(false); // so does the next drawing: cards that change places lose it

  // apply moves the group, and draws anew where the view leaves what is drawn.
  const apply = useCallback(
    (force = false) => {
      const v = view.current;
      world.current?.setAttribute("transform", `translate(${v.x} ${v.y}) scale(${v.k})`);
      const el = frame.current;
      if (!el) return;
      const w = el.clientWidth / v.k, h = el.clientHeight / v.k, x = -v.x / v.k, y = -v.y / v.k;
      setShown((s) => {
        const b = s.box;
        const inside = x >= b.x && y >= b.y && x + w <= b.x + b.w && y + h <= b.y + b.h;
        if (!force && inside && s.k < near === v.k < near && b.w < w * 4) return s;
        return { box: { x: x - w / 2, y: y - h / 2, w: w * 2, h: h * 2 }, k: v.k };
      });
    },
    [],
  );

  const look = useCallback(
    (to: View) => {
      view.current = to;
      apply();
    },
    [apply],
  );

  const zoom = useCallback(
    (by: number, atX?: number, atY?: number) => {
      const v = view.current, el = frame.current!;
      const cx = atX ?? el.clientWidth / 2, cy = atY ?? el.clientHeight / 2;
      const k = Math.min(2, Math.max(0.02, v.k * by));
      look({ k, x: cx - ((cx - v.x) * k) / v.k, y: cy - ((cy - v.y) * k) / v.k });
    },
    [look],
  );

  const fit = useCallback(() => {
    const el = frame.current!;
    const k = Math.min(1, Math.max(0.02, Math.min(el.clientWidth / p.box.w, el.clientHeight / p.box.h)));
    look({ k, x: (el.clientWidth - p.box.w * k) / 2 - p.box.x * k, y: (el.clientHeight - p.box.h * k) / 2 - p.box.y * k });
  }, [p, look]);

  const centre = useCallback(
    (i: number, k = view.current.k, across = 0.5) => {
      const el = frame.current!, at = place(p.drawing.nodes[i]!);
      look({ k, x: el.clientWidth * across - (at.x + card.w / 2) * k, y: el.clientHeight / 2 - (at.y + card.h / 2) * k });
    },
    [p, look],
  );

  // reveal moves no further than it must.
  const reveal = useCallback(
    (i: number) => {
      const el = frame.current!, v = view.current, at = place(p.drawing.nodes[i]!), pad = 24;
      const left = at.x * v.k + v.x, top = at.y * v.k + v.y;
      const dx = left < pad ? pad - left : Math.min(0, el.clientWidth - pad - left - card.w * v.k);
      const dy = top < pad ? pad - top : Math.min(0, el.clientHeight - pad - top - card.h * v.k);
      if (dx || dy) look({ ...v, x: v.x + dx, y: v.y + dy });
    },
    [p, look],
  );

  useLayoutEffect(() => {
    const el = frame.current!;
    const watch = new ResizeObserver(() => setSize({ w: el.clientWidth, h: el.clientHeight }));
    watch.observe(el);
    setSize({ w: el.clientWidth, h: el.clientHeight });
    const wheel = (e: WheelEvent) => {
      if (!e.ctrlKey && !e.metaKey) return; // the page scrolls as ever
      e.preventDefault();
      const r = el.getBoundingClientRect();
      zoom(Math.exp(-e.deltaY / 300), e.clientX - r.left, e.clientY - r.top);
    };
    el.addEventListener("wheel", wheel, { passive: false });
    return () => {
      watch.disconnect();
      el.removeEventListener("wheel", wheel);
    };
  }, [zoom]);

  // A new drawing keeps what was selected where it was on the screen; the first is
  // shown whole if it can be read so, and else from its root.
  useLayoutEffect(() => {
    const before = last.current;
    last.current = p;
    focus.current ||= regain.current;
    regain.current = false;
    // a small tree takes no more of the page than it needs
    const wide = Math.min(1, Math.max(legible, frame.current!.clientWidth / p.box.w));
    frame.current!.style.height = `min(${Math.max(before ? frame.current!.clientHeight : 240, Math.min(p.box.h * wide + 20, 1600))}px, max(72vh, 20rem))`;
    const was = before && selected !== undefined ? before.at.get(selected) : undefined;
    const is = selected !== undefined ? p.at.get(selected) : undefined;
    if (before && was !== undefined && is !== undefined) {
      const a = place(before.drawing.nodes[was]!), b = place(p.drawing.nodes[is]!), v = view.current;
      view.current = { ...v, x: v.x + (a.x - b.x) * v.k, y: v.y + (a.y - b.y) * v.k };
    } else {
      const el = frame.current!;
      const whole = Math.min(el.clientWidth / p.box.w, el.clientHeight / p.box.h);
      const from = p.drawing.roots[0] ?? p.drawing.nodes.findIndex((n) => n.fate === "root");
      if (whole >= legible || from < 0) fit();
      else {
        // as wide as it can be read: with the record itself in view, and as much as there is room for of what it comes
        // from. No side is left empty while there is more on the other.
        const k = Math.min(1, Math.max(legible, el.clientWidth / p.box.w));
        const root = place(p.drawing.nodes[from]!), next = p.drawing.layers > p.drawing.nodes[from]!.layer + 1 && el.clientWidth / k > 4 * column ? column : 0;
        const x = Math.min(-p.box.x * k, el.clientWidth - 24 - (root.x + card.w + next) * k); // on a wide screen with what was made of it
        // of what stands above and below it there
        const there = seen(p, { x: -x / k, y: p.box.y, w: el.clientWidth / k, h: p.box.h }).map((i) => place(p.drawing.nodes[i]!).y);
        const top = (Math.min(root.y, ...there) - 30) * k, bottom = (Math.max(root.y, ...there) + card.h + 30) * k, spare = el.clientHeight - (bottom - top);
        look({ k, x, y: spare > 0 ? spare / 2 - top : Math.min(-top, Math.max(spare - top, el.clientHeight / 2 - (root.y + card.h / 2) * k)) });
      }
    }
    apply(true);
  }, [p]);
  // a screen that is turned, or a window made smaller, keeps in view what was chosen
  const was = useRef(size);
  useLayoutEffect(() => {
    const before = was.current, i = (selected !== undefined ? p.at.get(selected) : undefined) ?? p.drawing.roots[0];
    was.current = size;
    if (before.w && i !== undefined) {
      const at = place(p.drawing.nodes[i]!), { x, y, k } = view.current;
      if (at.x * k + x < before.w && (at.x + card.w) * k + x > 0 && at.y * k + y < before.h && (at.y + card.h) * k + y > 0) reveal(i);
    }
    apply(true);
  }, [size.w, size.h]);

  useEffect(() => {
    if (!focus.current || selected === undefined) return;
    const to = frame.current?.querySelector<SVGGElement>(`[data-i="${p.at.get(selected) ?? -1}"] .face`);
    if (!to) return; // it is drawn when the view has moved to it
    focus.current = false;
    to.focus({ preventScroll: true });
  });

  const walk = (to: number | undefined) => {
    if (to === undefined) return;
    if (view.current.k < near) centre(to, 0.8);
    reveal(to);
    focus.current = true;
    onSelect(p.drawing.nodes[to]!.ref);
  };
  // unfold leaves the keyboard at the record that the folded ones stand beside.
  const unfold = (n: Node) => {
    const beside = p.at.get(n.ref.slice(n.ref.indexOf(":") + 1));
    regain.current = beside !== undefined;
    onUnfold?.(n.ref);
    walk(beside);
  };
  const entry = (selected !== undefined ? p.at.get(selected) : undefined) ?? p.drawing.roots[0] ?? 0;

  const keys = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const target = (e.target as Element).closest("[data-i]");
    const i = target ? Number(target.getAttribute("data-i")) : entry;
    const n = p.drawing.nodes[i];
    if (!n) return;
    const act: Record<string, () => void> = {
      ArrowLeft: () => walk(beside(p, i, -1)),
      ArrowRight: () => walk(beside(p, i, 1)),
      ArrowUp: () => walk(sibling(p, i, -1)),
      ArrowDown: () => walk(sibling(p, i, 1)),
      Home: () => walk(p.drawing.roots[0]),
      Enter: () => (n.folded ? unfold(n) : onOpen(n.ref)),
      " ": () => walk(i),
      "[": () => onExpand && n.older && (walk(i), (regain.current = true), onExpand(n.ref, "back")),
      "]": () => onExpand && n.newer && (walk(i), (regain.current = true), onExpand(n.ref, "forward")),
      "+": () => zoom(1.25),
      "=": () => zoom(1.25),
      "-": () => zoom(0.8),
      "0": fit,
    };
    if (act[e.key]) {
      e.preventDefault();
      e.stopPropagation();
      act[e.key]!();
    }
  };

  const drag = usePointers(view, look, zoom, frame);
  const far = shown.k < near;
  const nodes = useMemo(() => (far ? [] : seen(p, shown.box)), [p, shown, far]);
  const marked = selected !== undefined ? p.at.get(selected) : undefined;
  const expand = useCallback(
    (i: number, dir: "back" | "forward") => {
      const ref = p.drawing.nodes[i]!.ref;
      onSelect(ref);
      onExpand?.(ref, dir);
    },
    [p, onExpand, onSelect],
  );

  return (
    <figure class="graph">
      <div class="graph-frame" ref={frame} onKeyDown={keys}>
        <svg
          role="group"
          aria-label={`${label}: older to the left, newer to the right; arrow keys walk`}
          {...drag.on}
          onClick={(e) => {
            const at = (e.target as Element).closest("[data-i]");
            const n = at && p.drawing.nodes[Number(at.getAttribute("data-i"))]!;
            if (n && !drag.moved()) n.folded ? unfold(n) : onSelect(n.ref);
            else if (far && !drag.moved()) walk(under(p, view.current, frame.current!, e));
          }}
          onDblClick={(e) => {
            const at = (e.target as Element).closest("[data-i]");
            const n = at && p.drawing.nodes[Number(at.getAttribute("data-i"))]!;
            if (n && !n.folded) onOpen(n.ref);
          }}
          onPointerOver={(e) => {
            const at = (e.target as Element).closest("[data-i]");
            setHover(at ? Number(at.getAttribute("data-i")) : undefined);
          }}
          onPointerLeave={() => setHover(undefined)}
        >
          <defs>
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect class="hatch" width="2" height="6" />
            </pattern>
          </defs>
          <g ref={world} class={far ? "world far" : "world"}>
            <Lines p={p} box={shown.box} marked={marked} after={after} />
            {far ? <Dots p={p} after={after} marked={marked} /> : nodes.map((i) => (
              <Card key={p.drawing.nodes[i]!.ref} n={p.drawing.nodes[i]!} i={i} selected={marked === i} root={p.drawing.roots.includes(i)} entry={entry === i} after={after} expand={onExpand ? expand : undefined} />
            ))}
          </g>
        </svg>
        {hover !== undefined && !far && p.drawing.nodes[hover] && <Tip p={p} i={hover} view={view.current} frame={frame.current!} />}
      </div>
      <figcaption>
        <div class="tools" role="group" aria-label="View">
          <button type="button" onClick={() => zoom(1.25)} aria-label="Nearer">+</button>
          <button type="button" onClick={() => zoom(0.8)} aria-label="Further away">−</button>
          <button type="button" onClick={fit}>whole</button>
        </div>
        <Legend p={p} />
      </figcaption>
    </figure>
  );
}

// Lines are the arrows in view: one path for each manner, however many there are.
function Lines({ p, box, marked, after }: { p: Plan; box: Box; marked?: number; after: boolean }) {
  const paths = useMemo(() => {
    const by = new Map<string, string[]>();
    for (const l of p.lines) {
      if (!crosses(l, box)) continue;
      const lost = after && p.drawing.nodes[l.arrow.older]!.fate && p.drawing.nodes[l.arrow.older]!.fate !== "stays";
      const how = `${l.arrow.how || "derived"}${lost ? " lost" : ""}`;
      const list = by.get(how);
      if (list) list.push(l.path);
      else by.set(how, [l.path]);
    }
    return [...by].map(([how, list]) => [how, list.join("")] as const);
  }, [p, box, after]);
  return (
    <g class="lines" aria-hidden="true">
      {paths.map(([how, d]) => <path key={how} class={`line how-${how}`} d={d} />)}
      {marked !== undefined && <path class="line marked" d={(p.by[marked] ?? []).map((i) => p.lines[i]!.path).join("")} />}
    </g>
  );
}

// Dots are all nodes from far away: one path for each kind.
function Dots({ p, after, marked }: { p: Plan; after: boolean; marked?: number }) {
  const paths = useMemo(() => {
    const by = new Map<string, string[]>();
    for (const n of p.drawing.nodes) {
      const gone = n.hidden || (after && n.fate && n.fate !== "stays");
      const how = `dot k-${n.kind || "other"}${gone ? " gone" : ""}`;
      const at = place(n);
      const d = `M${at.x} ${at.y}h${card.w}v${card.h}h${-card.w}z`;
      const list = by.get(how);
      if (list) list.push(d);
      else by.set(how, [d]);
    }
    return [...by].map(([how, list]) => [how, list.join("")] as const);
  }, [p, after]);
  const m = marked !== undefined ? p.drawing.nodes[marked] : undefined;
  return (
    <g role="img" aria-label={`${p.drawing.nodes.length} records, from far away`}>
      {paths.map(([how, d]) => <path key={how} class={how} d={d} />)}
      {m && <rect class="dot-marked" x={place(m).x - 20} y={place(m).y - 20} width={card.w + 40} height={card.h + 40} />}
    </g>
  );
}

function Tip({ p, i, view, frame }: { p: Plan; i: number; view: View; frame: HTMLElement }) {
  const el = useRef<HTMLDivElement>(null);
  const n = p.drawing.nodes[i]!;
  useLayoutEffect(() => {
    const at = place(n), box = el.current!;
    const left = at.x * view.k + view.x, top = at.y * view.k + view.y, w = box.offsetWidth, h = box.offsetHeight;
    let x = Math.max(4, Math.min(left, frame.clientWidth - w - 4)), y = top + card.h * view.k + 8;
    if (y + h > frame.clientHeight) y = top - h - 18;
    if (y < 4) { // there is no room below or above: beside it, so that it can be seen itself
      y = Math.max(4, Math.min(top, frame.clientHeight - h - 4));
      x = left + card.w * view.k + 14;
      if (x + w > frame.clientWidth) x = Math.max(4, left - w - 14);
    }
    box.style.transform = `translate(${x}px, ${y}px)`;
  });
  return (
    <div class="tip" role="tooltip" ref={el}>
      <p class="tip-head"><Siglum kind={n.kind} /> {n.kind} <When at={n.at} /> <Marks hidden={n.hidden} until={n.until} review={n.review} disputed={n.disputed} tainted={n.tainted} missing={n.missing} /></p>
      <p><Words>{n.words}</Words></p>
      <AxesLine of={n} />
    </div>
  );
}

function Legend({ p }: { p: Plan }) {
  const there = new Set(p.drawing.nodes.map((n) => n.kind));
  const how = new Set(p.drawing.arrows.map((a) => a.how || "derived"));
  return (
    <p class="legend">
      {kinds.filter((k) => there.has(k)).map((k) => <span key={k} class={`key k-${k}`}><i aria-hidden="true">{siglum(k)}</i> {k}</span>)}
      {how.size > 1 && [...how].map((h) => <span key={h} class={`key line-key how-${h}`}><svg width="22" height="6" aria-hidden="true"><path class={`line how-${h}`} d="M0 3H22" /></svg> {h}</span>)}
    </p>
  );
}

// beside finds the neighbour in lineage that is nearest in height.
function beside(p: Plan, i: number, dir: 1 | -1): number | undefined {
  let best: number | undefined, least = Infinity;
  for (const l of p.by[i]!) {
    const a = p.lines[l]!.arrow;
    const other = dir < 0 ? (a.newer === i ? a.older : -1) : a.older === i ? a.newer : -1;
    if (other < 0 || other === i) continue;
    const far = Math.abs(p.drawing.nodes[other]!.y - p.drawing.nodes[i]!.y);
    if (far < least) [best, least] = [other, far];
  }
  return best;
}

function sibling(p: Plan, i: number, by: 1 | -1): number | undefined {
  const list = p.columns[p.drawing.nodes[i]!.layer]!;
  return list[list.indexOf(i) + by];
}

// under finds the node at a point, where nodes are too small to be there.
function under(p: Plan, v: View, frame: HTMLElement, e: MouseEvent): number | undefined {
  const r = frame.getBoundingClientRect();
  const x = (e.clientX - r.left - v.x) / v.k, y = (e.clientY - r.top - v.y) / v.k, room = 6 / v.k;
  return seen(p, { x: x - room, y: y - room, w: 2 * room, h: 2 * room })
    .sort((a, b) => Math.abs(p.drawing.nodes[a]!.y * row - y) - Math.abs(p.drawing.nodes[b]!.y * row - y))[0];
}

// usePointers drags with one finger or the mouse, and zooms with two.
function usePointers(view: { current: View }, look: (v: View) => void, zoom: (by: number, x?: number, y?: number) => void, frame: { current: HTMLElement | null }) {
  const down = useRef(new Map<number, { x: number; y: number }>());
  const far = useRef(0);
  const end = (e: PointerEvent) => void down.current.delete(e.pointerId);
  return {
    moved: () => far.current > 6,
    on: {
      onPointerDown(e: PointerEvent) {
        if (e.button) return;
        if (down.current.size === 0) far.current = 0;
        down.current.set(e.pointerId, { x: e.clientX, y: e.clientY });
      },
      onPointerMove(e: PointerEvent) {
        const from = down.current.get(e.pointerId);
        if (!from) return;
        const dx = e.clientX - from.x, dy = e.clientY - from.y;
        far.current += Math.abs(dx) + Math.abs(dy);
        if (far.current <= 6) return;
        const svg = e.currentTarget as Element;
        if (!svg.hasPointerCapture(e.pointerId)) svg.setPointerCapture(e.pointerId);
        const v = view.current;
        if (down.current.size === 1) look({ ...v, x: v.x + dx, y: v.y + dy });
        else {
          const other = [...down.current].find(([id]) => id !== e.pointerId)![1];
          const was = Math.hypot(from.x - other.x, from.y - other.y), is = Math.hypot(e.clientX - other.x, e.clientY - other.y);
          const r = frame.current!.getBoundingClientRect();
          if (was > 0) zoom(is / was, other.x - r.left, other.y - r.top);
        }
        down.current.set(e.pointerId, { x: e.clientX, y: e.clientY });
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

export { describe, still };
