import { defineConfig } from "vite";

// The bundle is embedded into the binary: one script and one sheet, named by what
// is in them, and nothing inline, so that the policy of the page can forbid that.
export default defineConfig({
  base: "/",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
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
