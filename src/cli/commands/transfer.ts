import {
  exportTasks,
  findTaskIn,
  importTasks,
  type TransferRequest,
  type Transferred,
} from "../../compose/transfer.ts";
import { drain } from "../../model/event-stream.ts";
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
  const come: Transferred[] = [];
  const tell = ({ task_id: id, is_new }: Transferred) => {
    const text = is_new ? (move ? texts.fleet.moved : texts.fleet.copied) : texts.fleet.thereAlready;
    if (!json) output.result(text(id));
  };
  const knowledge = await drain(transfer(direction, { project, ids, move }), (one) => {
    come.push(one);
    tell(one);
  });
  if (json) return output.json({ tasks: come, knowledge });
  output.progress(texts.fleet.transferred(come.filter(({ is_new }) => is_new).length, knowledge));
}

function transfer(direction: "export" | "import", request: TransferRequest) {
  return direction === "export" ? exportTasks(request) : importTasks(request);
}
