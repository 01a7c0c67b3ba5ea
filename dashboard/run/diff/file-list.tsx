import type { DiffView } from "../../../src/model/dashboard.ts";
import { texts } from "../../texts/texts.ts";
import { Counts } from "./diff-line.tsx";

const SIGNS = { added: "A", modified: "M", deleted: "D" };
const OPEN_UP_TO = 12;

export function FileList({ diff, choose }: { diff: DiffView; choose: (path: string) => void }) {
  const words = texts().changes;
  return (
    <details class="files" open={diff.files.length <= OPEN_UP_TO}>
      <summary>{words.files(diff.files.length)}</summary>
      <ul aria-label={words.list}>
        {diff.files.map(({ path, status, added, removed }) => (
          <li key={path}>
            <button type="button" class="plain" onClick={() => choose(path)}>
              <span class="sign" data-status={status} title={status ? words.statuses[status] : undefined}>
                {status ? SIGNS[status] : "?"}
              </span>
              <code>{path}</code>
              <Counts added={added} removed={removed} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
