import process from "node:process";
import {
  exportTasks,
  findTaskIn,
  importTasks,
  type TransferRequest,
  type Transferred,
} from "../../compose/transfer.ts";
import { drain } from "../../model/event-stream.ts";
import { errorText } from "../../texts/sentences.ts";
import { EXIT_ERROR } from "../exit-codes.ts";
import type { CliContext } from "../output.ts";

interface TransferFlags {
  project: string;
  move?: boolean;
  json?: boolean;
}

/** `e8 export` and `e8 import` */
export async function transferCommand(
  direction: "export" | "import",
  names: readonly string[],
  { options, context }: { options: TransferFlags; context: CliContext },
): Promise<void> {
  const { project, move = false, json = false } = options;
  const { output, texts } = context;
  const ids = await Promise.all(names.map((name) => findTaskIn(direction, project, name)));
  const told: Transferred[] = [];
  const knowledge = await drain(transfer(direction, { project, ids, move }), (one) => {
    told.push(one);
    if (json) return;
    if ("error" in one) output.progress(stays(one, context));
    else output.result(comes(one, move, context));
  });
  if (told.some((one) => "error" in one)) process.exitCode = EXIT_ERROR;
  if (json) return output.json({ tasks: told.map(asJson), knowledge });
  output.progress(texts.fleet.transferred(told.filter((one) => "is_new" in one && one.is_new).length, knowledge));
}

type Come = Extract<Transferred, { is_new: boolean }>;
type Stayed = Exclude<Transferred, Come>;

function comes({ task_id, is_new }: Come, move: boolean, { texts }: CliContext): string {
  const { moved, copied, thereAlready } = texts.fleet;
  return (is_new ? (move ? moved : copied) : thereAlready)(task_id);
}

function stays({ task_id, error }: Stayed, { texts }: CliContext): string {
  return texts.fleet.stays(task_id, errorText(error, texts.language).message);
}

function asJson(one: Transferred): object {
  if (!("error" in one)) return one;
  const { task_id, error } = one;
  return { task_id, error_code: error.code, error_message: errorText(error, "en").message };
}

function transfer(direction: "export" | "import", request: TransferRequest) {
  return direction === "export" ? exportTasks(request) : importTasks(request);
}
