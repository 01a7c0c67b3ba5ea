import process from "node:process";
import { runHere } from "../../../src/compose/run-here.ts";
import { readAddress } from "../../../src/connection/stores/postgres/address.ts";
import { Database } from "../../../src/connection/stores/postgres/database.ts";
import { Allowance } from "../../../src/model/allowance.ts";

const [url = "", id = ""] = process.argv.slice(2);
const allowance = Allowance.parse({ repositories: ["**"], sandbox: "off" });
const database = new Database(readAddress(url));
const project = database.address.project ?? "";
for await (const envelope of runHere({ part: { database, project }, id }, { allowance }))
  console.log(JSON.stringify(envelope.event));
await database.close();
