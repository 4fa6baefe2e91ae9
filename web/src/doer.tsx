// Acts beside what they are done on: a row of buttons, or one button in a list.

import { useEffect, useState } from "preact/hooks";
import { standings } from "./api";
import { acts, possible } from "./acts";
import { actOn, Buttons } from "./actbox";
import { useAsk, useKeys, useMe } from "./use";
import { beginning } from "./words";

// The row that was mounted last has the keys: it is for what was chosen last.
const rows: object[] = [];
const moved = () => window.dispatchEvent(new Event("stemma:rows"));

// Acts is the row of acts on one memory, by mouse and by keys.
export function Acts({ of }: { of: string }) {
  const who = useMe();
  const seen = useAsk(who?.acts ? (s) => standings([of], s) : null, [of, who?.acts]);
  const m = seen.reply?.[0];
  const [mine] = useState({});
  const [first, setFirst] = useState(false);
  useEffect(() => {
    const look = () => setFirst(rows.at(-1) === mine);
    window.addEventListener("stemma:rows", look);
    rows.push(mine);
    moved();
    return () => {
      window.removeEventListener("stemma:rows", look);
      rows.splice(rows.indexOf(mine), 1);
      moved();
    };
  }, []);
  // while it is read again after an act, a box that asks shows how it stands by then
  const does = (id: string) => m && actOn({ ref: m.ref, seen: seen.busy && acts.some((a) => a.id === id && a.ask) ? undefined : m, act: id });
  useKeys(first && m ? {
    ".": () => actOn({ ref: m.ref, seen: m }),
    ...Object.fromEntries(possible(m).map((a) => [a.key, () => does(a.id)])),
  } : {});
  if (!who?.acts || !m || m.ref !== of) return null;
  return <Buttons m={m} choose={(a) => does(a.id)} first={3} />;
}

// ActsButton opens the acts on a memory of a list.
export function ActsButton({ of, words }: { of: string; words: string }) {
  const who = useMe();
  if (!who?.acts) return null;
  return <button type="button" class="quiet more-acts" aria-label={`Acts on “${beginning(words)}”`} aria-haspopup="dialog" title="Acts" onClick={() => actOn({ ref: of })}>⋯</button>;
}

