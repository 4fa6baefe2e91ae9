import { useMemo, useState } from "preact/hooks";
import { type Axes, type Condition, type LinkView, type Memory, op, type Result, standings } from "./api";
import { Acts } from "./doer";
import { drawingOf, Lineage } from "./lineage";
import { conflictsOf, To } from "./route";
import { Chip } from "./standing";
import { useAsk, useTitle } from "./use";
import { Address, beside, brief, Busy, cut, Imported, kindOf, many, Marks, past, Ref, short, Siglum, Trouble, two, When, Whole, Words } from "./words";

interface Witness { ref: string; controller: string; name?: string; attestation: string; notes?: string; at: string; counts: boolean; why?: string; resolved?: string }
interface Anchor { ref: string; type: string; reference: string; status: string; counts: boolean; why?: string; checked_at?: string }
interface Term { name: string; points: number; why: string }
interface CodeRef { ref: string; state: string; reason?: string; commit?: string; now?: string }
interface Explained extends Omit<Memory, "trust"> {
  conditions: Condition[];
  trust: {
    score: number; raw: number; level: string; level_by_range: string; terms: Term[]; witnesses: Witness[]; anchors: Anchor[];
    name?: string; controller: string; flags: string[]; policy: string;
    limit?: { ref: string; headline?: string; score: number; level: string; in_force: boolean };
    upstream?: { ref: string; headline: string; why: string }[];
  };
  code?: CodeRef[];
  code_state?: string;
  support?: { sources: number; origins: number };
  followed?: { commit?: string; session: string; host?: string; at: string; files: string[] }[];
}
interface Shown extends Memory { claims?: { ref: string; type: string; headline: string; at: string }[]; links?: LinkView[] }
interface Evidence {
  evidence: {
    episodes: { id: string; objective: string; outcome: string; lessons: string[] | null }[];
    notes: { id: string; note_type: string; content: string }[];
    raw_entries: { id: string; blob: string; speaker?: string; captured_at: string; occurred_at?: string; purged?: boolean }[];
  };
  total_evidence_count: number;
  missing?: string[];
}
interface Step { claim?: string; kind: string; at: string; before?: number; after: number; why: string; because?: string[] }
interface History { revisions: Memory[]; forked?: boolean }

export function MemoryView({ of }: { of: string }) {
  const drawing = useMemo(() => drawingOf(of), [of]);
  const [drawn, draw] = useState(false); // what stands below the tree is asked for after it
  const shown = useAsk((s) => op<Shown>("show", { ref: of }, s), [of]);
  const ref = shown.reply?.ref;
  const kind = kindOf(ref ?? of);
  const isMemory = !!ref && !["link", "mark", "witness", "anchor", "key", "assess"].includes(kind);
  const why = useAsk(isMemory && drawn ? (s) => op<Explained>("explain", { ref }, s) : null, [ref, drawn]);
  const evidence = useAsk(isMemory && drawn && kind !== "raw" ? (s) => op<Evidence>("evidence", { ref }, s) : null, [ref, drawn]);
  const history = useAsk(isMemory && drawn ? (s) => op<History>("history", { ref }, s) : null, [ref, drawn]);
  const moved = useAsk(isMemory && drawn && kind !== "raw" ? (s) => op<{ confidence_history?: Step[] }>("confidence_history", { ref }, s) : null, [ref, drawn]);
  const m = shown.reply, by = m?.superseded_by;
  const newer = useAsk(by ? (s) => standings([by], s) : null, [by]).reply?.[0]?.headline;
  useTitle(m ? m.headline : short(of));
  if (!m) return shown.error ? <Trouble error={shown.error} again={shown.again} /> : <Busy when={shown.busy} />;
  const x = why.reply?.ref === ref ? why.reply : undefined;
  const axes: Axes = { tier: m.tier, trust: m.trust, level: m.level, confidence: kind === "raw" ? undefined : m.confidence };

  return (
    <article class="memory">
      <header>
        <p class="overline">
          {isMemory && <Chip of={{ ...m, kind, until: past(m.valid_until) }} />} <Siglum kind={kind} /> {kind} <bdi class="mono" title={m.ref}>{short(m.ref)}</bdi> · <When at={m.at ?? m.created_at} /> · {/^\d+ (?!source)/.test(m.source) && "from "}{m.source}{beside(m.marks).filter(brief).map((k) => <> · <Words key={k}>{k}</Words></>)}<Imported of={m} />
        </p>
        <h1 class={m.hidden ? `was-${m.hidden}` : ""}><Words>{m.headline}</Words></h1>
        {m.text && m.text !== m.headline && <details open={m.text.length <= 1000}><summary>All of its words</summary><p class="item-words long"><Whole>{m.text}</Whole></p></details>}
        {beside(m.marks).filter((k) => !brief(k) && !(by && k.startsWith("replaced by"))).map((k) => <p key={k} class="note"><Words>{k}</Words></p>)}
        <Acts of={m.ref} key={m.ref} />
        {m.superseded_by && <p class="banner">Replaced by <Ref to={m.superseded_by}>{newer ? <>“<Words>{cut(newer, 160)}</Words>”</> : undefined}</Ref>.</p>}
        {!m.actionable && m.not_actionable && isMemory && <p class="banner">An agent should not act on it without asking: {m.not_actionable.replace("it is superseded", "it was replaced")}.</p>}
      </header>

      <Lineage of={m.ref} key={m.ref} begun={drawing} shown={() => draw(true)} />

      <div class="apparatus">
        {x && <Standing x={x} axes={axes} />}
        {x && <Rests x={x} />}
        {evidence.reply && <EvidencePart e={evidence.reply} />}
        <Trouble error={why.error ?? evidence.error} />
        {x && <Witnesses x={x} />}
        {!!moved.reply?.confidence_history?.length && <Confidence steps={moved.reply.confidence_history} />}
        {x?.code && x.code.length > 0 && <Code x={x} />}
        {history.reply && history.reply.revisions.length > 1 && <Revisions h={history.reply} here={m.ref} />}
        {m.links && m.links.length > 0 && <Links links={m.links} here={m.ref} />}
        <Body m={m} />
        {isMemory && drawn && !m.hidden && <Alike of={m.ref} key={m.ref} />}
      </div>
    </article>
  );
}

// Rests says of how many independent origins a memory is, and which lines of code followed from it.
function Rests({ x }: { x: Explained }) {
  const s = x.support, list = x.followed ?? [];
  if (!s?.sources && !list.length) return null;
  return (
    <section aria-labelledby="rests">
      <h2 id="rests">What it rests on, and what followed</h2>
      {!!s?.sources && <p>{many(s.sources, "source")}, {many(s.origins, "origin")}{s.origins < s.sources && <span class="note">: some share an ancestor, a page or a session</span>}</p>}
      {list.length > 0 && <p class="note">Code of sessions that were given it:</p>}
      <ul class="plain">
        {list.map((f) => <li key={f.at + f.session + f.commit}><When at={f.at} only="day" /> <bdi class="mono">{f.commit ? f.commit.slice(0, 10) : "not committed"}</bdi> {f.files.slice(0, 8).map((file) => <bdi key={file} class="mono"><Words>{file}</Words> </bdi>)}{f.files.length > 8 && <span class="note">and {f.files.length - 8} more </span>}<To to={`/given?session=${encodeURIComponent(f.session)}`}>{f.host ? <Words>{f.host}</Words> : "the session"}</To></li>)}
      </ul>
    </section>
  );
}

// Alike asks for what is like a memory, by its words and its meaning, when somebody wants it.
function Alike({ of }: { of: string }) {
  const [wanted, want] = useState(false);
  const found = useAsk(wanted ? (s) => op<{ results: Result[] }>("search", { like: of, limit: 6 }, s) : null, [of, wanted]);
  return (
    <section aria-labelledby="alike">
      <h2 id="alike">More like this</h2>
      {!wanted && <p><button type="button" onClick={() => want(true)}>Look for it</button></p>}
      <Trouble error={found.error} again={found.again} />
      {wanted && !found.reply && <Busy when={found.busy} />}
      {found.reply?.results.length === 0 && <p class="note">Nothing is like it.</p>}
      <ul class="plain">{found.reply?.results.map((r) => <li key={r.ref}><Siglum kind={kindOf(r.ref)} /> <Ref to={r.ref}><Words>{cut(r.text, 400)}</Words></Ref></li>)}</ul>
    </section>
  );
}

// Said is a sentence of the program: what stands between backticks in it is typed at a terminal.
export function Said({ children }: { children: string }) {
  return <>{children.replace(/(\d\.\d\d)00\b/g, "$1").split("`").map((p, i) => (i % 2 ? <code key={i}><Words>{p}</Words></code> : <Words key={i}>{p}</Words>))}</>;
}

function Standing({ x, axes }: { x: Explained; axes: Axes }) {
  const t = x.trust;
  return (
    <section aria-labelledby="standing" class="wide">
      <h2 id="standing">Tier, trust and confidence</h2>
      <div class="three">
        <div>
          <h3>Tier <b>{axes.tier ?? "raw words"}</b></h3>
          <ul class="plain">
            {x.conditions?.map((c) => (
              <li key={c.name} class={c.met ? "met" : "unmet"}>
                <span aria-hidden="true">{c.met ? "✓" : "·"}</span> {c.name}<span class="sr">{c.met ? " (met)" : " (not met)"}</span><span class="note">: <Said>{c.says}</Said></span>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>Trust <b>{two(t.score)}</b></h3>
          <table class="sum">
            <tbody>
              {t.terms.map((s) => (
                <tr key={s.name} class={s.points ? "" : "none"}>
                  <th scope="row">{s.name}</th>
                  <td class="number">{s.points > 0 ? "+" : ""}{s.points.toFixed(2)}</td>
                  <td class="note"><Said>{s.why}</Said></td>
                </tr>
              ))}
            </tbody>
          </table>
          {t.limit && (
            <p class="note">{t.limit.in_force ? "Limited by" : "Would be limited by"} <Ref to={t.limit.ref} /> ({two(t.limit.score)}).</p>
          )}
          {t.upstream?.map((u) => <p key={u.ref} class="note">Source, {u.why}: <Ref to={u.ref}><Words>{u.headline}</Words></Ref></p>)}
        </div>
        <div>
          <h3>Confidence <b>{axes.confidence === undefined ? "–" : two(axes.confidence)}</b></h3>
          <p class="note">{axes.confidence === undefined ? "Captured words make no claim." : "How sure its author is, with later changes. It says nothing about who the author is."}</p>
        </div>
      </div>
    </section>
  );
}

// evidenceShown is how much evidence of each kind stands there at once.
const evidenceShown = 40;

function EvidencePart({ e }: { e: Evidence }) {
  const [most, setMost] = useState(evidenceShown);
  const some = <T,>(list: T[]) => list.slice(0, most);
  const episodes = some(e.evidence.episodes), notes = some(e.evidence.notes), raws = some(e.evidence.raw_entries);
  const left = e.total_evidence_count - episodes.length - notes.length - raws.length;
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">Evidence <span class="count">{many(e.total_evidence_count, "record")}</span></h2>
      {e.total_evidence_count === 0 && <p class="note">It has no captured sources.</p>}
      <ul class="plain said">
        {episodes.map((p) => <li key={p.id}><Siglum kind="episode" /> <Ref to={`episode:${p.id}`}><Words>{p.objective}</Words></Ref> {p.outcome !== "unknown" && <span class="note">{p.outcome}</span>}
          {p.lessons?.map((l) => <p key={l} class="lesson"><Words>{l}</Words></p>)}</li>)}
        {notes.map((n) => <li key={n.id}><Siglum kind="note" /> <Ref to={`note:${n.id}`}><Words>{n.content}</Words></Ref></li>)}
        {raws.map((r) => <li key={r.id}><Siglum kind="raw" /> {r.speaker && <Words class="speaker">{r.speaker}</Words>} <Ref to={`raw:${r.id}`}><Words>{r.purged ? "(purged)" : cut(r.blob, 400)}</Words></Ref> <span class="note"><When at={r.occurred_at ?? r.captured_at} /></span></li>)}
      </ul>
      {left > 0 && <p><button type="button" onClick={() => setMost(most * 4)}>{many(left, "more record", "more records")}</button></p>}
      {!!e.missing?.length && <p class="note">Cited, but not held here: {e.missing.map((r) => <Ref key={r} to={r} />)}</p>}
    </section>
  );
}

function Witnesses({ x }: { x: Explained }) {
  const { witnesses, anchors } = x.trust;
  return (
    <section aria-labelledby="witnesses">
      <h2 id="witnesses">Witnesses and anchors <span class="count">{witnesses.length + anchors.length}</span></h2>
      {witnesses.length + anchors.length === 0 && <p class="note">No witness and no anchor supports it.</p>}
      <ul class="plain">
        {witnesses.map((w) => (
          <li key={w.ref} class={w.counts ? "" : "none"}>
            <b>{w.attestation}</b> by <Words>{w.name || w.controller.slice(0, 24) + "…"}</Words>, <When at={w.at} />
            {w.notes && <p class="lesson"><Words>{w.notes}</Words></p>}
            {!w.counts && <span class="note"> does not count: <Words>{w.why ?? ""}</Words></span>}
            {w.resolved && <span class="note"> {w.resolved}</span>}
          </li>
        ))}
        {anchors.map((a) => (
          <li key={a.ref} class={a.counts ? "" : "none"}>
            <b>{a.type}</b> {a.status} <Address>{a.reference}</Address> {!a.counts && <span class="note"> does not count: <Words>{a.why ?? ""}</Words></span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Confidence({ steps }: { steps: Step[] }) {
  return (
    <section aria-labelledby="confidence">
      <h2 id="confidence">Confidence over time</h2>
      {steps.length > 1 && <Curve steps={steps.map((s) => s.after)} />}
      <ol class="plain steps-list">
        {steps.map((s, i) => (
          <li key={s.claim ?? i}>
            <span class="number">{s.before !== undefined && `${two(s.before)} → `}{two(s.after)}</span> <When at={s.at} /> <Words>{s.why}</Words>
            {s.because?.map((r) => <Ref key={r} to={r} />)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Curve({ steps }: { steps: number[] }) {
  const w = 280, h = 56, x = (i: number) => (i / Math.max(1, steps.length - 1)) * (w - 8) + 4, y = (v: number) => h - 4 - v * (h - 8);
  return (
    <svg class="curve" viewBox={`0 0 ${w} ${h}`} width={w} height={h} role="img" aria-label={`Confidence from ${two(steps[0]!)} to ${two(steps.at(-1)!)} in ${steps.length} steps`}>
      <path class="grid" d={`M0 ${y(0)}H${w}M0 ${y(0.5)}H${w}M0 ${y(1)}H${w}`} />
      <path class="trend" d={steps.map((v, i) => `${i ? "L" : "M"}${x(i)} ${y(v)}`).join("")} />
      {steps.map((v, i) => <circle key={i} cx={x(i)} cy={y(v)} r="2.5" />)}
    </svg>
  );
}

function Code({ x }: { x: Explained }) {
  return (
    <section aria-labelledby="code">
      <h2 id="code">Code it names <span class="count">{x.code_state?.replaceAll("_", " ")}</span></h2>
      <ul class="plain">
        {x.code!.map((c) => (
          <li key={c.ref}>
            <bdi class="mono"><Words>{c.ref}</Words></bdi> <span class={`mark m-${c.state}`}>{c.state.replace("_", " ")}</span> {c.reason && <span class="note"><Words>{c.reason}</Words></span>}
            {c.now && <span class="note"> now at <bdi class="mono"><Words>{c.now}</Words></bdi></span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Revisions({ h, here }: { h: History; here: string }) {
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">Revisions <span class="count">{h.revisions.length}</span></h2>
      {h.forked && <p class="note">Two revisions compete.</p>}
      <ol class="plain">
        {h.revisions.map((r) => (
          <li key={r.ref} class={r.hidden ? "none" : ""} aria-current={r.ref === here ? "true" : undefined}>
            <When at={r.created_at} /> {r.ref === here ? <b><Words>{r.headline}</Words></b> : <Ref to={r.ref}><Words>{r.headline}</Words></Ref>} <Marks hidden={r.hidden} review={r.review} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Links({ links, here }: { links: LinkView[]; here: string }) {
  return (
    <section aria-labelledby="links">
      <h2 id="links">Related memories</h2>
      <ul class="plain">
        {links.map((l) => {
          const other = l.old.ref === here ? l.new : l.old;
          return (
            <li key={l.ref}>
              <b>{l.relation}</b> <Ref to={other.ref}><Words>{other.headline}</Words></Ref> <span class="note">{l.state}{l.reason ? ": " : ""}<Words>{l.reason ?? ""}</Words></span>
              {(l.state === "open" || l.state === "proposed") && <> <To to={conflictsOf(here)}>decide</To></>}{l.state === "applied" && <> without a person</>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

// Body is every member of the record, for who wants to know it all.
function Body({ m }: { m: Memory }) {
  const rows: [string, string | undefined][] = [
    ["author", m.author], ["agent", m.agent], ["origin", m.origin], ["made by", m.created_via], ["space", m.space], ["session", m.session],
    ["occurred", m.occurred_at], ["valid from", m.valid_from], ["valid until", m.valid_until], ["last verified", m.last_verified],
    ["tags", m.tags?.join(", ")], ["about", m.about?.join(", ")],
  ];
  return (
    <section aria-labelledby="body">
      <h2 id="body">The record</h2>
      <dl class="record">
        {Object.entries(m.content ?? {}).map(([k, v]) => <Pair key={k} k={k} v={show(v)} said />)}
        {rows.filter(([, v]) => v).map(([k, v]) => <Pair key={k} k={k} v={v!} />)}
      </dl>
    </section>
  );
}

const show = (v: unknown): string =>
  typeof v === "string" ? v : Array.isArray(v) ? v.map(show).join("\n") : typeof v === "object" && v ? JSON.stringify(v, null, 1) : String(v);

const Pair = ({ k, v, said }: { k: string; v: string; said?: boolean }) => (
  <>
    <dt>{k.replaceAll("_", " ")}</dt>
    <dd class={said ? "said" : "mono"}><Words>{v}</Words></dd>
  </>
);
