import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

import { Client, StemmaError, type ClientOptions } from "./client.js";

/**
 * A client of this person's own server, with the token for agents that `stemma serve` keeps. Before each request the
 * server proves that it has the token. STEMMA_TOKEN goes first, and is sent without proof.
 */
export async function local(url = "http://127.0.0.1:7463", options: ClientOptions = {}): Promise<Client> {
  const at = new URL(url);
  if (!["127.0.0.1", "[::1]", "localhost"].includes(at.hostname))
    throw new TypeError(`url: ${url} is not on this machine; use new Client(url, token) with a token of that server`);
  // the name may lead to ::1 first, where another account could pass on what the server at 127.0.0.1 proves
  if (at.protocol === "http:" && at.hostname === "localhost") at.hostname = "127.0.0.1";
  if (process.env.STEMMA_TOKEN) return new Client(at.href, process.env.STEMMA_TOKEN, options);
  const token = (await readFile(join(dataDirectory(), "server", "token"), "ascii")).trim();
  const ask = options.fetch ?? fetch;
  const proved: typeof fetch = async (input, init) => {
    await prove(at, token, ask, init?.signal);
    return ask(input, init);
  };
  return new Client(at.href, token, { ...options, fetch: proved });
}

// prove throws unless the server has the token. Another account could listen where the server of this person did.
async function prove(at: URL, token: string, ask: typeof fetch, signal?: AbortSignal | null): Promise<void> {
  const challenge = randomBytes(32).toString("base64url");
  const limit = AbortSignal.any([AbortSignal.timeout(10_000), ...(signal ? [signal] : [])]);
  const headers = { "Stemma-Challenge": challenge };
  const answer = await ask(at.href.replace(/\/+$/, "") + "/healthz", { headers, redirect: "manual", signal: limit });
  const port = at.port || (at.protocol === "https:" ? "443" : "80");
  const want = createHmac("sha256", token).update(`stemma server\0${port}\0${challenge}`).digest("hex");
  if (timingSafeEqual(digest(want), digest(await proofOf(answer)))) return;
  throw new StemmaError(0, "unavailable", `the server at ${at.host} is not yours: no token was sent to it`);
}

const digest = (text: string) => createHmac("sha256", "").update(text).digest();

async function proofOf(answer: Response): Promise<string> {
  const most = 4096;
  let text = "";
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString("latin1");
    if (text.length > most) return "";
  }
  try {
    return String(JSON.parse(text).proof);
  } catch {
    return "";
  }
}

function dataDirectory(): string {
  const { XDG_DATA_HOME: data = "", HOME: home = "", LOCALAPPDATA: windows = "" } = process.env;
  if (isAbsolute(data)) return join(data, "stemma");
  return home ? join(home, ".local", "share", "stemma") : join(windows, "stemma");
}
