import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

// Menu holds what is seldom done.
export function Menu({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null);
  const shut = () => box.current && (box.current.open = false);
  useEffect(() => {
    const away = (e: Event) => box.current?.contains(e.target as globalThis.Node) || shut();
    document.addEventListener("click", away);
    return () => document.removeEventListener("click", away);
  }, []);
  return (
    <details class="menu" ref={box} onKeyDown={(e) => { if (e.key === "Escape" && box.current?.open) { e.stopPropagation(); shut(); box.current.querySelector("summary")?.focus(); } }}>
      <summary>More</summary>
      <div class="acts" onClick={shut}>{children}</div>
    </details>
  );
}
