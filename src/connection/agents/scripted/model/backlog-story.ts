import type { Language } from "../../../../model/language.ts";
import { type BacklogWords, backlogWords } from "./backlog-words.ts";
import { answer, scene, story, use } from "./builders.ts";
import type { Scene, Story, Turn } from "./story.ts";

export interface DemoIssue {
  title: string;
  body: string;
  checks: string[];
}

const EUROS = `export const euros = (cents) => \`\${(cents / 100).toFixed(2)} €\`;\n`;
const EUROS_CHECK = `import { euros } from "./euros.js"; if (euros(1250) !== "12.50 €") process.exit(1);`;
const CHANGELOG = "# Changelog\n";

/** Three issues and the model's side of them. Two of them write the same line of the changelog: the second to land meets a conflict. */
export function backlogIn(language: Language): { issues: DemoIssue[]; story: Story } {
  const words = backlogWords[language];
  const issues = [
    {
      title: words.totals,
      body: words.totalsBody,
      checks: ["node --test --test-reporter=spec", "grep -q '^- ' CHANGELOG.md"],
    },
    {
      title: words.euros,
      body: words.eurosBody,
      checks: [`node --input-type=module -e '${EUROS_CHECK}'`, "grep -q '^- ' CHANGELOG.md"],
    },
    { title: words.readme, body: words.readmeBody, checks: ["grep -q 'npm test' README.md"] },
  ];
  const scenes = [work(totals(words)), work(euros(words)), work(readme(words))].map((of, index) =>
    of(`Issue #${index + 1}: ${issues[index]?.title ?? ""}`),
  );
  return { issues, story: story(...scenes.flat()) };
}

interface Part {
  turns: Turn[];
  output: string;
  artifacts: string[];
  /** How the worker settles a conflict. */
  settles?: { turns: Turn[]; output: string };
}

function totals(words: BacklogWords): Part {
  return {
    turns: [
      use("Read", { file_path: "cart.js" }),
      use("Edit", { file_path: "cart.js", old_string: "sum = count", new_string: "sum += count" }),
      use("Edit", { file_path: "cart.js", old_string: "count > 10", new_string: "count >= 10" }),
      ...entries(words.totalsEntry),
    ],
    output: words.totalsWork,
    artifacts: ["cart.js", "CHANGELOG.md"],
    settles: bothEntries(words),
  };
}

function euros(words: BacklogWords): Part {
  return {
    turns: [use("Write", { file_path: "euros.js", content: EUROS }), ...entries(words.eurosEntry)],
    output: words.eurosWork,
    artifacts: ["euros.js", "CHANGELOG.md"],
    settles: bothEntries(words),
  };
}

function readme({ readmeText: content, readmeWork: output }: BacklogWords): Part {
  return { turns: [use("Write", { file_path: "README.md", content })], output, artifacts: ["README.md"] };
}

function entries(...texts: string[]): Turn[] {
  const content = `${CHANGELOG}\n${texts.map((text) => `- ${text}\n`).join("")}`;
  return [use("Read", { file_path: "CHANGELOG.md" }), use("Write", { file_path: "CHANGELOG.md", content })];
}

function bothEntries({ totalsEntry, eurosEntry, settled }: BacklogWords): NonNullable<Part["settles"]> {
  return { turns: entries(totalsEntry, eurosEntry), output: settled };
}

/** The scenes of one issue. Others are played at the same time, so each names its issue. */
function work({ turns, output, artifacts, settles }: Part): (when: string) => Scene[] {
  const report = (text: string) =>
    answer({
      status: "success",
      output: text,
      artifacts,
      semantic_metadata: { approach: text, strategy_tags: [], discoveries: [] },
    });
  return (when) => [
    scene({ who: "executor", when }, ...turns, report(output)),
    ...(settles ? [scene({ who: "executor", when }, ...settles.turns, report(settles.output))] : []),
    scene({ who: "summarizer", when, repeat: true }, answer({ approach: output, reason: output, artifacts })),
    scene(
      { who: "reviewer", when, repeat: true },
      answer({ findings: [], criteria: [], protected_files: [], ignored_files: null }),
    ),
  ];
}
