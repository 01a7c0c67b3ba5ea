import { describeWithPostgres } from "../support/postgres.ts";
import { madeStore } from "../support/postgres-store.ts";
import { testTaskStore } from "./task-store.contract.ts";

describeWithPostgres("PostgreSQL", (postgres) => {
  testTaskStore(async () => {
    const { store, database } = await madeStore(postgres().schema());
    return {
      store,
      abandon: async ({ task }) => {
        await database.ask(
          "update e8.task set lease_until = clock_timestamp() - interval '1 second' where task_id = $1",
          [task.task_id],
        );
      },
    };
  });
});
