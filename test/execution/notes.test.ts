import { describe, expect, test } from "vitest";
import { gated, runFlow, says } from "../support/run-flow.ts";
import { type GoalOptions, noticeCodes, only, recorded, resume, runGoal } from "../support/run-goal.ts";
import { judged, worked } from "../support/scripted-agent.ts";

const NOW = "# What the user tells you now";
const EARLIER = "# What the user told earlier workers";

/** A run in which the user says something while the first worker works. */
async function runTold(notes: readonly string[], options: GoalOptions = {}) {
  let tell = (_: string) => {};
  const during = () => notes.forEach((note) => void tell(note));
  return runGoal({
    ...options,
    script: {
      executor: [{ ...worked("first"), during }, worked("more")],
      judge: [judged([false]), judged([false]), judged([true])],
    },
    arrange: (world) => {
      tell = (text) => world.store.tell(text);
      options.arrange?.(world);
    },
  });
}

test("a note is recorded and opens the next worker's prompt; for later workers it is history", async () => {
  const { agent, records, events, store } = await runTold(["Keep the old API"]);

  const [first, second, third] = agent.prompts("executor");
  expect(first).not.toContain("What the user");
  expect(second).toContain(NOW);
  expect(second).toMatch(/Keep the old API[\s\S]*# What the last judgment found missing/);
  expect(second).not.toContain(EARLIER);
  expect(third).not.toContain(NOW);
  expect(third).toMatch(new RegExp(`${EARLIER}[\\s\\S]*before iteration 2\\)\\n +Keep the old API`));
  expect(recorded(records, "note")).toMatchObject([{ text: "Keep the old API", iteration: 2 }]);
  expect(only(events, "note")).toEqual([{ type: "note", iteration: 2, text: "Keep the old API" }]);
  expect(await store.notes.waiting()).toEqual([]);
});

test("a note is recorded before it is announced and before it is removed", async () => {
  const { journal } = await runTold(["Keep it"]);
  expect(journal.indexOf("recorded note")).toBeLessThan(journal.indexOf("announced note"));
});

test("several notes reach the worker in their order", async () => {
  const { agent } = await runTold(["first note", "second note"]);
  expect(agent.prompts("executor")[1]).toMatch(/first note[\s\S]*second note/);
});

test("a note that cannot be recorded stays for the next run", async () => {
  const failing = await runTold(["Keep it"], {
    arrange: ({ history }) => {
      history.failure = { type: "note", error: new Error("the disk is full") };
    },
  });
  expect(failing.result.status).toBe("error");
  expect(await failing.store.notes.waiting()).toMatchObject([{ text: "Keep it" }]);
});

test("a note whose run was killed before it could remove it is told once more to the same iteration, and recorded once", async () => {
  const cut = await runTold(["Keep it"], { settings: { max_iterations: 1 } });
  const record = {
    type: "note",
    note_id: "Keep it",
    text: "Keep it",
    iteration: 2,
    given_at: "t",
    timestamp: "t",
  } as const;
  const before = cut.records.filter(({ type }) => type !== "final_result");

  const next = await resume(
    { ...cut, records: [...before, record] },
    { settings: { max_iterations: 3 }, arrange: ({ store }) => store.tell("Keep it") },
  );

  expect(next.agent.prompts("executor")[0]).toContain(NOW);
  expect(recorded(next.records, "note")).toHaveLength(1);
  expect(await next.store.notes.waiting()).toEqual([]);
});

test("a note for which no worker came is kept, and the run says so", async () => {
  const { events, store } = await runTold(["Too late"], { settings: { max_iterations: 1 } });
  expect(noticeCodes(events)).toContain("notes_unread");
  expect(await store.notes.waiting()).toHaveLength(1);
});

test("a note that comes while a task is being completed is not said to be passed on", async () => {
  let tell = (_: string) => {};
  const { events } = await runGoal({
    script: { executor: [{ ...worked("all"), during: () => tell("Too late") }], judge: [judged([true])] },
    arrange: ({ store }) => {
      tell = (text) => store.tell(text);
    },
  });

  const notices = only(events, "notice").map(({ notice }) => notice);
  expect(notices).toContainEqual({ code: "notes_unread", params: { count: 1, is_over: true } });
});

test("notes of any length leave the prompt within its bounds", async () => {
  const { agent } = await runTold(Array.from({ length: 30 }, (_, index) => `${index} ${"word ".repeat(2400)}`));
  expect(agent.prompts("executor")[1]?.length).toBeLessThan(100_000);
  expect(agent.prompts("executor")[1]).toContain("more left out");
});

describe("an agent made of steps", () => {
  const steps = {
    "initial.task": gated("work", { next: "run.program" }),
    "run.program": {
      ...gated("work", { next: "last.task" }),
      runner: { command: "program", args: [], timeout: 1000 },
    },
    "last.task": gated("work", { handoff: "closure.task" }),
    "closure.task": gated("closure", { closing: null }),
  };

  test("passes a note on to the next step that an agent does: a program cannot follow it", async () => {
    let tell = (_: string) => {};
    const answers = [says("next"), says("handoff"), says("closing")];
    const { agent, commands, records } = await runFlow({
      steps,
      entryStep: "initial.task",
      script: { executor: [{ ...answers[0], during: () => tell("Keep the old API") }, ...answers.slice(1)] },
      checks: [{ exit_code: 0, stdout: '{"next_action":{"action":"next"}}' }],
      arrange: ({ store }) => {
        tell = (text) => store.tell(text);
      },
    });

    expect(commands.requests[0]?.stdin).not.toContain("Keep the old API");
    expect(agent.prompts("executor")[1]).toMatch(new RegExp(`^${NOW}[\\s\\S]*Keep the old API`));
    expect(recorded(records, "note")).toMatchObject([{ iteration: 3 }]);
  });
});
