import { execFile } from "node:child_process";
import type { Environment } from "../../../model/environment.ts";
import { OWN_SESSION } from "../../processes/programs.ts";

const TIMEOUT_SECONDS = 10;

/** The token for a host: of the environment, else of the GitHub CLI, which is asked at most once. */
export function tokenFor(host: string, environment: Environment): () => Promise<string | undefined> {
  let asked: Promise<string | undefined> | undefined;
  return async () => {
    const given = environment.GITHUB_TOKEN || environment.GH_TOKEN;
    if (given) return given;
    asked ??= askGithubCli(host, environment);
    return asked;
  };
}

/** Undefined where `gh` is missing, not logged in, or silent for too long. */
function askGithubCli(host: string, environment: Environment): Promise<string | undefined> {
  const options = {
    ...OWN_SESSION,
    env: { ...environment, GH_PROMPT_DISABLED: "1" },
    timeout: TIMEOUT_SECONDS * 1000,
    killSignal: "SIGKILL" as const,
  };
  return new Promise((resolve) => {
    try {
      const child = execFile("gh", ["auth", "token", "--hostname", host], options, (error, stdout) =>
        resolve(error ? undefined : stdout.trim() || undefined),
      );
      child.stdin?.end();
    } catch {
      resolve(undefined); // the system refuses some starts by an exception
    }
  });
}
