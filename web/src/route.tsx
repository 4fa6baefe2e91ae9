import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

export interface Place { path: string; query: URLSearchParams }

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

// go shows another view. Replaced is for what need not be gone back to.
export function go(to: string, replace = false) {
  if (is(to)) return;
  address(to, replace);
  moved();
  if (!replace) window.scrollTo(0, 0);
}

// address writes where the page is, without showing it: moved shows it.
export const address = (to: string, replace: boolean) => is(to) || history[replace ? "replaceState" : "pushState"](null, "", to);
export const moved = () => window.dispatchEvent(new Event("stemma:moved"));
export const is = (to: string) => to === location.pathname + location.search;

// within is the address of what is shown, with some of its questions changed.
export function within(change: Record<string, string | undefined>): string {
  const q = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) value ? q.set(name, value) : q.delete(name);
  return location.pathname + (q.size ? `?${q}` : "");
}

export function usePlace(): Place {
  const [place, set] = useState(here);
  useEffect(() => {
    const moved = () => set(here());
    window.addEventListener("popstate", moved);
    window.addEventListener("stemma:moved", moved);
    return () => {
      window.removeEventListener("popstate", moved);
      window.removeEventListener("stemma:moved", moved);
    };
  }, []);
  return place;
}

// To is a link within the page.
export function To({ to, children, replace, ...rest }: { to: string; children: ComponentChildren; replace?: boolean; class?: string; id?: string; "aria-current"?: "page" | "true"; "aria-label"?: string; title?: string }) {
  return (
    <a
      href={to}
      {...rest}
      onClick={(e: MouseEvent) => {
        if (e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
        e.preventDefault();
        go(to, replace);
      }}
    >
      {children}
    </a>
  );
}

export const memoryPath = (ref: string) => `/memory/${encodeURIComponent(ref)}`;
export const conflictsOf = (ref: string) => `/conflicts?of=${encodeURIComponent(ref)}`;
