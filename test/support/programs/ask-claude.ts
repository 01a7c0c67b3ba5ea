import { createClaudeAgent } from "../../../src/connection/agents/claude/claude-agent.ts";

/** Has Claude Code work on one assignment; everything comes as JSON. */
const [options = "", assignment = ""] = process.argv.slice(2);

const agent = createClaudeAgent(JSON.parse(options));
for await (const event of agent.work(JSON.parse(assignment), new AbortController().signal)) {
  console.log(JSON.stringify(event));
}
