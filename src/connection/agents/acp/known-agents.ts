import type { Environment } from "../../../model/environment.ts";

/** Names of session modes, the best first. */
export interface SessionModes {
  /** For work: files may be changed below the working directory. */
  work: readonly string[];
  /** For work that needs no permission at all. */
  unrestricted: readonly string[];
  /** For answers that need no tools. */
  answer: readonly string[];
}

/** An agent that many people have. It is looked for on the PATH and never installed. */
export interface KnownAgent {
  /** As people call it. */
  title: string;
  /** The program that speaks the protocol, with its arguments. */
  command: readonly [string, ...string[]];
  /** What a user types to get the program. */
  install: string;
  environment: Environment;
  modes: SessionModes;
  /** Whether its answers come with the tokens that they took, and with what they cost. */
  reports_tokens: boolean;
  reports_cost: boolean;
  login: Login;
  /** Hosts of its model and of its login. */
  hosts: readonly string[];
  /** Its own files, below HOME. */
  folders: readonly string[];
}

/** How to see that somebody is logged in, without asking anybody. */
export interface Login {
  /** Variables that may hold a key. */
  variables: readonly string[];
  /** Files below HOME that are there after a login. `variable` names another directory for the first part of the path. */
  files: readonly { path: string; variable?: string }[];
  /** What a user types to log in. */
  command: string;
}

/** Names that agents have for the same thing. */
export const COMMON_MODES: SessionModes = {
  work: ["default", "agent", "auto", "build", "code"],
  unrestricted: ["bypassPermissions", "full-access", "agent-full-access", "yolo", "auto"],
  answer: ["dontAsk", "read-only", "default", "ask"],
};

export const KNOWN_AGENTS = {
  codex: {
    title: "Codex",
    command: ["codex-acp"],
    install: "npm install -g @agentclientprotocol/codex-acp",
    environment: { NO_BROWSER: "1" },
    modes: { ...COMMON_MODES, work: ["agent", "auto"], answer: ["read-only"] },
    reports_tokens: true,
    reports_cost: false,
    login: {
      variables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
      files: [{ path: ".codex/auth.json", variable: "CODEX_HOME" }],
      command: "codex login",
    },
    hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
    folders: [".codex"],
  },
  gemini: {
    title: "Gemini CLI",
    command: ["gemini", "--acp"],
    install: "npm install -g @google/gemini-cli",
    environment: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    modes: { ...COMMON_MODES, work: ["default"], unrestricted: ["yolo"], answer: ["default"] },
    reports_tokens: true,
    reports_cost: false,
    login: {
      variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
      files: [{ path: ".gemini/oauth_creds.json" }],
      command: "gemini",
    },
    hosts: [
      "generativelanguage.googleapis.com",
      "cloudcode-pa.googleapis.com",
      "aiplatform.googleapis.com",
      "*-aiplatform.googleapis.com",
      "oauth2.googleapis.com",
      "accounts.google.com",
    ],
    folders: [".gemini"],
  },
  opencode: {
    title: "opencode",
    command: ["opencode", "acp"],
    install: "npm install -g opencode-ai",
    environment: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
    modes: { ...COMMON_MODES, work: ["build"], answer: ["plan"] },
    reports_tokens: true,
    reports_cost: true,
    login: {
      variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
      files: [{ path: ".local/share/opencode/auth.json", variable: "XDG_DATA_HOME" }],
      command: "opencode auth login",
    },
    hosts: [
      "opencode.ai",
      "models.dev",
      "api.anthropic.com",
      "api.openai.com",
      "openrouter.ai",
      "generativelanguage.googleapis.com",
    ],
    folders: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
  },
  goose: {
    title: "goose",
    command: ["goose", "acp"],
    install: "https://block.github.io/goose/docs/getting-started/installation",
    environment: { GOOSE_DISABLE_KEYRING: "1" },
    modes: { ...COMMON_MODES, work: ["approve", "auto"], unrestricted: ["auto"], answer: ["approve", "chat"] },
    reports_tokens: false,
    reports_cost: false,
    login: {
      variables: ["GOOSE_PROVIDER", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"],
      files: [{ path: ".config/goose/config.yaml", variable: "XDG_CONFIG_HOME" }],
      command: "goose configure",
    },
    hosts: ["api.anthropic.com", "api.openai.com", "openrouter.ai", "generativelanguage.googleapis.com"],
    folders: [".config/goose", ".local/share/goose", ".local/state/goose"],
  },
} as const satisfies Record<string, KnownAgent>;

export type KnownAgentName = keyof typeof KNOWN_AGENTS;
