// What the page reads: this project, what is the person's, another project, or all. The browser keeps the choice in a
// cookie, since the server writes the first view by it, and each request of this tab says it (internal/web/reads.go).

import { meFirst } from "./first";

export const usual = "here" in document.body.dataset ? "here" : "all";
const name = `stemma-reads_${location.port}`;

function kept(): string {
  const c = document.cookie.split("; ").find((one) => one.startsWith(name + "="));
  try {
    return decodeURIComponent(c?.slice(name.length + 1) ?? "");
  } catch {
    return "";
  }
}

let value = meFirst?.reads || kept() || usual;
if (value === "here" && usual !== "here") value = usual;
export const reads = () => value;

// choose reads something else from now on, in every view, and has the browser keep it.
export function choose(to: string, keep = true) {
  if (to === value) return;
  value = to;
  if (keep) document.cookie = `${name}=${encodeURIComponent(to)}; path=/; max-age=31536000; samesite=strict`;
  window.dispatchEvent(new Event("stemma:reads"));
}

// fetch writes each character of a header as one byte, and takes no controls; the server reads UTF-8.
const header = (text: string) => String.fromCharCode(...new TextEncoder().encode(text.replace(/\p{Cc}/gu, "?")));

// said is the choice as the server takes it. With all, each memory names its project, so the reader is in none.
function said(of: string): { space?: string; project?: string } {
  const at = of.indexOf(":"), kind = at < 0 ? of : of.slice(0, at), rest = of.slice(at + 1);
  switch (kind) {
    case "all": return { space: "*", project: "-" };
    case "me": return { space: "me" };
    case "space": return { space: rest };
    case "project": return { project: rest };
  }
  return {};
}

// readsAs gives the headers of a request. A space of its own comes before the choice.
export function readsAs(space?: string, of = value): Record<string, string> {
  const s = space ? { space, project: space === "*" ? "-" : undefined } : said(of);
  return { ...(s.space && { "Stemma-Space": header(s.space) }), ...(s.project && { "Stemma-Project": header(s.project) }) };
}

// readsQuery is the same for an address.
export const readsQuery = () => new URLSearchParams(Object.entries(said(value)).filter(([, v]) => v) as [string, string][]);

// writesAs gives the headers of what makes new memories: with all, they are the person's own.
export const writesAs = () => readsAs(undefined, value === "all" ? "me" : value);
