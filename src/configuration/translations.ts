import { type Statement, worded } from "../model/statement.ts";

/** What the schemas themselves say about a value, in Japanese. A test holds this list to the schemas. */
export const JAPANESE: Readonly<Record<string, string>> = {
  "true, or a mapping with a command or a url": "true、または command か url を持つマッピング",
  "a list of names, or a mapping of names to servers": "名前のリスト、または名前からサーバーへのマッピング",
  "claude, or a mapping with a command": "claude、または command を持つマッピング",
  'a criterion is a sentence (in quotes where it holds ": "), or a mapping: type: command with a command, or type: unchanged with files':
    '条件は 1 つの文（": " を含むなら引用符で囲む）、またはマッピング（type: command と command、あるいは type: unchanged と files）',
  "only models.summarizer can be none": "none にできるのは models.summarizer だけです",
};

export function translated(english: string): Statement {
  return worded(
    () => english,
    () => JAPANESE[english] ?? english,
  );
}
