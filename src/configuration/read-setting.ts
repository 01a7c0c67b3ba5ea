import { TaskFile } from "../model/configuration.ts";
import { joined, type Statement } from "../model/statement.ts";
import { layerOf, nested } from "./layer.ts";
import { modelProblem } from "./model-names.ts";
import { problemsOf } from "./problems.ts";
import { schemaGuide } from "./schema-guide.ts";

/**
 * Holds one value to what task.yaml would allow at that path: flags and variables obey the same rules as files, but
 * that they cannot say null.
 */
export function readSetting(path: string, value: unknown): { value: unknown } | { problem: Statement } {
  const read = TaskFile.safeParse(nested(new Map([[path, { value, source: "" }]])), { reportInput: true });
  if (read.success) {
    const setting = layerOf(read.data, () => "").get(path)?.value;
    const problem = modelProblem(path, setting);
    return problem ? { problem } : { value: setting };
  }
  const problems = problemsOf(read.error, schemaGuide(TaskFile, { offersNull: false }));
  return {
    problem: joined(
      problems.map(({ text }) => text),
      "; ",
    ),
  };
}
