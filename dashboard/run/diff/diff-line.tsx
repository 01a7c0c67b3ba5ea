import { label, texts } from "../../texts/texts.ts";
import { tokensOf } from "./colours.ts";
import type { DiffFile, Line } from "./lines.ts";

export const LINE_HEIGHT = 20;

interface Shown {
  line: Line;
  index: number;
  start: number;
  isShown: boolean;
  isFolded: boolean;
  fold: (path: string) => void;
  measure: ((element: HTMLElement | null) => void) | undefined;
}

export function DiffLine({ line, index, start, isShown, isFolded, fold, measure }: Shown) {
  const change = line.kind === "change" ? line.hunk.changes[line.at] : undefined;
  return (
    <div
      class="diff-line"
      role="row"
      aria-rowindex={index + 1}
      data-index={index}
      data-kind={change?.type ?? line.kind}
      data-shown={isShown}
      {...(measure && { ref: measure })}
      style={{ transform: `translateY(${start}px)` }}
    >
      <Cells line={line} isFolded={isFolded} fold={fold} />
    </div>
  );
}

function Cells({ line, isFolded, fold }: Pick<Shown, "line" | "isFolded" | "fold">) {
  const words = texts().changes;
  switch (line.kind) {
    case "file":
      return (
        <div class="file-head" role="cell">
          <FileHead file={line.file} isFolded={isFolded} fold={fold} />
        </div>
      );
    case "hunk":
      return (
        <div class="hunk-head" role="cell">
          {line.hunk.title}
        </div>
      );
    case "empty":
      return (
        <div class="hunk-head" role="cell">
          {words.empty}
        </div>
      );
    default:
      return <ChangeCells line={line} />;
  }
}

const SIGNS = { add: "+", del: "−", normal: " " };

function ChangeCells({ line: { file, hunk, at } }: { line: Extract<Line, { kind: "change" }> }) {
  const change = hunk.changes[at];
  if (!change) return null;
  const tokens = tokensOf(file, hunk)[at] ?? [{ text: change.text, from: 0 }];
  return (
    <>
      <div class="nr" role="cell">
        {change.before}
      </div>
      <div class="nr" role="cell">
        {change.after}
      </div>
      <div class="text" role="cell">
        <span class="sign">{SIGNS[change.type]}</span>
        {tokens.map(({ text, style, from }) =>
          style ? (
            <span key={from} class={style}>
              {text}
            </span>
          ) : (
            text
          ),
        )}
      </div>
    </>
  );
}

function FileHead({ file, isFolded, fold }: { file: DiffFile; isFolded: boolean; fold: (path: string) => void }) {
  const words = texts().changes;
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-expanded={!isFolded}
        aria-label={words.fold(file.path)}
        onClick={() => fold(file.path)}
      >
        {isFolded ? "▸" : "▾"}
      </button>
      <span class="path">{file.path}</span>
      <span class="quiet">{label(words.statuses, file.status)}</span>
      <Counts added={file.added} removed={file.removed} />
    </>
  );
}

export function Counts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null && removed === null) return <span class="quiet">{texts().changes.unknown}</span>;
  return (
    <span class="counts number">
      <span class="added">+{added ?? 0}</span> <span class="removed">−{removed ?? 0}</span>
    </span>
  );
}
