// Whether this event hands an issue over: a maintainer has set the label, or begins a comment with the command.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { event, github, setOutputs } from "./github.mjs";

const { E8_LABEL: label, E8_COMMAND: command, GITHUB_EVENT_NAME: name, RUNNER_TEMP: temporary } = process.env;
const { action, issue, comment, sender, label: set } = event();

const wish = wishOf();
if (wish === undefined) leave("nothing here hands an issue over");
else if (!(await isMaintainer(sender?.login)))
  leave(`${JSON.stringify(sender?.login)} may not write to this repository`);
else {
  const file = join(temporary, "e8-issue.json");
  const { number, title, body } = issue;
  writeFileSync(file, JSON.stringify({ number, title, body: body ?? "", wish }));
  setOutputs({ started: "true", "issue-file": file });
}

/** What the maintainer adds to the issue; undefined where they do not hand it over. */
function wishOf() {
  if (!issue || issue.state === "closed") return undefined;
  if (name === "issues") return action === "labeled" && set?.name === label && !issue.pull_request ? "" : undefined;
  if (name !== "issue_comment" || action !== "created" || issue.pull_request) return undefined;
  const [first, ...rest] = comment.body.split("\n");
  const [word, ...words] = first.trim().split(/\s+/);
  return word === command ? [words.join(" "), ...rest].join("\n").trim() : undefined;
}

/** An association such as COLLABORATOR does not say what somebody may do; the permission does. */
async function isMaintainer(login) {
  if (!login) return false;
  const found = await github("GET", `/collaborators/${encodeURIComponent(login)}/permission`).catch(() => undefined);
  return ["admin", "maintain", "write"].includes(found?.permission);
}

function leave(why) {
  process.stdout.write(`endless8: ${why}\n`);
  setOutputs({ started: "false" });
}
