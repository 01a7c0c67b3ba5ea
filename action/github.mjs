import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import process from "node:process";

/** What started the workflow. Whatever of it a stranger may have written is data: it goes into files and arguments, never into a script. */
export function event() {
  return JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, "utf8"));
}

/** Sets outputs of the step. A random border keeps a value from ending itself and setting other outputs. */
export function setOutputs(outputs) {
  for (const [name, value] of Object.entries(outputs)) {
    const border = randomUUID();
    appendFileSync(process.env.GITHUB_OUTPUT, `${name}<<${border}\n${value}\n${border}\n`);
  }
}

/** Asks GitHub's API. Throws where it refuses. */
export async function github(method, path, body) {
  const api = process.env.GITHUB_API_URL || "https://api.github.com";
  const answer = await fetch(`${api}/repos/${process.env.GITHUB_REPOSITORY}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${process.env.GITHUB_TOKEN}`,
      "user-agent": "endless8-action",
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${method} ${path}`);
  return answer.json();
}
