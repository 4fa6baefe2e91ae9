// Whether the server answers.

let away = false;
export const isAway = () => away;

// lost says that the server did not answer. It is asked until it does; those who failed go on then.
export function lost() {
  if (away) return;
  away = true;
  window.dispatchEvent(new Event("stemma:away"));
  const look = async () => {
    try {
      if ((await fetch("/healthz", { cache: "no-store" })).ok) {
        away = false;
        window.dispatchEvent(new Event("stemma:back"));
        return;
      }
    } catch {}
    setTimeout(look, 2000);
  };
  setTimeout(look, 1000);
}
