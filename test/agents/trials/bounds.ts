import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { inPlace, type Tried } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, eventsOf, lastWords, storyOf, works } from "./common.ts";

const MCP_SERVER = fileURLToPath(new URL("../../support/mcp-server.mjs", import.meta.url));

/** What the agent may and may not do. */
export const bounds: Trial<"denied" | "reading" | "plan" | "edits" | "mcp" | "contain" | "strict"> = {
  name: "bounds",
  rows: {
    denied: "a command that is not allowed does not happen",
    reading: "with `allowed_tools: [Read]` it changes no file, whatever it calls",
    plan: "the same with `permission_mode: plan`",
    edits: "with `allowed_tools: [Read, Edit, Write]` it writes a file with its own tool, and none with a command",
    mcp: "calls a tool of an MCP server that the task names",
    contain: "works in the sandbox `contain`, and cannot write e8's records",
    strict: "the same in `strict`, in a home in which it has never run",
  },
  async run(tried) {
    return {
      denied: await denied(tried),
      reading: await changesNothing(tried, { allowed_tools: ["Read"] }),
      plan: await changesNothing(tried, { permission_mode: "plan" }),
      edits: await edits(tried),
      mcp: await withServer(tried),
      contain: await contained(tried, "contain"),
      strict: await contained(tried, "strict"),
    };
  },
};

/** The command would write beside the project, where no agent's own sandbox lets it. */
function denied(tried: Tried): Promise<Cell> {
  const use = [tried.agent.forbidden("touch ../forbidden.txt")];
  return inPlace(
    tried,
    () => storyOf({ ...works({ say: "I try.", use }), repeat: true }),
    async (place) => {
      const settings = { claude_options: { allowed_tools: ["Write", "Edit"] }, max_iterations: 1 };
      const { code, events, stderr } = await place.run(checkedTask("false", settings));
      const reasons = eventsOf(events, "tool-denied");
      const isThere = existsSync(join(place.home, "forbidden.txt"));
      const note = reasons.length > 0 ? "refused by e8, and told" : "not told";
      const otherwise = isThere ? "the file was written" : `exit ${code}, no event: ${lastWords(stderr)}`;
      return cell(!isThere && reasons.length > 0 && code === 1, note, otherwise);
    },
  );
}

/**
 * A file of its own tool, a plain command, and one that its user must permit, in the project and beside it; each in an iteration of its
 * own, because some agents end their turn when a call is refused.
 */
function changesNothing(tried: Tried, claude_options: object): Promise<Cell> {
  const { agent } = tried;
  const callsIn = (project: string) => [
    agent.write(`${project}/written.txt`, "x"),
    agent.run(`touch ${project}/run.txt`),
    agent.forbidden(`touch ${project}/asked.txt ${project}/../beside.txt`),
    ...(agent.patch ? [agent.patch(`${project}/patched.txt`, "x")] : []),
  ];
  const storyIn = (project: string) =>
    storyOf(...callsIn(project).map((call) => works({ say: "I try.", use: [call] })));
  return inPlace(tried, storyIn, async (place) => {
    const calls = callsIn(place.project).length;
    const settings = { claude_options, max_iterations: calls, stall_limit: null };
    const { code, events, stderr } = await place.run(checkedTask("false", settings));
    const names = ["patched.txt", "written.txt", "run.txt", "asked.txt", "../beside.txt"];
    const made = names.filter((name) => existsSync(join(place.project, name)));
    const begun = place.model.asked.filter(({ who, replies }) => who === "executor" && replies === 0).length;
    const denials = eventsOf(events, "tool-denied").length;
    const told = `${denials} of ${calls} calls refused by e8, and told`;
    const otherwise = made.length > 0 ? `it made ${made.join(", ")}` : `${told}; exit ${code}: ${lastWords(stderr)}`;
    return cell(made.length === 0 && code === 1 && denials > 0 && begun === calls, told, otherwise);
  });
}

function edits(tried: Tried): Promise<Cell> {
  const { agent } = tried;
  const storyIn = (project: string) =>
    storyOf(
      works(
        { say: "I write.", use: [(agent.patch ?? agent.write)(`${project}/written.txt`, "x")] },
        { say: "I run.", use: [agent.run(`touch ${project}/run.txt`)] },
      ),
    );
  return inPlace(tried, storyIn, async (place) => {
    const settings = { claude_options: { allowed_tools: ["Read", "Edit", "Write"] }, max_iterations: 1 };
    const { code, stderr } = await place.run(checkedTask("test -f written.txt && test ! -f run.txt", settings));
    const isRun = existsSync(join(place.project, "run.txt"));
    return cell(code === 0, "", isRun ? "the command made a file" : `exit ${code}: ${lastWords(stderr)}`);
  });
}

function withServer(tried: Tried): Promise<Cell> {
  const { agent } = tried;
  const storyIn = (project: string) => {
    const add = { tool: agent.remote("sums", "add"), input: { a: 19, b: 23 } };
    // A server may need its time to start, and some agents do not wait for it.
    const first = agent.write(`${project}/done.txt`, "done");
    return storyOf(works({ say: "I write.", use: [first] }, { say: "I add.", use: [add], delay_ms: 2000 }));
  };
  return inPlace(tried, storyIn, async (place) => {
    const mcp_servers = { sums: { command: process.execPath, args: [MCP_SERVER, "diary"] } };
    const { code, stderr } = await place.run(checkedTask("test -f done.txt", { mcp_servers }));
    const diary = (await place.read("diary")) ?? "";
    return cell(
      diary.includes("19 + 23"),
      tried.agent.remote("sums", "add"),
      `exit ${code}, diary "${diary.trim()}": ${lastWords(stderr)}`,
    );
  });
}

function contained(tried: Tried, sandbox: "contain" | "strict"): Promise<Cell> {
  const storyIn = (project: string) => {
    const forged = tried.agent.run(
      `echo forged >> ${project}/.e8/tasks/forged.txt; echo inside > ${project}/inside.txt`,
    );
    return storyOf(works({ say: "I try.", use: [forged] }));
  };
  return inPlace(tried, storyIn, async (place) => {
    const settings = {
      claude_options: { allowed_tools: ["Bash"] },
      sandbox,
      sandbox_hosts: [new URL(place.model.url).host],
    };
    const { code, stderr, events } = await place.run(checkedTask("test -f inside.txt", settings));
    const isForged = existsSync(join(place.project, ".e8", "tasks", "forged.txt"));
    const unsandboxed = eventsOf(events, "notice").find(({ notice }) => notice.code.includes("sandbox"));
    const note = unsandboxed ? "this machine has no sandbox" : "";
    const otherwise = isForged ? "the records were written" : `exit ${code}: ${lastWords(stderr)}`;
    return cell(code === 0 && !isForged && !unsandboxed, "", note || otherwise);
  });
}
