// The worker gets a file, checkpoints, an answer if there is one, and the packed program, runs it on the file, and
// posts progress and one of: a report, or why there is none.
"use strict";

const unpack = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
};

const audit = async ({ file, checkpoints, answer, program }) => {
  let said = false;
  const say = (message) => {
    if (said) return;
    said = true;
    postMessage(message);
  };
  globalThis.stemma = {
    size: file.size,
    checkpoints,
    answer: answer ?? null,
    read: async (from, to) => {
      postMessage({ read: from, size: file.size });
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    },
    done: (json) => say({ report: JSON.parse(json) }),
    failed: (why) => say({ failed: why }),
  };
  try {
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await unpack(program), go.importObject);
    await go.run(instance);
    say({ failed: "the program ended without a report" });
  } catch (error) {
    say({ failed: String(error) });
  }
};

onmessage = (event) => audit(event.data);
