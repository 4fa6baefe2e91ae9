import { useState } from "preact/hooks";
import { type Drawing, op, picture } from "./api";
import { Graph } from "./graph";
import { go, memoryPath, type Place } from "./route";
import { Ask } from "./queue";
import { useAsk, useTitle } from "./use";
import { Busy, many, Trouble, visible } from "./words";

interface Blast extends Drawing {
  target: string;
  root_count: number;
  affected_count: number;
  survives_count: number;
  hidden_count: number;
}

// BlastView shows what rests on a source, before and after it is quarantined.
export function BlastView({ place }: { place: Place }) {
  useTitle("blast radius");
  const target = place.query.get("target") ?? "";
  const asked = useAsk(target ? (s) => picture<Blast>("blast", { target }, s) : null, [target]);
  const [after, setAfter] = useState(false);
  const [chosen, choose] = useState<string>();
  const [asking, asks] = useState<"quarantine" | "release">();
  const [said, say] = useState<{ text: string; error?: Error }>({ text: "" });
  const b = target ? asked.reply : undefined;
  const done = async (reason: string) => {
    const what = asking!;
    asks(undefined);
    try {
      const r = await op<{ count: number; hint?: string }>(what, { target, reason: reason || undefined });
      say({ text: `${many(r.count, "record")} ${what === "quarantine" ? "hidden" : "brought back"}. ${r.hint ?? ""}` });
      setAfter(what === "quarantine");
      asked.again();
    } catch (error) {
      say({ text: "", error: error as Error });
    }
  };
  return (
    <section aria-labelledby="blast">
      <h1 id="blast">Blast radius</h1>
      <p class="note">What you lose if a source is false, and what also has other sources. A source is a record, an author, or an origin such as an import.</p>
      <form class="search" onSubmit={(e) => {
        e.preventDefault();
        say({ text: "" });
        setAfter(false);
        go(`/blast?target=${encodeURIComponent(String(new FormData(e.currentTarget).get("target") ?? "").trim())}`);
      }}>
        <div class="row">
          <label class="sr" for="target">Source</label>
          <input id="target" name="target" defaultValue={target} key={target} placeholder="raw:3f9a…, author:did:key:…, source:NAME" autocomplete="off" spellcheck={false} />
          <button type="submit" class="main">Look</button>
        </div>
      </form>
      <Trouble error={target ? (asked.error ?? said.error) : undefined} />
      <p class="said-done" role="status">{visible(said.text)}</p>
      {target && !b && <Busy when={asked.busy} />}
      {b && (
        <>
          <dl class="tally across">
            <dt>sources</dt><dd>{b.root_count.toLocaleString("en")}</dd>
            <dt>fall with them</dt><dd>{b.affected_count.toLocaleString("en")}</dd>
            <dt>stand on others too</dt><dd>{b.survives_count.toLocaleString("en")}</dd>
            <dt>quarantined now</dt><dd>{b.hidden_count.toLocaleString("en")}</dd>
          </dl>
          <div class="row">
            <div class="tools" role="group" aria-label="Show">
              <button type="button" aria-pressed={!after} onClick={() => setAfter(false)}>As it is</button>
              <button type="button" aria-pressed={after} onClick={() => setAfter(true)}>After a quarantine</button>
            </div>
            <span class="push" />
            <button type="button" class="danger" onClick={() => asks("quarantine")}>Quarantine</button>
            <button type="button" onClick={() => asks("release")} disabled={b.hidden_count === 0}>Release</button>
          </div>
          {asking && <Ask label={asking === "quarantine" ? `Hide ${many(b.affected_count + b.root_count, "record")} from lists, searches and packs. You can release it later. Why? (optional)` : "Bring back what this quarantine hid. Why? (optional)"}
            act={asking === "quarantine" ? "Quarantine" : "Release"} empty onDone={(r) => void done(r)} onStop={() => asks(undefined)} />}
          {b.nodes?.length ? (
            <Graph drawing={b} label="Blast radius" selected={chosen} onSelect={choose} onOpen={(r) => go(memoryPath(r))} after={after} />
          ) : <p class="note">Nothing depends on it.</p>}
          {b.full && <p class="note">The picture shows the first of them. The figures count all.</p>}
        </>
      )}
    </section>
  );
}
