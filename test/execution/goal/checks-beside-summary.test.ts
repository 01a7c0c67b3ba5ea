import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { beginGoal, type GoalOptions, only, runGoal, type World } from "../../support/run-goal.ts";
import { failing, judged, summarized } from "../../support/scripted-agent.ts";

const criteria = [{ command: "npm run build" }, { command: "npm test" }];

describe("checks run while the summarizer thinks", () => {
  test("one after the other, each reported as soon as it has ended", async () => {
    let told = 0;
    const { stream } = await beginGoal({
      criteria,
      script: { summarizer: [{ ...summarized("x"), during: () => until(() => told === 2) }] },
    });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      if (type === "check-end") told += 1;
    }

    expect(types.filter((type) => ["summary", "check-end", "judgment"].includes(type))).toEqual([
      ...["check-end", "check-end"],
      ...["summary", "judgment"],
    ]);
  });

  test("and longer ones are waited for after it, each reported once", async () => {
    let isSummarized = false;
    const told: string[] = [];
    const during = () => until(() => told.length === 3);
    const { stream } = await beginGoal({
      criteria,
      script: { summarizer: [{ ...summarized("x"), during }] },
      arrange: ({ commands }) => {
        commands.onRun = () => (commands.requests.length > 1 ? until(() => isSummarized) : undefined);
      },
    });
    for await (const event of stream) {
      if (event.type === "summary") isSummarized = true;
      if (event.type === "phase-start") told.push(event.beside ? `${event.phase} beside ${event.beside}` : event.phase);
      if (event.type === "check-end") told.push(event.evaluation.criterion);
    }

    expect(told).toEqual([
      ...["execute", "summarize beside check", "`npm run build` exits 0"],
      ...["check", "`npm test` exits 0"],
    ]);
  });

  test("which is said when the summary begins, where there are any", async () => {
    const phases = async (given: NonNullable<GoalOptions["criteria"]>) => {
      const { events } = await runGoal({ criteria: given });
      return only(events, "phase-start").map(({ phase, beside }) => (beside ? `${phase} beside ${beside}` : phase));
    };

    expect(await phases(criteria)).toEqual(["execute", "summarize beside check"]);
    expect(await phases(["it is good"])).not.toContain("summarize beside check");
  });

  test("when the worker's text is in its file", async () => {
    let saved: string | undefined;
    await runGoal({
      criteria,
      arrange: ({ commands, files }) => {
        commands.onRun = () => {
          saved ??= files.output;
        };
      },
    });

    expect(saved).toBe("did some work");
  });

  test("while the file is on its way to the disk; the record that names it waits", async () => {
    const order: string[] = [];
    await runGoal({
      criteria: [{ command: "npm test" }],
      arrange: ({ commands, files, history }) => {
        commands.onRun = () => void order.push("check");
        saveLater(files, async () => {
          await until(() => order.includes("check"));
          for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
          order.push("on disk");
        });
        const append = history.append.bind(history);
        history.append = (record) => {
          order.push(record.type);
          return append(record);
        };
      },
    });

    expect(order).toEqual(["check", "on disk", "summary", "judgment", "final_result"]);
  });

  test("for each iteration anew", async () => {
    const { commands, events } = await runGoal({ criteria: [{ command: "npm test" }], checks: [1, 1, 0] });

    expect(commands.requests).toHaveLength(3);
    expect(only(events, "check-end").map(({ iteration, evaluation }) => [iteration, evaluation.is_met])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
  });
});

describe("checks that are no longer wanted are ended, and no more are started", () => {
  test.each(["authentication", "configuration"] as const)("when the summarizer cannot go on (%s)", async (code) => {
    const checks = endless();
    const { commands, result } = await runGoal({
      ...checks.options,
      script: { summarizer: [{ ...failing(code), during: checks.begun }] },
    });

    expect(result.status).toBe("error");
    expect(checks.ended()).toBe(1);
    expect(commands.requests).toHaveLength(1);
  });

  test("when the run is cancelled", async () => {
    const checks = endless();
    const cancel = new AbortController();
    const during = async () => {
      await checks.begun();
      cancel.abort();
      await until(() => checks.ended() === 1);
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    };
    const { commands, events, result } = await runGoal({
      ...checks.options,
      cancel,
      script: { summarizer: [{ ...summarized("x"), during }] },
    });

    expect(result.status).toBe("cancelled");
    expect(only(events, "check-end")).toEqual([]); // what was cut says nothing about the work
    expect(checks.ended()).toBe(1);
    expect(commands.requests).toHaveLength(1);
  });

  test("when the summary cannot be written down", async () => {
    const checks = endless();
    const { result } = await runGoal({
      ...checks.options,
      arrange: (world) => {
        checks.options.arrange?.(world);
        const append = world.history.append.bind(world.history);
        world.history.append = async (record) => {
          if (record.type === "summary") throw new Error("disk full");
          await append(record);
        };
      },
    });

    expect(result).toMatchObject({ status: "error", error_code: "internal", error_details: { message: "disk full" } });
    expect(checks.ended()).toBe(1);
  });

  test("when the worker's text does not reach the disk", async () => {
    const checks = endless();
    const { records, result } = await runGoal({
      ...checks.options,
      arrange: (world) => {
        checks.options.arrange?.(world);
        saveLater(world.files, () => Promise.reject(new Error("disk full")));
      },
    });

    expect(result).toMatchObject({ status: "error", error_code: "internal", error_details: { message: "disk full" } });
    expect(records.map(({ type }) => type)).toEqual(["summary", "final_result"]);
    expect(records[0]).toMatchObject({ reason: "did some work", artifacts: [] }); // nothing is named that may not be there
    expect(checks.ended()).toBe(1);
  });

  test("and so is the summarizer, when the reader leaves after one of them", async () => {
    let isEnded = false;
    const during = async (signal: AbortSignal) => {
      await once(signal, "abort");
      isEnded = true;
    };
    const { stream } = await beginGoal({ criteria, script: { summarizer: [{ ...summarized("x"), during }] } });
    for await (const { type } of stream) if (type === "check-end") break;

    expect(isEnded).toBe(true);
  });

  test.each(["summary", "phase-start"] as const)("when the reader leaves after %s", async (last) => {
    const checks = endless();
    const { stream, world } = await beginGoal({ ...checks.options, script: { judge: [judged([true])] } });
    for await (const event of stream)
      if (event.type === last && (event.type !== "phase-start" || event.phase === "check")) break;

    expect(checks.ended()).toBe(1);
    expect(world.commands.requests).toHaveLength(1);
  });
});

/** Keeps the worker's text at once, and has it reach the disk when `reach` is over. */
function saveLater(files: World["files"], reach: () => Promise<void>): void {
  const save = files.saveOutput.bind(files);
  files.saveOutput = async (output) => {
    const saved = await save(output);
    const stored = reach();
    stored.catch(() => {});
    return { ...saved, stored };
  };
}

/** Two checks of which the first runs until it is told to stop. */
function endless() {
  let [isBegun, ended] = [false, 0];
  const arrange = ({ commands }: World) => {
    commands.onRun = async (signal) => {
      isBegun = true;
      if (!signal.aborted) await once(signal, "abort");
      ended += 1;
    };
  };
  const options: GoalOptions = { criteria, arrange };
  return { options, begun: () => until(() => isBegun), ended: () => ended };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}
