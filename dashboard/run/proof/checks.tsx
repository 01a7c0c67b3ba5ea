import { Chip, Section } from "../../parts/bits.tsx";
import { texts } from "../../texts/texts.ts";
import type { Proof } from "./proof-tab.tsx";

/** Each check before the first work and in the proof. */
export function Checks({ checks }: { checks: Proof["checks"] }) {
  const words = texts().proof;
  if (checks.length === 0) return null;
  return (
    <Section title={words.checks}>
      <table class="plain-table wide">
        <thead>
          <tr>
            <th scope="col">{words.check}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.id}>
              <th scope="row">
                <span class="id number">{check.id}</span> <code>{check.criterion}</code>
              </th>
              <td>
                <Outcome passed={check.before} />
              </td>
              <td>
                <span class="arrow" aria-hidden="true">
                  →
                </span>
                <Outcome passed={check.after} /> <Remarks check={check} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Outcome({ passed }: { passed: boolean | null }) {
  const words = texts().proof;
  if (passed === null) return <Chip>{words.unknown}</Chip>;
  return <Chip tone={passed ? "good" : "bad"}>{passed ? words.passed : words.failed}</Chip>;
}

function Remarks({ check }: { check: Proof["checks"][number] }) {
  const words = texts().proof;
  const remarks = [
    check.fails_in_room && words.inRoom,
    check.is_in_place && words.inPlace,
    check.is_flaky && words.flaky,
    check.passes && words.passes(check.passes.passed, check.passes.needed),
  ].filter((remark) => typeof remark === "string");
  return <span class="quiet small">{remarks.join(" · ")}</span>;
}
