import { fileURLToPath } from "node:url";

/** Where the package's own files lie. The same from `src`, from `dist` and from the bundle in `dist/e8`: all lie two levels below it. */
export const PACKAGE = new URL("../../", import.meta.url);

export const DEMO_PROJECT = fileURLToPath(new URL("examples/demo/", PACKAGE));
