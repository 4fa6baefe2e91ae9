import { useState } from "preact/hooks";
import { op } from "./api";
import { go, type Place, To } from "./route";
import { Save } from "./save";
import { Ago } from "./standing";
import { type Entity, personPath, SubjectView } from "./subject";
import { useAsk, useTitle } from "./use";
import { Busy, many, Siglum, Trouble, Words } from "./words";

interface Reply { entities: Entity[]; total: number; more?: boolean }

const first = 60;

export const PeopleView = ({ place }: { place: Place }) => {
  const name = place.query.get("name");
  return name ? <SubjectView name={name} place={place} key={name} /> : <Overview place={place} />;
};

// Overview lists whom and what memories are about, those that most are about first.
function Overview({ place }: { place: Place }) {
  useTitle("people and things");
  const like = place.query.get("like") ?? "", kind = place.query.get("kind") ?? "";
  const [n, setN] = useState(first);
  const asked = useAsk((s) => op<Reply>("entities", { like: like || undefined, limit: kind ? -1 : n }, s), [like, kind, kind ? 0 : n]);
  const r = asked.reply;
  const all = r?.entities.filter((e) => !kind || e.kind === kind) ?? [], list = all.slice(0, n);
  const counts = new Map<string, number>();
  for (const e of r?.entities ?? []) counts.set(e.kind, (counts.get(e.kind) ?? 0) + 1);
  const show = (next: { like?: string; kind?: string }, replace = false) => {
    const q = new URLSearchParams(), to = { like, kind, ...next };
    if (to.like) q.set("like", to.like);
    if (to.kind) q.set("kind", to.kind);
    setN(first);
    go(`/people${q.size ? `?${q}` : ""}`, replace);
  };
  return (
    <section aria-labelledby="people">
      <h1 id="people">People and things</h1>
      <form class="search" role="search" onSubmit={(e) => e.preventDefault()}>
        <div class="row">
          <label class="sr" for="like">Names that contain</label>
          <input id="like" type="search" value={like} onInput={(e) => show({ like: e.currentTarget.value }, true)} placeholder="Names that contain" autocomplete="off" spellcheck={false} />
          <label>kind <select onChange={(e) => show({ kind: e.currentTarget.value })}>
            <option value="">all</option>
            {["person", "organisation", "place", "software", "file", "other"].map((k) => <option key={k} value={k} selected={k === kind}>{k}</option>)}
          </select></label>
        </div>
      </form>
      <Trouble error={asked.error} again={asked.again} />
      {!r && <Busy when={asked.busy} />}
      {r && (
        <div class="row">
          <p class="note" role="status">{kind ? many(all.length, kind, kind === "person" ? "people" : kind === "other" ? "others" : kind + (kind === "software" ? "" : "s")) : `${many(r.total, "name")}${r.more ? `; the ${r.entities.length} that most memories are about` : ""}`}{!kind && counts.size > 1 && ": " + [...counts].sort((a, b) => b[1] - a[1]).map(([k, c]) => `${many(c, k, k === "person" ? "people" : k === "other" || k === "software" ? k : k + "s")}`).join(", ")}</p>
          <span class="push" />
          {list.length > 0 && <Save name="stemma-people" what="these names" lines={async () => (await op<Reply>("entities", { like: like || undefined, limit: -1 })).entities.filter((e) => !kind || e.kind === kind).map((e) => ({ name: e.name, kind: e.kind, type: e.type, count: e.count, first_seen: e.first_seen, last_seen: e.last_seen }))} />}
        </div>
      )}
      {r && list.length === 0 && <p class="note">{like || kind ? "No name fits." : "No names yet. Memories that are about someone or something fill this page: stemma remember \"Dana moved to the storage team\" finds the names in the words, and --about NAME sets them."}</p>}
      <ol class="names">
        {list.map((e) => (
          <li key={e.name}>
            <To to={personPath(e.name)} class="headline"><Words>{e.name}</Words></To> <span class="note">{e.type || (e.kind !== "other" && e.kind)}</span>
            <p class="note">{many(e.count, "memory", "memories")} <span class="tiny">{Object.entries(e.kinds).sort((a, b) => b[1] - a[1]).map(([k, c]) => <span key={k}><Siglum kind={k} /> {c} </span>)}</span> · last seen <Ago at={e.last_seen} /></p>
          </li>
        ))}
      </ol>
      {(r?.more && !kind || all.length > list.length) && <p><button type="button" onClick={() => setN(n * 4)}>More</button></p>}
    </section>
  );
}
