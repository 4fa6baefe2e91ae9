// One list of memories, as search, the first view and the quick search show it.

import { useState } from "preact/hooks";
import type { Found } from "./api";
import type { Choice } from "./bulk";
import { ActsButton } from "./doer";
import { conflictsOf, memoryPath, To } from "./route";
import type { Line } from "./save";
import { Ago, Standing, status } from "./standing";
import { beginning, beside, brief, Ref, Siglum, two, Words } from "./words";

// Line is a result as a file has it.
export const lineOf = (r: Found): Line => ({
  ref: r.ref, kind: r.type, text: r.text, status: status(r)[0], tier: r.tier, trust: r.trust, level: r.level,
  confidence: r.type === "raw" ? undefined : r.confidence, author: r.author, speaker: r.speaker, space: r.space, tags: r.tags, session: r.session,
  at: r.at, created_at: r.created_at, source: r.source,
});

export function Item({ r, scored, choice }: { r: Found; scored?: boolean; choice?: Choice }) {
  return (
    <li class={choice?.has(r.ref) ? "result chosen-one" : "result"}>
      <p>
        {choice && <input type="checkbox" class="pick" checked={choice.has(r.ref)} aria-label={`Select “${beginning(r.text)}”`} onChange={(e) => choice.set([r.ref], e.currentTarget.checked)} />}
        <Siglum kind={r.type} /> <To to={memoryPath(r.ref)} class={`headline ${r.hidden ? "was-" + r.hidden : ""}`}><Words pieces={r.pieces}>{r.text}</Words></To> <ActsButton of={r.ref} words={r.text} />
      </p>
      <div class="under">
        <Standing of={r.type === "raw" ? { ...r, confidence: undefined } : r} />
        <span class="note">
          {r.speaker && <><Words>{r.speaker}</Words> · </>}<Ago at={r.at} />{r.from && <> · from {r.from}</>}{beside(r.marks).filter(brief).map((m) => <> · <Words key={m}>{m}</Words></>)}
          {r.tags?.map((t) => <> · <To key={t} to={`/search?tag${t.includes(",") ? "_is" : ""}=${encodeURIComponent(t)}`}>#<Words>{t}</Words></To></>)}
        </span>
        {scored && <Why r={r} />}
      </div>
      {beside(r.marks).filter((m) => !brief(m) && !r.undecided?.includes(m)).map((m) => <p key={m} class="note"><Words>{m}</Words></p>)}
      {r.undecided?.map((u) => <p key={u} class="note">Undecided: <Words>{u}</Words> <To to={conflictsOf(r.ref)}>decide</To></p>)}
    </li>
  );
}

// Why says what the place in the list follows from.
function Why({ r }: { r: Found }) {
  const [open, set] = useState(false);
  const f = r.factors, w = r.why;
  return (
    <details class="why" onToggle={(e) => set(e.currentTarget.open)}>
      <summary><span class="number">{r.score.toFixed(3)}</span> why</summary>
      {open && (
        <>
          <p class="note formula">{r.score.toFixed(3)} = relevance {f.relevance.toFixed(3)} × tier {f.tier} × trust {f.trust.toFixed(3)} × recency {f.recency.toFixed(3)}</p>
          {w && (
            <dl class="record">
              {!!w.terms?.length && <><dt>matching words</dt><dd>{w.terms.join(", ")}{w.question && w.question.length > w.terms.length && ` (of ${w.question.join(", ")})`}</dd></>}
              <dt>its own words</dt><dd class="number">{w.own.toFixed(3)}</dd>
              {!!w.propagated && <><dt>from neighbouring turns</dt><dd class="number">{w.propagated.toFixed(3)}</dd></>}
              {!!w.shared && <><dt>from its session</dt><dd class="number">{w.shared.toFixed(3)}</dd></>}
              {!!w.graph && <><dt>from its sources</dt><dd><span class="number">{w.graph.toFixed(3)}</span> {w.graph_by && <Ref to={w.graph_by} />}</dd></>}
              {!!w.cosine && <><dt>similarity of meaning</dt><dd class="number">{two(w.cosine)}</dd></>}
            </dl>
          )}
        </>
      )}
    </details>
  );
}
