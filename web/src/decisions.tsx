// Who decided what, when and why: the same list as `stemma decisions`.

import { useState } from "preact/hooks";
import { type LinkEnd, op } from "./api";
import { Save } from "./save";
import { useAsk } from "./use";
import { Busy, kindOf, kinds, Ref, Siglum, Trouble, When, Words } from "./words";

export interface Decision {
  ref: string;
  at: string;
  act: string;
  detail?: string;
  by: string;
  key: string;
  agent?: string;
  of: LinkEnd[];
  of_more?: number;
  now?: LinkEnd;
  why: string;
  proposed_by?: string;
  space: string;
  counts: boolean;
  taken_back?: boolean;
}
interface Reply { decisions: Decision[]; more?: boolean }

const End = ({ of: e }: { of: LinkEnd }) => (
  <>
    {kinds.includes(kindOf(e.ref)) ? <><Siglum kind={kindOf(e.ref)} /> <Ref to={e.ref}><Words>{e.text ?? e.headline}</Words></Ref></> : <><span class="note">{kindOf(e.ref) === "did" ? "key" : kindOf(e.ref)}</span> <Words>{e.headline}</Words></>}
    {e.marks?.map((m) => <span key={m} class="note"> · {m}</span>)}
  </>
);

// One is one decision: who and when, what it was about, and why.
export function One({ of: d }: { of: Decision }) {
  return (
    <>
      <When at={d.at} /> <b>{d.agent && <><Words>{d.agent}</Words> for </>}<Words>{d.by}</Words></b>: <b>{d.act}</b> {d.detail && <Words>{d.detail}</Words>}
      {d.taken_back ? <span class="note"> taken back</span> : !d.counts && <span class="note"> does not count here</span>}
      {d.of.map((e) => <div key={e.ref}><End of={e} /></div>)}
      {!!d.of_more && <div class="note">and {d.of_more} more</div>}
      {d.now && <div><span class="note">now</span> <End of={d.now} /></div>}
      {d.proposed_by && <div class="note">proposed by <Words>{d.proposed_by}</Words></div>}
      {d.why && <div><span class="note">why</span> <Words>{d.why}</Words></div>}
    </>
  );
}

const line = (d: Decision) => ({
  at: d.at, by: d.by, key: d.key, agent: d.agent, act: d.act, detail: d.detail, of: d.of.map((e) => e.ref), words: d.of.map((e) => e.text ?? e.headline).join(" | "),
  now: d.now?.ref, now_words: d.now && (d.now.text ?? d.now.headline), why: d.why, proposed_by: d.proposed_by, counts: d.counts, taken_back: !!d.taken_back, space: d.space, record: d.ref,
});

export function Decisions() {
  const [most, setMost] = useState(10), [by, setBy] = useState(""), [about, setAbout] = useState("");
  const asked = { by: by || undefined, about: about || undefined };
  const found = useAsk((s) => op<Reply>("decisions", { ...asked, limit: most }, s), [most, by, about]);
  const list = found.reply?.decisions;
  return (
    <section aria-labelledby="decisions" class="wide">
      <div class="row"><h2 id="decisions">Decisions</h2><span class="push" />{!!list?.length && <Save name="stemma-decisions" what="these decisions" lines={async () => (await op<Reply>("decisions", { ...asked, limit: -1 })).decisions.map(line)} />}</div>
      <form class="row" onSubmit={(e) => e.preventDefault()}>
        <label>by <input type="text" autocomplete="off" placeholder="a name, or me" onChange={(e) => setBy(e.currentTarget.value.trim())} /></label>
        <label>about <input type="text" autocomplete="off" placeholder="a ref or a name" onChange={(e) => setAbout(e.currentTarget.value.trim())} /></label>
      </form>
      <Trouble error={found.error} again={found.again} />
      {!list && <Busy when={found.busy} />}
      {list?.length === 0 && <p class="note">No decisions.</p>}
      <ul class="plain">{list?.map((d) => <li key={d.ref}><One of={d} /></li>)}</ul>
      {found.reply?.more && <p><button type="button" onClick={() => setMost(most * 4)}>More</button></p>}
    </section>
  );
}
