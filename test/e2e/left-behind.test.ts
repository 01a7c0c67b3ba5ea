import { mkdir, readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { say, story, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Scene } from "../../src/connection/agents/scripted/model/story.ts";
import { processTable } from "../../src/connection/processes/process-table.ts";
import { ownIdentity } from "../../src/connection/stores/files/process-identity.ts";
import { eventually } from "../connection/processes/helpers.ts";
import { quickSandbox } from "../support/in-process.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { works } from "../support/stories.ts";

const RUN = ["run", "Do it", "--check", "test -f done.txt"];
const DONE = works("done", use("Write", { file_path: "done.txt", content: "1" }));

/** Nobody but the executor is asked. */
async function workshop(...scenes: Scene[]): Promise<Sandbox> {
  const box = await quickSandbox(story(...scenes));
  await box.write("endless8.yaml", "models: { summarizer: none }");
  return box;
}

/** What there is in the directory for temporary files. */
function temporary({ home }: Sandbox): Promise<string[]> {
  return readdir(join(home, "tmp"));
}

async function leave(box: Sandbox, name: string, owner: object | undefined): Promise<void> {
  const directory = join(box.home, "tmp", name);
  await mkdir(directory);
  if (owner) await writeFile(join(directory, "owner.json"), JSON.stringify(owner));
}

test("a run that is killed while Claude Code works leaves files in the temporary directory that the next run removes", async () => {
  const box = await workshop(works("never said", { ...say("Wait."), delay_ms: 600_000 }), DONE);
  const killed = box.start(RUN);
  await eventually("Claude Code is at work", () => box.model.requests.length > 0);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const mark = `ENDLESS8_TASK=${join(box.project, ".e8", "tasks", (await box.tasks())[0] ?? "")}`;
  await eventually("Claude Code has ended", () => processTable().carrying(mark).size === 0);
  expect(await temporary(box)).not.toEqual([]);

  const resumed = await box.e8(["run", "--resume"]);

  expect(resumed.code, resumed.stderr).toBe(0);
  expect(await temporary(box)).toEqual([]);
});

test("what a living process, another machine or anybody else keeps in the temporary directory stays there", async () => {
  const box = await workshop(DONE);
  const gone = { host: hostname(), boot_id: null, pid: 4_000_000, started: "1" };
  await leave(box, "e8-killed", gone);
  await leave(box, "e8-alive", await ownIdentity());
  await leave(box, "e8-elsewhere", { ...gone, host: "another" });
  await leave(box, "e8-unclaimed", undefined);
  await leave(box, "mine", gone);

  const { code, stderr } = await box.e8(RUN);

  expect(code, stderr).toBe(0);
  expect((await temporary(box)).sort()).toEqual(["e8-alive", "e8-elsewhere", "e8-unclaimed", "mine"]);
});
