import type { TaskView } from "../../../src/model/dashboard.ts";
import { Chip, Empty, Section } from "../../parts/bits.tsx";
import { label, texts } from "../../texts/texts.ts";
import { Checks } from "./checks.tsx";
import { Protected } from "./protected.tsx";
import { Reviews } from "./reviews.tsx";

export type Proof = NonNullable<TaskView["proof"]>;

/** The latest claim, and what was held against it. */
export function ProofTab({ view }: { view: TaskView }) {
  const { proof } = view;
  if (!proof) return <Unproved view={view} />;
  return (
    <div class="proof">
      <Verdict proof={proof} />
      <Checks checks={proof.checks} />
      <Failed proof={proof} />
      <Protected proof={proof} view={view} />
      <Reviews proof={proof} view={view} />
      <Judged proof={proof} />
      <Ignored proof={proof} />
    </div>
  );
}

/** Of a run that has proved nothing: why, and how its checks came out. */
function Unproved({ view: { result } }: { view: TaskView }) {
  return (
    <div class="proof">
      <Empty>{result?.unproved ?? texts().proof.none}</Empty>
      <Checks checks={result?.proof?.checks ?? []} />
    </div>
  );
}

/** What did not hold in a refuted proof, with the end of its output. */
function Failed({ proof }: { proof: Proof }) {
  const failed = proof.holds ? [] : proof.evaluations.filter(({ is_met }) => !is_met);
  if (failed.length === 0) return null;
  return (
    <Section title={texts().proof.failedOutput}>
      {failed.map(({ id, criterion, evidence }) => (
        <figure key={id}>
          <figcaption>
            <span class="id number">{id}</span> <code>{criterion}</code>
          </figcaption>
          <pre tabIndex={0} role="group" aria-label={criterion}>
            {evidence}
          </pre>
        </figure>
      ))}
    </Section>
  );
}

function Verdict({ proof }: { proof: Proof }) {
  const words = texts().proof;
  const said = proof.is_undecided ? words.undecided : proof.holds ? words.holds : words.refuted;
  return (
    <section class="verdict" data-holds={proof.holds} aria-label={words.verdict}>
      <p>
        <span class="sign" aria-hidden="true">
          {proof.holds ? "✓" : "✕"}
        </span>{" "}
        <strong>{said(proof.iteration)}</strong>{" "}
        <span class="quiet">{proof.checks.length > 0 ? label(words.methods, proof.method) : words.noChecks}</span>
      </p>
      <Reasons name={words.reasons} reasons={proof.reasons} />
      <Reasons name={words.weaker} reasons={proof.weaker} />
    </section>
  );
}

function Reasons({ name, reasons }: { name: string; reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <>
      <h2 class="small">{name}</h2>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </>
  );
}

function Judged({ proof }: { proof: Proof }) {
  const words = texts().proof;
  if (proof.judged.length === 0) return null;
  return (
    <Section title={words.judged}>
      <ul class="notes">
        {proof.judged.map(({ id, criterion, is_met }) => (
          <li key={id}>
            <Chip tone={is_met ? "good" : "bad"}>{is_met ? words.met : words.unmet}</Chip>
            <span>{criterion}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Ignored({ proof }: { proof: Proof }) {
  const words = texts().proof;
  if (proof.made_since.length === 0) return null;
  return (
    <Section title={words.madeSince}>
      <ul class="paths">
        {proof.made_since.map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}
