export { packageVersion } from "../connection/version.ts";
