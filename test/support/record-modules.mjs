import { register } from "node:module";

register("./record-modules-hooks.mjs", import.meta.url);
