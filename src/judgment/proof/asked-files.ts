import { isSearched } from "./check-text.ts";
import { isNamedIn } from "./file-kinds.ts";

const DOCUMENT = /(^|\/)((README|CHANGELOG|CONTRIBUTING|LICENSE)(\.\w+)?|docs?\/.+\.(md|rst|adoc|txt))$/;
/** Documents in these are inputs or expected results. */
const KEPT_DATA = /(^|\/)(__snapshots__|__fixtures__|fixtures|testdata|goldens?|expected|data|cases)\//;
const TEXT = /\.(md|rst|adoc|txt|json|ya?ml|toml|csv|tsv|xml|html|css|svg|graphql|proto|sql)$/;

/**
 * Whether a file that is kept or called as tests are is the work itself: the task names it, and it is a document, or a check looks into it.
 * A README that lies beside tests decides nothing.
 */
export function isWorkAmongTests(path: string, task: string, commands: readonly string[]): boolean {
  if (DOCUMENT.test(path) && !KEPT_DATA.test(path)) return isNamedIn(task, path) || /README[^/]*$/.test(path);
  return TEXT.test(path) && isNamedIn(task, path) && isSearched(path, commands);
}
