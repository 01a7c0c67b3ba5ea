import type { TaskView } from "../../../src/model/dashboard.ts";
import { Chip, Section } from "../../parts/bits.tsx";
import { coded } from "../../parts/coded.tsx";
import { label, texts } from "../../texts/texts.ts";
import { lineAddress, Quoted } from "./place.tsx";
import type { Proof } from "./proof-tab.tsx";

/** Changed files that the checks rest on, and what the reviewers found about them. */
export function Protected({ proof, view }: { proof: Proof; view: TaskView }) {
  const words = texts().proof;
  const policy = proof.protection && label(words.policy, proof.protection);
  return (
    <Section title={words.protected} side={policy && <span class="quiet small">{policy}</span>}>
      {proof.protected_changes.length === 0 ? (
        <p class="quiet">{words.noProtected}</p>
      ) : (
        <table class="plain-table wide">
          <thead>
            <tr>
              <th scope="col">{words.file}</th>
              <th scope="col">{words.change}</th>
              <th scope="col">{words.why}</th>
              <th scope="col">{words.verdict}</th>
            </tr>
          </thead>
          <tbody>
            {proof.protected_changes.map((change) => (
              <tr key={change.path}>
                <th scope="row">
                  <a href={lineAddress(view, change.path, 1)}>
                    <code>{change.path}</code>
                  </a>
                </th>
                <td>{label(texts().changes.statuses, change.status)}</td>
                <td>{label(words.whys, change.why)}</td>
                <td>
                  {change.is_allowed ? (
                    <Chip tone="good">{coded(words.allowed)}</Chip>
                  ) : (
                    <Demands proof={proof} path={change.path} view={view} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Demands({ proof, path, view }: { proof: Proof; path: string; view: TaskView }) {
  const words = texts().proof;
  const said =
    proof.review?.reviews.flatMap((review) => review.protected_files.filter(({ file }) => file === path)) ?? [];
  return (
    <>
      {said.map((one) => (
        <details key={`${one.line} ${one.demand}`}>
          <summary>
            <Chip tone={one.is_demanded && one.is_demand_verified ? "good" : "bad"}>
              {one.is_demanded ? words.demanded : words.notDemanded}
            </Chip>
          </summary>
          {one.demand && <blockquote>{one.demand}</blockquote>}
          {one.is_demanded && !one.is_demand_verified && <p class="small bad">{words.invented}</p>}
          <Quoted quoted={one} view={view} />
        </details>
      ))}
    </>
  );
}
