import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { TaskView } from "../../../src/model/dashboard.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { texts } from "../../texts/texts.ts";
import type { Act } from "./actions.tsx";

interface Asked {
  act: Act;
  close: () => void;
}

/** Closes when it was done; stays open, with what was typed, when it failed. */
function Form(props: {
  title: string;
  button: string;
  isDanger?: boolean;
  submit: () => Promise<boolean>;
  close: () => void;
  children: ComponentChildren;
}) {
  const [isBusy, setBusy] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    if (await props.submit()) props.close();
    else setBusy(false);
  };
  return (
    <Dialog title={props.title} close={props.close}>
      <form onSubmit={(event) => void send(event)}>
        {props.children}
        <footer>
          <button type="button" onClick={props.close}>
            {texts().cancel}
          </button>
          <button type="submit" class={props.isDanger ? "danger" : "main"} disabled={isBusy}>
            {props.button}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

export function TellDialog({ act, close }: Asked) {
  const words = texts().act;
  const [text, setText] = useState("");
  return (
    <Form title={words.tellTitle} button={words.send} close={close} submit={() => act({ do: "tell", text })}>
      <label>
        {words.tellText}
        <textarea
          required
          maxLength={12_000}
          rows={5}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
    </Form>
  );
}

export function CancelDialog({ act, close }: Asked) {
  const words = texts().act;
  return (
    <Form title={words.cancelTitle} button={words.cancel} isDanger close={close} submit={() => act({ do: "cancel" })}>
      <p>{words.cancelWarning}</p>
    </Form>
  );
}

export function PlaceDialog({ kind, view, act, close }: Asked & { kind: "fork" | "rollback"; view: TaskView }) {
  const words = texts().act;
  const { start, iteration } = texts().changes;
  const places = [0, ...view.timeline.filter(({ result }) => result !== "").map((row) => row.iteration)];
  const isFork = kind === "fork";
  const [place, setPlace] = useState(places.at(isFork ? -1 : -2) ?? 0);
  const submit = () => act(isFork ? { do: "fork", from: place } : { do: "rollback", to: place });
  return (
    <Form
      title={isFork ? words.forkTitle : words.rollbackTitle}
      button={isFork ? words.fork : words.rollback}
      isDanger={!isFork}
      close={close}
      submit={submit}
    >
      {!isFork && <p>{words.rollbackWarning}</p>}
      <label>
        {isFork ? words.forkFrom : words.rollbackTo}
        <select value={place} onChange={(event) => setPlace(Number(event.currentTarget.value))}>
          {places.map((one) => (
            <option key={one} value={one}>
              {one === 0 ? start : iteration(one)}
            </option>
          ))}
        </select>
      </label>
    </Form>
  );
}
