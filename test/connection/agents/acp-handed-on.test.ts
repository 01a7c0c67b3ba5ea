import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KNOWN_AGENTS } from "../../../src/connection/agents/acp/known-agents.ts";
import { programOf } from "../../../src/connection/agents/acp/program.ts";
import { message } from "../../../src/model/message.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { ACP_PROGRAM, acpBox, acpProgram } from "./acp-support.ts";
import { assign, hear } from "./support.ts";

const DONE = { say: '{"status": "done"}' };
const judge = (prompt = "Is it done?") => assign({ role: "judge", prompt, system_prompt: "You judge." });

describe("what is handed on", () => {
  test("a session is named before it is asked, so that the agent asks its model for no name; one that cannot is asked all the same", async () => {
    const box = await acpBox();
    const diary = join(await temporaryDirectory(), "diary");
    const agent = box.agent({ program: acpProgram({ diary, prompts: [[DONE]] }, KNOWN_AGENTS.codex) });

    expect((await hear(agent, judge())).reply.text).toContain("done");

    const said = (await readFile(diary, "utf8"))
      .split("\n")
      .flatMap((line) => /"method":"(session[^"]+)"/.exec(line)?.[1] ?? []);
    expect(said).toEqual(["session/new", "session/set_title", "session/prompt"]);
  });

  test("skills in words, to the worker alone: which there are, what for, and where their files lie", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const skills_dir = join(box.project, "skills");
    await mkdir(join(skills_dir, "sums"), { recursive: true });
    await writeFile(join(skills_dir, "sums", "SKILL.md"), "---\nname: sums\ndescription: adds numbers\n---\nAdd.\n");

    await hear(box.agent({ skills_dir }), assign());
    await hear(box.agent({ skills_dir }), judge());

    const [work, role] = await box.prompts();
    expect(work).toContain(`- ${join(skills_dir, "sums", "SKILL.md")}: adds numbers`);
    expect(role).not.toContain("adds numbers");
  });

  test("skills that are not there are a failure that names the directory", async () => {
    const box = await acpBox({ prompts: [[DONE]] });

    const { reply } = await hear(box.agent({ skills_dir: "none" }), assign());

    const path = join(box.project, "none");
    expect(reply.failure).toEqual({ code: "configuration", message: message("skills_missing", { path }) });
  });

  test("the variables and the mode that a task file gives it", async () => {
    const modes = { currentModeId: "a", availableModes: ["a", "b"].map((id) => ({ id, name: id })) };
    const script = JSON.stringify({ modes, prompts: [[{ run: "echo $E8_TEST_WORD" }, DONE]] });
    const command = [process.execPath, ACP_PROGRAM, script];
    const settings = { command, env: { E8_TEST_WORD: "spoken" }, mode: "none" };
    const box = await acpBox();
    const agentWith = (own: object) =>
      box.agent({ program: programOf(undefined, { acp: { ...settings, ...own } }, process.env.PATH) });

    const { reply } = await hear(agentWith({ mode: "b" }), assign());
    const refused = await hear(agentWith({}), assign());

    expect(reply.tool_results?.[0]?.output).toBe("spoken\n");
    const params = { title: command.join(" "), mode: "none", known: ["a", "b"] };
    expect(refused.reply.failure).toEqual({ code: "configuration", message: message("acp_mode_unknown", params) });
  });

  test("servers with their variables, and programs by their whole path", async () => {
    const box = await acpBox({ capabilities: { mcpCapabilities: { http: true } }, prompts: [[DONE]] });
    const mcp_servers = {
      local: { command: "sh", args: ["-c", "x"], env: { TOKEN: "$" + "{E8_TEST_TOKEN:-none}" } },
      far: { type: "http" as const, url: "http://127.0.0.1:9/mcp", headers: { "x-key": "k" } },
    };
    const environment = { ...process.env, HOME: await temporaryDirectory() };

    await hear(box.agent({ mcp_servers, environment }), assign());
    await hear(box.agent({ mcp_servers, environment }), judge());

    const [work, role] = await box.sentTo("session/new");
    expect(work?.mcpServers).toEqual([
      {
        name: "local",
        command: expect.stringMatching(/^\/.*\/sh$/),
        args: ["-c", "x"],
        env: [{ name: "TOKEN", value: "none" }],
      },
      { type: "http", name: "far", url: "http://127.0.0.1:9/mcp", headers: [{ name: "x-key", value: "k" }] },
    ]);
    expect(role?.mcpServers).toEqual([]);
  });

  test("a server that the agent cannot reach is a failure that names it", async () => {
    const box = await acpBox({ prompts: [[DONE]] });
    const mcp_servers = { far: { type: "sse" as const, url: "http://127.0.0.1:9/mcp" } };
    const environment = { ...process.env, HOME: await temporaryDirectory() };

    const { reply } = await hear(box.agent({ mcp_servers, environment }), assign());

    const params = { title: "the small agent", server: "far", type: "sse" };
    expect(reply.failure).toEqual({ code: "configuration", message: message("acp_server_unreachable", params) });
  });
});
