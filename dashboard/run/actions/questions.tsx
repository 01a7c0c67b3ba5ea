import { useState } from "preact/hooks";
import type { TaskView } from "../../../src/model/dashboard.ts";
import { isHere, maySteer } from "../../app/context.ts";
import { Section } from "../../parts/bits.tsx";
import { codedProblem } from "../../parts/coded.tsx";
import { texts } from "../../texts/texts.ts";
import { useAct } from "./actions.tsx";

export function Questions({ view, reload }: { view: TaskView; reload: () => void }) {
  const { act, problem, isBusy } = useAct(view, reload);
  const [answers, setAnswers] = useState<string[]>([]);
  const words = texts().act;
  if (view.questions.length === 0) return null;
  const mayAnswer = maySteer() && (isHere(view.project) || view.is_of_fleet === true);
  const send = (event: Event) => {
    event.preventDefault();
    void act({ do: "answer", answers: view.questions.map((_, index) => answers[index] ?? "") });
  };
  const answer = (index: number, text: string) =>
    setAnswers(view.questions.map((_, at) => (at === index ? text : (answers[at] ?? ""))));
  return (
    <Section title={words.questions}>
      <form class="questions" onSubmit={send}>
        {view.questions.map((asked, index) => (
          <Question
            key={asked.question}
            asked={asked}
            value={answers[index] ?? ""}
            answer={mayAnswer ? (text) => answer(index, text) : undefined}
          />
        ))}
        {problem && (
          <p class="bad" role="alert">
            {codedProblem(problem)}
          </p>
        )}
        {mayAnswer && (
          <button type="submit" class="main" disabled={isBusy}>
            {words.answer}
          </button>
        )}
      </form>
    </Section>
  );
}

interface Asked {
  asked: TaskView["questions"][number];
  value: string;
  /** Undefined where it cannot be answered from here. */
  answer: ((text: string) => void) | undefined;
}

function Question(props: Asked) {
  const { asked, value, answer } = props;
  return (
    <fieldset>
      <legend>{asked.question}</legend>
      {asked.context && <p class="quiet">{asked.context}</p>}
      {answer && (
        <>
          <div class="suggested">
            {asked.suggested_answers.map((one) => (
              <button key={one} type="button" aria-pressed={one === value} onClick={() => answer(one)}>
                {one}
              </button>
            ))}
          </div>
          <input
            aria-label={texts().act.yourAnswer}
            required
            value={value}
            onInput={(event) => answer(event.currentTarget.value)}
          />
        </>
      )}
    </fieldset>
  );
}
