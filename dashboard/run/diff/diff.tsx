import { useEffect, useMemo, useState } from "preact/hooks";
import type { DiffView } from "../../../src/model/dashboard.ts";
import { turned } from "../../parts/turned.ts";
import { useVirtual } from "../../parts/use-virtual.ts";
import { texts } from "../../texts/texts.ts";
import { DiffLine, LINE_HEIGHT } from "./diff-line.tsx";
import { FileList } from "./file-list.tsx";
import { filesOf, type Line, linesOf, placeOf } from "./lines.ts";

export interface Target {
  file: string;
  line: number;
}

export function Diff({ diff, target }: { diff: DiffView; target: Target | undefined }) {
  const words = texts().changes;
  const files = useMemo(() => filesOf(diff.diff), [diff]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [isWrapped, setWrapped] = useState(false);
  const lines = useMemo(() => linesOf(files, folded), [files, folded]);
  const shown = target && !folded.has(target.file) ? placeOf(lines, target.file, target.line) : -1;
  const [jump, setJump] = useState<{ to: number }>({ to: shown });
  useEffect(() => setJump({ to: shown }), [shown]);
  const fold = (path: string) => setFolded(turned(folded, path));
  const choose = (path: string) =>
    setJump({ to: lines.findIndex(({ kind, file }) => kind === "file" && file.path === path) });
  return (
    <div class="diff">
      <div class="diff-head">
        <FileList diff={diff} choose={choose} />
        <label class="check small">
          <input type="checkbox" checked={isWrapped} onChange={(event) => setWrapped(event.currentTarget.checked)} />
          {words.wrap}
        </label>
      </div>
      <Lines
        key={String(isWrapped)}
        lines={lines}
        isWrapped={isWrapped}
        fold={fold}
        folded={folded}
        shown={shown}
        jump={jump}
      />
    </div>
  );
}

interface Listed {
  lines: readonly Line[];
  isWrapped: boolean;
  folded: ReadonlySet<string>;
  fold: (path: string) => void;
  /** The line that a link leads to. */
  shown: number;
  jump: { to: number };
}

function Lines({ lines, isWrapped, folded, fold, shown, jump }: Listed) {
  const { scroller, virtual } = useVirtual({
    count: lines.length,
    size: (index) => (lines[index]?.kind === "file" ? 36 : LINE_HEIGHT),
    beyond: 20,
  });
  const widest = useMemo(() => (isWrapped ? 0 : Math.max(0, ...lines.map(widthOf))), [lines, isWrapped]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: folding a file must not jump
  useEffect(() => {
    if (jump.to >= 0) virtual.scrollToIndex(jump.to, { align: lines[jump.to]?.kind === "file" ? "start" : "center" });
  }, [jump, virtual]);
  return (
    <div
      class="scroller code"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={texts().changes.body}
      data-wrapped={isWrapped}
    >
      <div
        class="lines"
        role="table"
        aria-label={texts().changes.body}
        aria-rowcount={lines.length}
        style={{
          blockSize: `${virtual.getTotalSize()}px`,
          inlineSize: isWrapped ? "100%" : `max(100%, ${widest + 14}ch)`,
        }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          return (
            line && (
              <DiffLine
                key={index}
                line={line}
                index={index}
                start={start}
                isShown={index === shown}
                isFolded={folded.has(line.file.path)}
                fold={fold}
                measure={isWrapped ? virtual.measureElement : undefined}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

const LONGEST = 2_000;

/** In signs of one column; those of Chinese and Japanese take two. */
function widthOf(line: Line): number {
  const text = line.kind === "change" ? (line.hunk.changes[line.at]?.text ?? "") : "";
  let width = Math.min(text.length, LONGEST);
  for (const sign of text.slice(0, LONGEST)) {
    if (sign === "\t") width += 3;
    else if (sign > "\u1100") width += 1;
  }
  return width;
}
