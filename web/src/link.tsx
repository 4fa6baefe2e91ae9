// What ties the page to its server: whether it answers, and what comes into the store meanwhile.

import { useEffect, useRef, useState } from "preact/hooks";
import { isAway, lost } from "./away";
import { readsQuery } from "./chosen";
import { figure, kindOf } from "./words";

// Away says so while the server does not answer.
export function Away() {
  const [is, set] = useState(isAway);
  useEffect(() => {
    const gone = () => set(true), back = () => set(false);
    window.addEventListener("stemma:away", gone);
    window.addEventListener("stemma:back", back);
    return () => {
      window.removeEventListener("stemma:away", gone);
      window.removeEventListener("stemma:back", back);
    };
  }, []);
  return <div role="status" class={is ? "away" : "sr"}>{is ? "The server does not answer. This page continues when it is back, and keeps what you typed. To start it: stemma serve" : ""}</div>;
}

// A browser opens few connections to one server: a page that nobody sees gives its stream back.
const readers = new Set<(ref: string) => void>();
let stream: EventSource | undefined, again = 0, last = ""; // the id of the event that was seen last

function listen() {
  clearTimeout(again);
  const want = readers.size > 0 && document.visibilityState === "visible";
  if (!want) {
    stream?.close();
    stream = undefined;
    if (!readers.size) last = ""; // what is shown next is read first
    return;
  }
  if (stream && stream.readyState !== EventSource.CLOSED) return;
  const query = readsQuery();
  if (last) query.set("after", last); // it goes on where it ended
  stream = new EventSource(`/v1/events?${query}`);
  stream.addEventListener("begin", (e) => (last = e.lastEventId));
  stream.addEventListener("record", (e) => {
    last = e.lastEventId;
    try {
      const { ref } = JSON.parse(e.data) as { ref?: string };
      if (ref) for (const r of readers) r(ref);
    } catch {}
  });
  stream.onerror = () => {
    if (stream?.readyState === EventSource.CLOSED) {
      // who is signed out goes on there later; another store does not know the place
      void fetch("/ui/me").then((r) => r.status !== 401 && (last = ""), () => {});
      again = window.setTimeout(listen, 10_000);
    } else if (stream) lost();
  };
}
document.addEventListener("visibilitychange", listen);
window.addEventListener("stemma:reads", () => { // what is shown from now on is read first
  stream?.close();
  last = "";
  listen();
});

// useNews counts the records that came since the list was read; over is called to read it again.
// Nothing moves until somebody clicks.
export function useNews(wants: (kind: string) => boolean): [count: number, none: () => void] {
  const [count, set] = useState(0);
  const want = useRef(wants);
  want.current = wants;
  useEffect(() => {
    const seen = new Set<string>();
    const take = (ref: string) => {
      if (seen.has(ref) || !want.current(kindOf(ref))) return;
      seen.add(ref);
      set((n) => n + 1);
    };
    readers.add(take);
    const begin = window.setTimeout(listen, 1500); // the first view comes first
    return () => {
      clearTimeout(begin);
      readers.delete(take);
      listen();
    };
  }, []);
  return [count, () => set(0)];
}

// News offers to show what came. It takes no room that something else stood in.
export const News = ({ count, show }: { count: number; show: () => void }) => (
  <span class="news" role="status">{count > 0 && <button type="button" onClick={show}>{figure(count)} new: show</button>}</span>
);
