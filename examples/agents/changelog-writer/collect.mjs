import { execFileSync } from "node:child_process";

// A step by a program: its answer goes to stdout as JSON that fits the step's schema.
const log = execFileSync("git", ["log", "-20", "--no-merges", "--pretty=%s"], { encoding: "utf8" });
const commits = log.split("\n").filter((line) => line !== "");
const size = commits.length === 0 ? "none" : "some";
const summary = `Found ${commits.length} commits.`;
console.log(JSON.stringify({ summary, log: { commits, size }, next_action: { action: "next" } }));
