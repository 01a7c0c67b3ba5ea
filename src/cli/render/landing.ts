import type { LandingRecord } from "../../model/records.ts";
import type { Texts } from "../../texts/en/catalogue.ts";
import { teller } from "../../texts/tell.ts";
import { oneLine } from "./lines.ts";

const SHORT_COMMIT = 10;

/** Where the work is now, and what to type next. */
export function landingLines(landing: Omit<LandingRecord, "type" | "timestamp">, texts: Texts): string[] {
  const { outcome, base, branch, files = [], forward, problem, remote } = landing;
  const commit = landing.commit?.slice(0, SHORT_COMMIT) ?? "";
  const { landing: words } = texts;
  switch (outcome) {
    case "merged":
      return [words.merged(base)];
    case "conflict":
      return [words.conflict(base, files.join(texts.separator))];
    case "landed":
      return [words.landed(remote === undefined ? base : `${remote}/${base}`, commit)];
    case "published":
      return [words.published(branch, remote ?? "", landing.pull_request?.url)];
    case "kept":
      return [words.kept(base, commit), texts.labeled(texts.nextStep, forward ?? "")];
    case "failed":
      return [words.failed(branch, base, problem ? oneLine(teller(texts.language)(problem), 600) : "")];
  }
}
