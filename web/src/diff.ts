// What changed between two texts, word by word.

export interface Part { how: "same" | "gone" | "new"; text: string }

const most = 6_000_000; // pairs of words that are compared

export function difference(before: string, after: string): Part[] {
  const a = before.match(/\s+|[^\s]+/g) ?? [], b = after.match(/\s+|[^\s]+/g) ?? [];
  let first = 0;
  while (first < a.length && first < b.length && a[first] === b[first]) first++;
  let x = a.length, y = b.length;
  while (x > first && y > first && a[x - 1] === b[y - 1]) x--, y--;
  const parts: Part[] = [];
  const add = (how: Part["how"], text: string) => {
    if (!text) return;
    const last = parts.at(-1);
    if (last?.how === how) last.text += text;
    else parts.push({ how, text });
  };
  add("same", a.slice(0, first).join(""));
  const n = x - first, m = y - first;
  if (n * m > most) {
    add("gone", a.slice(first, x).join(""));
    add("new", b.slice(first, y).join(""));
  } else {
    const w = m + 1, longest = new Uint16Array((n + 1) * w);
    for (let i = n - 1; i >= 0; i--)
      for (let j = m - 1; j >= 0; j--)
        longest[i * w + j] = a[first + i] === b[first + j] ? longest[(i + 1) * w + j + 1]! + 1 : Math.max(longest[(i + 1) * w + j]!, longest[i * w + j + 1]!);
    let i = 0, j = 0;
    while (i < n || j < m) {
      if (i < n && j < m && a[first + i] === b[first + j]) add("same", a[first + i]!), i++, j++;
      else if (i < n && (j === m || longest[(i + 1) * w + j]! >= longest[i * w + j + 1]!)) add("gone", a[first + i++]!);
      else add("new", b[first + j++]!);
    }
  }
  add("same", a.slice(x).join(""));
  return readable(parts);
}

// readable joins changes between which nothing but space is the same, or little: words that are gone stand together, and
// so do the new ones.
function readable(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (let i = 0; i < parts.length; i++) {
    const p = parts[i]!;
    if (p.how === "same") {
      out.push(p);
      continue;
    }
    let gone = "", fresh = "";
    for (; i < parts.length; i++) {
      const q = parts[i]!, between = q.how === "same" && i + 1 < parts.length && q.text.trim().length < 4;
      if (q.how === "same" && !between) break;
      if (q.how !== "new") gone += q.text;
      if (q.how !== "gone") fresh += q.text;
    }
    i--;
    if (gone) out.push({ how: "gone", text: gone });
    if (gone && fresh && !/\s$/.test(gone) && !/^\s/.test(fresh)) out.push({ how: "same", text: " " });
    if (fresh) out.push({ how: "new", text: fresh });
  }
  return out;
}
