import type { TaskView } from "../../../src/model/dashboard.ts";
import { Section } from "../../parts/bits.tsx";
import { duration, moment, spentDollars, spentTokens } from "../../parts/format.ts";
import { label, texts } from "../../texts/texts.ts";

/** What the task is, what was said about it, and who spent what. */
export function About({ view }: { view: TaskView }) {
  const { run } = texts();
  return (
    <>
      <Section title={run.task}>
        <p class="prose">{view.task}</p>
        {view.refined_task && view.refined_task !== view.task && (
          <details>
            <summary>{run.refined}</summary>
            <p class="prose">{view.refined_task}</p>
          </details>
        )}
      </Section>
      {view.answers.length > 0 && (
        <Section title={run.answers}>
          <dl class="answers">
            {view.answers.map(({ question, answer }) => (
              <div key={question}>
                <dt>{question}</dt>
                <dd>{answer}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {view.notes.length > 0 && (
        <Section title={run.notes}>
          <ul class="notes">
            {view.notes.map(({ text, given_at }) => (
              <li key={given_at}>
                <time class="quiet small" dateTime={given_at}>
                  {moment(given_at)}
                </time>
                <span class="prose">{text}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Effects view={view} />
      <Spenders view={view} />
    </>
  );
}

function Effects({ view }: { view: TaskView }) {
  const { run } = texts();
  if (view.effects.length === 0) return null;
  return (
    <Section title={run.effects}>
      <ul class="notes">
        {view.effects.map(({ what, stage, problem, at }) => (
          <li key={`${what} ${stage} ${at}`}>
            <span class="quiet small">{label(run.effect, stage)}</span>
            <span>
              {what}
              {problem && <span class="bad"> {problem}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Spenders({ view }: { view: TaskView }) {
  const { run, amount } = texts();
  const spenders = Object.entries(view.usage_by_role);
  if (spenders.length === 0) return null;
  return (
    <Section title={run.spentBy}>
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">{run.who}</th>
            <th scope="col" class="number">
              {amount.cost}
            </th>
            <th scope="col" class="number">
              {amount.tokens}
            </th>
            <th scope="col" class="number">
              {amount.time}
            </th>
          </tr>
        </thead>
        <tbody>
          {spenders.map(([role, usage]) => (
            <tr key={role}>
              <th scope="row">{label(run.role, role)}</th>
              <td class="number">{spentDollars(usage)}</td>
              <td class="number">{spentTokens(usage)}</td>
              <td class="number">{duration(usage.seconds * 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
