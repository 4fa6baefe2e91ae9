// Lists as files: JSON, and CSV that a spreadsheet does not take for formulas.

import { useState } from "preact/hooks";
import { figure, Trouble } from "./words";

type Cell = string | number | boolean | undefined;
export type Line = Record<string, Cell | string[]>;

// A cell that begins like this is a formula to a spreadsheet; the apostrophe says that it is text.
const formula = /^[\s\u200b\ufeff]*[=+\-@\t\r\n|%\uff1d\uff0b\uff0d\uff20]/;

export function cell(value: Cell | string[]): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = Array.isArray(value) ? value.join(", ") : value;
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(lines: Line[]): string {
  const names = [...new Set(lines.flatMap((l) => Object.keys(l)))];
  return "\ufeff" + [names.map(cell), ...lines.map((l) => names.map((n) => cell(l[n])))].map((l) => l.join(",")).join("\r\n") + "\r\n";
}

function save(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// Save offers a list as two files. Lines are asked for when somebody clicks. A file that has the most there may be says so.
export function Save({ name, what, lines, most = Infinity }: { name: string; what: string; lines: () => Promise<Line[]> | Line[]; most?: number }) {
  const [error, fail] = useState<Error>(), [cut, say] = useState(false);
  const give = (kind: "json" | "csv") => async () => {
    fail(undefined);
    try {
      const all = await lines();
      say(all.length >= most);
      if (kind === "json") save(`${name}.json`, "application/json", JSON.stringify(all, null, 2) + "\n");
      else save(`${name}.csv`, "text/csv;charset=utf-8", csv(all));
    } catch (e) {
      fail(e as Error);
    }
  };
  return (
    <span class="save" role="group" aria-label={`Save ${what}`}>
      <button type="button" class="quiet" onClick={give("json")} aria-label={`Save ${what} as JSON`}>JSON</button>
      <button type="button" class="quiet" onClick={give("csv")} aria-label={`Save ${what} as CSV`}>CSV</button>
      <span class="note" role="status">{cut && `The file has ${figure(most)}; there may be more.`}</span>
      <Trouble error={error} />
    </span>
  );
}
