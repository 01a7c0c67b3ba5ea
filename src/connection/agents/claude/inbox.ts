import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";

/** What Claude Code is told, one message after another, for as long as it is kept open. */
export class Inbox {
  readonly #messages: SDKUserMessage[] = [];
  #isClosed = false;
  #wake: () => void = () => {};

  /** Prompts quote other people's words: an @path in them must not pull that file in, nor a / run a command. */
  tell(prompt: string): void {
    this.#push({ ...message(prompt), client_composed: true });
  }

  command(command: "/clear"): void {
    this.#push(message(command));
  }

  /** Nothing more is to come. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *messages(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#messages.shift();
      if (next) yield next;
      else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  #push(one: SDKUserMessage): void {
    this.#messages.push(one);
    this.#wake();
  }
}

function message(text: string): SDKUserMessage {
  return { type: "user", message: { role: "user", content: [{ type: "text", text }] }, parent_tool_use_id: null };
}
