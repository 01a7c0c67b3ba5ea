import { z } from "zod";
import type { Environment } from "../../model/environment.ts";
import { jsonIn } from "../../model/json.ts";
import { type Statement, WordedError, type Words } from "../../model/statement.ts";
import { fetchThrough } from "../fetch.ts";
import { PassingFailure } from "./patience.ts";

export interface GithubAccess {
  /** Without a slash at its end. */
  api_url: string;
  token: string;
  timeout_seconds: number;
  environment: Environment;
  signal: AbortSignal;
}

export interface GithubRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the API's address, already encoded. */
  path: string;
  body?: Readonly<Record<string, unknown>>;
}

/** A refusal that will be the same the next time. */
export class Refusal extends WordedError {
  readonly status: number;

  constructor(status: number, problem: Statement) {
    super(problem);
    this.name = "Refusal";
    this.status = status;
  }
}

/** One call of GitHub's REST API. Throws `PassingFailure`, also when the signal aborts, or `Refusal`. */
export async function callGithub(access: GithubAccess, request: GithubRequest): Promise<unknown> {
  const response = await send(access, request);
  const text = await response.text().catch((error: unknown) => {
    throw lost(error);
  });
  if (!response.ok) throw failureOf(response, text);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(response.status, NOT_JSON);
  }
}

const NOT_JSON: Words = {
  en: "the answer is not JSON; is GITHUB_API_URL the address of an API?",
  ja: "応答が JSON ではありません。GITHUB_API_URL は API のアドレスですか",
};

async function send(access: GithubAccess, { method, path, body }: GithubRequest): Promise<Response> {
  try {
    return await fetchThrough(access.environment, `${access.api_url}${path}`, {
      method,
      redirect: "follow", // a repository may have been renamed
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${access.token}`,
        "user-agent": "endless8",
        "x-github-api-version": "2022-11-28",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([access.signal, AbortSignal.timeout(access.timeout_seconds * 1000)]),
    });
  } catch (error) {
    throw lost(error);
  }
}

/** What `fetch` throws says "fetch failed"; why is in its cause. */
function lost(error: unknown): PassingFailure {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const why = cause instanceof Error && cause.message !== "" ? cause.message : message;
  return new PassingFailure(why, { cause: error });
}

const ErrorBody = z.object({ message: z.string() });

function failureOf(response: Response, text: string): PassingFailure | Refusal {
  const { status } = response;
  const message = `${status} ${messageIn(text) ?? response.statusText}`.trim();
  const wait_seconds = askedWait(response.headers);
  const limited = status === 429 || (status === 403 && wait_seconds !== undefined);
  if (limited || status >= 500) return new PassingFailure(message, { wait_seconds });
  return new Refusal(status, message);
}

function messageIn(text: string): string | undefined {
  return ErrorBody.safeParse(jsonIn(text)).data?.message;
}

/** A used-up limit tells when it is renewed; a secondary one, how long to wait. */
function askedWait(headers: Headers): number | undefined {
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(after)) return after;
  if (headers.get("x-ratelimit-remaining") !== "0") return undefined;
  return Math.max(1, Number(headers.get("x-ratelimit-reset") ?? 0) - Date.now() / 1000);
}
