import type { Exit } from "../../processes/process-tree.ts";

/** An agent that could not be started, with what it said. */
export class StartFailure extends Error {
  readonly agent: { readonly stderr: string; readonly exit: Exit | undefined };

  constructor(agent: StartFailure["agent"], cause: unknown) {
    super("the agent could not be started", { cause });
    this.agent = agent;
  }
}

/** An agent that speaks another version of the protocol. */
export class OtherVersion extends Error {
  readonly spoken: number;
  readonly ours: number;

  constructor(spoken: number, ours: number) {
    super(`the agent speaks version ${spoken} of the protocol`);
    this.spoken = spoken;
    this.ours = ours;
  }
}
