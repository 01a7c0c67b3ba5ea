// The entry of the SDK that its vendor makes for programs that bundle it: of what the other one loads, a fifth.
export { query } from "@anthropic-ai/claude-agent-sdk/core";
