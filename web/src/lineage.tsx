import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Drawing, type Node, picture } from "./api";
import { Acts } from "./doer";
import { Graph } from "./graph";
import { go, memoryPath } from "./route";
import { useAsk } from "./use";
import { AxesLine, Busy, many, Marks, Ref, Siglum, Trouble, When, Words } from "./words";

interface Root { ref: string; back: number; forward: number }

// Lineage is the family tree around one memory, as a graph or as nested lists.
export function Lineage({ of }: { of: string }) {
  const start = useMemo(() => {
    const q = new URLSearchParams(location.search);
    const level = (name: string, usual: number) => (q.has(name) ? Number(q.get(name)) || 0 : usual);
    return { roots: [{ ref: of, back: level("back", 3), forward: level("forward", 2) }], limit: level("limit", 400) };
  }, [of]);
  const [more, setMore] = useState<{ of: string; roots: Root[]; limit: number }>({ of, roots: [], limit: 400 });
  const added = more.of === of ? more.roots : [];
  const limit = more.of === of ? Math.max(more.limit, start.limit) : start.limit;
  const asked = useAsk((s) => picture<Drawing>("graph", { roots: [...start.roots, ...added], limit }, s), [of, added, limit]);
  const [chosen, choose] = useState<string>();
  const [flat, setFlat] = useState(false);
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
          {d && `${many(d.nodes.length, "record")}${d.full ? ", and more that are not shown" : ""}`}
        </p>
        <span class="push" />
        <button type="button" onClick={() => add([{ ref: of, back: -1, forward: -1 }], 10_000)}>
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
          onExpand={(ref, dir) => add([{ ref, back: dir === "back" ? 1 : 0, forward: dir === "forward" ? 1 : 0 }], Math.max(limit, Math.min(10_000, d.nodes.length + 200)))}
        />
      )}
      {d && flat && <Lists drawing={d} />}
      {node && !flat && node.ref !== of && <Chosen n={node} />}
    </section>
  );
}

// Chosen is the node that was clicked, in full.
function Chosen({ n }: { n: Node }) {
  return (
    <aside class="chosen" aria-label="Chosen record">
      <p class="chosen-head">
        <Siglum kind={n.kind} /> <Ref to={n.ref} /> <When at={n.at} /> {n.speaker && <Words>{n.speaker}</Words>}
        <Marks hidden={n.hidden} review={n.review} disputed={n.disputed} missing={n.missing} />
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

// Lists are the same tree without a picture.
function Lists({ drawing: d }: { drawing: Drawing }) {
  const root = d.roots[0] ?? 0;
  return (
    <div class="lists">
      <h3>Sources</h3>
      <Branch d={d} at={root} dir="older" path={new Set([root])} />
      <h3>What was made of it</h3>
      <Branch d={d} at={root} dir="newer" path={new Set([root])} />
    </div>
  );
}

function Branch({ d, at, dir, path }: { d: Drawing; at: number; dir: "older" | "newer"; path: Set<number> }) {
  const next = d.arrows.filter((a) => (!a.how || a.how === "inferred") && (dir === "older" ? a.newer : a.older) === at).slice(0, 200);
  if (!next.length) return path.size === 1 ? <p class="note">Nothing.</p> : null;
  return (
    <ul>
      {next.map((a) => {
        const i = dir === "older" ? a.older : a.newer;
        const n = d.nodes[i]!;
        return (
          <li key={n.ref}>
            <Siglum kind={n.kind} /> <Ref to={n.ref}><Words>{n.words}</Words></Ref> <Marks hidden={n.hidden} review={n.review} missing={n.missing} disputed={n.disputed} />
            {a.how && <span class="note"> {a.how}</span>}
            {path.has(i) || path.size > 12 ? <span class="note"> (shown above)</span> : <Branch d={d} at={i} dir={dir} path={new Set([...path, i])} />}
          </li>
        );
      })}
    </ul>
  );
}
