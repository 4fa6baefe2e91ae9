import { useState } from "preact/hooks";
import { op } from "./api";
import { News, useNews } from "./link";
import { Said } from "./memory";
import type { Place } from "./route";
import { Save } from "./save";
import { useAsk, useTitle } from "./use";
import { Busy, figure, kinds, many, Ref, Siglum, Trouble, visible, When, Words } from "./words";

interface Stats {
  records: number;
  edges: number;
  missing: number;
  purged: number;
  bytes: number;
  memories: { kind: string; total: number; live: number }[];
  claims: { kind: string; total: number; live: number }[];
  raws: { processed: number; unprocessed: number };
  spaces: { space: string; records: number }[];
  jobs: { open: number; done: number; gave_up: number };
  model?: Record<string, number>;
}
interface Jobs { jobs: { key: string; task: string; state: string; made: string; due?: string; tries?: number; note?: string }[]; open: number; more?: boolean }
interface Doctor { records: number; signatures: number; problems: { what: string; ref?: string; fix?: string }[]; notes?: string[]; secrets?: { ref: string; fix?: string }[] }

export function HealthView(_: { place: Place }) {
  useTitle("health");
  const stats = useAsk((s) => op<Stats>("stats", {}, s), []);
  const [most, setMost] = useState(30);
  const jobs = useAsk((s) => op<Jobs>("jobs", { all: true, limit: most }, s), [most]);
  const [news, none] = useNews(() => true);
  const again = () => {
    none();
    stats.again();
    jobs.again();
  };
  const [look, setLook] = useState(false);
  const doctor = useAsk(look ? (s) => op<Doctor>("doctor", {}, s) : null, [look]);
  const s = stats.reply, d = doctor.reply;
  const n = figure;
  return (
    <section aria-labelledby="health">
      <div class="row"><h1 id="health">Health</h1><News count={news} show={again} /></div>
      <Trouble error={stats.error} again={stats.again} />
      {!s && <Busy when={stats.busy} />}
      <div class="apparatus">
        <section aria-labelledby="doctor" class="wide">
          <h2 id="doctor">Doctor</h2>
          {!look && <p><button type="button" onClick={() => setLook(true)}>Read every record and verify every signature</button></p>}
          {look && !d && <Busy when={doctor.busy}>reading every record…</Busy>}
          <Trouble error={doctor.error} again={doctor.again} />
          {d && <p role="status">{many(d.records, "record")}, {many(d.signatures, "signature")} verified, <b>{many(d.problems.length, "problem")}</b>.</p>}
          {d && d.problems.length > 0 && <Save name="stemma-problems" what="these problems" lines={() => d.problems.map((p) => ({ problem: p.what, ref: p.ref, fix: p.fix }))} />}
          <ul class="plain">
            {d?.problems.map((p) => <li key={p.what + p.ref} class="problem"><span class="chip t-bad">problem</span> <Words>{p.what}</Words> {p.ref && <Ref to={p.ref} />} {p.fix && <code><Words>{p.fix}</Words></code>}</li>)}
            {d?.secrets?.map((k) => <li key={k.ref} class="problem">something looks like a secret in <Ref to={k.ref} /> {k.fix && <code><Words>{k.fix}</Words></code>}</li>)}
            {d?.notes?.map((t) => <li key={t} class="note"><Said>{t}</Said></li>)}
          </ul>
        </section>
        {s && (
          <section aria-labelledby="store">
            <h2 id="store">The store</h2>
            <dl class="tally">
              <dt>records</dt><dd>{n(s.records)}</dd>
              <dt>source links</dt><dd>{n(s.edges)}</dd>
              <dt>missing sources</dt><dd>{n(s.missing)}</dd>
              <dt>purged</dt><dd>{n(s.purged)}</dd>
              <dt>processed captures</dt><dd>{n(s.raws.processed)} of {n(s.raws.processed + s.raws.unprocessed)}</dd>
              <dt>on disk</dt><dd>{(s.bytes / 1e6).toFixed(1)} MB</dd>
            </dl>
          </section>
        )}
        {s && (
          <section aria-labelledby="kinds">
            <div class="row"><h2 id="kinds">By kind</h2><span class="push" /><Save name="stemma-kinds" what="these counts" lines={() => [...s.memories, ...s.claims].map((k) => ({ kind: k.kind, live: k.live, all: k.total }))} /></div>
            <table class="sum">
              <thead><tr><th scope="col">kind</th><th scope="col" class="number">live</th><th scope="col" class="number">all</th></tr></thead>
              <tbody>
                {[...s.memories, ...s.claims].map((k) => <tr key={k.kind}><th scope="row">{kinds.includes(k.kind) && <><Siglum kind={k.kind} /> </>}{k.kind}</th><td class="number">{n(k.live)}</td><td class="number">{n(k.total)}</td></tr>)}
              </tbody>
            </table>
          </section>
        )}
        {s && (
          <section aria-labelledby="spaces">
            <h2 id="spaces">Spaces</h2>
            <ul class="plain">{s.spaces.map((p) => <li key={p.space}><bdi title={visible(p.space)}><Words>{p.space.replace(/^.*\//, "")}</Words></bdi> <span class="note mono">of {visible(p.space.replace(/\/.*$/, "").slice(-12))}</span> <span class="note">{many(p.records, "record")}</span></li>)}</ul>
          </section>
        )}
        <section aria-labelledby="jobs">
          <div class="row"><h2 id="jobs">Jobs <span class="count">{jobs.reply && `${n(jobs.reply.open)} open`}</span></h2><span class="push" />{!!jobs.reply?.jobs.length && <Save name="stemma-jobs" what="these jobs" lines={async () => (await op<Jobs>("jobs", { all: true, limit: -1 })).jobs.map((j) => ({ task: j.task, state: j.state, made: j.made, due: j.due, tries: j.tries, note: j.note }))} />}</div>
          <Trouble error={jobs.error} again={jobs.again} />
          {jobs.reply?.jobs.length === 0 && <p class="note">No jobs. Imports, captures and models queue work here.</p>}
          <ul class="plain">
            {jobs.reply?.jobs.map((j) => <li key={j.key}><b>{j.task}</b> <span class={`chip t-${states[j.state] ?? "plain"}`}>{j.state.replace("_", " ")}</span> <When at={j.made} /> {j.note && <span class="note"><Words>{j.note}</Words></span>}</li>)}
          </ul>
          {jobs.reply?.more && <p><button type="button" onClick={() => setMost(most * 4)}>More</button></p>}
        </section>
      </div>
    </section>
  );
}

const states: Record<string, string> = { waiting: "waits", running: "waits", done: "good", gave_up: "bad" };
