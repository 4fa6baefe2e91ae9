// Who decided what, when and why: the same list as `stemma decisions`.

import { useState } from "preact/hooks";
import { type LinkEnd, op } from "./api";
import { cutTo } from "./from";
import type { Place } from "./route";
import { Save } from "./save";
import { useAsk, useTitle } from "./use";
import { beside, Busy, kindOf, kinds, Ref, Siglum, Trouble, When, Words } from "./words";

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
    {beside(e.marks).map((m) => <span key={m} class="note"> · {m}</span>)}
  </>
);

// what says what was decided, with the thing that it was about.
function What({ of: d }: { of: Decision }) {
  return (
    <>
      <b>{d.act}</b> {d.detail && <Words>{d.detail}</Words>}
      {d.taken_back ? <span class="note"> taken back</span> : !d.counts && <span class="note"> does not count here</span>}
      {d.of.map((e) => <div key={e.ref}><End of={e} /></div>)}
      {!!d.of_more && <div class="note">and {d.of_more} more</div>}
      {d.now && <div><span class="note">now</span> <End of={d.now} /></div>}
      {d.proposed_by && <div class="note">put forward by <Words>{d.proposed_by}</Words></div>}
    </>
  );
}

const line = (d: Decision) => ({
  at: d.at, by: d.by, key: d.key, agent: d.agent, act: d.act, detail: d.detail, of: d.of.map((e) => e.ref), words: d.of.map((e) => e.text ?? e.headline).join(" | "),
  now: d.now?.ref, now_words: d.now && (d.now.text ?? d.now.headline), why: d.why, proposed_by: d.proposed_by, counts: d.counts, taken_back: !!d.taken_back, space: d.space, record: d.ref,
});

// DecisionsView is a log: who decided what, when and why, the newest first.
export function DecisionsView(_: { place: Place }) {
  useTitle("decisions");
  const [most, setMost] = useState(50), [by, setBy] = useState(""), [about, setAbout] = useState("");
  const asked = { by: by || undefined, about: about || undefined };
  const found = useAsk((s) => op<Reply>("decisions", { ...asked, limit: most }, s), [most, by, about]);
  const list = found.reply?.decisions;
  return (
    <section aria-labelledby="decisions">
      <div class="row"><h1 id="decisions">Decisions</h1><span class="push" />{!!list?.length && <Save name="stemma-decisions" what="these decisions" lines={async () => (await op<Reply>("decisions", { ...asked, limit: -1 })).decisions.map(line)} />}</div>
      <form class="row" onSubmit={(e) => e.preventDefault()}>
        <label>by <input type="text" autocomplete="off" placeholder="a name, or me" onChange={(e) => setBy(e.currentTarget.value.trim())} /></label>
        <label>about <input type="text" autocomplete="off" placeholder="a ref or a name" onChange={(e) => setAbout(e.currentTarget.value.trim())} /></label>
      </form>
      <Trouble error={found.error} again={found.again} />
      {!list && <Busy when={found.busy} />}
      {list?.length === 0 && <p class="note">No decisions{by || about ? " like that" : " yet"}.</p>}
      {!!list?.length && (
        <table class="log">
          <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Why</th></tr></thead>
          <tbody>
            {list.map((d) => (
              <tr key={d.ref} class={d.taken_back || !d.counts ? "none" : ""}>
                <td class="note"><When at={d.at} /></td>
                <td>{d.agent && <><Words>{cutTo(d.agent)}</Words> for </>}<Words>{d.by}</Words></td>
                <td><What of={d} /></td>
                <td class="because">{d.why ? <Words>{d.why}</Words> : <span class="note">no reason given</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {found.reply?.more && <p><button type="button" onClick={() => setMost(most * 4)}>More</button></p>}
    </section>
  );
}
