import { signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>("auto");

export function showTheme(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
}

export function firstTheme(): Theme {
  return THEMES.find((one) => one === kept("theme")) ?? "auto";
}

export function chooseTheme(chosen: Theme): void {
  keep("theme", chosen);
  showTheme(chosen);
}

export function nextTheme(): void {
  chooseTheme(THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto");
}
