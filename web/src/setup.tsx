// A first run: connect an agent, import this repository, import another memory. The server says what it
// would do, a person confirms, and only then is something changed.

import { useRef, useState } from "preact/hooks";
import { picture, Problem, sendFile, steps } from "./api";
import { writesAs } from "./chosen";
import { To } from "./route";
import { useAsk, useTitle } from "./use";
import { figure, many, Trouble, Words } from "./words";

interface Overview {
  hosts: { name: string; title: string; connected?: boolean }[];
  repository?: { dir: string; commits: number; plan: string };
  why_not?: string; // no repository can be imported
  most_upload: number;
}
interface Planned { path: string; what: string; change: string; backup?: string; diff?: string }
interface Plan { host: string; title: string; files: Planned[]; notes?: string[]; plan: string; done?: boolean }
interface Sent { name: string; format: string; total?: number; plan: string }
interface Step { done: number; total?: number; error?: string; reply?: { added?: number; already_there?: number } }

// BeginView is the same for a store that has memories already.
export function BeginView() {
  useTitle("add to this store");
  return <section aria-labelledby="add"><h1 id="add">Add to this store</h1><Setup title="Three ways" done={() => {}} /></section>;
}

export function Setup({ done, title }: { done: () => void; title?: string }) {
  const asked = useAsk((s) => picture<Overview>("setup", {}, s), []);
  const o = asked.reply;
  if (asked.error instanceof Problem && asked.error.status === 403) return <p class="note">Only the person whose store this is can add to it here.</p>;
  if (asked.error) return <Trouble error={asked.error} again={asked.again} />;
  return (
    <div class="setup">
      {title && <h2>{title}</h2>}
      {o && (
        <ol class="ways">
          {o.hosts.length > 0 && <li><Connect hosts={o.hosts} again={asked.again} /></li>}
          <li><Repository of={o.repository} why={o.why_not} done={done} /></li>
          <li><Another most={o.most_upload} done={done} /></li>
        </ol>
      )}
      <p class="note">Or write the first memory at a terminal: <code>stemma remember "some words"</code>. To see an example first: <code>stemma tour</code></p>
    </div>
  );
}

function Connect({ hosts, again }: { hosts: Overview["hosts"]; again: () => void }) {
  const [plan, setPlan] = useState<Plan>(), [error, fail] = useState<Error>(), [busy, work] = useState(false);
  const ask = async (host: string, confirm?: string) => {
    fail(undefined);
    work(true);
    try {
      setPlan(await picture<Plan>("connect", { host, confirm }, undefined, writesAs()));
      if (confirm) again();
    } catch (e) {
      fail(e as Error);
      setPlan(undefined);
    }
    work(false);
  };
  const changes = plan?.files.filter((f) => f.change !== "unchanged") ?? [];
  return (
    <>
      <h3>Connect an agent</h3>
      <p class="note">stemma is added to the agent's settings. It then keeps prompts, tool calls and answers, and gives the agent what it remembers.</p>
      <p class="acts">{hosts.map((h) => <button key={h.name} type="button" disabled={busy} aria-pressed={plan?.host === h.name} onClick={() => ask(h.name)}>{h.title}{h.connected && " ✓"}{h.connected && <span class="sr"> connected</span>}</button>)}</p>
      <Trouble error={error} />
      {plan && !plan.done && (
        <div class="plan">
          <p>{changes.length ? `${many(changes.length, "file")} would be written:` : `${plan.title} is connected already.`}</p>
          {changes.map((f) => (
            <details key={f.path} open={changes.length < 3}>
              <summary><span class="mono"><Words>{f.path}</Words></span> · {f.what} · {f.change}{f.backup && ", a backup is kept"}</summary>
              <pre class="diff" tabIndex={0} aria-label={`Changes of ${f.path}`}>{(f.diff ?? "").split("\n").map((l, i) => <span key={i} class={l[0] === "+" ? "plus" : l[0] === "-" ? "minus" : ""}><Words>{l}</Words>{"\n"}</span>)}</pre>
            </details>
          ))}
          {plan.notes?.map((n) => <p key={n} class="note"><Words>{n}</Words></p>)}
          {changes.length > 0 && <p class="acts"><button type="button" class="main" disabled={busy} onClick={() => ask(plan.host, plan.plan)}>Write {many(changes.length, "file")}</button><button type="button" onClick={() => setPlan(undefined)}>Cancel</button></p>}
        </div>
      )}
      {plan?.done && <p role="status" class="fine">Connected. Restart {plan.title} to load it. To remove it: <code>stemma init {plan.host} --remove</code></p>}
    </>
  );
}

// useRun follows an import while it runs.
function useRun(done: () => void) {
  const [step, set] = useState<Step>(), [error, fail] = useState<Error>(), [busy, work] = useState(false);
  const run = async (how: (each: (s: Step) => void) => Promise<void>) => {
    fail(undefined);
    work(true);
    let last: Step | undefined;
    try {
      await how((s) => set((last = s)));
      if (last?.error) throw new Problem(422, "invalid", last.error);
      if (!last?.reply) throw new Problem(0, "cut", "The import was cut off. What was stored is kept; begin again to go on.");
      done();
    } catch (e) {
      fail(e as Error);
    }
    work(false);
  };
  return { step, error, busy, run, fail };
}

function Progress({ of: s, busy }: { of?: Step; busy: boolean }) {
  if (!s) return null;
  return (
    <div role="status">
      {s.total ? <progress max={s.total} value={s.done} aria-label="Progress of the import" /> : null}
      <p class="note">{busy ? `${figure(s.done)}${s.total ? ` of ${figure(s.total)}` : ""}…` : s.reply ? `${many(s.reply.added ?? 0, "record")} added, ${figure(s.reply.already_there ?? 0)} already present.` : ""}</p>
    </div>
  );
}

function Repository({ of: repo, why, done }: { of: Overview["repository"]; why?: string; done: () => void }) {
  const { step, error, busy, run } = useRun(done);
  return (
    <>
      <h3>Import this repository</h3>
      {!repo && <p class="note">{why && !/not a git repository/.test(why) ? <>Not from where the server was started: <Words>{why}</Words>. </> : "The server was not started in a git repository. "}Start it in a repository, or at a terminal: <code>stemma import git DIR</code></p>}
      {repo && (
        <>
          <p class="note">{many(repo.commits, "commit")} of <span class="mono"><Words>{repo.dir}</Words></span> become records, each with its author and date. The repository is only read.</p>
          <p class="acts"><button type="button" disabled={busy} onClick={() => run((each) => steps<Step>("import_git", undefined, { "Stemma-Confirm": repo.plan }, each))}>Import {many(repo.commits, "commit")}</button></p>
        </>
      )}
      <Trouble error={error} />
      <Progress of={step} busy={busy} />
    </>
  );
}

function Another({ most, done }: { most: number; done: () => void }) {
  const [file, choose] = useState<File>(), [plan, setPlan] = useState<Sent>();
  const { step, error, busy, run, fail } = useRun(() => {
    setPlan(undefined);
    done();
  });
  const field = useRef<HTMLInputElement>(null);
  const look = async (f: File | undefined) => {
    setPlan(undefined);
    fail(undefined);
    choose(f);
    if (!f) return;
    if (f.size > most) return fail(new Problem(413, "too_large", `The file is larger than ${Math.floor(most / 2 ** 20)} MiB. At a terminal: stemma import FILE`));
    try {
      setPlan(await sendFile<Sent>("import_file", f));
    } catch (e) {
      fail(e as Error);
    }
  };
  return (
    <>
      <h3>Import another memory</h3>
      <p class="note">An export of stemma, mem0, Kernle, Alexandria or the MCP memory server, a LoCoMo conversation, CLAUDE.md or AGENTS.md, or JSON lines; at most {Math.floor(most / 2 ** 20)} MiB.</p>
      <p><label>file <input ref={field} type="file" disabled={busy} onChange={(e) => look(e.currentTarget.files?.[0])} /></label></p>
      <Trouble error={error} />
      {plan && file && !busy && <p class="acts"><span>{plan.format}{plan.total ? `, ${many(plan.total, "record")}` : ""}</span> <button type="button" class="main" onClick={() => run((each) => steps<Step>("import_file", file, { ...writesAs(), "Stemma-File": encodeURIComponent(file.name), "Stemma-Confirm": plan.plan }, each))}>Import</button></p>}
      <Progress of={step} busy={busy} />
      {step?.reply && <p class="note"><To to="/people">People and things</To> · <To to="/timeline">Timeline</To></p>}
    </>
  );
}
