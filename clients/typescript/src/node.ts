import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

import { Client, type ClientOptions } from "./client.js";

/** A client of this person's own server, with the token for agents that `stemma serve` keeps. STEMMA_TOKEN goes first. */
export async function local(url = "http://127.0.0.1:7463", options: ClientOptions = {}): Promise<Client> {
  const token = process.env.STEMMA_TOKEN || (await readFile(join(dataDirectory(), "server", "token"), "ascii"));
  if (!["127.0.0.1", "[::1]", "localhost"].includes(new URL(url).hostname))
    throw new TypeError(`url: ${url} is not on this machine; use new Client(url, token) with a token of that server`);
  return new Client(url, token, options);
}

function dataDirectory(): string {
  const { XDG_DATA_HOME: data = "", HOME: home = "", LOCALAPPDATA: windows = "" } = process.env;
  if (isAbsolute(data)) return join(data, "stemma");
  return home ? join(home, ".local", "share", "stemma") : join(windows, "stemma");
}
