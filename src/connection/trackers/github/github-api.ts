import { z } from "zod";
import type { Environment } from "../../../model/environment.ts";
import { jsonIn } from "../../../model/json.ts";
import { message, type Statement } from "../../../model/message.ts";
import { fetchThrough } from "../../fetch.ts";

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

interface GithubAnswer {
  data: unknown;
  /** Of a list: whether there is another page. */
  has_more: boolean;
}

interface FailureFacts {
  /** Absent when no answer came. */
  status?: number;
  /** Whether another attempt may succeed. */
  is_passing: boolean;
  /** How long GitHub asks us to wait. */
  wait_seconds?: number | undefined;
}

/** A call without a usable answer. The tracker tries again or makes a `tracker_failed` of it. */
export class GithubFailure extends Error {
  readonly problem: Statement;
  readonly facts: FailureFacts;

  constructor(problem: Statement, facts: FailureFacts, options?: ErrorOptions) {
    super(typeof problem === "string" ? problem : undefined, options);
    this.name = "GithubFailure";
    this.problem = problem;
    this.facts = facts;
  }
}

/** One call of GitHub's REST API. Throws `GithubFailure`, also when the signal aborts. */
export async function callGithub(access: GithubAccess, request: GithubRequest): Promise<GithubAnswer> {
  const response = await send(access, request);
  const text = await response.text().catch((error: unknown) => {
    throw noAnswer(error);
  });
  if (!response.ok) throw refusal(response, text);
  const has_more = /;\s*rel="?next"?/.test(response.headers.get("link") ?? "");
  if (text === "") return { data: undefined, has_more };
  try {
    return { data: JSON.parse(text), has_more };
  } catch {
    throw unusableAnswer("github_answer_not_json");
  }
}

/** Something else than GitHub's API has answered. */
export function unusableAnswer(code: "github_answer_not_json" | "github_answer_unexpected"): GithubFailure {
  return new GithubFailure(message(code, {}), { is_passing: false });
}

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
    throw noAnswer(error);
  }
}

/** The error of `fetch` says only "fetch failed"; its cause says why. */
function noAnswer(error: unknown): GithubFailure {
  const { message: said, cause } = error instanceof Error ? error : new Error(String(error));
  const why = cause instanceof Error && cause.message !== "" ? cause.message : said;
  return new GithubFailure(why, { is_passing: true }, { cause: error });
}

const ErrorBody = z.object({ message: z.string(), errors: z.array(z.unknown()).default([]) });
const ErrorDetail = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);

function refusal(response: Response, text: string): GithubFailure {
  const { status } = response;
  const { message: reason = response.statusText, errors = [] } = ErrorBody.safeParse(jsonIn(text)).data ?? {};
  const said = [reason, ...errors.flatMap((error) => ErrorDetail.safeParse(error).data ?? [])].join(": ");
  const wait_seconds = askedWait(response.headers);
  const is_limited = status === 429 || (status === 403 && wait_seconds !== undefined);
  const is_passing = is_limited || status >= 500;
  return new GithubFailure(`${status} ${said}`.trim(), { status, is_passing, wait_seconds });
}

/** A secondary limit says how long to wait; a used-up one says when it is renewed. */
function askedWait(headers: Headers): number | undefined {
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(after)) return after;
  if (headers.get("x-ratelimit-remaining") !== "0") return undefined;
  return Math.max(1, Number(headers.get("x-ratelimit-reset") ?? 0) - Date.now() / 1000);
}
