import { signal } from "@preact/signals";
import { Dialog } from "../parts/dialog.tsx";
import { texts } from "../texts/texts.ts";
import { maySteer, source } from "./context.ts";
import { areKeysUsed, turnKeys } from "./keys.ts";

export const isHelpOpen = signal(false);

export function KeysHelp() {
  if (!isHelpOpen.value) return null;
  const { keys, menu } = texts();
  return (
    <Dialog title={menu.keys} close={() => (isHelpOpen.value = false)}>
      <p class="quiet">{keys.intro}</p>
      <table class="keys">
        <tbody>
          {usable().map(([key, what]) => (
            <tr key={key}>
              <th scope="row">{key.split(" ").map((one) => (one === "…" ? " … " : <kbd key={one}>{one}</kbd>))}</th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="check">
        <input
          type="checkbox"
          checked={areKeysUsed.value}
          onChange={(event) => turnKeys(event.currentTarget.checked)}
        />
        {keys.enabled}
      </label>
    </Dialog>
  );
}

/** A report has no other pages, and not everyone may steer. */
function usable(): [key: string, what: string][] {
  const { keys } = texts();
  const isLive = source().is_live;
  const rows: [key: string, what: string, isUsed: boolean][] = [
    ["?", keys.help, true],
    ["g t", keys.go.tasks, isLive],
    ["g b", keys.go.backlog, isLive],
    ["g f", keys.go.figures, isLive],
    ["n", keys.go.start, maySteer()],
    ["/", keys.search, isLive],
    ["j", keys.next, isLive],
    ["k", keys.earlier, isLive],
    ["Enter", keys.open, isLive],
    ["1 … 8", keys.tabs, true],
    ["[ ]", keys.steps, true],
    ["m", keys.tell, maySteer()],
    ["p", keys.pause, maySteer()],
    ["t", keys.theme, true],
    ["Esc", isLive ? keys.close : texts().close, true],
  ];
  return rows.filter(([, , isUsed]) => isUsed).map(([key, what]) => [key, what]);
}
