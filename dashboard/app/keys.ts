import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { keep, kept } from "./kept.ts";

type Keys = Record<string, () => void>;

const layers: Keys[] = [];
export const areKeysUsed = signal(kept("keys") !== "off");

export function turnKeys(areUsed: boolean): void {
  areKeysUsed.value = areUsed;
  keep("keys", areUsed ? "on" : "off");
}

/** Keys of a part of the page, while it is shown; of two for one key the newer part gets it. Two keys in a row: `g t`. */
export function useKeys(keys: Keys): void {
  // As soon as it is shown: a key may follow at once.
  useLayoutEffect(() => {
    layers.push(keys);
    return () => {
      layers.splice(layers.indexOf(keys), 1);
    };
  });
}

const SECOND_KEY_WITHIN = 1000;
let first = "";
let forgetting: ReturnType<typeof setTimeout> | undefined;

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!areKeysUsed.peek() && event.key !== "Escape") return;
    const found = actionOf(`${first} ${event.key}`) ?? actionOf(event.key);
    remember(event.key);
    if (!found) return;
    event.preventDefault();
    found();
  });
}

function actionOf(keys: string): (() => void) | undefined {
  return layers.toReversed().find((layer) => Object.hasOwn(layer, keys))?.[keys];
}

function remember(key: string): void {
  clearTimeout(forgetting);
  first = key;
  forgetting = setTimeout(() => {
    first = "";
  }, SECOND_KEY_WITHIN);
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  if (target instanceof HTMLInputElement && target.type === "checkbox") return false;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
