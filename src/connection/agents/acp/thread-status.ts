import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { isRecord } from "../../../model/json.ts";

/** What Codex says of its thread. It ends a turn as if all were well, even where its model has refused to answer. */
export class ThreadStatus {
  #is_broken = false;
  #said: string | undefined;

  read(update: SessionUpdate): void {
    const status = statusIn(update);
    if (status !== undefined) this.#is_broken = status === "systemError";
    if (this.#is_broken && update.sessionUpdate === "agent_message_chunk") this.#heard(update);
  }

  /** What was wrong, in the agent's words; undefined where all is well. */
  get error(): string | undefined {
    return this.#is_broken ? (this.#said ?? "") : undefined;
  }

  /** A model's own words belong to a message; those of the program do not. */
  #heard({ content, messageId }: Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" }>): void {
    if (messageId == null && content?.type === "text") this.#said = String(content.text).trim();
  }
}

function statusIn({ _meta }: SessionUpdate): unknown {
  const codex = isRecord(_meta) ? _meta.codex : undefined;
  const status = isRecord(codex) ? codex.threadStatus : undefined;
  return isRecord(status) ? status.type : undefined;
}
