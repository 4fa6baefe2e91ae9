import { Operations, type CallOptions, type Operation } from "./api.js";
import type { ImportReply, IngestReply } from "./api.js";

export * from "./api.js";
export { definitions } from "./toolset.js";

/** What a server answered in place of a reply. */
export class StemmaError extends Error {
  override name = "StemmaError";
  constructor(
    /** The HTTP status; 0 where there was no answer. */
    readonly status: number,
    /** not_found, invalid, conflict, ambiguous, forbidden, unavailable, or another of docs/reference/http.md. */
    readonly kind: string,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

/** Who asks, and about what. */
export interface ClientOptions {
  /** The display name of the agent that asks. */
  agent?: string;
  /** The conversation that writes belong to. */
  session?: string;
  /** The space: a name, or * to read all. */
  space?: string;
  /** Used in place of the global fetch. */
  fetch?: typeof fetch;
}

const tries = 4;
const longest = 10_000;

/** Asks one server. */
export class Client extends Operations {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;

  /** A client of the server at an address such as http://127.0.0.1:7463, with one of its tokens. */
  constructor(url: string, token: string, options: ClientOptions = {}) {
    super();
    if (!/^https?:\/\/[^/]/.test(url)) throw new TypeError(`url: must be like http://127.0.0.1:7463, got ${JSON.stringify(url)}`);
    const { username, password, search, hash } = new URL(url);
    if (username || password || search || hash) throw new TypeError("url: must have no user, query or fragment");
    this.#base = url.replace(/\/+$/, "");
    this.#fetch = options.fetch ?? ((...a) => fetch(...a));
    this.#headers = { Authorization: "Bearer " + header(token.trim()) };
    if (options.agent) this.#headers["Stemma-Agent"] = header(options.agent);
    if (options.session) this.#headers["Stemma-Session"] = header(options.session);
    if (options.space) this.#headers["Stemma-Space"] = header(options.space);
    new Headers(this.#headers); // which refuses what is not one line
  }

  /** Does an operation by its name. A write is done once however often it had to be asked. */
  async ask(name: Operation, request: object, options?: CallOptions): Promise<any> {
    return JSON.parse(await this.#asked(name, request, { Accept: "application/json" }, options));
  }

  /** Asks for context or load as text for a model. */
  pack(name: "context" | "load", request: object = {}, options?: CallOptions): Promise<string> {
    return this.#asked(name, request, { Accept: "text/plain" }, options);
  }

  /**
   * Calls one of the six tools for a model. The answer is short. A failure that other arguments
   * would avoid is a text such as "not_found: …".
   */
  async tool(name: string, args: object, options?: CallOptions): Promise<unknown> {
    try {
      const headers = { Accept: "application/json", "Stemma-Answer": "tool" };
      return JSON.parse(await this.#asked(name, args, headers, options));
    } catch (err) {
      const mendable = ["not_found", "invalid", "malformed", "conflict", "ambiguous", "forbidden"];
      if (err instanceof StemmaError && mendable.includes(err.kind)) return `${err.kind}: ${err.message}`;
      throw err;
    }
  }

  /** Records, signed, one line each. */
  export(request: { refs?: string[] } & Record<string, unknown> = {}, options?: CallOptions): AsyncGenerator<string> {
    return this.#lines("export", request, options);
  }

  /** Memories as documents of the Memory Provenance Schema, one a line. */
  export_documents(request: Record<string, unknown> = {}, options?: CallOptions): AsyncGenerator<string> {
    return this.#lines("export_documents", request, options);
  }

  /** Takes in what an export wrote: verified, then stored as it is. */
  import(lines: string, options?: CallOptions): Promise<ImportReply> {
    return this.#deliver("import", lines, options);
  }

  /** Takes in documents of the Memory Provenance Schema. */
  import_documents(lines: string, options?: CallOptions): Promise<IngestReply> {
    return this.#deliver("import_documents", lines, options);
  }

  /** Takes in records from elsewhere. */
  ingest(records: object[], options?: CallOptions): Promise<IngestReply> {
    return this.#deliver("ingest", records.map((r) => json(r) + "\n").join(""), options);
  }

  async #asked(name: string, request: object, headers: Record<string, string>, options?: CallOptions): Promise<string> {
    const key = crypto.randomUUID();
    const body = json(request);
    for (let left = tries - 1; ; left--) {
      let wait = 100;
      try {
        const answer = await this.#post(name, body, { ...headers, "Content-Type": "application/json", "Idempotency-Key": key }, options);
        const text = await answer.text();
        if (answer.ok) return text;
        wait = 1000 * Number(/^\d+$/.exec(answer.headers.get("Retry-After") ?? "")?.[0] ?? 0);
        if (!wait || !left) throw problem(answer.status, text);
      } catch (err) {
        if (err instanceof StemmaError || options?.signal?.aborted) throw err;
        if (!left || refused(err)) throw unreachable(err);
      }
      await pause(Math.min(wait, longest), options?.signal);
    }
  }

  async *#lines(name: string, request: object, options?: CallOptions): AsyncGenerator<string> {
    const answer = await this.#sent(name, json(request), "application/json", options);
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
        const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) yield line + "\n";
      }
    } catch (err) {
      throw options?.signal?.aborted ? err : unreachable(err);
    }
    if (rest) yield rest;
  }

  async #deliver(name: string, lines: string, options?: CallOptions): Promise<any> {
    return (await this.#sent(name, lines, "application/x-ndjson", options)).json();
  }

  async #sent(name: string, body: string, type: string, options?: CallOptions): Promise<Response> {
    let answer: Response;
    try {
      answer = await this.#post(name, body, { "Content-Type": type }, options);
    } catch (err) {
      throw err instanceof StemmaError || options?.signal?.aborted ? err : unreachable(err);
    }
    if (!answer.ok) throw problem(answer.status, await answer.text());
    return answer;
  }

  #post(name: string, body: string, headers: Record<string, string>, options?: CallOptions): Promise<Response> {
    return this.#fetch(`${this.#base}/v1/${encodeURIComponent(name)}`, {
      method: "POST", body, headers: { ...this.#headers, ...headers }, redirect: "manual", signal: options?.signal ?? null,
    });
  }
}

// JSON would write null for a number that is none, and the server would take it for left out.
const json = (value: object): string =>
  JSON.stringify(value, (name, v) => {
    if (typeof v === "number" && !Number.isFinite(v)) throw new TypeError(`${name}: must be a finite number, got ${v}`);
    return v;
  });

// fetch writes each character of a header as one byte; the server reads UTF-8.
const header = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((done, fail) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });

function problem(status: number, text: string): StemmaError {
  try {
    const { kind, detail, title } = JSON.parse(text);
    if (typeof kind === "string") return new StemmaError(status, kind, detail || title);
  } catch {
    // it is no problem of stemma's
  }
  return new StemmaError(status, status >= 500 ? "unavailable" : "invalid", `the server answered ${status}`);
}

const reason = (err: any): string => err?.cause?.message || err?.cause?.code || err?.message || String(err);

const refused = (err: any): boolean => ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH"].includes(err?.cause?.code);

function unreachable(err: unknown): StemmaError {
  const detail = `the server cannot be asked: ${reason(err)}; does 'stemma serve' run there?`;
  return new StemmaError(0, "unavailable", detail, { cause: err });
}
