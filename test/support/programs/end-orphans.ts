import { endOrphans } from "../../../src/connection/processes/process-tree.ts";

/** Says how many processes of the task it has ended. */
const [token = ""] = process.argv.slice(2);

console.log(await endOrphans(token));
