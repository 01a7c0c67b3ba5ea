import { signal } from "@preact/signals";

/** How the page stands with its server. */
export const link = signal<"live" | "lost" | "denied">("live");
