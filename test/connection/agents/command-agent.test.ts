import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type CommandAgentOptions, createCommandAgent } from "../../../src/connection/agents/command/command-agent.ts";
import { saying } from "../../support/saying.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { isAlive, pidIn } from "../processes/helpers.ts";
import { assign, hear, only } from "./support.ts";

async function run(command: string, options: Partial<CommandAgentOptions> = {}, assignment = assign()) {
  const working_directory = options.working_directory ?? (await temporaryDirectory());
  const limits = { timeout_seconds: 60, silence_seconds: null };
  return hear(
    createCommandAgent({
      command,
      working_directory,
      environment: process.env,
      task_token: randomUUID(),
      ...limits,
      ...options,
    }),
    assignment,
  );
}

describe("the input of a program", () => {
  test("is the system prompt, an empty line and the prompt, on stdin", async () => {
    const { reply } = await run("cat", {}, assign({ system_prompt: "You work.", prompt: "Do it, 日本語.\n" }));

    expect(reply.text).toBe("You work.\n\nDo it, 日本語.");
  });

  test("is its role and iteration, in the environment it inherits", async () => {
    const environment = { ...process.env, KEPT: "yes" };
    const { reply } = await run("echo $E8_ROLE $E8_ITERATION $KEPT", { environment }, assign({ iteration: 7 }));

    expect(reply.text).toBe("executor 7 yes");
  });

  test("may be ignored: a program that does not read its prompt still answers", async () => {
    const { reply } = await run("exec 0<&-; echo fine", {}, assign({ prompt: "x".repeat(3_000_000) }));

    expect(reply).toMatchObject({ text: "fine" });
    expect(reply.failure).toBeUndefined();
  });

  test("is all of it, however long", async () => {
    const { reply } = await run("wc -c", {}, assign({ system_prompt: "", prompt: "x".repeat(3_000_000) }));

    expect(Number(reply.text)).toBe(3_000_002);
  });
});

test("what a program spends is unknown, unless it has not run", async () => {
  const { reply, events } = await run("echo done");
  expect(reply.usage.unknown).toEqual(["tokens", "cost"]);
  expect(only(events, "usage").map(({ usage }) => usage)).toEqual([reply.usage]);

  const nowhere = await run("echo done", { working_directory: "/nowhere" });
  expect(nowhere.reply.usage.unknown).toBeUndefined();
});

describe("what a program says", () => {
  test("is reported line by line, and is its text", async () => {
    const { events, reply } = await run("echo one; echo; printf 'two\\r\\n'; printf three");

    expect(only(events, "text").map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(reply.text).toBe("one\n\ntwo\r\nthree");
  });

  test("holds its structured answer as JSON", async () => {
    const { reply } = await run(`echo 'All done:'; echo '{"status": "success", "output": "it {works}"}'`);

    expect(reply.structured).toEqual({ status: "success", output: "it {works}" });
  });

  test("beside a structured answer is told as what it printed, with stderr; plain text is the answer itself", async () => {
    const answer = `'{"status": "success", "output": "it works"}'`;
    const structured = await run(`echo '12 passed'; echo 'a warning' >&2; echo ${answer}`);
    const plain = await run("echo 'It works.'");

    expect(structured.reply.tool_results).toMatchObject([
      {
        tool: "program",
        is_command: true,
        ending: "done",
        output: expect.stringMatching(/^12 passed\n[\s\S]*\na warning$/),
      },
    ]);
    expect(plain.reply.tool_results).toEqual([]);
  });

  test("may be endless: the last megabyte is kept, and a line without end comes in pieces", async () => {
    const { events, reply } = await run("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo the end");

    expect(reply.text.endsWith("the end")).toBe(true);
    expect(reply.text.length).toBeLessThanOrEqual(1024 * 1024);
    const longest = Math.max(...only(events, "text").map(({ text }) => text.length));
    expect(longest).toBeLessThan(200_000);
  });

  test("is read to its end, however slowly, when the program has long ended", async () => {
    const raw_log = () => sleep(3);
    const { reply } = await run("seq -f '%0100.0f' 600; echo '{\"status\":\"done\"}'", { raw_log });

    expect(reply.text.split("\n")).toHaveLength(601);
    expect(reply.structured).toEqual({ status: "done" });
  });

  test("goes into the raw log", async () => {
    const lines: unknown[] = [];
    const raw_log = async (iteration: number, role: string, line: string) => {
      lines.push([iteration, role, JSON.parse(line)]);
    };

    await run("echo hello", { raw_log });

    expect(lines).toEqual([[1, "executor", { type: "text", text: "hello" }]]);
  });
});

describe("a program fails", () => {
  test("by its exit code, with what it said last on stderr", async () => {
    const { reply } = await run("echo partly; echo 'no disk' >&2; exit 3");

    expect(reply.failure).toMatchObject({ code: "crashed", message: saying("code 3: no disk") });
    expect(reply.text).toBe("partly");
  });

  test("by a signal", async () => {
    const { reply } = await run("kill -KILL $$");

    expect(reply.failure).toMatchObject({ code: "crashed", message: saying("SIGKILL") });
  });

  test("by not being there", async () => {
    const { reply } = await run("no-such-agent --work");

    expect(reply.failure).toMatchObject({ code: "configuration", message: saying("no-such-agent") });
  });

  test("by a working directory that is not there", async () => {
    const working_directory = join(await temporaryDirectory(), "gone");

    const { reply } = await run("true", { working_directory });

    expect(reply.failure).toMatchObject({ code: "configuration", message: saying(working_directory) });
  });

  test("by its time limit, and is ended with all it started", async () => {
    const working_directory = await temporaryDirectory();
    const command = "setsid sh -c 'echo $$ > pid; exec tail -f /dev/null' & echo begun; wait";

    const { reply } = await run(command, { working_directory, timeout_seconds: 5 });

    expect(reply.failure).toMatchObject({ code: "timeout", message: saying("5 s") });
    expect(reply.text).toBe("begun");
    expect(isAlive(await pidIn(join(working_directory, "pid")))).toBe(false);
  });

  test("by its silence", async () => {
    const { reply } = await run("echo begun; tail -f /dev/null", { silence_seconds: 2 });

    expect(reply.failure?.code).toBe("silent");
  });

  test("not by its silence as long as it says something, be it on stderr", async () => {
    const command = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.5; echo . >&2; done; echo done";

    expect((await run(command, { silence_seconds: 4 })).reply).toMatchObject({ text: "done" });
  });
});

test("a program that leaves something in the background is not waited for, and leaves nothing", async () => {
  const working_directory = await temporaryDirectory();
  const command = "sh -c 'echo $$ > pid; exec tail -f /dev/null' & while [ ! -s pid ]; do sleep 0.05; done; echo done";

  const { reply } = await run(command, { working_directory });

  expect(reply).toMatchObject({ text: "done" });
  expect(reply.failure).toBeUndefined();
  expect(isAlive(await pidIn(join(working_directory, "pid")))).toBe(false);
});
