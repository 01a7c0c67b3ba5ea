import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../../support/program.ts";
import { eventually } from "../processes/helpers.ts";
import { acpBox, acpOptions, acpProgram } from "./acp-support.ts";
import { assign } from "./support.ts";

/** More of them are tried by hand: ACP_KILLS=100. */
const KILLS = Number(process.env.ACP_KILLS ?? 1);

test("kill -9 of this program leaves nothing of an agent that is at work and ignores the end of its input", async () => {
  const hang = "setsid tail -f /dev/null & echo > hanging; tail -f /dev/null";
  const box = await acpBox();
  const program = acpProgram({ ignores_end: true, ignores_cancel: true, prompts: [[{ run: hang }]] });
  const { environment: _, tell: __, ...options } = acpOptions({ ...box, program });
  for (let kill = 0; kill < KILLS; kill += 1) {
    await rm(join(box.project, "hanging"), { force: true });
    const running = startProgram("ask-acp", JSON.stringify(options), JSON.stringify(assign()));
    await eventually("it is at work", () => existsSync(join(box.project, "hanging")));
    expect(box.alive().length).toBeGreaterThan(2);

    await running.kill("SIGKILL");

    await eventually("all is gone", () => box.alive().length === 0);
  }
});
