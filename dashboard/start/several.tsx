import { texts } from "../texts/texts.ts";

interface Listed {
  title: string;
  name: (number: number) => string;
  add: string;
  example: string;
  isCode?: boolean;
  values: readonly string[];
  change: (values: string[]) => void;
}

/** A list of short texts that grows. */
export function Several({ title, name, add, example, isCode = false, values, change }: Listed) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text is its place while it is typed
        <div class="entry" key={index}>
          <input
            class={isCode ? "mono" : ""}
            aria-label={name(index + 1)}
            placeholder={index === 0 ? example : ""}
            value={value}
            onInput={(event) => change(values.with(index, event.currentTarget.value))}
          />
          {values.length > 1 && (
            <button
              type="button"
              class="plain"
              aria-label={texts().start.remove(name(index + 1))}
              onClick={() => change(values.toSpliced(index, 1))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      <button type="button" class="small" onClick={() => change([...values, ""])}>
        + {add}
      </button>
    </fieldset>
  );
}
