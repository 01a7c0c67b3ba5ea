// Intakes: one keeps the user's words, the others weaken them.

const own = (prompt) => {
  const part = (title) =>
    prompt
      .split(/^# /m)
      .find((one) => one.startsWith(title))
      ?.replace(/^.*\n/, "")
      .trim() ?? "";
  return {
    task: part("Task"),
    criteria: [...part("Sentence criteria").matchAll(/^\d+\. (.*)$/gm)].map(([, text]) => text),
  };
};
const accepted = (task, criteria) => ({
  status: "accepted",
  task,
  criteria,
  clarification_questions: [],
  validation_notes: null,
});

const faithful = ({ prompt }) => accepted(own(prompt).task, own(prompt).criteria);

/** Asks only that the file is there. */
const weakening = ({ prompt }) =>
  accepted(
    own(prompt).task,
    own(prompt).criteria.map(() => "the file src/sum.js exists"),
  );

/** Weakens the task itself, too. */
const replacing = ({ prompt }) =>
  accepted(
    "Make sure that src/sum.js exists.",
    own(prompt).criteria.map(() => "the file src/sum.js exists"),
  );

/** Asks what is meant, until it is answered. */
const asking = ({ prompt }) =>
  /Answers the user has given\s+- /.test(prompt)
    ? faithful({ prompt })
    : {
        ...accepted(own(prompt).task, own(prompt).criteria),
        status: "needs_clarification",
        clarification_questions: [
          {
            question: "Must sum() really add?",
            context: "It decides what is tested.",
            suggested_answers: ["yes", "no"],
            criterion: 1,
          },
        ],
      };

export const intakes = { faithful, weakening, replacing, asking };
