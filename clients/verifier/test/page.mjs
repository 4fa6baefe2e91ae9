// The worker of the packed page, run by Node: the same text, with what a browser's worker has.
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

const packed = process.env.STEMMA_VERIFIER;
if (!packed) throw new Error("STEMMA_VERIFIER names no page: run scripts/clients.sh verifier");
export const html = readFileSync(packed, "utf8");
export const part = (id) => {
  const begin = `<script type="text/plain" id="${id}">`;
  const from = html.indexOf(begin) + begin.length;
  return html.slice(from, html.indexOf("</script>", from));
};

const browser = `
const fs = require("node:fs");
const { parentPort } = require("node:worker_threads");
globalThis.postMessage = (message) => parentPort.postMessage(message);
globalThis.onmessage = null;
parentPort.on("message", async (data) => {
  if (data.end) return end();
  data.file = await fs.openAsBlob(data.name);
  if (data.cut) fs.truncateSync(data.name, data.cut);
  onmessage({ data });
});
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const made = await instantiate(...args);
  globalThis.memory ??= made.instance?.exports.mem; // Node makes programs of its own too
  return made;
};
const end = () => {
  postMessage({ memory: globalThis.memory?.buffer.byteLength });
  parentPort.close();
};
`;

// verify gives a file to the worker, and returns what it posted: messages of progress, a report or
// a failure, and how many bytes of memory the program had. The file is cut after it was opened, if asked.
export const verify = (name, { checkpoints = [], answer, program = part("program"), cut = 0 } = {}) =>
  new Promise((done, lost) => {
    const worker = new Worker(browser + part("worker"), { eval: true });
    const said = { progress: [] };
    worker.on("message", (message) => {
      if ("read" in message) said.progress.push(message.read);
      else Object.assign(said, message);
      if (message.report || message.failed) worker.postMessage({ end: true });
    });
    worker.on("error", lost);
    worker.on("exit", () => done(said));
    worker.postMessage({ name, checkpoints, answer, program, cut });
  });
