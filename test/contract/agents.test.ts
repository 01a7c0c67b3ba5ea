import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCommandAgent } from "../../src/connection/agents/command/command-agent.ts";
import { answer, fault, scene, use } from "../../src/connection/agents/scripted/model/builders.ts";
import type { Turn } from "../../src/connection/agents/scripted/model/story.ts";
import { processTable } from "../../src/connection/processes/process-table.ts";
import { PROVIDERS } from "../../src/model/api-model.ts";
import { type AcpScript, acpBox } from "../connection/agents/acp-support.ts";
import { answers, json, judgeAt, type Respond, vendor } from "../connection/agents/api-support.ts";
import { scriptedAgent } from "../connection/agents/scripted-support.ts";
import { claudeBox, sent } from "../connection/agents/support.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { agentContract, type Behaviour } from "./agent.contract.ts";

const hang = "setsid tail -f /dev/null & echo > hanging; tail -f /dev/null";

const turns: Record<Behaviour, Turn[]> = {
  answers: [answer({ status: "done" })],
  hangs: [{ say: "Now I hang.", ...use("Bash", { command: hang, description: "hang" }) }],
  fails: [fault(529)],
};

agentContract("Claude Code", async (behaviour) => {
  const box = await claudeBox({ scenes: [{ ...scene("executor", ...turns[behaviour]), repeat: true }] });
  return {
    agent: box.agent({ allowed_tools: ["Bash"] }),
    told: async () => box.model.requests.map(sent),
    alive: () => carrying(box.task_token),
    hanging: () => existsSync(join(box.project, "hanging")),
  };
});

agentContract("a scripted agent", async (behaviour) => {
  const working_directory = await temporaryDirectory();
  const task_token = randomUUID();
  const told: string[] = [];
  const agent = scriptedAgent([{ ...scene("executor", ...turns[behaviour]), repeat: true }], {
    working_directory,
    task_token,
    allowed_tools: ["Bash"],
    raw_log: async (_iteration, _role, line) => void (line.includes('"init"') && told.push(line)),
  });
  return {
    agent,
    told: async () => told,
    alive: () => carrying(task_token),
    hanging: () => existsSync(join(working_directory, "hanging")),
  };
});

const scripts: Record<Behaviour, AcpScript> = {
  answers: { prompts: [[{ say: "Done:" }, { say: ' {"status": "done"}' }]] },
  hangs: { prompts: [[{ say: "Now I hang." }, { run: hang }]] },
  fails: { prompts: [[{ error: { code: -32603, message: "Overloaded", data: { errorKind: "overloaded" } } }]] },
};

agentContract("an agent over ACP", async (behaviour) => {
  const box = await acpBox(scripts[behaviour]);
  return {
    agent: box.agent(),
    told: box.prompts,
    alive: box.alive,
    hanging: () => existsSync(join(box.project, "hanging")),
  };
});

const commands: Record<Behaviour, string> = {
  answers: `cat > "told-$$"; echo "Done:"; echo '{"status": "done"}'`,
  hangs: `echo "Now I hang."; ${hang}`,
  fails: "cat > /dev/null; echo broken >&2; exit 3",
};

agentContract("a command", async (behaviour) => {
  const working_directory = await temporaryDirectory();
  const task_token = randomUUID();
  const limits = { timeout_seconds: 100, silence_seconds: 60 };
  return {
    agent: createCommandAgent({
      command: commands[behaviour],
      working_directory,
      environment: process.env,
      task_token,
      ...limits,
    }),
    told: () => readInOrder(working_directory),
    alive: () => carrying(task_token),
    hanging: () => existsSync(join(working_directory, "hanging")),
  };
});

for (const provider of PROVIDERS) {
  const responses: Record<Behaviour, Respond> = {
    answers: (response) => json(response, 200, answers[provider]('{"status": "done"}')),
    hangs: () => {},
    fails: (response) => json(response, 529, { error: { message: "Overloaded" } }),
  };
  agentContract(
    `a model over ${provider}`,
    async (behaviour) => {
      const server = await vendor(responses[behaviour]);
      return {
        agent: judgeAt(server.url, provider),
        told: async () => server.requests.map(({ body }) => JSON.stringify(body)),
        // The server hears of a connection's end a moment after we have ended it.
        alive: async () => {
          for (let tries = 0; tries < 20 && server.open.size > 0; tries += 1) await sleep(50);
          return [...server.open];
        },
        hanging: () => server.open.size > 0,
      };
    },
    { isSilent: true },
  );
}

function carrying(token: string): number[] {
  return [...processTable().carrying(`ENDLESS8_TASK=${token}`)];
}

async function readInOrder(directory: string): Promise<string[]> {
  const files = (await readdir(directory)).filter((name) => name.startsWith("told-"));
  const texts = await Promise.all(files.map((name) => readFile(join(directory, name), "utf8")));
  return texts.sort(); // the prompts of the contract are in alphabetical order
}
