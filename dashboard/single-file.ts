import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Where a report's data go; `e8 report` replaces it. */
const DATA = '<script type="application/json" id="report"></script>';

/** What Vite leaves where it would name the files of a later part. */
const NOTHING_TO_PRELOAD = "__VITE_PRELOAD__";

/** Puts the script and the styles into the page, with a policy that lets nothing else run and nothing be loaded. */
export function singleFile(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += file.code.replaceAll(NOTHING_TO_PRELOAD, "[]");
        if (file.type === "asset" && name.endsWith(".css")) style += file.source;
        if (!name.endsWith(".html")) delete bundle[name];
      }
      const page = bundle["report.html"];
      if (page?.type !== "asset" || script === "" || style === "")
        this.error("the report has no page, script or style");
      page.source = whole(String(page.source), inScript(script), style);
    },
  };
}

function whole(page: string, script: string, style: string): string {
  const policy = `default-src 'none'; script-src '${digest(script)}'; style-src '${digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const head = [`<meta http-equiv="Content-Security-Policy" content="${policy}" />`, `<style>${style}</style>`].join(
    "\n    ",
  );
  return page
    .replace(/\s*<(script|link)\b[^>]*(\/>|>(<\/script>)?)/g, "")
    .replace('<meta charset="utf-8" />', () => `<meta charset="utf-8" />\n    ${head}`)
    .replace("</body>", () => `  ${DATA}\n    <script type="module">${script}</script>\n  </body>`);
}

/** What a browser would take for the end of the script, or for a comment in it. */
function inScript(code: string): string {
  return code.replaceAll(/<(?=\/script|!--)/gi, "\\x3C");
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
