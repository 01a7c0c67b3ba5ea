export { findProject } from "../connection/project.ts";
