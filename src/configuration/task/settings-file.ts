import type { z } from "zod";
import { listed, message, type Statement } from "../../model/message.ts";
import type { TextFile } from "../../model/text-file.ts";
import { schemaGuide } from "../schema-guide.ts";
import type { SettingsSchemas } from "./agent-settings.ts";
import { type Layer, layerOf, nested, type Setting } from "./layer.ts";
import { modelProblem } from "./model-names.ts";
import { type Problem, problemLines, problemsOf } from "./problems.ts";
import { readYaml, type YamlFile } from "./read-yaml.ts";

/** The settings of a file, or all its problems in the order of its lines. */
export type SettingsFile = { layer: Layer } | { name: string; problems: Statement[] };

/** Settings, and how the file spells the path of each. */
interface Form {
  settings: object;
  spell: (path: string) => string;
}

export function readTaskFile(file: TextFile, schemas: SettingsSchemas): SettingsFile {
  return readSettings(file, schemas.task, (settings) => [{ settings, spell: (path) => path }]);
}

/** endless8.yaml: its keys may be plain or grouped, also mixed. */
export function readProjectFile(file: TextFile, schemas: SettingsSchemas): SettingsFile {
  return readSettings(
    file,
    schemas.project,
    ({ engine = {}, integrations: { mcp, skills_dir } = {}, store: _, ...plain }) => [
      { settings: plain, spell: (path) => path },
      { settings: engine, spell: (path) => `engine.${path}` },
      { settings: { mcp_servers: mcp }, spell: () => "integrations.mcp" },
      { settings: { skills_dir }, spell: () => "integrations.skills_dir" },
    ],
  );
}

/** Settings are read a few times in a run: to compile their schema would take longer than it saves. */
export const ONCE = { reportInput: true, jitless: true };

function readSettings<T extends z.ZodType>(
  file: TextFile,
  schema: T,
  formsOf: (settings: z.infer<T>) => Form[],
): SettingsFile {
  const yaml = readYaml(file);
  const read = schema.safeParse(yaml.data, ONCE);
  if (!read.success) {
    return { name: file.name, problems: problemLines(yaml, problemsOf(read.error, schemaGuide(schema))) };
  }
  const { layer, problems } = merged(formsOf(read.data), yaml);
  return problems.length > 0 ? { name: file.name, problems: problemLines(yaml, problems) } : { layer };
}

function merged(forms: readonly Form[], yaml: YamlFile): { layer: Layer; problems: Problem[] } {
  const layer = new Map<string, Setting>();
  const problems: Problem[] = [];
  for (const { settings, spell } of forms) {
    for (const [path, setting] of layerOf(settings, (key) => `${yaml.name}:${yaml.lineOf(spell(key).split("."))}`)) {
      const twin = layer.get(path);
      const wrong = modelProblem(path, setting.value);
      if (wrong) problems.push({ path: spell(path).split("."), text: wrong });
      if (twin)
        problems.push({ path: spell(path).split("."), text: message("setting_twice", { source: twin.source }) });
      else layer.set(path, { ...setting, unfilled: unfilledIn([path], setting.value, yaml) });
    }
  }
  return { layer, problems };
}

/** How a text begins that `e8 init` has written in the place of the user's own. */
const UNFILLED = /^(?:FILL IN:|記入：)/;

function unfilledIn(path: readonly (string | number)[], value: unknown, yaml: YamlFile): Statement[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => unfilledIn([...path, index], one?.text, yaml));
  const isOpen = typeof value === "string" && UNFILLED.test(value);
  return isOpen ? problemLines(yaml, [{ path, text: message("value_unfilled", {}) }]) : [];
}

/**
 * Checks one value by the rules of task.yaml at that path: they apply to flags and variables, too, except that these
 * cannot be null.
 */
export function readSetting(
  path: string,
  value: unknown,
  { task }: SettingsSchemas,
): { value: unknown } | { problem: Statement } {
  const read = task.safeParse(nested(new Map([[path, { value, source: "" }]])), ONCE);
  if (read.success) {
    const setting = layerOf(read.data, () => "").get(path)?.value;
    const problem = modelProblem(path, setting);
    return problem ? { problem } : { value: setting };
  }
  const problems = problemsOf(read.error, schemaGuide(task, { offersNull: false }));
  return { problem: listed(problems.map(({ text }) => text)) };
}
