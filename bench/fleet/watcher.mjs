// `node bench/fleet/watcher.mjs <url> <directory> <task>…`: follows tasks to their ends, and prints how late each event was, in
// milliseconds. Says before that it watches.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "./ground.mjs";

const CONNECTED_MS = 2000;

const [url = "", directory = "", ...ids] = process.argv.slice(2);
const { part, store } = openStore(url, directory);
const latencies = [];
const follow = async (id) => {
  for await (const { at } of store.events(id, { follow: true })) latencies.push(Date.now() - Date.parse(at));
};
const following = Promise.all(ids.map(follow));
await sleep(CONNECTED_MS);
console.log("watches");
await following;
console.log(JSON.stringify(latencies));
await part.database.close();
