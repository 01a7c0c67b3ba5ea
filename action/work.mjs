// Works on the issue on a branch of its own, proves the work, and opens the pull request.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setOutputs } from "./github.mjs";

const { E8_PROGRAM, E8_ISSUE_FILE, E8_CHECKS, E8_CRITERIA, E8_BASE, E8_DRAFT, E8_ARGUMENTS, RUNNER_TEMP } = process.env;
const issue = JSON.parse(readFileSync(E8_ISSUE_FILE, "utf8"));
const SETTLED = "What the issue asks for is done, and nothing that it does not ask for";

const [checks, criteria] = [linesOf(E8_CHECKS), linesOf(E8_CRITERIA)];
const run = e8([
  ...["run", "-", "--json", "--worktree", "--create-pr", `--base=${E8_BASE || currentBranch()}`],
  ...checks.map((check) => `--check=${check}`),
  ...(checks.length + criteria.length > 0 ? criteria : [SETTLED]).map((one) => `--criteria=${one}`),
  ...(E8_DRAFT === "true" ? ["--draft"] : []),
  ...linesOf(E8_ARGUMENTS),
]);
const result = resultOf(run.stdout);
const report = join(RUNNER_TEMP, "e8-report.md");
writeFileSync(report, reportOf(result));
setOutputs({
  "task-id": result.task_id ?? "",
  status: result.status ?? "error",
  "exit-code": String(run.status ?? 2),
  "pull-request": result.landing?.pull_request?.url ?? "",
  report,
});

/** The words of the issue are the task: they come on standard input. */
function e8(words, input = taskText()) {
  const [program, ...before] = E8_PROGRAM ? E8_PROGRAM.split("\n") : ["e8"];
  const options = { input, encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["pipe", "pipe", "inherit"] };
  return spawnSync(program, [...before, ...words], options);
}

function taskText() {
  const { number, title, body, wish } = issue;
  return [`Issue #${number}: ${title}`, body, ...(wish ? [`A maintainer adds:\n${wish}`] : [])].join("\n\n");
}

function reportOf({ task_id, status, stop_reason, error_message, final_judgment }) {
  const written = task_id ? e8(["report", task_id, "--md"], "") : undefined;
  if (written?.status === 0 && written.stdout.trim() !== "") return written.stdout;
  const lines = (final_judgment?.evaluations ?? []).map(
    ({ is_met, criterion }) => `- ${is_met ? "✔" : "✘"} ${criterion}`,
  );
  return [`**${status ?? "error"}** ${stop_reason ?? ""}`, error_message ?? "", ...lines].join("\n");
}

function resultOf(stdout) {
  try {
    return JSON.parse(stdout);
  } catch {
    return {}; // it could not begin, and has said why
  }
}

function currentBranch() {
  return spawnSync("git", ["rev-parse", "--abbrev-ref", "HEAD"], { encoding: "utf8" }).stdout.trim();
}

function linesOf(text = "") {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
