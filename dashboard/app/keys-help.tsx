import { signal } from "@preact/signals";
import { Dialog } from "../parts/dialog.tsx";
import { texts } from "../texts/texts.ts";
import { areKeysUsed, turnKeys } from "./keys.ts";

export const isHelpOpen = signal(false);

export function KeysHelp() {
  if (!isHelpOpen.value) return null;
  const { keys, menu } = texts();
  const rows: [string, string][] = [
    ["?", keys.help],
    ["g t", keys.go.tasks],
    ["g b", keys.go.backlog],
    ["g f", keys.go.figures],
    ["n", keys.go.start],
    ["/", keys.search],
    ["j", keys.next],
    ["k", keys.earlier],
    ["Enter", keys.open],
    ["1 … 8", keys.tabs],
    ["[ ]", keys.steps],
    ["m", keys.tell],
    ["p", keys.pause],
    ["t", keys.theme],
    ["Esc", keys.close],
  ];
  return (
    <Dialog title={menu.keys} close={() => (isHelpOpen.value = false)}>
      <p class="quiet">{keys.intro}</p>
      <table class="keys">
        <tbody>
          {rows.map(([key, what]) => (
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
