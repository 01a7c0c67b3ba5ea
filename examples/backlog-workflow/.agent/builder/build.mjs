// Stands in for a model: the first greeting is careless, and the one after a rejection is not.
import { existsSync, writeFileSync } from "node:fs";

const isSecond = existsSync("hello.txt");
writeFileSync("hello.txt", isSecond ? "Hello!\n" : "hello\n");
const summary = `Wrote hello.txt for issue ${process.argv[2]}.`;
console.log(JSON.stringify({ summary, next_action: { action: "closing" } }));
