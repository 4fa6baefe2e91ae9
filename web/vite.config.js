import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// start says in one line where a browser is too old. It comes after the page's own script, which no browser that can
// run it waits for.
const source = readFileSync(new URL("src/start.js", import.meta.url), "utf8").replace(/^\s*\/\/.*\n/gm, "");
const start = `assets/start-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.js`;
const first = {
  name: "start",
  apply: "build",
  buildStart() {
    this.emitFile({ type: "asset", fileName: start, source });
  },
  transformIndexHtml: {
    order: "post",
    // what the page starts with asks for the page itself later, and a browser loads it meanwhile
    handler: (html, { bundle }) => {
      const main = Object.values(bundle).find((f) => f.name === "main").fileName;
      return html.replace("</head>", `  <link rel="preload" as="script" crossorigin href="/${main}">\n    <script defer src="/${start}"></script>\n  </head>`);
    },
  },
};

// The bundle is embedded into the binary: a script, what starts it, and a sheet, named by what
// is in them, and nothing inline, so that the policy of the page can forbid that.
export default defineConfig({
  base: "/",
  publicDir: false,
  plugins: [first],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    rollupOptions: { input: ["index.html", "src/main.tsx"] },
    outDir: "../internal/web/dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    sourcemap: false,
    reportCompressedSize: false,
  },
});
