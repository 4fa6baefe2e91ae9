import "./style.css";

// boot starts the page once the first view is seen: reading the script of a page takes a browser longer than a frame.

const root = document.getElementById("page")!;
// A browser that lacks any of these is told so by the script that comes after this one.
if ("noModule" in HTMLScriptElement.prototype && "showModal" in HTMLDialogElement.prototype && "at" in Array.prototype && window.TextDecoderStream && window.ResizeObserver && window.EventSource) {
  // what is there for who has no scripts goes
  for (const n of [...root.childNodes]) if (!(n instanceof HTMLElement) || n.matches(".without, noscript")) n.remove();
  const start = () => import(/* @vite-ignore */ document.querySelector<HTMLLinkElement>("link[rel=preload]")!.href).catch(() => root.prepend("The page did not load. Load it again."));
  if (document.getElementById("first") && document.visibilityState === "visible") requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)));
  else start();
}
