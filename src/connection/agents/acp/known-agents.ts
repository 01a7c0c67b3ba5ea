import type { KnownAgent, LoginFile, SessionModes } from "./known-agent.ts";

/** Directories below HOME in whose place a variable may name another one, or the directory that it is in. */
export const MOVED = {
  ".codex": "CODEX_HOME",
  ".gemini": "GEMINI_CLI_HOME/.gemini",
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

/** Of models that a user of an agent without a vendor may have chosen. */
const VENDORS = ["api.anthropic.com", "api.openai.com", "openrouter.ai", "generativelanguage.googleapis.com"];

/** Has a key or a login where the machine has no keyring. */
const GEMINI_SEALED: LoginFile = { path: ".gemini/gemini-credentials.json", is_sealed: true };

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
    needs: {
      hosts: ["api.openai.com", "chatgpt.com", "auth.openai.com"],
      server: "OPENAI_BASE_URL",
      folders: [".codex"],
      deciding: [".codex/config.toml", ".codex/AGENTS.md", ".codex/prompts", ".codex/rules", ".codex/skills"],
    },
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
      variables: ["GEMINI_API_KEY"],
      files: [GEMINI_SEALED],
      command: "gemini",
      // Over the protocol, no variable chooses the way (GOOGLE_GENAI_USE_VERTEXAI does so elsewhere).
      chosen: {
        path: ".gemini/settings.json",
        pattern: /"selectedType"\s*:\s*"([^"]+)"/,
        ways: {
          "oauth-personal": { variables: [], files: [{ path: ".gemini/oauth_creds.json" }, GEMINI_SEALED] },
          "vertex-ai": {
            variables: ["GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT + GOOGLE_CLOUD_LOCATION"],
            files: [],
            borrows: [".config/gcloud"],
          },
        },
      },
    },
    needs: {
      hosts: [
        "generativelanguage.googleapis.com",
        "cloudcode-pa.googleapis.com",
        "aiplatform.googleapis.com",
        "*-aiplatform.googleapis.com",
        "aiplatform.*.rep.googleapis.com",
        "oauth2.googleapis.com",
        "accounts.google.com",
      ],
      server: "GOOGLE_GEMINI_BASE_URL",
      folders: [".gemini"],
      deciding: [".gemini/settings.json", ".gemini/GEMINI.md", ".gemini/extensions", ".gemini/commands"],
    },
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
    needs: {
      hosts: ["opencode.ai", "models.dev", ...VENDORS],
      server: "",
      folders: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
      deciding: [".config/opencode"],
    },
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
    needs: {
      hosts: VENDORS,
      server: "OPENAI_HOST",
      folders: [".config/goose", ".local/share/goose", ".local/state/goose"],
      deciding: [".config/goose"],
    },
  },
  "claude-agent-acp": {
    title: "claude-agent-acp",
    command: ["claude-agent-acp"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    environment: {},
    modes: COMMON_MODES,
    // Its tokens are without those of subagents; its cost is of all.
    reports_tokens: false,
    reports_cost: true,
    tells_limits: true,
    login: {
      variables: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
      files: [],
      command: "claude-agent-acp --cli auth login",
      status: ["--cli", "auth", "status", "--json"],
    },
    needs: "claude",
  },
} as const satisfies Record<string, KnownAgent>;

export type KnownAgentName = keyof typeof KNOWN_AGENTS;

/** Starts other programs: what follows is one. */
const STARTER = /^(?:npx|bunx|pnpx|pnpm|yarn|npm|bun|dlx|exec|x|env|node)$/;

/** The agent that a command starts, by its program or by the package that it comes in. */
export function knownAgentIn(words: readonly string[]): KnownAgentName | undefined {
  const names = words.map((word) => /(?:^|\/)([\w-]+)(?:@[^/]*)?(?:\/dist\/index\.js)?$/.exec(word)?.[1] ?? word);
  const program = words.findIndex((word, index) => !/^-|^\w+=/.test(word) && !STARTER.test(names[index] ?? ""));
  const found = Object.entries(KNOWN_AGENTS).find(([, { command }]) => command[0] === names[program]);
  return found?.[0] as KnownAgentName | undefined;
}
