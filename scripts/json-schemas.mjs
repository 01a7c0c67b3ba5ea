// Writes the JSON Schemas of task.yaml, agent.json, steps_registry.json and workflow.json for editors. Needs `npm run compile` first.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { agentSettings } from "../dist/compose/agent-settings.js";
import { jsonSchemas } from "../dist/configuration/json-schemas.js";
import { teller } from "../dist/texts/tell.js";

const FOLDER = new URL("../schemas/", import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const [name, schema] of Object.entries(jsonSchemas(teller("en"), agentSettings))) {
  writeFileSync(new URL(name, FOLDER), JSON.stringify(schema, null, 2));
}
execFileSync("npx", ["biome", "format", "--write", FOLDER.pathname], { stdio: "inherit" });
