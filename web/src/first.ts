// What the document of the first view has for the script: the view that the server wrote, as data, and what was typed
// before the script came.

import type { Me } from "./wire";

const block = document.getElementById("first");
const sent = block ? (JSON.parse(block.textContent) as { front: unknown; me: Me }) : undefined;
block?.remove();

export const meFirst = sent?.me;

let front = sent?.front, typed = (document.getElementById("q") as HTMLInputElement | null)?.value ?? "";

// takeFront gives what the server wrote, once: it is not shown again later.
export function takeFront<T>(): T | undefined {
  const f = front as T | undefined;
  front = undefined;
  return f;
}

// takeTyped gives what was typed, once.
export function takeTyped(): string {
  const t = typed;
  typed = "";
  return t;
}
