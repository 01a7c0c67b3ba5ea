import { appendShared } from "../../../src/connection/stores/files/shared-file.ts";
import { knowledge } from "../stored.ts";

/** Appends long entries to a file that others append to as well. */
const [path = "", name = "", count = "0"] = process.argv.slice(2);

for (let index = 0; index < Number(count); index += 1) {
  await appendShared(path, [knowledge(`${name} ${index} ${"long ".repeat(1000)}`)]);
}
console.log(JSON.stringify({ done: true }));
