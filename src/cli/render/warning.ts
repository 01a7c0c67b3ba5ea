import type { Notice } from "../../model/notices.ts";
import { noticeText } from "../../texts/sentences.ts";
import type { CliContext } from "../context.ts";
import { printable } from "./lines.ts";

/** Says on stderr what a command that only looks had to leave out. */
export function warner({ texts, output }: CliContext): (notice: Notice) => void {
  return (notice) =>
    output.progress(output.paint("yellow", `${texts.warning}: ${printable(noticeText(notice, texts.language))}`));
}
