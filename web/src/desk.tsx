// A desk has what waits as a list, and beside it all that a decision on one of them needs. Review and conflicts are desks.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Queue, Said } from "./queue";
import { go, To, within } from "./route";
import type { Asked } from "./use";
import { Busy, figure, Trouble } from "./words";

export interface Batch<T> { key: string; label: string; name?: ComponentChildren; items: T[] }

interface Listed<T> {
  groups: Batch<T>[];
  of: (t: T) => string; // its ref
  row: (t: T) => ComponentChildren;
  acts?: (g: Batch<T>) => ComponentChildren; // on all of a group
}

interface OnDesk<T> extends Listed<T> {
  name: string; // of the view, as the address has it
  title: string;
  q: Queue<T>;
  asked: Asked<{ more?: boolean }>;
  tools?: ComponentChildren;
  about?: ComponentChildren; // what of all is shown
  left?: ComponentChildren; // what could not be decided
  none: ComponentChildren; // said where nothing waits
  says: ComponentChildren; // what waits here
  choose?: (ref: string) => void;
  children: ComponentChildren;
}

export function Desk<T>({ name, title, q, asked, tools, about, left, none, says, choose = q.choose, children, ...list }: OnDesk<T>) {
  const desk = useRef<HTMLDivElement>(null), now = q.now && list.of(q.now);
  useEffect(() => {
    const top = desk.current?.getBoundingClientRect().top ?? 0; // what comes next begins at its top
    if (top < 0) desk.current?.scrollIntoView({ block: "start" });
  }, [now]);
  return (
    <section aria-labelledby={name} class="queue">
      <div class="row"><h1 id={name}>{title}</h1><p class="note" role="status" id="place">{asked.reply && q.left ? `${figure(q.place)} of ${figure(q.total)}${asked.reply.more ? " and more" : ""}` : ""}</p><span class="push" />{tools}</div>
      {about && <p class="note">{about}</p>}
      <Said q={q} />
      {left}
      <Trouble error={asked.error} again={asked.again} />
      {!asked.reply && <Busy when={asked.busy} />}
      {asked.reply && !now && <p class="done">{q.done ? `All ${figure(q.done)} are decided.` : none} {says} <To to="/">Back to the queue</To></p>}
      {now && <div class="desk" ref={desk}><List {...list} now={now} choose={choose} />{children}</div>}
    </section>
  );
}

// AlsoOthers shows also what the policy asks no person about.
export const AlsoOthers = ({ all }: { all: boolean }) => (
  <label class="tick"><input type="checkbox" checked={all} onChange={(e) => go(within({ all: e.currentTarget.checked ? "1" : undefined }), true)} /> also what needs no decision</label>
);

// List is what waits, in groups where they have names.
function List<T>({ groups, of, row, acts, now, choose }: Listed<T> & { now: string; choose: (ref: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = box.current?.querySelector<HTMLElement>('[aria-current="true"]'), pane = box.current;
    if (!chosen || !pane || pane.scrollHeight <= pane.clientHeight) return; // on a small screen the page scrolls
    const r = chosen.getBoundingClientRect(), p = pane.getBoundingClientRect(), head = 48;
    if (r.top < p.top + head) pane.scrollTop -= p.top + head - r.top;
    else if (r.bottom > p.bottom) pane.scrollTop += Math.min(r.bottom - p.bottom, r.top - p.top - head);
  }, [now, groups.length]);
  return (
    <div class="waiting" ref={box} role="region" aria-label="What waits" tabIndex={-1}>
      {groups.map((g) => (
        <section key={g.key} aria-label={g.name ? g.label : undefined} class="batch">
          {g.name && <header><h2>{g.name}</h2>{acts?.(g)}</header>}
          <ol class="plain">
            {g.items.map((t) => {
              const ref = of(t), chosen = ref === now;
              return <li key={ref}><button type="button" class="pick-one" tabIndex={chosen ? 0 : -1} aria-current={chosen ? "true" : undefined} data-ref={ref} onClick={() => choose(ref)}>{row(t)}</button></li>;
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}
