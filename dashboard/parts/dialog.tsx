import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { texts } from "../texts/texts.ts";

/** The browser's own dialog: it keeps the focus, gives it back, and closes on Escape. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.close}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
      {/* Last, so that the focus begins with what is asked for. */}
      <button type="button" class="plain close" aria-label={texts().close} onClick={() => dialog.current?.close()}>
        ✕
      </button>
    </dialog>
  );
}
