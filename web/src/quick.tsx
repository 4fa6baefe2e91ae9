// Search from every view: as somebody types, without leaving what they look at.

import { useEffect, useRef, useState } from "preact/hooks";
import { type FoundReply, picture } from "./api";
import { go, memoryPath } from "./route";
import { Ago, status } from "./standing";
import { leave, useAsk } from "./use";
import { Siglum, Trouble, Words } from "./words";

const shown = 8;

// openQuick focuses the field of the search view, or opens the quick search elsewhere.
export function openQuick() {
  const field = document.getElementById("q") as HTMLInputElement | null;
  if (field && !document.querySelector("dialog[open]")) {
    field.focus();
    return field.select();
  }
  window.dispatchEvent(new Event("stemma:quick"));
}

export function Quick() {
  const box = useRef<HTMLDialogElement>(null), field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(""), [at, setAt] = useState(0);
  const query = text.trim();
  const asked = useAsk(query ? (s) => picture<FoundReply>("found", { query, limit: shown, here: true }, s) : null, [query]);
  const list = query ? (asked.reply?.results ?? []) : [];
  useEffect(() => {
    const open = () => {
      if (!box.current?.open) box.current?.showModal();
      field.current?.focus();
      field.current?.select();
    };
    const key = (e: KeyboardEvent) => {
      if (e.key.toLowerCase() !== "k" || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return;
      e.preventDefault();
      openQuick();
    };
    const anew = () => setText("");
    window.addEventListener("stemma:reads", anew);
    window.addEventListener("stemma:quick", open);
    window.addEventListener("keydown", key);
    return () => {
      window.removeEventListener("stemma:reads", anew);
      window.removeEventListener("stemma:quick", open);
      window.removeEventListener("keydown", key);
    };
  }, []);
  useEffect(() => setAt(0), [query]);
  const shut = () => {
    leave(box.current);
    box.current?.close();
  };
  const follow = (to: string) => {
    shut();
    go(to);
  };
  const choose = (i: number) => (list[i] ? follow(memoryPath(list[i].ref)) : query && follow(`/search?q=${encodeURIComponent(query)}`));
  const last = query ? list.length : -1; // after the results: all of them
  const keys = (e: KeyboardEvent) => {
    if (e.key === "Escape") {
      e.preventDefault(); // a browser would clear the field first
      e.stopPropagation();
      shut();
    } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      setAt(Math.max(0, Math.min(last, at + (e.key === "ArrowDown" ? 1 : -1))));
    } else if (e.key === "Enter") {
      e.preventDefault();
      choose(e.ctrlKey || e.metaKey ? last : at);
    }
  };
  const option = (i: number) => ({ id: `quick-${i}`, role: "option" as const, "aria-selected": at === i, class: at === i ? "at" : "", onClick: () => choose(i), onMouseMove: () => setAt(i) });
  return (
    <dialog ref={box} class="quick" aria-label="Quick search" onClick={(e) => e.target === box.current && shut()}>
      <div role="search">
        <label class="sr" for="quick">Search from here</label>
        <input id="quick" ref={field} role="combobox" aria-controls="quick-list" aria-expanded={last >= 0} aria-activedescendant={last >= 0 ? `quick-${at}` : undefined} aria-autocomplete="list" value={text} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={keys} placeholder="Search your memories" autocomplete="off" spellcheck={false} />
        <Trouble error={asked.error} />
        <ul id="quick-list" role="listbox" aria-label="Results" class="plain">
          {list.map((r, i) => (
            <li key={r.ref} {...option(i)}><Siglum kind={r.type} /> <Words pieces={r.pieces} class={r.hidden ? "was-" + r.hidden : ""}>{r.text}</Words> <span class="note">{status(r)[0]} · <Ago at={r.at} /></span></li>
          ))}
          {query && <li key="all" {...option(list.length)}><span class="note">{list.length ? "All results for" : asked.busy ? "Searching for" : "No result. Search with filters for"} <Words>{query}</Words></span></li>}
        </ul>
        <p class="note"><kbd>↑</kbd><kbd>↓</kbd> choose · <kbd>↵</kbd> open · <kbd>ctrl ↵</kbd> all results · <kbd>esc</kbd> close</p>
      </div>
    </dialog>
  );
}
