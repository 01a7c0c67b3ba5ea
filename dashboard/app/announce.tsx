import { signal } from "@preact/signals";

const spoken = signal("");

/** Has a screen reader say it, when it has said what it is saying. */
export function announce(sentence: string): void {
  spoken.value = sentence;
}

export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {spoken}
    </p>
  );
}
