// What stands beside a memory that waits: the conversation that it comes from, what it replaces, and what is near to it.

import type { ComponentChildren } from "preact";
import { picture, type Standing } from "./api";
import { Difference } from "./actbox";
import { Author, cutTo } from "./from";
import { Chip } from "./standing";
import { useAsk } from "./use";
import { Busy, Ref, Siglum, Trouble, When, Whole, Words } from "./words";

interface Turn extends Standing { behind?: boolean; gap?: boolean }
interface Talk { session?: string; agent?: string; turns: Turn[]; later?: boolean }
interface Older extends Standing { relation?: string; link?: string }
interface Reply { ref: string; talks: Talk[]; older: Older[]; near: Standing[]; own?: boolean }

const most = 20; // answers that are kept
const kept = new Map<string, Promise<Reply>>();
window.addEventListener("stemma:changed", () => kept.clear());

// around asks once, also for who looks at an item next.
export function around(ref: string): Promise<Reply> {
  let asked = kept.get(ref);
  if (!asked) {
    asked = picture<Omit<Reply, "ref">>("around", { ref }).then((r) => ({ ...r, ref }));
    kept.set(ref, asked);
    asked.catch(() => kept.delete(ref));
    if (kept.size > most) kept.delete(kept.keys().next().value!);
  }
  return asked;
}

export const forgetAround = () => kept.clear();

const replaces: Record<string, string> = { "": "It replaces", update: "It would replace", contradict: "It contradicts", extend: "It adds to", derive: "It follows from", supports: "It supports" };

// Looked is what stands beside a memory, once it is there.
function Looked({ of: m, children }: { of: Standing; children: (a: Reply) => ComponentChildren }) {
  const asked = useAsk(() => around(m.ref), [m.ref, m.tag]);
  const a = asked.reply?.ref === m.ref ? asked.reply : undefined;
  return <>{a ? children(a) : asked.error ? <Trouble error={asked.error} again={asked.again} /> : <Busy when />}</>;
}

export const Around = ({ of }: { of: Standing }) => <Looked of={of}>{(a) => <Beside of={of} told={a} />}</Looked>;

// Sources are the conversations that a memory comes from, alone.
export const Sources = ({ of }: { of: Standing }) => <Looked of={of}>{(a) => <Talks of={of} told={a} />}</Looked>;

function Beside({ of: m, told: a }: { of: Standing; told: Reply }) {
  return (
    <>
      {a.older.map((o) => (
        <div key={o.link ?? o.ref} class="older">
          <h2>{replaces[o.relation ?? ""] ?? o.relation}</h2>
          <p class="overline"><Siglum kind={o.type} /> <Ref to={o.ref} /> · <Chip of={o} /> <When at={o.at ?? o.created_at} /></p>
          {o.relation === "contradict" ? <p><Words>{o.text ?? o.headline}</Words></p> : <Difference before={o.text ?? o.headline} after={m.text ?? m.headline} />}
        </div>
      ))}
      <Talks of={m} told={a} />
      {a.near.length > 0 && (
        <section aria-labelledby="near">
          <h2 id="near">Similar memories</h2>
          <ul class="plain">{a.near.map((n) => <li key={n.ref}><Siglum kind={n.type} /> <Ref to={n.ref}><Words>{n.text ?? n.headline}</Words></Ref> <Chip of={n} /> <span class="note"><When at={n.at ?? n.created_at} only="day" /></span></li>)}</ul>
        </section>
      )}
    </>
  );
}

function Talks({ of: m, told: a }: { of: Standing; told: Reply }) {
  return (
    <>
      {a.own && <p class="note">The agent's own words: no turn of its conversation says them.</p>}
      {!a.talks.length && <p class="note">{m.created_via === "import" || m.origin === "import" ? "Imported: no captured words stand behind it." : "No captured words stand behind it."}</p>}
      {a.talks.map((t) => <TalkPart key={t.turns[0]?.ref} of={t} />)}
    </>
  );
}

// TalkPart is a part of a conversation; what the memory comes from stands out.
function TalkPart({ of: t }: { of: Talk }) {
  return (
    <div class="talk">
      <h2>{t.session ? "From a conversation" : "From a capture"} <span class="note">{t.agent && <>with <Words>{cutTo(t.agent)}</Words></>}{t.session && <> · session <Words>{cutTo(t.session, 40)}</Words></>}</span></h2>
      <ol class="plain">
        {t.turns.map((u) => (
          <li key={u.ref} class={u.behind ? "turn behind" : "turn"}>
            {u.gap && <p class="note">…<span class="sr"> earlier turns are left out</span></p>}
            <p class="note"><b><Author of={u} /></b> <Ref to={u.ref}><When at={u.at ?? u.created_at} /></Ref> {u.external && <Chip of={u} />}</p>
            <p><Whole>{u.behind ? u.text ?? u.headline : cutTo(u.text ?? u.headline, 500)}</Whole></p>
          </li>
        ))}
      </ol>
      {t.later && <p class="note">…<span class="sr"> later turns are left out</span></p>}
    </div>
  );
}
