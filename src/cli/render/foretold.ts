import type { Abilities } from "../../compose/agent-abilities.ts";
import type { Foretold } from "../../compose/dry-run.ts";
import type { Ability } from "../../model/abilities.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { noticeText } from "../../texts/sentences.ts";
import type { Paint } from "../output.ts";

/** What each agent can do and what it cannot, each agent once, and what to look out for. */
export function foretoldLines({ abilities, notices }: Foretold, texts: Texts, paint: Paint): string[] {
  const each = new Map(abilities.map((one) => [one.agent, one]));
  const warnings = new Set(notices.map((notice) => noticeText(notice, texts.language)));
  return [
    ...[...each.values()].flatMap((one) => abilityLines(one, texts, paint)),
    ...[...warnings].map((warning) => paint("yellow", texts.labeled(texts.warning, warning))),
  ];
}

/** In words. */
function abilityLines({ agent, can, cannot }: Abilities, { dryRun, labeled }: Texts, paint: Paint): string[] {
  const lines = (heading: string, abilities: readonly Ability[]) =>
    abilities.length === 0
      ? []
      : [labeled(paint("bold", heading)), ...abilities.map((ability) => `  ${dryRun.abilities[ability]}`)];
  return [...lines(dryRun.can(agent), can), ...lines(dryRun.cannot(agent), cannot)];
}
