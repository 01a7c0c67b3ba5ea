import { createFolderTracker } from "../../../src/connection/trackers/folder/folder-tracker.ts";

/** Changes issue 1 of a folder and creates others, until it has done so `count` times or is killed. */
const [folder = "", name = "", count = "0"] = process.argv.slice(2);
const tracker = createFolderTracker(folder);
const { signal } = new AbortController();
for (let index = 0; index < Number(count); index += 1) {
  const title = `${name}${index}`;
  await tracker.label(1, { add: [title], remove: [] }, signal);
  await tracker.create({ title, body: "It is whole.", labels: [], blocked_by: [] }, signal);
  await tracker.comment(1, { body: "Once.", marker: `shared ${index}` }, signal);
  console.log(JSON.stringify(title));
}
console.log('"end"');
