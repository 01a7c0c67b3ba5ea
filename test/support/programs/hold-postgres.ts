import process from "node:process";
import { startPostgres } from "../postgres-server.ts";

/** Starts a server, says where it is, and waits to be killed. */
const { server } = await startPostgres([]);
const [row] = await server.ask("select current_setting('data_directory') as data");
process.stdout.write(`${JSON.stringify({ ...row, url: server.schema() })}\n`);
setInterval(() => {}, 1000);
