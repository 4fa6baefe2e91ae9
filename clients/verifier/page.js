// The page gives a file to a worker and shows its report. What a file says is only ever text.
"use strict";

const at = (id) => document.getElementById(id);
const code = URL.createObjectURL(new Blob([at("worker").textContent], { type: "text/javascript" }));
let running = null;

// plain shows characters that hide, or turn the direction of others, as escapes.
const harmful = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/gu;
const plain = (text) => String(text).replace(harmful, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

const element = (name, ...children) => {
  const e = document.createElement(name);
  e.append(...children);
  return e;
};
const quote = (text) => element("bdi", plain(text)); // of the file
const list = (items) => element("ul", ...items.map((item) => element("li", ...item)));
const many = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;
const short = (ref) => ref.replace(/[0-9a-f]{9,}$/, (id) => id.slice(0, 8));

const fine = new Set(["ok", "erased"]);
const verdicts = ["All checks passed", "Problems found", "No problems found, but some checks could not run"];

// about shows what is wrong with records and logs, and whose keys they are.
const about = (report) => {
  const parts = [];
  const counts = Object.entries(report.counts).filter(([, n]) => n > 0);
  const bad = counts.filter(([status]) => !fine.has(status)).reduce((sum, [, n]) => sum + n, 0);
  const found = report.offenders.map((o) => {
    const where = [o.line ? `line ${o.line}` : "", o.ref ? short(o.ref) : ""].filter(Boolean).join(" ");
    const item = [element("code", o.status), "  ", quote(where), ": ", quote(o.why)];
    if (o.author && !fine.has(o.status)) {
      item.push(element("br"), "claimed author: ", ...(o.agent ? [quote(o.agent), " "] : []), quote(o.author));
    }
    return item;
  });
  if (bad > report.offenders.length) found.push([`… ${bad - report.offenders.length} more`]);
  if (found.length) parts.push(element("h2", "Findings"), list(found));

  const compared = new Set(report.logs.filter((l) => l.origin || l.status !== "unchecked").map((l) => l.space));
  const logs = report.logs.filter((l) => l.origin || l.status !== "unchecked" || !compared.has(l.space)).map((l) => [
    element("code", l.status), " ", quote(l.space || l.origin || "the given checkpoint"),
    `: ${many(l.records, "record")}`,
    ...(l.why ? [", ", quote(l.why)] : []),
  ]);
  if (logs.length) parts.push(element("h2", "Logs"), list(logs));

  if (report.roots.length) {
    const owners = report.roots.map((r) => [
      element("code", plain(r.fingerprint)), ": ",
      ...(r.name ? ["is that ", quote(r.name), "?"] : ["whose key is that?"]), ` ${many(r.statements, "statement")}`,
    ]);
    const ask = element("p", "Ask them for their fingerprint over a channel you trust.");
    parts.push(element("h2", "Owners"), ask, list(owners));
  }
  parts.push(element("p", quote(report.horizon)));

  return parts;
};

// signers names who signed something, by the report of the records.
const signers = (report) => {
  const owners = new Map(report.roots.map((r) => [r.did, [...(r.name ? [quote(r.name), " "] : []), element("code", plain(r.fingerprint))]]));
  return (l) => [...(l.agent ? [quote(l.agent), " for "] : []), ...(owners.get(l.owner) ?? [quote(l.author)]).map((n) => n.cloneNode?.(true) ?? n),
    ` on ${plain(l.at.slice(0, 10))}`];
};
const decision = (d, by) => [element("b", plain(d.act)), d.detail ? " " : "", quote(d.detail ?? ""), " by ", ...by(d), ": ",
  ...(d.why ? [element("q", quote(d.why))] : ["no reason given"])];
const refs = (all) => quote(all.map(short).join(", "));

// showPack shows what a pack gives and an answer quotes.
const showPack = (pack) => {
  const by = signers(pack.records);
  const heading = element("h2", `${verdicts[pack.exit]}.`);
  heading.className = `exit-${pack.exit}`;
  const parts = [heading, element("p", `${many(pack.entries.length, "entry").replace("entrys", "entries")}. Exit code ${pack.exit}.`)];
  if (pack.answered) {
    const rest = (pack.sentences ?? []).filter((s) => s.rests).length;
    parts.push(element("h2", "The answer"), element("p", `${rest} of ${many((pack.sentences ?? []).length, "sentence")} quote words of the pack. What they mean is not judged.`),
      list((pack.sentences ?? []).map((s) => {
        const more = (s.quotes ?? []).map((q) => {
          const item = ["quotes ", refs([q.ref, ...(q.also ?? [])]), ": ", element("q", quote(q.words))];
          if (q.says) item.push(", but it says ", element("q", quote(q.says)), " where the record says ", element("q", quote(q.has ?? "")));
          else if (q.left_out) item.push(", leaves out ", element("q", quote(q.left_out)));
          return item;
        });
        if (s.why) more.push(["denied by ", element("q", quote(s.why))]);
        if (s.adds) more.push(["adds ", element("q", quote(s.adds))]);
        return [element("code", s.verdict), ` line ${s.line} `, element("q", quote(s.text)), ...(more.length ? [list(more)] : [])];
      })));
  }
  parts.push(element("h2", "What the pack gives"), list(pack.entries.map((e) => {
    const item = [element("code", e.status), " ", quote(short(e.ref))];
    if (e.words) item.push(" ", element("q", quote(e.words)));
    if (e.speaker) item.push(", said by ", quote(e.speaker));
    if (e.author) item.push(", signed by ", ...by(e));
    if (e.place) item.push(`, place ${e.place} of its log`);
    const more = [];
    if (e.why) more.push([quote(e.why)]);
    if (e.decided) more.push(decision(e.decided, by));
    if (e.rests) more.push(["rests on ", refs(e.rests)]);
    if (more.length) item.push(list(more));
    return item;
  })));
  const rest = { ...pack.records, offenders: pack.records.offenders.filter((o) => o.status !== "missing_parent"), counts: { ...pack.records.counts } };
  delete rest.counts.missing_parent;
  at("result").replaceChildren(...parts, ...about(rest));
};

const show = (report) => {
  const parts = [];
  if (report.no_bundle) return at("result").replaceChildren(element("p", "Not a bundle: ", quote(report.no_bundle)));
  const heading = element("h2", `${verdicts[report.exit]}.`);
  heading.className = `exit-${report.exit}`;
  parts.push(heading);
  const counts = Object.entries(report.counts).filter(([, n]) => n > 0);
  const sum = counts.map(([status, n]) => `${n} ${status}`).join(", ") || "none";
  parts.push(element("p", `${many(report.statements, "statement")}: ${sum}. Exit code ${report.exit}.`));
  if (report.statements === 0) parts.push(element("p", "Nothing to check: no records."));

  parts.push(...about(report));
  const by = signers(report);
  const said = (report.lines ?? []).map((l) => {
    const item = [`line ${l.line} `, quote(short(l.ref)), ": ", element("code", l.status)];
    if (l.words) item.push(" ", element("q", quote(l.words)));
    if (l.speaker) item.push(", said by ", quote(l.speaker));
    if (l.author) item.push(", by ", ...by(l));
    if (l.why) item.push(": ", element("q", quote(l.why)));
    const more = (l.decisions ?? []).map((d) => decision(d, by));
    if (l.rests) more.push(["rests on ", refs(l.rests)]);
    if (l.missing) more.push(["not here: ", refs(l.missing)]);
    if (more.length) item.push(list(more));
    return item;
  });
  if (report.lines_more) said.push([`… ${report.lines_more} more`]);
  if (said.length) parts.push(element("h2", "What it says"), list(said));
  at("result").replaceChildren(...parts);
};

// end stops the worker, if one runs, and says how things are.
const end = (text) => {
  if (running) running.terminate();
  running = null;
  at("run").hidden = true;
  at("state").textContent = text;
};

const verify = async (file) => {
  end("Reading…");
  at("result").replaceChildren();
  const worker = new Worker(code);
  running = worker;
  at("progress").value = 0;
  at("run").hidden = false;
  const failed = (why) => {
    if (running === worker) end(`${plain(file.name)} could not be checked: ${plain(why)}`);
  };
  worker.onerror = (event) => failed(event.message || "the worker stopped");
  worker.onmessage = ({ data }) => {
    if (running !== worker) return;
    if (data.failed) failed(data.failed);
    else if (data.report) {
      end(`${plain(file.name)}, ${file.size} bytes:`);
      (data.report.entries ? showPack : show)(data.report);
    } else {
      at("progress").value = data.size ? data.read / data.size : 1;
      at("state").textContent = `Checking ${plain(file.name)}: ${data.read} of ${data.size} bytes`;
    }
  };
  try {
    const checkpoints = await Promise.all([...at("held").files].map((f) => {
      if (f.size > 1 << 20) throw new Error(`${f.name} is too long for a checkpoint`);
      return f.text();
    }));
    const [answer] = at("answer").files;
    if (answer && answer.size > 64 << 20) throw new Error(`${answer.name} is too long for an answer`);
    const text = answer && new Uint8Array(await answer.arrayBuffer());
    worker.postMessage({ file, checkpoints, answer: text, program: at("program").textContent });
  } catch (error) {
    failed(error.message);
  }
};

at("bundle").onclick = (event) => (event.target.value = ""); // the same file may be chosen again
at("bundle").onchange = (event) => event.target.files[0] && verify(event.target.files[0]);
at("without").onclick = () => (at("answer").value = "");
at("stop").onclick = () => end("Stopped: nothing was checked to the end.");
document.ondragover = (event) => {
  event.preventDefault();
  at("drop").className = "over";
};
document.ondragleave = () => (at("drop").className = "");
document.ondrop = (event) => {
  event.preventDefault();
  at("drop").className = "";
  const files = event.dataTransfer.files;
  if (files.length === 1) verify(files[0]);
  else end("Drop one file.");
};
