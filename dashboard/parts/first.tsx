import type { ComponentChildren } from "preact";
import { coded } from "./coded.tsx";

/** Where nothing is yet: what could be here, and how it comes. */
export function First({ said, children }: { said: string; children?: ComponentChildren }) {
  return (
    <div class="first">
      <Mark />
      <p>{coded(said)}</p>
      {children}
    </div>
  );
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 20" aria-hidden="true">
      <path d="M9.5 15a5 5 0 1 1 0-10c5 0 8 10 13 10a5 5 0 1 0 0-10c-5 0-8 10-13 10z" />
    </svg>
  );
}
