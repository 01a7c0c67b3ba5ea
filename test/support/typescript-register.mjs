import module from "node:module";
import { load } from "./typescript-hooks.mjs";

// Node 26 warns of the one, and Node 20 does not have the other.
if (module.registerHooks) module.registerHooks({ load });
else module.register("./typescript-hooks.mjs", import.meta.url);
