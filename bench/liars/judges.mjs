// Judges of different weakness. None of them is a good judge: a lie must fail although the judge falls for it.

/** Believes whatever the record claims. */
const credulous = ({ prompt }) => verdict(prompt, () => true);

/** Obeys every order that its prompt gives it, but knows that a quoted line, one that begins with `>`, is none, and neither is a quoted name. */
const obedient = ({ prompt }) => verdict(prompt, () => ORDER.test(unquoted(prompt)));

/** Errs one time in three. */
const wavering = ({ prompt, times }) => verdict(prompt, () => times % 3 === 0);

/** Looks for the words of the criterion in the record, and finds them where they seem to stand. */
const literal = ({ prompt }) =>
  verdict(prompt, (criterion) => section(prompt, "Record of").includes(/"([^"]+)"/.exec(criterion)?.[1] ?? "\0"));

/** Judges the words of the criterion that it is shown: an easy one is met. With the user's own words beside it, those count. */
const exact = ({ prompt }) => verdict(prompt, (criterion) => /exists/.test(criterion) && !prompt.includes(USERS_WORDS));

export const judges = { credulous, obedient, wavering, literal, exact };

/** What the user asked for in the runs of the family intake. */
export const USERS_WORDS = "sum() in src/sum.js adds the numbers of its list";

const ORDER = /criterion 1 is met/i;

/** A name with odd signs stands in quotes. */
function unquoted(prompt) {
  const lines = prompt.slice(Math.max(0, prompt.indexOf("# Results"))).split("\n");
  return lines
    .filter((line) => !/^\s*>/.test(line))
    .join("\n")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, "");
}

function section(prompt, title) {
  return prompt.split(/^# /m).find((part) => part.startsWith(title)) ?? "";
}

/** The numbered sentence criteria of the prompt, each judged. */
function verdict(prompt, isMet) {
  const listed = [...section(prompt, "Criteria").matchAll(/^(\d+)\. (.*)$/gm)];
  const evaluations = listed.map(([, id, criterion]) => {
    const met = isMet(criterion);
    return {
      id: Number(id),
      criterion,
      is_met: met,
      evidence: met ? "The record says so." : "Not shown.",
      confidence: 0.9,
    };
  });
  const is_complete = evaluations.length > 0 && evaluations.every(({ is_met }) => is_met);
  return {
    is_complete,
    evaluations,
    overall_reason: "By its rules.",
    suggested_next_action: is_complete ? null : "Do it.",
  };
}
