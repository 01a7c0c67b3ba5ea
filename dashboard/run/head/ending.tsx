import { useState } from "preact/hooks";
import type { TaskView } from "../../../src/model/dashboard.ts";
import { texts } from "../../texts/texts.ts";

/** Why a run ended, and the command that goes on from here. */
export function Ending({ view }: { view: TaskView }) {
  const { result, next } = view;
  const said = result && [result.error_message, result.hint, result.final_judgment?.overall_reason].filter(Boolean);
  const isOver = !["queued", "running", "paused"].includes(view.status);
  if (!isOver || (!next && !said?.length)) return null;
  return (
    <div class="ending">
      {said?.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {next && <Command name={texts().run.next} command={next} />}
    </div>
  );
}

function Command({ name, command }: { name: string; command: string }) {
  const [isCopied, setCopied] = useState(false);
  const { copy, copied } = texts();
  const take = () =>
    navigator.clipboard?.writeText(command).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <p class="command">
      <span class="quiet">{name}</span> <code>{command}</code>
      <button type="button" class="small" onClick={() => void take()}>
        {isCopied ? copied : copy}
      </button>
    </p>
  );
}
