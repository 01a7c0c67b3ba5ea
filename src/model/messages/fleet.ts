/** Why a task is not taken by a fleet. `key`: as a task file has it. */
export interface FleetMessages {
  repository_url_secret: object;
  repository_url_scheme: { url: string };
  repository_url_local: { url: string };
  ref_name_invalid: { key: string; name: string };
  submitted_path_outside: { key: string; path: string };
  submitted_key_refused: { key: string };
  submitted_value_secret: { key: string };
  submitted_repository_missing: object;
  allowance_repository: { url: string };
  allowance_base: { base: string };
  allowance_command: { key: string; command: string };
  allowance_agent: { agent: string };
  allowance_server: { name: string };
  allowance_credential: { name: string };
  allowance_host: { key: string; host: string };
  allowance_sandbox: { level: string; least: string };
}
