import type { Place } from "../../connection/ports/workspace.ts";
import { isTrackerQuestion } from "../../judgment/shell/boundary-commands.ts";
import { type CommandCriterion, criterionText } from "../../model/criterion.ts";
import type { Evaluation } from "../../model/evaluation.ts";
import { type Message, message } from "../../model/message.ts";
import type { RunContext } from "../run-context.ts";
import { type KeptWork, madeSince, type Room, roomOf } from "./check-again.ts";

/**
 * The clean checkout in which the hidden checks of an iteration run. The work that they run sees their command and their input: what it
 * writes down of them is not there for the next worker, as it would be in the workspace.
 */
export class HiddenRoom {
  readonly #context: RunContext;
  readonly #iteration: number;
  #room: Promise<Room> | undefined;

  constructor(context: RunContext, iteration: number) {
    this.#context = context;
    this.#iteration = iteration;
  }

  /** Without a sandbox a worker can read the checkout, too. */
  isMeant({ command }: CommandCriterion): boolean {
    const { configuration, sandbox } = this.#context;
    const hasRooms = configuration.proof === "auto" || configuration.proof === "clean";
    return hasRooms && sandbox.adapter !== "none" && !isTrackerQuestion(command);
  }

  /** A check that fails there may rest on what was built in the workspace. */
  async evaluate(
    { id, criterion }: { id: number; criterion: CommandCriterion },
    runIn: (place: Place) => Promise<Evaluation>,
  ): Promise<Evaluation> {
    this.#room ??= this.#open();
    const room = await this.#room;
    if ("weaker" in room) return notRun(id, criterion, room.weaker[0]);
    const evaluation = await runIn(room);
    if (evaluation.is_met) return evaluation;
    const made = madeSince(await this.#context.ports.workspace.ignoredChanges());
    if (made.length === 0) return evaluation;
    await room.add(made);
    return runIn(room);
  }

  async release(): Promise<void> {
    const room = await this.#room?.catch(() => undefined);
    if (room && !("weaker" in room)) await room.release();
  }

  async #open(): Promise<Room> {
    const iteration = this.#iteration;
    const opening = roomOf(this.#context, { needs_room: true }, { ...(await this.#work()), iteration });
    for (;;) {
      const step = await opening.next(); // a setup is told when the claim is proved
      if (step.done) return step.value;
    }
  }

  async #work(): Promise<KeptWork> {
    const { store, workspace } = this.#context.ports;
    const start = store.task.start ?? null;
    if (this.#iteration === 0) return { start, commit: start };
    const kept = await workspace.snapshot(String(this.#iteration));
    return "problem" in kept ? { start, commit: null, problem: kept.problem } : { start, commit: kept.commit };
  }
}

/** In the workspace a worker could have it write down what it is. */
function notRun(id: number, criterion: CommandCriterion, weaker: Message | undefined): Evaluation {
  const problem = weaker?.code === "room_missing" ? weaker.params.problem : (weaker ?? "");
  const outcome = message("hidden_check_not_run", { problem });
  return {
    id,
    criterion: criterionText(criterion),
    is_met: false,
    evidence: "",
    outcome,
    confidence: 1,
    source: "command",
  };
}
