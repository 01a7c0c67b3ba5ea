// Stands in for a model: a greeting needs a capital letter and an exclamation mark.
import { readFileSync } from "node:fs";

const isFriendly = /^[A-Z].*!$/.test(readFileSync("hello.txt", "utf8").trim());
const outcome = isFriendly ? "approved" : "rejected";
const reason = isFriendly ? "friendly enough" : "it mumbles: no capital letter, no exclamation mark";
console.log(JSON.stringify({ summary: reason, outcome, reason, next_action: { action: "closing" } }));
