// What a search can be narrowed to, with how many there are of each.

import { useState } from "preact/hooks";
import type { FoundReply } from "./api";
import { To } from "./route";
import { figure, format, Siglum, visible, Words } from "./words";

// The member of the address that a value of a facet sets: it selects from what the list has, so that its count is what it gives.
const member: Record<string, string> = { kind: "kind_is", tier: "tier_is", level: "level_is", space: "space_is", tag: "tag_is", author: "author", time: "time_is" };
export const members = Object.values(member);
const titles: Record<string, string> = { kind: "Kind", tier: "Tier", level: "Trust", space: "Space", tag: "Tag", author: "Author", time: "Time" };
const hints: Record<string, string> = { tier: "what the words rest on", level: "who confirms them" };

// to is the address with one value chosen, or without it where it was chosen. A memory may have several tags.
function to(q: URLSearchParams, facet: string, value: string): [string, boolean] {
  const out = new URLSearchParams(q), m = member[facet]!, on = q.getAll(m).includes(value);
  out.delete("n");
  if (on) out.delete(m, value);
  else if (facet === "tag") out.append(m, value);
  else out.set(m, value);
  return [`/search${out.size ? `?${out}` : ""}`, on];
}

// A year or a month is a time only with its first day.
function whole(v: string): string {
  return v.length === 4 ? `${v}-01-01` : v.length === 7 ? `${v}-01` : v;
}

export function Facets({ q, of, busy }: { q: URLSearchParams; of?: FoundReply; busy: boolean }) {
  const [open, set] = useState(() => window.matchMedia("(min-width: 52.01rem)").matches);
  if (of && !of.total && ![...q.keys()].some((k) => k !== "q" && k !== "n")) return null; // there is nothing to narrow down
  // what is chosen can be taken away where the list of its facet has it not
  const listed = new Set(of?.facets?.flatMap((f) => f.values.map((v) => f.name + " " + v.value)));
  const unlisted = Object.entries(member).flatMap(([f, m]) => q.getAll(m).filter((v) => v && !listed.has(f + " " + v)).map((v): [string, string] => [f, v]));
  return (
    <details class="facets" open={open} onToggle={(e) => set(e.currentTarget.open)} aria-label="Narrow down">
      <summary>Narrow down</summary>
      {!of && <p class="note" role="status">{busy ? "counting…" : ""}</p>}
      {of && <p class="note">{of.bounded ? `Counts of the best ${figure(of.total ?? 0)} that match.` : ""}</p>}
      {of && unlisted.length > 0 && <ul class="plain" aria-label="Chosen">{unlisted.map(([f, v]) => <Value key={f + v} q={q} facet={f} value={v} />)}</ul>}
      {of?.facets?.map((f) => {
        if (f.name === "space" && f.values.length < 2 && !q.get("space_is")) return null;
        return (
          <section key={f.name} aria-label={titles[f.name]}>
            <h3 title={hints[f.name]}>{titles[f.name] ?? f.name}</h3>
            <ul class="plain">
              {f.values.map((v) => <Value key={v.value} q={q} facet={f.name} value={v.value} count={v.count} />)}
            </ul>
            {!!f.others && <p class="note">and {figure(f.others)} more</p>}
          </section>
        );
      })}
    </details>
  );
}

function Value({ q, facet, value, count }: { q: URLSearchParams; facet: string; value: string; count?: number }) {
  const [link, on] = to(q, facet, value);
  return (
    <li class={on ? "on" : ""}>
      <To to={link} aria-current={on ? "true" : undefined} replace>{facet === "kind" && <><Siglum kind={value} /> </>}{label(facet, value)}{count !== undefined && <><span class="sr">, </span><span class="count number">{figure(count)}</span></>}{on && <span class="off" aria-label="remove this filter"> ×</span>}</To>
    </li>
  );
}

const months = format(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
const days = format(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

// A level of trust says in words who supports a memory: its name would be one more word for a state.
export const levelWords: Record<string, string> = { unverified: "no witness or anchor", attested: "a witness or an anchor", anchored: "an anchor", consensus: "several witnesses", rejected: "a wrong signature" };

function label(facet: string, value: string) {
  if (facet === "level") return levelWords[value] ?? <Words>{value}</Words>;
  if (facet === "time") return value.length === 4 ? value : (value.length === 7 ? months : days)(new Date(`${whole(value)}T00:00:00Z`));
  if (facet === "author") return <span title={visible(value)}><Words>{value.replace(/did:key:\S+$/, (d) => "…" + d.slice(-8))}</Words></span>;
  return <Words>{value}</Words>;
}
