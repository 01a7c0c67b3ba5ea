import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type BacklogOptions, workThrough } from "../../compose/backlog.ts";
import { backlogIn, DEMO_PROJECT, playing } from "../../compose/scripted.ts";
import type { Environment } from "../../model/environment.ts";
import { E8Error } from "../../model/errors.ts";
import { message } from "../../model/message.ts";
import type { ScreenOptions } from "../live/screen.ts";
import type { CliContext } from "../output.ts";
import { followBacklog } from "./orchestrate.ts";

const BASE = "main";
const PARALLEL = 3;

/** A real backlog of three issues, on a copy of the example project with a git repository of its own. Only the model is not real. */
export async function demoBacklogCommand(flags: ScreenOptions, context: CliContext): Promise<void> {
  const { texts, output } = context;
  const { demo } = texts;
  const home = await realpath(await mkdtemp(join(tmpdir(), "e8-demo-")));
  const project = join(home, "corner-shop");
  const { issues, story } = backlogIn(texts.language);
  await cp(DEMO_PROJECT, project, { recursive: true });
  await makeRepository(project);
  await writeIssues(project, issues);
  const script = join(home, "story.json");
  await writeFile(script, JSON.stringify(story));
  for (const line of [...demo.intro, ...demo.backlog.intro, demo.project(project), ""]) output.progress(line);
  let requests: readonly unknown[] = [];
  const request = { project, labels: [], issues: [], limit: issues.length, parallel: PARALLEL, resume: false };
  const start = (options: BacklogOptions) =>
    playing(script, process.env, (environment, model) => {
      requests = model.requests;
      const runs = { base: BASE, model: "claude-sonnet-4-5", intake: false };
      return workThrough(
        { ...request, flags: runs, script },
        { ...options, environment: { ...without("ENDLESS8_", environment), E8_TRACKER: "folder" } },
      );
    });
  const { items } = await followBacklog(start, flags, context);
  if (flags.json) return;
  output.progress(`\n${demo.backlog.landed(BASE)}`);
  for (const line of (await git(project, "log", "--first-parent", "--format=%h %s", BASE)).trim().split("\n"))
    output.progress(`  ${line}`);
  if (items.every(({ state }) => state === "done")) output.progress(`\n${demo.backlog.outro}`);
  output.progress(demo.scripted(requests.length));
  output.progress(demo.backlog.next);
}

/** With one commit on the base. The user stands on another branch, as users do. */
async function makeRepository(project: string): Promise<void> {
  await writeFile(join(project, ".gitignore"), ".e8/\n");
  await git(project, "init", "-q", "-b", BASE);
  await git(project, "config", "user.name", "Corner shop");
  await git(project, "config", "user.email", "shop@example.invalid");
  await git(project, "config", "commit.gpgsign", "false");
  await git(project, "add", "-A");
  await git(project, "commit", "-q", "-m", "The corner shop opens");
  await git(project, "checkout", "-q", "-b", "yours");
}

async function git(project: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)("git", args, { cwd: project, env: without("GIT_", process.env) })).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new E8Error("branch_impossible", { problem: message("git_missing", {}) });
  }
}

/** The user's own settings are not those of the demo. */
function without(prefix: string, environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith(prefix)));
}

async function writeIssues(project: string, issues: ReturnType<typeof backlogIn>["issues"]): Promise<void> {
  const folder = join(project, ".e8", "issues");
  await mkdir(folder, { recursive: true });
  for (const [index, { title, body, checks }] of issues.entries()) {
    const fences = checks.map((check) => `\`\`\`check\n${check}\n\`\`\`\n`);
    const text = [
      "---",
      `title: ${title}`,
      `created_at: 2026-01-0${index + 1}T09:00:00Z`,
      "---",
      "",
      body,
      "",
      ...fences,
    ].join("\n");
    await writeFile(join(folder, `${index + 1}.md`), text);
  }
}
