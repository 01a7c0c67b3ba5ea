import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { inPlace, type Tried } from "../place.ts";
import { type Cell, cell, type Trial } from "../trial.ts";
import { checkedTask, eventsOf, lastWords, storyOf, works } from "./common.ts";

const MCP_SERVER = fileURLToPath(new URL("../../support/mcp-server.mjs", import.meta.url));

/** What the agent may and may not do. */
export const bounds: Trial<"denied" | "mcp" | "contain"> = {
  name: "bounds",
  rows: {
    denied: "a command that is not allowed does not happen",
    mcp: "calls a tool of an MCP server that the task names",
    contain: "works in the sandbox `contain`, and cannot write e8's records",
  },
  async run(tried) {
    return { denied: await denied(tried), mcp: await withServer(tried), contain: await contained(tried) };
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

function withServer(tried: Tried): Promise<Cell> {
  const use = [{ tool: tried.agent.remote("sums", "add"), input: { a: 19, b: 23 } }];
  return inPlace(
    tried,
    () => storyOf(works({ say: "I add.", use })),
    async (place) => {
      const mcp_servers = { sums: { command: process.execPath, args: [MCP_SERVER, "diary"] } };
      const { code, stderr } = await place.run(checkedTask("true", { mcp_servers, if_green: "work" }));
      const diary = (await place.read("diary")) ?? "";
      return cell(
        diary.includes("19 + 23"),
        tried.agent.remote("sums", "add"),
        `exit ${code}, diary "${diary.trim()}": ${lastWords(stderr)}`,
      );
    },
  );
}

function contained(tried: Tried): Promise<Cell> {
  const storyIn = (project: string) => {
    const forged = tried.agent.run(
      `echo forged >> ${project}/.e8/tasks/forged.txt; echo inside > ${project}/inside.txt`,
    );
    return storyOf(works({ say: "I try.", use: [forged] }));
  };
  return inPlace(tried, storyIn, async (place) => {
    const settings = { claude_options: { allowed_tools: ["Bash"] }, sandbox: "contain" };
    const { code, stderr, events } = await place.run(checkedTask("test -f inside.txt", settings));
    const isForged = existsSync(join(place.project, ".e8", "tasks", "forged.txt"));
    const unsandboxed = eventsOf(events, "notice").find(({ notice }) => notice.code.includes("sandbox"));
    const note = unsandboxed ? "this machine has no sandbox" : "";
    const otherwise = isForged ? "the records were written" : `exit ${code}: ${lastWords(stderr)}`;
    return cell(code === 0 && !isForged && !unsandboxed, "", note || otherwise);
  });
}
