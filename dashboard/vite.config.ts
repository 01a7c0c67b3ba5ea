import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { singleFile } from "./single-file.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `vite build dashboard`: the page that a server gives out. With `--mode report`: one file that stands alone. */
export default defineConfig(({ mode }) => {
  const isReport = mode === "report";
  return {
    root: here("."),
    base: "./",
    publicDir: false,
    plugins: isReport ? [singleFile()] : [],
    build: {
      outDir: here("../dist/dashboard"),
      emptyOutDir: !isReport,
      target: "es2022",
      assetsInlineLimit: isReport ? 100_000 : 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: !isReport,
      reportCompressedSize: false,
      license: isReport ? false : { fileName: "licenses.md" },
      rolldownOptions: {
        input: here(isReport ? "report.html" : "index.html"),
        ...(isReport && { output: { codeSplitting: false } }),
      },
    },
  };
});
