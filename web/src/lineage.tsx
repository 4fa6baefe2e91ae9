import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Arrow, type Drawing, type Node, picture } from "./api";
import { Acts } from "./doer";
import { Graph } from "./graph";
import { go, memoryPath } from "./route";
import { useAsk } from "./use";
import { AxesLine, Busy, figure, many, Marks, Ref, Siglum, Trouble, visible, When, Words } from "./words";

const fold = 26; // about so many nodes can be read at once

interface Root { ref: string; back: number; forward: number }

// first is what is asked for before anybody has opened anything.
function first(of: string): { roots: Root[]; limit: number } {
  const q = new URLSearchParams(location.search);
  const level = (name: string, usual: number) => (q.has(name) ? Number(q.get(name)) || 0 : usual);
  return { roots: [{ ref: of, back: level("back", -1), forward: level("forward", 2) }], limit: level("limit", 5000) };
}

// drawingOf asks for the first drawing, while the rest of a page is not known yet.
export function drawingOf(of: string): Promise<Drawing> {
  const asked = picture<Drawing>("graph", { ...first(of), fold });
  asked.catch(() => {}); // who shows it is told
  return asked;
}

// Lineage is the family tree around one memory, as a graph or as nested lists. Begun is its first drawing, if
// that was asked for already; shown is called once there is something to see.
export function Lineage({ of, begun, shown }: { of: string; begun?: Promise<Drawing>; shown?: () => void }) {
  const start = useMemo(() => first(of), [of]);
  const begins = useRef(begun);
  const [more, setMore] = useState<{ of: string; roots: Root[]; limit: number }>({ of, roots: [], limit: 5000 });
  const added = more.of === of ? more.roots : [];
  const limit = more.of === of ? Math.max(more.limit, start.limit) : start.limit;
  const [opened, setOpened] = useState<string[]>([]);
  const [whole, setWhole] = useState(false);
  const asked = useAsk((s) => {
    const was = begins.current;
    begins.current = undefined; // it is read again after a change
    return was ?? picture<Drawing>("graph", { roots: [...start.roots, ...added], limit, ...(whole ? {} : { fold: fold + 12 * added.length, open: opened }) }, s);
  }, [of, added, limit, opened, whole]);
  useEffect(() => {
    if (asked.reply || asked.error) shown?.();
  }, [!asked.reply && !asked.error]);
  const unfold = (ref: string) => setOpened([...opened, ref]);
  const [chosen, choose] = useState<string>();
  const [flat, setFlat] = useState(() => matchMedia("(max-width: 34rem)").matches);
  const d = asked.reply;
  const selected = chosen && d?.nodes.some((n) => n.ref === chosen) ? chosen : d?.nodes[d.roots[0] ?? 0]?.ref;
  const node = d?.nodes.find((n) => n.ref === selected);
  const add = (roots: Root[], most = limit) => setMore({ of, roots: [...added, ...roots], limit: most });
  const open = (ref: string) => go(memoryPath(ref));
  const part = useRef<HTMLElement>(null);
  useEffect(() => { // asked for by its key
    if (d && new URLSearchParams(location.search).get("at") === "tree") part.current?.focus();
  }, [!d]);

  return (
    <section class="lineage" aria-labelledby="lineage" ref={part} tabIndex={-1}>
      <div class="row">
        <h2 id="lineage">Lineage</h2>
        <p class="note" role="status">
          {d && `${many(d.all ?? d.nodes.length, "record")}${d.full ? ", and more that are not shown" : ""}`}
        </p>
        <span class="push" />
        <button type="button" aria-pressed={whole} onClick={() => {
          setWhole(!whole);
          if (!whole) add([{ ref: of, back: -1, forward: -1 }], 10_000);
        }}>
          All of it
        </button>
        <button type="button" aria-pressed={flat} onClick={() => setFlat(!flat)}>
          As lists
        </button>
      </div>
      <Trouble error={asked.error} again={asked.again} />
      {!d && <Busy when={asked.busy} />}
      {d && !flat && (
        <Graph
          drawing={d}
          label="Lineage"
          selected={selected}
          onSelect={choose}
          onOpen={open}
          onUnfold={unfold}
          onExpand={(ref, dir) => add([{ ref, back: dir === "back" ? 1 : 0, forward: dir === "forward" ? 1 : 0 }], Math.max(limit, Math.min(10_000, d.nodes.length + 200)))}
        />
      )}
      {d && flat && <Lists drawing={d} unfold={unfold} />}
      {node && !flat && node.ref !== of && !node.folded && <Chosen n={node} />}
    </section>
  );
}

// Chosen is the node that was clicked, in full.
function Chosen({ n }: { n: Node }) {
  return (
    <aside class="chosen" aria-label="Chosen record">
      <p class="chosen-head">
        <Siglum kind={n.kind} /> <Ref to={n.ref} /> <When at={n.at} /> {n.speaker && <Words>{n.speaker}</Words>}
        <Marks hidden={n.hidden} until={n.until} review={n.review} disputed={n.disputed} tainted={n.tainted} missing={n.missing} />
      </p>
      <p class="chosen-words"><Words>{n.words}</Words></p>
      <AxesLine of={n} />
      {!n.missing && <Acts of={n.ref} key={n.ref} />}
      {!n.missing && (
        <p><button type="button" onClick={() => go(memoryPath(n.ref))}>Open this record</button></p>
      )}
    </aside>
  );
}

// Lists are the same tree without a picture, branch by branch.
function Lists({ drawing: d, unfold }: { drawing: Drawing; unfold: (ref: string) => void }) {
  const root = d.roots[0] ?? 0;
  return (
    <div class="lists">
      <h3>Sources</h3>
      <Branch d={d} at={root} dir="older" path={new Set([root])} unfold={unfold} />
      <h3>What was made of it</h3>
      <Branch d={d} at={root} dir="newer" path={new Set([root])} unfold={unfold} />
    </div>
  );
}

interface BranchProps { d: Drawing; at: number; dir: "older" | "newer"; path: Set<number>; unfold: (ref: string) => void }

// nextOf gives the arrows to each neighbour once: what revises a record cites it, too.
function nextOf(d: Drawing, at: number, dir: "older" | "newer"): Arrow[] {
  const by = new Map<number, Arrow>();
  for (const a of d.arrows) {
    if ((dir === "older" ? a.newer : a.older) !== at || (a.how && a.how !== "inferred" && a.how !== "revises")) continue;
    const other = dir === "older" ? a.older : a.newer;
    if (a.how === "revises" || !by.has(other)) by.set(other, a);
  }
  return [...by.values()].slice(0, 200);
}

function Branch({ d, at, dir, path, unfold }: BranchProps) {
  const next = nextOf(d, at, dir);
  if (!next.length) return path.size === 1 ? <p class="note">Nothing.</p> : null;
  return (
    <ul>
      {next.map((a) => {
        const i = dir === "older" ? a.older : a.newer;
        const n = d.nodes[i]!;
        const more = nextOf(d, i, dir).length > 0;
        const branch = <Branch d={d} at={i} dir={dir} path={new Set([...path, i])} unfold={unfold} />;
        if (n.folded) return (
          <li key={n.ref}>
            <button type="button" class="quiet unfolds" onClick={() => unfold(n.ref)}>▸ {visible(n.words)}{!!n.behind && <span class="note">, {figure(n.behind)} behind them</span>}</button>
            {more && !path.has(i) && branch}
          </li>
        );
        const words = (
          <>
            <Siglum kind={n.kind} /> <Ref to={n.ref}><span class={n.hidden ? `was-${n.hidden}` : ""}><Words>{n.words}</Words></span></Ref> <Marks hidden={n.hidden} until={n.until} review={n.review} missing={n.missing} disputed={n.disputed} tainted={n.tainted} />
            <span class="note"> {n.speaker && <><Words>{n.speaker}</Words>, </>}<When at={n.at} only="day" />{a.how === "revises" ? `, ${dir === "older" ? "earlier" : "later"} revision` : a.how ? `, ${a.how}` : ""}</span>
          </>
        );
        if (path.has(i)) return <li key={n.ref}>{words} <span class="note">(shown above)</span></li>;
        return (
          <li key={n.ref}>
            {words}
            {more && <Folded open={path.size < 3} n={n}>{branch}</Folded>}
          </li>
        );
      })}
    </ul>
  );
}

function Folded({ n, open, children }: { n: Node; open: boolean; children: ComponentChildren }) {
  const [is, set] = useState(open);
  return (
    <>
      <button type="button" class="quiet unfolds" aria-expanded={is} aria-label={`${is ? "Fold" : "Unfold"} “${visible(n.words.slice(0, 60))}”`} onClick={() => set(!is)}>{is ? "▾" : "▸ more"}</button>
      {is && children}
    </>
  );
}
