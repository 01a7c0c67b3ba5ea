import type { Environment } from "../../../model/environment.ts";

/** Names of session modes, the best first. */
export interface SessionModes {
  /** For work: files may be changed below the working directory. */
  work: readonly string[];
  /** For work of which not everything is allowed: more than reading is asked for, or does not happen. */
  asking: readonly string[];
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
  /** Whether its answers come with all the tokens that they took, and with what they cost. */
  reports_tokens: boolean;
  reports_cost: boolean;
  /** Whether it says that its model refuses, instead of waiting for it without a word. */
  tells_limits: boolean;
  /** A line of its log on stderr that says why its model refuses; groups `session` and `said`. */
  refusal?: RegExp;
  login: Login;
  /** The request that names a session. Without it, the agent asks its model for a name, which costs a turn that it does not tell of. */
  names_sessions?: string;
  /** Hosts of its model and of its login. */
  hosts: readonly string[];
  /** A variable that names another server for its model. */
  server: string;
  /** Its own directories, below HOME. */
  folders: readonly string[];
  /** Of these, what decides what it runs: a worker must not leave anything in them for the user's next session. */
  deciding: readonly string[];
}

/** How to see that somebody is logged in, without asking anybody. */
export interface Login {
  /** Variables that may hold a key. */
  variables: readonly string[];
  /** Files below HOME that hold something after a login. */
  files: readonly LoginFile[];
  /** What a user types to log in. */
  command: string;
  /**
   * Its method of the protocol's `authenticate` that takes the key out of one of the variables. Asked for only when the agent says that
   * it needs a login: one that the user has made goes first.
   */
  key_method?: string;
  /** Its settings, in TOML, which may name a provider of models with a key of its own, or with none. */
  providers?: {
    path: string;
    /** A variable that names the provider, whatever the settings say. */
    chosen_by: string;
    /** The provider that takes the login above. */
    usual: string;
  };
}

export interface LoginFile {
  path: string;
  /** Keys that a file may have without a login. */
  aside?: readonly string[];
}

/** Directories below HOME in whose place a variable may name another one. */
export const MOVED = {
  ".codex": "CODEX_HOME",
  ".config": "XDG_CONFIG_HOME",
  ".cache": "XDG_CACHE_HOME",
  ".local/share": "XDG_DATA_HOME",
  ".local/state": "XDG_STATE_HOME",
} as const;

/** Names that agents have for the same thing. */
export const COMMON_MODES: SessionModes = {
  work: ["default", "agent", "auto", "build", "code"],
  asking: ["read-only", "default", "ask", "approve", "plan"],
  unrestricted: ["bypassPermissions", "full-access", "agent-full-access", "yolo", "auto"],
  answer: ["dontAsk", "read-only", "default", "ask"],
};

/** Without it, opencode asks nobody. */
const ASKING = JSON.stringify({ edit: "ask", bash: "ask", webfetch: "ask" });

export const KNOWN_AGENTS = {
  codex: {
    title: "Codex",
    command: ["codex-acp"],
    install: "npm install -g @agentclientprotocol/codex-acp",
    // Sessions begin in the mode in which most of them go on.
    environment: { NO_BROWSER: "1", INITIAL_AGENT_MODE: "workspace-write" },
    // In its mode "agent" another model of the user's account decides about permissions, and not we.
    modes: {
      ...COMMON_MODES,
      work: ["workspace-write", "agent", "auto"],
      asking: ["read-only"],
      answer: ["read-only"],
    },
    reports_tokens: true,
    reports_cost: false,
    tells_limits: true,
    names_sessions: "session/set_title",
    login: {
      variables: ["CODEX_API_KEY", "OPENAI_API_KEY"],
      files: [{ path: ".codex/auth.json", aside: ["auth_mode", "last_refresh"] }],
      command: "codex login",
      key_method: "api-key",
      providers: {
        path: ".codex/config.toml",
        chosen_by: "MODEL_PROVIDER",
        usual: "openai",
      },
    },
    hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
    server: "OPENAI_BASE_URL",
    folders: [".codex"],
    deciding: [".codex/config.toml", ".codex/AGENTS.md", ".codex/prompts", ".codex/rules", ".codex/skills"],
  },
  gemini: {
    title: "Gemini CLI",
    command: ["gemini", "--acp"],
    install: "npm install -g @google/gemini-cli",
    environment: { GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" },
    modes: { work: ["default"], asking: ["default"], unrestricted: ["yolo"], answer: ["default"] },
    reports_tokens: true,
    reports_cost: false,
    tells_limits: true,
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
    server: "GOOGLE_GEMINI_BASE_URL",
    folders: [".gemini"],
    deciding: [".gemini/settings.json", ".gemini/GEMINI.md", ".gemini/extensions", ".gemini/commands"],
  },
  opencode: {
    title: "opencode",
    command: ["opencode", "acp", "--print-logs", "--log-level", "ERROR"],
    install: "npm install -g opencode-ai",
    environment: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_PERMISSION: ASKING },
    modes: { ...COMMON_MODES, work: ["build"], asking: ["build"], answer: ["plan"] },
    // It tells those of the last request of an answer, and not of the ones before.
    reports_tokens: false,
    reports_cost: true,
    // It waits for hours if its model's server says so, and only its log says why.
    tells_limits: false,
    refusal:
      /level=ERROR .*message="stream error" .*session\.id=(?<session>\S+) small=false .*error\.error="(?<said>(?:[^"\\]|\\.)*)"/,
    login: {
      variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
      files: [{ path: ".local/share/opencode/auth.json" }],
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
    server: "",
    folders: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
    deciding: [".config/opencode"],
  },
  goose: {
    title: "goose",
    command: ["goose", "acp"],
    install: "https://block.github.io/goose/docs/getting-started/installation",
    environment: { GOOSE_DISABLE_KEYRING: "1" },
    modes: {
      ...COMMON_MODES,
      work: ["approve", "auto"],
      asking: ["approve"],
      unrestricted: ["auto"],
      answer: ["approve", "chat"],
    },
    reports_tokens: false,
    reports_cost: false,
    tells_limits: true,
    login: {
      variables: ["GOOSE_PROVIDER", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"],
      files: [{ path: ".config/goose/config.yaml" }],
      command: "goose configure",
    },
    hosts: ["api.anthropic.com", "api.openai.com", "openrouter.ai", "generativelanguage.googleapis.com"],
    server: "OPENAI_HOST",
    folders: [".config/goose", ".local/share/goose", ".local/state/goose"],
    deciding: [".config/goose"],
  },
} as const satisfies Record<string, KnownAgent>;

export type KnownAgentName = keyof typeof KNOWN_AGENTS;
