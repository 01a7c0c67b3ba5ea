import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { E8Error } from "../../../model/errors.ts";
import { message } from "../../../model/message.ts";
import { fillTemplate } from "../../../model/template.ts";
import { readPrompts } from "../../files.ts";

/** Characters of a description. */
const LONGEST = 500;

/** The skills of a directory, in words: a skill is a file that an agent reads when it needs it, so any agent can use them. */
export async function skillsIn(skills_dir: string | null, project: string): Promise<string> {
  if (skills_dir === null) return "";
  const directory = resolve(project, skills_dir);
  const names = await readdir(directory).catch(() => undefined);
  if (!names) throw new E8Error("agent_configuration", { message: message("skills_missing", { path: directory }) });
  const lines = await Promise.all(names.sort().map((name) => skillLine(join(directory, name, "SKILL.md"))));
  const skills = lines.filter(Boolean).join("\n");
  if (skills === "") return "";
  const { "agent-skills": template } = await readPrompts(["agent-skills"]);
  return fillTemplate(template, { skills });
}

async function skillLine(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return "";
  const [, head = ""] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  const description = /^description:[ \t]*(.+)$/m.exec(head)?.[1]?.trim().slice(0, LONGEST) ?? "";
  return `- ${file}${description === "" ? "" : `: ${description}`}`;
}
