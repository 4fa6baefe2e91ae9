// What the page asks of the server.

import { lost } from "./away";
import { choose, readsAs, writesAs } from "./chosen";
import { meFirst } from "./first";
import type { Me, Standing } from "./wire";

export type * from "./wire";

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    message: string,
    readonly changed?: { ref: string; now: string }[], // the records that are not as the request took them to be
  ) {
    super(message);
  }
}

const unreachable = "The server does not answer. Is 'stemma serve' still running?";

let answered = meFirst, known = answered && Promise.resolve(answered);
export function me(again = false): Promise<Me> {
  if (!known || again) {
    known = fetch("/ui/me", { credentials: "same-origin" }).then((r) => {
      if (r.status !== 401 || !answered) return r.ok ? (r.json() as Promise<Me>) : { acts: false, locked: false };
      window.dispatchEvent(new Event("stemma:signed-out")); // until then it is who it was
      throw new Problem(401, "", "This browser is signed out.");
    }, () => {
      lost();
      throw new Problem(0, "unreachable", unreachable);
    });
    known.then((m) => {
      answered = m;
      if (!m.acts) choose("here", false); // who is no person here reads what the server gives
      window.dispatchEvent(new Event("stemma:me"));
    }, () => (known = undefined));
  }
  return known;
}

// meNow is what me answered, if it has: what need not wait, does not.
export const meNow = () => answered;

// asks is set by the view that asks a person for the passphrase; undefined is that they gave none.
export const asks = { passphrase: async (_why: string): Promise<string | undefined> => undefined };
let passphrase = "", until = 0;
const kept = 10 * 60_000; // milliseconds for which a passphrase is kept, in this tab alone

// once names a request, so that the server does it once however often it is sent.
export const once = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");

export interface Answer<T> { reply: T; tag: string }

async function post<T>(path: string, body: unknown, signal?: AbortSignal, more: Record<string, string> = {}, second = false): Promise<Answer<T>> {
  const headers: Record<string, string> = { "Content-Type": "application/json", ...readsAs(), ...more };
  const page = (answered ?? (known && (await known.catch(() => undefined))))?.page;
  if (page) headers["Stemma-Page"] = page;
  if (Date.now() < until && path.startsWith("/v1/")) headers["Stemma-Passphrase"] = encodeURIComponent(passphrase);
  let r: Response;
  try {
    r = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), credentials: "same-origin", signal });
  } catch (e) {
    if (signal?.aborted) throw e;
    lost();
    throw new Problem(0, "unreachable", unreachable);
  }
  const text = await r.text();
  let reply: any;
  try {
    reply = text === "" ? {} : JSON.parse(text);
  } catch {
    throw new Problem(r.status, "unreadable", `The server gave an answer that cannot be read (${r.status}).`);
  }
  if (r.ok) {
    window.dispatchEvent(new Event("stemma:signed-in"));
    return { reply: reply as T, tag: r.headers.get("ETag") ?? "" };
  }
  if (r.status === 401) window.dispatchEvent(new Event("stemma:signed-out"));
  const problem = new Problem(r.status, String(reply.kind ?? ""), String(reply.detail ?? reply.title ?? `The server answered ${r.status}.`), reply.changed);
  if (problem.kind === "page" && !second) {
    await me(true);
    return post(path, body, signal, more, true);
  }
  if (problem.kind === "passphrase") {
    until = 0;
    const typed = await asks.passphrase(problem.message);
    if (typed === undefined) throw problem;
    [passphrase, until] = [typed, Date.now() + kept];
    return post(path, body, signal, more, second);
  }
  throw problem;
}

// op asks one operation of the engine.
export const op = async <T>(name: string, request: unknown = {}, signal?: AbortSignal, headers?: Record<string, string>) =>
  (await post<T>(`/v1/${name}`, request, signal, headers)).reply;

// tagged asks an operation and gives the tag of what it shows.
export const tagged = <T>(name: string, request: unknown = {}) => post<T>(`/v1/${name}`, request);

// picture asks for what is drawn.
export const picture = async <T>(name: string, request: unknown, signal?: AbortSignal, reads?: Record<string, string>) =>
  (await post<T>(`/ui/${name}`, request, signal, reads)).reply;

// standings asks how records stand now; those that are not here are left out.
export const standings = async (refs: string[], signal?: AbortSignal) =>
  refs.length ? (await picture<{ records: Standing[] }>("standing", { refs }, signal)).records : [];

async function send(path: string, body: BodyInit | undefined, headers: Record<string, string>, second = false): Promise<Response> {
  const page = (await me(second)).page ?? "";
  let r: Response;
  try {
    r = await fetch(path, { method: "POST", headers: { "Content-Type": "application/octet-stream", "Stemma-Page": page, ...headers }, body, credentials: "same-origin" });
  } catch {
    lost();
    throw new Problem(0, "unreachable", unreachable);
  }
  if (r.ok) return r;
  const p = (await r.json().catch(() => ({}))) as { kind?: string; detail?: string };
  if (p.kind === "page" && !second) return send(path, body, headers, true);
  throw new Problem(r.status, p.kind ?? "", p.detail ?? `The server answered ${r.status}.`);
}

// sendFile sends a file and gives what the server says of it.
export const sendFile = async <T>(name: string, file: File): Promise<T> => (await send(`/ui/${name}`, file, { ...writesAs(), "Stemma-File": encodeURIComponent(file.name) })).json() as Promise<T>;

// steps asks for something that takes long and gives each line of the answer as it comes.
export async function steps<T>(name: string, body: File | undefined, headers: Record<string, string>, each: (step: T) => void) {
  const r = await send(`/ui/${name}`, body, headers);
  const reader = r.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    for (const l of lines) if (l) each(JSON.parse(l) as T);
  }
}
