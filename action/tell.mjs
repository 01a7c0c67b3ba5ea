// Puts the report into the job's summary and onto the pull request, and tells the issue how it came out.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { github } from "./github.mjs";

const { E8_ISSUE_FILE, E8_EXIT_CODE, E8_STATUS, E8_PULL_REQUEST, E8_REPORT, GITHUB_STEP_SUMMARY } = process.env;
const { number, title } = JSON.parse(readFileSync(E8_ISSUE_FILE, "utf8"));
const LONGEST = 60_000; // GitHub takes 65,536

const report = E8_REPORT && existsSync(E8_REPORT) ? readFileSync(E8_REPORT, "utf8").slice(0, LONGEST) : "";
const heading = `## endless8: issue #${number}, ${plain(title)}`;
appendFileSync(GITHUB_STEP_SUMMARY, [heading, E8_PULL_REQUEST, report, ""].filter(Boolean).join("\n\n"));
const [, pull] = /\/pulls?\/(\d+)$/.exec(E8_PULL_REQUEST ?? "") ?? [];
if (pull) await said(pull, report);
const outcome = E8_EXIT_CODE === "0" ? "is done and proved" : `ended as ${E8_STATUS || "error"}`;
await said(number, pull ? `This ${outcome}: #${pull}.` : `This ${outcome}.\n\n${report}`.trim());

/** A comment that cannot be written is no reason to fail: the summary has the same. */
async function said(to, body) {
  await github("POST", `/issues/${to}/comments`, { body }).catch(({ message }) => process.stdout.write(`${message}\n`));
}

/** A title is somebody's text: in Markdown it stays one line, and mentions nobody. */
function plain(text) {
  return text.replace(/\s+/g, " ").replace(/[<>[\]()*_`#@|\\]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
