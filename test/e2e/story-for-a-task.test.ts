import { expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";

const STORY = `scenes:
  - who: judge
    turns:
      - answer:
          is_complete: true
          evaluations: [{ id: 1, criterion: It is done, is_met: true, evidence: the report says so, confidence: 1 }]
          overall_reason: done
`;
const RUN = ["run", "Do it", "-c", "It is done", "--no-intake", "--agent-command", "echo did it"];
const JUDGE = ["--judge-model", "anthropic:claude-sonnet-4-5"];

test("e8 run --script plays the model of a task from a story, and says so; resuming plays it again", async () => {
  const box = await quickSandbox();
  await box.write("story.yaml", STORY);

  const ended = await box.e8([...RUN, ...JUDGE, "--script", "story.yaml", "--json"]);

  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining("The model is scripted") });
  expect(JSON.parse(ended.stdout)).toMatchObject({ status: "completed", iterations_used: 1 });
  expect(box.model.requests).toEqual([]); // the model of the environment was not asked
  const [id = ""] = await box.tasks();
  expect(JSON.parse(await box.read(`.e8/tasks/${id}/task.json`)).script).toBe(`${box.project}/story.yaml`);
});

test("a story with faults is told by line, with the nearest known key, before anything is stored", async () => {
  const box = await quickSandbox();
  await box.write("story.yaml", STORY.replace("turns:", "turn:").replace("overall_reason", "overall"));

  for (const more of [[], ["--dry-run"]]) {
    const { code, stderr } = await box.e8([...RUN, ...JUDGE, "--script", "story.yaml", ...more]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/story\.yaml:3 scenes\[0\]\.turn: unknown key: did you mean turns\?/);
  }
  expect(await box.e8([...RUN, "--script", "nowhere.yaml"])).toMatchObject({ code: 2 });
  expect(await box.tasks()).toEqual([]);
});

test("a task that is resumed keeps its own story", async () => {
  const box = await quickSandbox();
  const { code, stderr } = await box.e8(["run", "--resume", "--script", "story.yaml"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("a task goes on as it was begun")]);
});
