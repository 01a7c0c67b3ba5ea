import type { Message, Statement } from "../message.ts";

/** How long a command may take, and the setting that says so. */
export interface TimeLimit {
  seconds: number;
  setting: string;
}

/** Messages that several areas share: lists, files, directories, processes. */
export interface SystemMessages {
  git_missing: object;
  /** `problem`: what git said, perhaps nothing. */
  snapshot_failed: { problem?: string };
  restore_failed: { problem?: string };
  /** `files`: the first of them. */
  restore_would_lose: { count: number; files: string };
  /** `commit`: the snapshot of all files from before. */
  restore_halfway: { problem?: string; id: string; commit: string };
  room_taken: object;
  room_submodules: object;
  sandbox_off: object;
  /** `adapter`: the only one that would have done. */
  sandbox_programs_missing: { adapter?: string };
  /** Said to a program that asks for it. */
  host_refused: { host: string };
  /** `said`: the words of the program that could not make a process space. */
  sandbox_refused: { said: string };
  room_failed: { problem: string };
  room_full: { path: string };
  room_too_large: { gigabytes: number; most: number };
  setup_failed: { command: string; outcome: Message; output: string };
  list: { items: readonly Statement[]; separator: string };
  /** Without a path, "it": the sentence around it names the file. */
  file_missing: { path?: string | undefined };
  file_count: { count: number };
  is_directory: object;
  not_a_regular_file: object;
  no_permission: object;
  directory_missing: { path: string };
  not_a_directory: { path: string };
  command_not_started: { problem: Statement };
  command_exited: { exit_code: number | null; seconds?: number };
  command_killed: { signal: string };
  /** `setting`: what would have to be raised. */
  command_timed_out: { limit?: TimeLimit };
  program_missing: { program: string };
  http_status: { status: number };
  cancelled: object;
  cancelled_before_start: object;
  default_export_missing: object;
  typescript_unsupported: object;
  flow_name_invalid: object;
  /** What zod reports about one value, without its sentence; `message` is given where the schema has words of its own. */
  schema_issue: { code: string; input?: unknown; message?: string };
}
