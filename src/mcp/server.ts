import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { readToolTexts } from "../compose/tool-texts.ts";
import type { Door } from "./door.ts";
import { getTask, ListTasks, listTasks, TaskChoice, TaskList } from "./look.ts";
import { answered } from "./results.ts";
import { RunStarted, RunTask, runTask } from "./run-task.ts";
import { AnswerTask, answerTask, cancel, Steered, TellTask, tellWorker } from "./steer.ts";
import { TaskFacts } from "./task-facts.ts";
import { type Progress, Watched, WatchTask, watch } from "./watch.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const ACTS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

/** A server with all tools, for one connection. */
export async function createServer(door: Door, version: string): Promise<McpServer> {
  const texts = await readToolTexts();
  const server = new McpServer({ name: "endless8", version }, { instructions: texts.instructions });
  const shape = <I, O>(name: keyof typeof texts, inputSchema: I, outputSchema: O) => ({
    description: texts[name],
    inputSchema,
    outputSchema,
  });
  server.registerTool(
    "run_task",
    { ...shape("run_task", RunTask.shape, RunStarted.shape), annotations: ACTS },
    (call) => answered(door, () => runTask(call, door)),
  );
  server.registerTool(
    "list_tasks",
    { ...shape("list_tasks", ListTasks.shape, TaskList.shape), annotations: READS },
    (call) => answered(door, () => listTasks(call, door)),
  );
  server.registerTool(
    "get_task",
    { ...shape("get_task", TaskChoice.shape, TaskFacts.shape), annotations: READS },
    (call) => answered(door, () => getTask(call, door)),
  );
  server.registerTool(
    "watch",
    { ...shape("watch", WatchTask.shape, Watched.shape), annotations: READS },
    (call, extra) => answered(door, () => watch(call, door, { signal: extra.signal, progress: progressOf(extra) })),
  );
  registerSteering(server, door, texts);
  return server;
}

function registerSteering(server: McpServer, door: Door, texts: Awaited<ReturnType<typeof readToolTexts>>): void {
  const outputSchema = Steered.shape;
  server.registerTool(
    "answer",
    { description: texts.answer, inputSchema: AnswerTask.shape, outputSchema, annotations: ACTS },
    (call) => answered(door, () => answerTask(call, door)),
  );
  server.registerTool(
    "tell",
    { description: texts.tell, inputSchema: TellTask.shape, outputSchema, annotations: ACTS },
    (call) => answered(door, () => tellWorker(call, door)),
  );
  server.registerTool(
    "cancel",
    { description: texts.cancel, inputSchema: TaskChoice.shape, outputSchema, annotations: ACTS },
    (call) => answered(door, () => cancel(call, door)),
  );
}

/** Each message counts one up: the protocol wants a number that grows. */
function progressOf({ _meta, sendNotification }: Extra): Progress {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken, progress, message };
    void sendNotification({ method: "notifications/progress", params }).catch(() => {}); // the client may be gone
  };
}
