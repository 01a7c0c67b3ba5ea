import type { AgentFailure, Assignment } from "../../../model/agent.ts";
import type { Statement } from "../../../model/message.ts";
import type { RawLog } from "../../ports/open-task.ts";
import type { Tokens } from "./tokens.ts";

/** One exchange with a server. */
interface Exchange {
  request: unknown;
  response: unknown;
  text: string;
}

/** How an answer ended. */
interface Outcome {
  text: string;
  failure: AgentFailure | undefined;
  tokens: Tokens;
  cost_usd: number;
  seconds: number;
}

interface RawLogOptions {
  raw_log?: RawLog | undefined;
  tell: (statement: Statement) => string;
}

/**
 * The raw log of one answer, in the shape of Claude Code's stream, so that one reader serves both. It holds bodies only, because
 * headers hold the key; a key that a server repeats is removed.
 */
export class RawMessages {
  readonly #log: RawLog | undefined;
  readonly #tell: RawLogOptions["tell"];
  readonly #assignment: Assignment;
  readonly #secrets: readonly string[];
  #turns = 0;

  constructor({ raw_log, tell }: RawLogOptions, assignment: Assignment, secrets: readonly string[]) {
    this.#log = raw_log;
    this.#tell = tell;
    this.#assignment = assignment;
    this.#secrets = secrets;
  }

  async asked(model: string, { request, response, text }: Exchange): Promise<void> {
    this.#turns += 1;
    const content = text === "" ? [] : [{ type: "text", text }];
    await this.#write({ type: "system", subtype: "init", model, request });
    await this.#write({ type: "assistant", message: { role: "assistant", content }, response });
  }

  async ended({ text, failure, tokens, cost_usd, seconds }: Outcome): Promise<void> {
    await this.#write({
      type: "result",
      subtype: failure?.code ?? "success",
      is_error: failure !== undefined,
      ...(failure ? { errors: [this.#tell(failure.message)], problem: failure.message } : { result: text }),
      num_turns: this.#turns,
      duration_ms: Math.round(seconds * 1000),
      total_cost_usd: cost_usd,
      usage: {
        input_tokens: tokens.input,
        cache_creation_input_tokens: tokens.cache_write,
        cache_read_input_tokens: tokens.cache_read,
        output_tokens: tokens.output,
      },
    });
  }

  async #write(message: object): Promise<void> {
    const { iteration, role } = this.#assignment;
    await this.#log?.(iteration, role, withoutSecrets(JSON.stringify(message), this.#secrets));
  }
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((sum, secret) => sum.replaceAll(secret, "[key]"), text);
}
