// Writes docs/errors.md and docs/ja/errors.md. Needs `npm run compile` first.
import { writeFileSync } from "node:fs";
import { enErrors } from "../../dist/texts/en/errors.js";
import { jaErrors } from "../../dist/texts/ja/errors.js";
import { errorsPage } from "./errors-page.mjs";

const DOCS = new URL("../../docs/", import.meta.url);

writeFileSync(new URL("errors.md", DOCS), errorsPage(enErrors, "en"));
writeFileSync(new URL("ja/errors.md", DOCS), errorsPage(jaErrors, "ja"));
