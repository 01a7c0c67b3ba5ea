import type { Assignment, JsonSchema } from "../../../model/agent.ts";
import type { Role } from "../../../model/roles.ts";
import { fillTemplate } from "../../../model/template.ts";
import { readPrompts } from "../../files.ts";
import type { Expectation } from "../../ports/agent.ts";
import { withoutDialect } from "../schema-dialect.ts";

/**
 * What a Claude Code is started with that can be asked in any of these roles. Its instructions and its schema are those of its
 * start, so both hold all roles, and the first line of each prompt says which one is meant.
 */
export async function joinRoles([first, ...others]: readonly [Expectation, ...Expectation[]]): Promise<Expectation> {
  if (others.length === 0) return first;
  const roles = [first, ...others];
  const { "joint-roles": template } = await readPrompts(["joint-roles"]);
  const described = roles.map(({ role, system_prompt }) => `# The role "${role}"\n\n${system_prompt.trim()}`);
  return {
    ...first,
    system_prompt: fillTemplate(template, { roles: described.join("\n\n") }),
    schema: {
      type: "object",
      properties: Object.fromEntries(roles.map(({ role, schema }) => [role, withoutDialect(schema ?? ANYTHING)])),
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
    },
  };
}

const ANYTHING: JsonSchema = {};

/** A prompt for a process that serves several roles: it opens with the one that is meant. */
export function addressed({ role, prompt }: Assignment): string {
  return `endless8-role: ${role}\n\n${prompt}`;
}

/** What it has answered in this role; undefined when it took another one. */
export function answerIn(role: Role, answer: unknown): unknown {
  return typeof answer === "object" && answer !== null
    ? Object.getOwnPropertyDescriptor(answer, role)?.value
    : undefined;
}
