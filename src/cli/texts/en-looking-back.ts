/** What the commands say that look at what has happened. */
export const enLookingBack = {
  query: {
    rows: (count: number) => `${count} row(s)`,
    oneFormat: "choose --json or --csv, not both",
  },
};

export const enLookingBackHelp = {
  query: "ask about tasks, history and knowledge in SQL; without SQL, list the columns",
  sqlArgument: "one SQL question over the views tasks, history, knowledge (docs/queries.md)",
  csv: "print the rows as CSV (RFC 4180)",
};
