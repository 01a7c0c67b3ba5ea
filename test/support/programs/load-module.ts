import { loadModule } from "../../../src/connection/flows/modules.ts";
import { asE8Error } from "../../../src/model/errors.ts";

/** Loads each of the modules by Node's own means, and prints what came of it. */
for (const path of process.argv.slice(2)) {
  const outcome = await loadModule(path).then(
    (loaded) => ({ loaded: typeof loaded === "function" ? loaded() : loaded }),
    (error) => ({ code: asE8Error(error).code, details: asE8Error(error).details }),
  );
  console.log(JSON.stringify(outcome));
}
