import { describe, expect, test } from "vitest";
import { quickSandbox } from "../support/in-process.ts";

describe("e8 doctor", () => {
  test("says what is there and what to do, in the user's language, and asks no model", async () => {
    const { e8, model } = await quickSandbox();

    const english = await e8(["doctor"]);
    const japanese = await e8(["doctor", "--lang", "ja"], { env: { ANTHROPIC_API_KEY: "" } });

    expect(english).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/✔ Node [\s\S]*✔ a key is set \(ANTHROPIC_API_KEY\), not tried/),
    });
    expect(japanese.code).toBe(2);
    expect(japanese.stdout).toMatch(/✘ Claude Code がログインしていません\n {2}→ /);
    expect(model.requests).toEqual([]);
  });

  test("prints the same for programs in every language", async () => {
    const { e8 } = await quickSandbox();

    const [english, japanese] = [await e8(["doctor", "--json"]), await e8(["doctor", "--json", "--lang", "ja"])];

    const { ok, findings } = JSON.parse(english.stdout);
    expect(ok).toBe(true);
    expect(findings[0]).toMatchObject({ check: "node", state: "ok", message: expect.stringContaining("Node") });
    expect(withoutDisk(japanese.stdout)).toEqual(withoutDisk(english.stdout));
  });

  test("looks at a task file that cannot be used as well as at the rest", async () => {
    const { e8, write } = await quickSandbox();
    await write("broken.yaml", "task: x\ncriteria: [y]\nmax_iteration: 3\n");

    const { code, stdout } = await e8(["doctor", "--config", "broken.yaml"]);

    expect(code).toBe(2);
    expect(stdout).toMatch(/✔ Node [\s\S]*✘ Some settings of broken.yaml cannot be used:[\s\S]*max_iteration/);
  });
});

function withoutDisk(stdout: string): unknown {
  return JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check !== "disk");
}
