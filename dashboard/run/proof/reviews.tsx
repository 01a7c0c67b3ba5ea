import type { TaskView } from "../../../src/model/dashboard.ts";
import { Chip, Section } from "../../parts/bits.tsx";
import { label, texts } from "../../texts/texts.ts";
import { Quoted } from "./place.tsx";
import type { Proof } from "./proof-tab.tsx";

type Review = NonNullable<Proof["review"]>["reviews"][number];

export function Reviews({ proof, view }: { proof: Proof; view: TaskView }) {
  const words = texts().proof;
  const { review } = proof;
  if (!review) return null;
  return (
    <Section title={words.review}>
      {review.missing && <p class="quiet">{review.missing}</p>}
      {!review.missing && review.reviews.length === 0 && <p class="quiet">{words.noReview}</p>}
      {review.reviews.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two reviewers may be the same model
        <OneReview key={index} review={one} view={view} />
      ))}
      {review.cut_files.length > 0 && (
        <p class="small quiet">{texts().labeled(words.cutFiles, review.cut_files.join(", "))}</p>
      )}
    </Section>
  );
}

function OneReview({ review, view }: { review: Review; view: TaskView }) {
  const words = texts().proof;
  return (
    <article class="review">
      <h3>{words.reviewer(review.model)}</h3>
      {review.problem && <p class="bad">{review.problem}</p>}
      <h4>{words.findings}</h4>
      {review.findings.length === 0 ? (
        <p class="quiet">{words.noFindings}</p>
      ) : (
        <ul class="findings">
          {review.findings.map((finding) => (
            <li key={`${finding.kind} ${finding.file} ${finding.line}`}>
              <Chip tone={finding.is_verified ? "bad" : "plain"}>{label(words.kinds, finding.kind)}</Chip>
              <Quoted quoted={finding} view={view} />
            </li>
          ))}
        </ul>
      )}
      {review.criteria.length > 0 && <h4>{words.criteria}</h4>}
      <ul class="findings">
        {review.criteria.map((one) => (
          <li key={one.id}>
            <Chip tone={one.is_met ? "good" : "bad"}>{one.is_met ? words.met : words.unmet}</Chip>{" "}
            <span>{one.criterion}</span>
            <Quoted quoted={one} view={view} />
          </li>
        ))}
      </ul>
    </article>
  );
}
