import { useState } from "preact/hooks";
import { type Blast, op, picture, type Result, standings } from "./api";
import { did } from "./actbox";
import { Graph } from "./graph";
import { Ask } from "./queue";
import { Radius } from "./radius";
import { Save } from "./save";
import { status } from "./standing";
import { go, memoryPath, type Place, To } from "./route";
import { useAsk, useMe, useOf, useTitle } from "./use";
import { Busy, figure, many, Marks, Ref, Siglum, Trouble, When, Words } from "./words";

const isTarget = (s: string) => /^(author|source):.|^[a-z]+:[0-9a-f]{4,}$|^[0-9a-f]{8,64}$/.test(s);
const blastPath = (target: string) => `/blast?target=${encodeURIComponent(target)}`;

// BlastView finds a source by its words, and shows what rests on it before and after it is quarantined.
export function BlastView({ place }: { place: Place }) {
  useTitle("blast radius");
  const target = place.query.get("target") ?? "";
  const words = target ? "" : (place.query.get("q") ?? "");
  const named = !!target && !/^(author|source):/.test(target); // its words stand below
  return (
    <section aria-labelledby="blast">
      <h1 id="blast">Blast radius</h1>
      <p class="note">What you lose if a source is false, and what other sources hold up.</p>
      <form class="search" role="search" onSubmit={(e) => {
        e.preventDefault();
        const text = String(new FormData(e.currentTarget).get("target") ?? "").trim();
        if (text) go(isTarget(text) ? blastPath(text) : `/blast?q=${encodeURIComponent(text)}`);
      }}>
        <div class="row">
          <label class="sr" for="target">Find the source by its words</label>
          <input id="target" name="target" defaultValue={named ? words : target || words} key={target || words} placeholder="Words of the source" autocomplete="off" spellcheck={false} />
          <button type="submit" class="main">Find</button>
        </div>
      </form>
      {words && <Sources words={words} />}
      {target && <Target target={target} key={target} />}
    </section>
  );
}

// Sources are the records that words find, to choose one from.
function Sources({ words }: { words: string }) {
  const found = useAsk((s) => op<{ results: Result[] }>("search", { query: words, limit: 12, all: true }, s), [words]);
  const speakers = [...new Set((found.reply?.results ?? []).map((r) => r.speaker).filter(Boolean) as string[])];
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Which one?</h2>
      <Trouble error={found.error} again={found.again} />
      {!found.reply && <Busy when={found.busy} />}
      {found.reply && !found.reply.results.length && <p class="note">No record has these words.</p>}
      <ol class="results">
        {found.reply?.results.map((r) => (
          <li key={r.ref} class="result"><p><Siglum kind={r.type} /> <To to={blastPath(r.ref)} class={`headline was-${r.hidden ?? ""}`}><Words>{r.text}</Words></To> <Marks hidden={r.hidden} tainted={r.tainted} /> <span class="note">{r.speaker && <><Words>{r.speaker}</Words>, </>}<When at={r.at} /></span></p></li>
        ))}
      </ol>
      {speakers.length > 0 && <p class="note">Or everything that one speaker said: {speakers.map((s) => <><To key={s} to={blastPath(`source:${s}`)}><Words>{s}</Words></To> </>)}</p>}
    </section>
  );
}

function Target({ target }: { target: string }) {
  const who = useMe();
  const asked = useAsk((s) => picture<Blast>("blast", { target }, s), [target]);
  const named = !/^(author|source):/.test(target);
  const seen = useAsk(named ? (s) => standings([target], s) : null, [target]);
  const [after, setAfter] = useState(false);
  const [chosen, choose] = useState<string>();
  const [asking, asks] = useOf<"quarantine" | "release">(target);
  const [error, fails] = useState<Error>();
  const b = asked.reply, m = seen.reply?.[0];
  const drawn = b?.nodes?.filter((n) => n.fate === "root" || n.fate === "falls").length ?? 0;
  const done = async (reason: string) => {
    const what = asking!;
    fails(undefined);
    try {
      const r = await op<{ count: number; hint?: string }>(what, { target, reason: reason || undefined }, undefined, m ? { "If-Match": `"${m.tag}"` } : {});
      asks(undefined);
      void did(`${many(r.count, "record")} ${what === "quarantine" ? "hidden" : "brought back"}. ${r.hint ?? ""}`, r);
    } catch (e) {
      fails(e as Error);
    }
  };
  return (
    <>
      <Trouble error={asked.error} again={asked.again} />
      <Trouble error={error} again={() => { fails(undefined); asked.again(); seen.again(); }} />
      {m && (
        <div class="subject">
          <p class="overline"><Siglum kind={m.type} /> {m.type} <Ref to={m.ref} /> {m.speaker && <Words class="speaker">{m.speaker}</Words>} · <When at={m.at ?? m.created_at} /><Marks hidden={m.hidden} review={m.review} disputed={m.disputed} tainted={m.tainted} /></p>
          <blockquote class={`was-${m.hidden ?? ""}`}><Words>{m.text ?? m.headline}</Words></blockquote>
        </div>
      )}
      {!b && <Busy when={asked.busy} />}
      {b && (
        <>
          <dl class="tally across">
            <dt>sources</dt><dd>{figure(b.root_count)}</dd>
            <dt>fall with them</dt><dd>{figure(b.affected_count)}</dd>
            <dt>survive</dt><dd>{figure(b.survives_count)}</dd>
            <dt>quarantined now{b.full && `, of the ${figure(drawn)} drawn`}</dt><dd>{figure(b.hidden_count)}</dd>
          </dl>
          <div class="row"><span class="push" /><Save name="stemma-blast" what="this blast radius" most={5000} lines={async () => (await picture<Blast>("blast", { target, limit: 5000 })).nodes.filter((n) => n.fate).map((n) => ({ fate: n.fate, ref: n.ref, kind: n.kind, text: n.words, status: status(n)[0], recorded: n.at }))} /></div>
          <Radius b={b} />
          {who?.acts && (
            <div class="acts">
              {b.hidden_count < drawn && <button type="button" class="danger" onClick={() => asks("quarantine")}>Quarantine</button>}
              {b.hidden_count > 0 && <button type="button" onClick={() => asks("release")}>Release</button>}
            </div>
          )}
          {asking && <Ask key={asking} label={asking === "quarantine" ? `Hide ${many(b.affected_count + b.root_count, "record")} from lists, searches and packs. You can release it later. Why? (optional)` : "Bring back what this quarantine hid. Why? (optional)"}
            act={asking === "quarantine" ? "Quarantine" : "Release"} empty onDone={(r) => void done(r)} onStop={() => asks(undefined)} />}
          {!!b.nodes?.length && (
            <>
              <div class="row">
                <h2>In the tree</h2>
                <div class="tools" role="group" aria-label="Show">
                  <button type="button" aria-pressed={!after} onClick={() => setAfter(false)}>As it is</button>
                  <button type="button" aria-pressed={after} onClick={() => setAfter(true)}>After a quarantine</button>
                </div>
              </div>
              <Graph drawing={b} label="Blast radius" selected={chosen} onSelect={choose} onOpen={(r) => go(memoryPath(r))} after={after} />
            </>
          )}
          {b.full && <p class="note">The picture shows the first of them. The figures count all.</p>}
        </>
      )}
    </>
  );
}
