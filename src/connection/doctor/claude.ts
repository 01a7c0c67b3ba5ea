import { resolve } from "node:path";
import { z } from "zod";
import type { Environment } from "../../model/environment.ts";
import { type Finding, type FindingState, finding } from "../../model/findings.ts";
import { jsonIn } from "../../model/json.ts";
import { asTyped } from "../../model/shell-quotes.ts";
import { bundledClaude } from "../agents/claude/settings.ts";
import { findProgram } from "../commands/programs.ts";
import { askProgram, firstLine } from "./ask-program.ts";

export interface ClaudeCircumstances {
  project: string;
  environment: Environment;
  /** `claude_options.executable`. */
  executable: string | null;
  /** Whether a run would start Claude Code at all. */
  isNeeded: boolean;
}

/** Whether Claude Code is there, starts and is logged in. It is asked itself: its credentials are never read. */
export async function checkClaude(circumstances: ClaudeCircumstances): Promise<Finding[]> {
  const { executable, isNeeded } = circumstances;
  const bad: FindingState = isNeeded ? "problem" : "warning";
  const path = executable === null ? bundledClaude() : chosenClaude(executable, circumstances);
  if (!path) return [finding(["claude", bad], "claude_missing", { wanted: executable ?? BUNDLED })];
  const environment = quiet(circumstances.environment);
  const answer = await askProgram(path, ["--version"], { environment });
  if (answer.exited !== "zero") return [finding(["claude", bad], "claude_broken", { path, problem: answer.problem })];
  const version = firstLine(answer.stdout).replace(/ \(Claude Code\)$/, "");
  return [finding(["claude", "ok"], "claude_ok", { version, path }), await checkLogin(path, circumstances, bad)];
}

/** `claude auth status` looks at this machine only: no request, no token. */
async function checkLogin(path: string, circumstances: ClaudeCircumstances, bad: FindingState): Promise<Finding> {
  const { project, environment } = circumstances;
  const { stdout, problem } = await askProgram(path, ["auth", "status", "--json"], {
    environment: quiet(environment),
    cwd: project,
  });
  const status = Status.safeParse(jsonIn(stdout)).data;
  const program = toLogInWith(path, circumstances);
  if (!status)
    return finding(["login", "warning"], "login_unknown", { problem: problem || firstLine(stdout), program });
  if (!status.loggedIn) return finding(["login", bad], "login_missing", { program });
  return finding(["login", "ok"], "login_ok", { method: status.apiKeySource ?? status.authMethod ?? "?" });
}

const Status = z.object({
  loggedIn: z.boolean(),
  authMethod: z.string().optional().catch(undefined),
  apiKeySource: z.string().optional().catch(undefined),
});

const BUNDLED = "the one that comes with endless8";

function chosenClaude(executable: string, { project, environment }: ClaudeCircumstances): string | undefined {
  return findProgram(executable.includes("/") ? resolve(project, executable) : executable, environment.PATH);
}

/** Every Claude Code of a user shares one login; the bundled one is on nobody's PATH. */
function toLogInWith(path: string, { executable, environment }: ClaudeCircumstances): string {
  return executable === null && findProgram("claude", environment.PATH) ? "claude" : asTyped(path);
}

/** A question about this machine is nobody else's business. */
function quiet(environment: Environment): Environment {
  return { ...environment, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
}
