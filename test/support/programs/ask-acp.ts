import { createAcpAgent } from "../../../src/connection/agents/acp/acp-agent.ts";
import { teller } from "../../../src/texts/tell.ts";

/** Has an agent over ACP work on one assignment; everything comes as JSON. */
const [options = "", assignment = ""] = process.argv.slice(2);

const agent = createAcpAgent({ ...JSON.parse(options), environment: process.env, tell: teller("en") });
for await (const event of agent.work(JSON.parse(assignment), new AbortController().signal)) {
  console.log(JSON.stringify(event));
}
