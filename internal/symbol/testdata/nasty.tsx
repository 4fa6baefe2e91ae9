import { Moved, useMemo } from "./moved";
export { outer as renamed } from "./outer";
// function hidden() {
const matcher = /[/{"'`]+\/(/g,
  ratio = total / count / 2;

@Component({ selector: "x", run() {} })
export class Widget<T extends { a: string }> extends Base<T> implements Shape {
  private readonly cache: Map<string, number> = new Map();
  static count = 1;
  #secret() {
    return `a ${flag ? `}${name}` : "}"} {`;
  }
  get value(): string { return "x"; }
  set value(v) {}
  handle = (e: Event): void => {
    const local = () => 1
    local()
  }
  Widget() { return "named as its class" }
  constructor(private store: string) { super(); }
  async *pages<U>(a: U): AsyncGenerator<{ page: U }> {
    yield { page: a };
  }
  over(a: string): void;
  over(a: number): void;
  over(a: any) {}
  get() {}
  static { setup(); }
  [Symbol.iterator]() {}
  abstract shape(): (a: string) => { b: number };
  static async load() {
    function deep() { return /}/.test("{") }
  }
}

export default function App({ a, b }: Props): JSX.Element {
  const onClick = useCallback(async () => {
    await save()
  }, [])
  if (a < b && b > a) { }
  return (
    <div className="it's" onClick={() => { const quiet = function () {} }}>
      Don't {a} <b>{`x${b}`}</b> <List<string> of={<i/>} /> // no comment {"{"}
      {list.map((x) => <li key={x}>{x}</li>)}
    </div>
  );
}

function over(a: string): void
function over(a: any) {}

export type Union<T> =
  | { a: 1 }
  | ((x: T) => void)
type Chosen = T extends string
  ? { a: string }
  : never
interface Shape {
  area(): number
  label: string
}
export const enum Color { Red, Green }
declare module "x" {
  function declared(): void
}
namespace A.B {
  export const inside = 1;
  function helper() {}
}
const guard = <T,>(x: T): x is T => x
const sum = (a) => a +
  2
const next = 1
const api = {
  get() { return 1 },
  async fetch() {},
  find: function () {
  },
  plain: (x) => x, next,
  nest: { deep() {} },
}
let one = 1, two = () => 2
exports.exported = function () {}
module.exports = { member() {} }
Widget.prototype.added = function added() {
}
;(function iife() { function inside2() {} })()
const { taken } = require("x")
const Memo = React.memo(() => <div/>)
export const last = async x => {
}
const cards = new WeakMap<
  Key,
  Map<string, number>
>();
const Island = React.forwardRef<HTMLDivElement, IslandProps>(
  ({ children }, ref) => {
    switch (children) {
      case "one": {
        const cased = () => null
        if (ref) { return cased() }
      }
    }
    return ref ? { shown() {} } : { hidden2: 1 }
  },
);
const message = (text) => {
  const innerValue = (text) / 2; // it's half
  if (text) /['"`{]/.test(text)
  return text
}

[1, 2].forEach((n) => message(n))
const chosen = isWindows
  ? (a) => { return a }
  : (b) => {
    return b
  }
const typed = async ({
  a,
}: Options): Promise<void> => {
  a < b, c > (d)
}
