import { type Redact, redacted } from "../../model/redaction.ts";
import type { Doors } from "../ports/doors.ts";
import type { OpenTask } from "../ports/open-task.ts";
import type { TaskStore } from "../ports/task-store.ts";

declare const redacts: unique symbol;

/** A store whose writes hold no secrets. Only `redactingStore` makes one, and a run takes no other. */
export type RedactingStore = TaskStore & { readonly [redacts]: true };

/**
 * The store that everything is written through: secrets end here. What a user has typed as a task is kept as it is, since its commands
 * must still work; nothing else of it is told (`run-start` is an event). Reading is left alone.
 */
export function redactingStore(store: TaskStore, redact: Redact): RedactingStore {
  return {
    ...bound(store),
    open: async (id, options) => redactingTask(await store.open(id, options), redact),
    tell: (id, text, now) => store.tell(id, redact(text), now),
    addKnowledge: (draft, now) => store.addKnowledge(redacted(draft, redact), now),
  } satisfies TaskStore as unknown as RedactingStore;
}

/** Stores may be objects of a class, whose methods know their own object only. */
function bound(store: TaskStore): TaskStore {
  return {
    create: (input) => store.create(input),
    open: (id, options) => store.open(id, options),
    read: (id) => store.read(id),
    list: () => store.list(),
    overviews: (ids) => store.overviews(ids),
    past: (id) => store.past(id),
    holder: (id) => store.holder(id),
    cancel: (id) => store.cancel(id),
    remove: (id) => store.remove(id),
    sweep: () => store.sweep(),
    size: (id) => store.size(id),
    copiedTo: (persist) => store.copiedTo(persist),
    pause: (id) => store.pause(id),
    unpause: (id) => store.unpause(id),
    tell: (id, text, now) => store.tell(id, text, now),
    events: (id, options) => store.events(id, options),
    watch: (changed) => store.watch(changed),
    rawLog: (id, request) => store.rawLog(id, request),
    knowledge: (request) => store.knowledge(request),
    addKnowledge: (draft, now) => store.addKnowledge(draft, now),
  };
}

/** Also what only some stores have: a member that is not named here does not compile. */
type Members = { [Name in keyof Required<OpenTask>]: OpenTask[Name] };

function redactingTask(task: OpenTask, redact: Redact): OpenTask {
  const { history, knowledge, ledger, events, notes, doors } = task;
  const facts: Pick<OpenTask, "task" | "cancelled"> = {
    get task() {
      return task.task;
    },
    get cancelled() {
      return task.cancelled;
    },
  };
  return Object.defineProperties(
    {
      location: task.location,
      folder: task.folder,
      history_path: task.history_path,
      token: task.token,
      output_path: task.output_path,
      ledger,
      notes,
      doors: doors && redactingDoors(doors, redact),
      lane: task.lane,
      history: {
        append: (record) => history.append(redacted(record, redact)),
        copy: (record) => history.copy(redacted(record, redact)),
        records: () => history.records(),
        recall: () => history.recall(),
        ...(history.mark && { mark: async (state) => history.mark?.(() => redacted(state(), redact)) }),
        context: (size) => history.context(size),
      },
      knowledge: {
        add: (entries) => knowledge.add(redacted(entries, redact)),
        relevant: (text, size) => knowledge.relevant(text, size),
        applied: (entries) => knowledge.applied(entries),
        flush: () => knowledge.flush(),
      },
      events: { append: (event) => events.append(redacted(event, redact)) },
      rawLog: (iteration, role, line) => task.rawLog(iteration, role, redact(line)),
      rawLogPath: (iteration) => task.rawLogPath(iteration),
      onPauseRequest: (listener) => task.onPauseRequest(listener),
      markPaused: (isPaused) => task.markPaused(isPaused),
      save: (change) => task.save({ ...change, ...redactedWords(change, redact) }),
      saveOutput: (output) => task.saveOutput({ ...output, text: redact(output.text) }),
      readOutput: (iteration) => task.readOutput(iteration),
      verify: () => task.verify(),
      requireHeld: () => task.requireHeld(),
      takeNotices: () => task.takeNotices(),
      release: () => task.release(),
    } satisfies Omit<Members, "task" | "cancelled"> as OpenTask,
    Object.getOwnPropertyDescriptors(facts),
  );
}

/** Why an account is closed is told in the words of the agent that was refused. */
function redactingDoors(doors: Doors, redact: Redact): Doors {
  return {
    enter: (account, signal) => doors.enter(account, signal),
    close: (account, failure, until) => doors.close(account, redacted(failure, redact), until),
  };
}

/** What models and users have said. */
function redactedWords({ intake, answers, issues }: Change, redact: Redact): Change {
  return {
    ...(intake && { intake: redacted(intake, redact) }),
    ...(answers && { answers: redacted(answers, redact) }),
    ...(issues && { issues: redacted(issues, redact) }),
  };
}

type Change = Parameters<OpenTask["save"]>[0];
