// Where things of a drawing are, in the picture's own measures. Older stands to the
// left, newer to the right.

import type { Arrow, Drawing, Node } from "./api";

export const card = { w: 236, h: 88 };
export const column = 300;
export const row = 110;

export interface View { x: number; y: number; k: number }
export interface Box { x: number; y: number; w: number; h: number }

export const place = (n: { layer: number; y: number }) => ({ x: n.layer * column, y: n.y * row });

export interface Line { arrow: Arrow; path: string; left: number; right: number; top: number; bottom: number }

// A plan is a drawing made ready to be looked at in parts.
export interface Plan {
  drawing: Drawing;
  at: Map<string, number>; // by ref
  columns: number[][]; // nodes of each layer from top to bottom
  lines: Line[];
  by: number[][]; // lines of each node
  box: Box;
}

export function plan(d: Drawing): Plan {
  const at = new Map(d.nodes.map((n, i) => [n.ref, i]));
  const columns: number[][] = Array.from({ length: d.layers }, () => []);
  d.nodes.forEach((n, i) => columns[n.layer]!.push(i));
  for (const c of columns) c.sort((a, b) => d.nodes[a]!.y - d.nodes[b]!.y);
  const by: number[][] = d.nodes.map(() => []);
  const lines = d.arrows.map((a, i) => {
    by[a.newer]!.push(i);
    by[a.older]!.push(i);
    return line(a, d.nodes[a.newer]!, d.nodes[a.older]!);
  });
  return {
    drawing: d, at, columns, lines, by,
    box: { x: -20, y: d.low * row - 30, w: Math.max(d.layers - 1, 0) * column + card.w + 40, h: (d.high - d.low) * row + card.h + 60 },
  };
}

// line draws an arrow from the older node's right to the newer one's left, level
// where it passes a layer.
function line(arrow: Arrow, newer: Node, older: Node): Line {
  const from = place(older), to = place(newer);
  const r = (n: number) => Math.round(n * 10) / 10;
  let x = from.x + card.w, y = from.y + card.h / 2;
  let top = y, bottom = y, left = x, right = x;
  let path = `M${r(x)} ${r(y)}`;
  const curve = (toX: number, toY: number) => {
    const bow = Math.max(30, Math.abs(toX - x) / 2);
    path += `C${r(x + bow)} ${r(y)} ${r(toX - bow)} ${r(toY)} ${r(toX)} ${r(toY)}`;
    [x, y] = [toX, toY];
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    left = Math.min(left, x - 30);
    right = Math.max(right, x + 30);
  };
  if (older.layer >= newer.layer) {
    // beside or behind it: out and back on the right
    const out = Math.max(from.x, to.x) + card.w + 40;
    const y2 = to.y + card.h / 2;
    path += `C${r(out)} ${r(y)} ${r(out)} ${r(y2)} ${r(to.x + card.w)} ${r(y2)}`;
    return { arrow, path, left: Math.min(from.x, to.x), right: out, top: Math.min(y, y2), bottom: Math.max(y, y2) };
  }
  for (const [layer, at] of [...(arrow.bends ?? [])].reverse()) {
    const p = place({ layer, y: at });
    curve(p.x, p.y + card.h / 2);
    x = p.x + card.w;
    path += `H${r(x)}`;
  }
  curve(to.x, to.y + card.h / 2);
  return { arrow, path, left, right, top, bottom };
}

// seen gives the nodes that touch a part of the picture.
export function seen(p: Plan, box: Box): number[] {
  const out: number[] = [];
  const first = Math.max(0, Math.floor((box.x - card.w) / column));
  const last = Math.min(p.columns.length - 1, Math.floor((box.x + box.w) / column));
  for (let c = first; c <= last; c++) {
    const list = p.columns[c]!;
    let low = 0, high = list.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (p.drawing.nodes[list[mid]!]!.y * row + card.h < box.y) low = mid + 1;
      else high = mid;
    }
    for (let i = low; i < list.length; i++) {
      const n = list[i]!;
      if (p.drawing.nodes[n]!.y * row > box.y + box.h) break;
      out.push(n);
    }
  }
  return out;
}

export const crosses = (l: Line, b: Box) => l.left < b.x + b.w && l.right > b.x && l.top < b.y + b.h && l.bottom > b.y;

// wrap cuts words into lines of at most so much room, the last with an ellipsis if there is more. size says how
// much room a text takes: one for each character, if nothing else is said.
export function wrap(text: string, room: number, most: number, size: (s: string) => number = (s) => s.length): string[] {
  const out: string[] = [], space = size(" "), end = size("…"), words = text.trim().split(/\s+/);
  let line = "", taken = 0;
  for (let i = 0; i < words.length; i++) {
    const w = words[i]!, more = i < words.length - 1, last = out.length === most - 1;
    const add = (line ? space : 0) + size(w);
    // the last line has room for the ellipsis, unless this word is the last one
    if (taken + add + (last && more ? end : 0) <= room) {
      line += (line ? " " : "") + w;
      taken += add;
      continue;
    }
    if (!line) { // a word longer than a line is cut
      let n = w.length;
      while (n > 1 && size(w.slice(0, n)) + (last ? end : 0) > room) n--;
      if (n > 1 && /[\ud800-\udbff]/.test(w[n - 1]!)) n--; // not between two halves of a character
      line = w.slice(0, n);
      words[i] = w.slice(n);
    }
    out.push(last ? line + "…" : line);
    if (last) return out;
    line = "";
    taken = 0;
    i--;
  }
  if (line) out.push(line);
  return out;
}
