import type { TaskView } from "../../../src/model/dashboard.ts";
import { address } from "../../app/route.ts";
import { Chip } from "../../parts/bits.tsx";
import { texts } from "../../texts/texts.ts";

interface Quotation {
  file: string;
  line: number;
  quote: string;
  is_verified: boolean;
  explanation: string;
}

/** What a reviewer has quoted, with the way to the line in the diff of the proved work. */
export function Quoted({ quoted, view }: { quoted: Quotation; view: TaskView }) {
  const words = texts().proof;
  return (
    <div class="quoted">
      {quoted.explanation && <p>{quoted.explanation}</p>}
      {quoted.file && (
        <p class="small">
          <a href={lineAddress(view, quoted.file, quoted.line)}>{words.line(quoted.file, quoted.line)}</a>{" "}
          <Chip tone={quoted.is_verified ? "good" : "warn"}>
            {quoted.is_verified ? words.verified : words.unverified}
          </Chip>
        </p>
      )}
      {quoted.quote && (
        <blockquote>
          <pre>{quoted.quote}</pre>
        </blockquote>
      )}
    </div>
  );
}

export function lineAddress(view: TaskView, file: string, line: number): string {
  const { project, task_id: id, proof } = view;
  const to = proof?.iteration ?? view.iterations;
  return address({ page: "task", project, id, tab: "changes" }, { from: 0, to, file, line });
}
