import { z } from "zod";
import type { TrackedItem } from "../../../model/issue.ts";
import { requireKind } from "../tracker-fault.ts";
import { Issue, itemOf } from "./answers.ts";
import { callGithub, type GithubAccess, GithubFailure, type GithubRequest, unusableAnswer } from "./github-api.ts";

const PAGE_SIZE = 100;

/** A repository on GitHub: every path is below its own. */
export class GithubRepository {
  readonly owner: string;
  readonly #path: string;
  readonly #access: GithubAccess;

  constructor({ owner, repo }: { owner: string; repo: string }, access: GithubAccess) {
    this.owner = owner;
    this.#path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
    this.#access = access;
  }

  async read<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>> {
    return parse(schema, (await this.#call("GET", path)).data);
  }

  /** Undefined where the repository has no such thing. */
  readIfThere<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S> | undefined> {
    return this.read(schema, path).catch((error: unknown) => {
      if (isRefusal(error, 404)) return undefined;
      throw error;
    });
  }

  async write<S extends z.ZodType>(schema: S, request: GithubRequest): Promise<z.output<S>> {
    return parse(schema, (await this.#call(request.method, request.path, request.body)).data);
  }

  async send(request: GithubRequest): Promise<void> {
    await this.#call(request.method, request.path, request.body);
  }

  /** The entries of all pages, one page at a time. A link in an answer is not followed: the token goes to the API's address only. */
  async *pages<S extends z.ZodType>(schema: S, path: string): AsyncGenerator<z.output<S>[]> {
    const query = `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE_SIZE}`;
    for (let page = 1; ; page += 1) {
      const { data, has_more } = await this.#call("GET", `${query}&page=${page}`);
      yield parse(z.array(schema), data);
      if (!has_more) return;
    }
  }

  async all<S extends z.ZodType>(schema: S, path: string): Promise<z.output<S>[]> {
    const entries: z.output<S>[] = [];
    for await (const page of this.pages(schema, path)) entries.push(...page);
    return entries;
  }

  /** The issue or pull request, as GitHub keeps both: a closed pull request may have been merged. */
  async item(number: number, kind?: TrackedItem["kind"]): Promise<TrackedItem> {
    const item = itemOf(await this.read(Issue, `/issues/${number}`));
    return kind ? requireKind(item, kind) : item;
  }

  #call(method: GithubRequest["method"], path: string, body?: GithubRequest["body"]) {
    return callGithub(this.#access, { method, path: `${this.#path}${path}`, ...(body && { body }) });
  }
}

export function isRefusal(error: unknown, status: number): boolean {
  return error instanceof GithubFailure && error.facts.status === status;
}

function parse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw unusableAnswer("github_answer_unexpected");
}
