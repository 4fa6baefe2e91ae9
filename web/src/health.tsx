import { useState } from "preact/hooks";
import { op } from "./api";
import { useAsk, useTitle } from "./use";
import { Busy, many, Ref, Siglum, Trouble, When, Words } from "./words";

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

export function HealthView() {
  useTitle("health");
  const stats = useAsk((s) => op<Stats>("stats", {}, s), []);
  const jobs = useAsk((s) => op<Jobs>("jobs", { all: true, limit: 30 }, s), []);
  const [look, setLook] = useState(false);
  const doctor = useAsk(look ? (s) => op<Doctor>("doctor", {}, s) : null, [look]);
  const s = stats.reply, d = doctor.reply;
  const n = (x: number) => x.toLocaleString("en");
  return (
    <section aria-labelledby="health">
      <h1 id="health">Health</h1>
      <Trouble error={stats.error} again={stats.again} />
      {!s && <Busy when={stats.busy} />}
      <div class="apparatus">
        <section aria-labelledby="doctor" class="wide">
          <h2 id="doctor">Doctor</h2>
          {!look && <p><button type="button" onClick={() => setLook(true)}>Read every record and verify every signature</button></p>}
          {look && !d && <Busy when={doctor.busy}>reading every record…</Busy>}
          <Trouble error={doctor.error} again={doctor.again} />
          {d && <p role="status">{many(d.records, "record")}, {many(d.signatures, "signature")} verified, <b>{many(d.problems.length, "problem")}</b>.</p>}
          <ul class="plain">
            {d?.problems.map((p) => <li key={p.what + p.ref} class="problem"><Words>{p.what}</Words> {p.ref && <Ref to={p.ref} />} {p.fix && <code><Words>{p.fix}</Words></code>}</li>)}
            {d?.secrets?.map((k) => <li key={k.ref} class="problem">something looks like a secret in <Ref to={k.ref} /> {k.fix && <code><Words>{k.fix}</Words></code>}</li>)}
            {d?.notes?.map((t) => <li key={t} class="note"><Words>{t}</Words></li>)}
          </ul>
        </section>
        {s && (
          <section aria-labelledby="store">
            <h2 id="store">The store</h2>
            <dl class="tally">
              <dt>records</dt><dd>{n(s.records)}</dd>
              <dt>arrows between them</dt><dd>{n(s.edges)}</dd>
              <dt>cited, but not held</dt><dd>{n(s.missing)}</dd>
              <dt>purged</dt><dd>{n(s.purged)}</dd>
              <dt>raws made use of</dt><dd>{n(s.raws.processed)} of {n(s.raws.processed + s.raws.unprocessed)}</dd>
              <dt>on disk</dt><dd>{(s.bytes / 1e6).toFixed(1)} MB</dd>
            </dl>
          </section>
        )}
        {s && (
          <section aria-labelledby="kinds">
            <h2 id="kinds">By kind</h2>
            <table class="sum">
              <thead><tr><th scope="col">kind</th><th scope="col" class="number">live</th><th scope="col" class="number">all</th></tr></thead>
              <tbody>
                {[...s.memories, ...s.claims].map((k) => <tr key={k.kind}><th scope="row"><Siglum kind={k.kind} /> {k.kind}</th><td class="number">{n(k.live)}</td><td class="number">{n(k.total)}</td></tr>)}
              </tbody>
            </table>
          </section>
        )}
        {s && (
          <section aria-labelledby="spaces">
            <h2 id="spaces">Spaces</h2>
            <ul class="plain">{s.spaces.map((p) => <li key={p.space}><bdi class="mono"><Words>{p.space}</Words></bdi> <span class="note">{many(p.records, "record")}</span></li>)}</ul>
          </section>
        )}
        <section aria-labelledby="jobs">
          <h2 id="jobs">Jobs <span class="count">{jobs.reply && `${n(jobs.reply.open)} open`}</span></h2>
          <Trouble error={jobs.error} again={jobs.again} />
          {jobs.reply?.jobs.length === 0 && <p class="note">No open jobs.</p>}
          <ul class="plain">
            {jobs.reply?.jobs.map((j) => <li key={j.key}><b>{j.task}</b> {j.state.replace("_", " ")} <When at={j.made} /> {j.note && <span class="note"><Words>{j.note}</Words></span>}</li>)}
          </ul>
        </section>
      </div>
    </section>
  );
}
