import type { Assignment } from "../../../model/agent.ts";
import { fillTemplate } from "../../../model/template.ts";
import { readPrompts } from "../../files.ts";
import type { Expectation } from "../../ports/agent.ts";
import { withoutDialect } from "../find-json.ts";

/**
 * Starts one Claude Code for several roles. Its instructions and schema cannot change after the start, so both describe all
 * roles, and the first line of each prompt names the role.
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
      properties: Object.fromEntries(roles.map(({ role, schema }) => [role, withoutDialect(schema ?? {})])),
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
    },
  };
}

/** A prompt for a process that serves several roles: its first line names the role. */
export function addressed({ role, prompt }: Assignment): string {
  return `endless8-role: ${role}\n\n${prompt}`;
}
