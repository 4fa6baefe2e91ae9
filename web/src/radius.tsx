// What a quarantine would hide, by name, and what it would leave and why.

import { type Blast, type Node } from "./api";
import { useState } from "preact/hooks";
import { figure, many, Marks, Ref, Siglum, When, Words } from "./words";

const atOnce = 40;

export function Radius({ b }: { b: Blast }) {
  const nodes = b.nodes ?? [];
  const at = new Map(nodes.map((n) => [n.ref, n]));
  const roots = nodes.filter((n) => n.fate === "root"), falls = nodes.filter((n) => n.fate === "falls");
  const stays = b.survives ?? [];
  return (
    <div class="radius">
      <section aria-labelledby="radius-falls">
        <h2 id="radius-falls">{b.affected_count ? `${many(b.affected_count, "memory falls", "memories fall")} with ${b.root_count === 1 ? "it" : `the ${many(b.root_count, "source")}`}` : "Nothing else falls"}</h2>
        <Named list={falls} all={b.affected_count} />
        {b.root_count > 1 && <details><summary>The {many(b.root_count, "source")}</summary><Named list={roots} all={b.root_count} /></details>}
      </section>
      <section aria-labelledby="radius-stays">
        <h2 id="radius-stays">{b.survives_count ? `${many(b.survives_count, "memory survives", "memories survive")}, because of other sources` : "Nothing else rests on it"}</h2>
        <Named list={stays.map((s) => at.get(s.ref) ?? { ref: s.ref, kind: s.ref.split(":")[0]!, words: s.headline, layer: 0, y: 0 })} all={b.survives_count}
          under={(ref) => {
            const grounds = stays.find((s) => s.ref === ref)?.grounds ?? [];
            return grounds.length > 0 && <ul class="plain">{grounds.slice(0, 5).map((g) => <li key={g} class="note">rests on <Siglum kind={g.split(":")[0]!} /> <Ref to={g}><Words>{at.get(g)?.words ?? g}</Words></Ref></li>)}{grounds.length > 5 && <li class="note">and {grounds.length - 5} more</li>}</ul>;
          }} />
      </section>
    </div>
  );
}

function Named({ list, all, under }: { list: Node[]; all: number; under?: (ref: string) => preact.ComponentChildren }) {
  const [most, setMost] = useState(atOnce);
  return (
    <>
      <ul class="plain">
        {list.slice(0, most).map((n) => (
          <li key={n.ref}><Siglum kind={n.kind} /> <Ref to={n.ref}><Words>{n.words}</Words></Ref> <Marks hidden={n.hidden} until={n.until} disputed={n.disputed} tainted={n.tainted} /> <span class="note"><When at={n.at} only="day" /></span>{under?.(n.ref)}</li>
        ))}
      </ul>
      {list.length > most && <p><button type="button" onClick={() => setMost(most * 4)}>{list.length - most} more</button></p>}
      {list.length <= most && all > list.length && <p class="note">and {figure(all - list.length)} more that are not named here</p>}
    </>
  );
}
