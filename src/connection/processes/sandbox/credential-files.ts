import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../../model/environment.ts";

/** Files and directories in HOME that let a program act in the user's name elsewhere, or tell what the user typed. */
const CREDENTIALS = `
  .ssh .gnupg .aws .azure .config/gcloud .config/azure .kube .docker .netrc .git-credentials .config/git/credentials .config/gh
  .config/glab-cli .config/hub .config/tea .config/github-copilot .npmrc .yarnrc.yml .pypirc .config/pypoetry/auth.toml .cargo/credentials
  .cargo/credentials.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet
  .config/NuGet .composer/auth.json .config/composer/auth.json .hex .pulumi .terraform.d .terraformrc .vault-token .config/op .op
  .config/1Password .password-store .local/share/keyrings .local/share/kwalletd .pki .mozilla .thunderbird .config/google-chrome
  .config/chromium .config/BraveSoftware .config/microsoft-edge .config/Bitwarden .config/doctl .fly .config/heroku .config/netlify
  .netlify .vercel .local/share/com.vercel.cli .config/rclone .s3cfg .boto .ngrok2 .config/ngrok .pgpass .my.cnf .mylogin.cnf .dbshell
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .lesshst .viminfo
  .codex .gemini .config/openai .config/anthropic .cache/gh .config/sops .age .minikube .config/argocd .databrickscfg .snowflake
  .config/stripe .config/wrangler .wrangler .config/firebase .config/configstore .oci .bluemix .config/hcloud .config/linode-cli
  .config/Slack .config/discord .config/Signal .claude.json.backup
`
  .trim()
  .split(/\s+/);

/** Directories that tools fill while they install packages; nothing in them is started by itself. */
const CACHES = `
  .cache .npm/_cacache .npm/_logs .npm/_npx .pnpm-store .local/share/pnpm/store .yarn/berry/cache .bun/install/cache .cargo/registry .cargo/git
  go/pkg/mod .gradle/caches .m2/repository .ivy2/cache .nuget/packages .pub-cache .composer/cache .bundle/cache .deno
`
  .trim()
  .split(/\s+/);

/** Variables that name such a directory, wherever it lies. */
const CACHE_VARIABLES = [
  "npm_config_cache",
  "YARN_CACHE_FOLDER",
  "GOMODCACHE",
  "GOCACHE",
  "PIP_CACHE_DIR",
  "UV_CACHE_DIR",
];

/** The credentials that are there, but for those that are kept. */
export function hiddenIn(home: string, environment: Environment, kept: readonly string[]): string[] {
  const moved = ["AWS_SHARED_CREDENTIALS_FILE", "KUBECONFIG", "DOCKER_CONFIG", "GNUPGHOME", "NPM_CONFIG_USERCONFIG"];
  const named = moved.flatMap((name) => environment[name] ?? []).filter((path) => path.startsWith("/"));
  return [...CREDENTIALS.map((name) => join(home, name)), ...named].filter(
    (path) => !kept.includes(path) && existsSync(path),
  );
}

/** The files that belong to a name of `pass_credentials`. */
const OF_GROUP: Readonly<Record<string, readonly string[]>> = {
  gh: [".config/gh", ".cache/gh"],
  glab: [".config/glab-cli"],
  git: [".git-credentials", ".config/git/credentials", ".netrc"],
  ssh: [".ssh"],
  all: CREDENTIALS,
};

export function passedIn(home: string, pass: readonly string[]): string[] {
  return pass.flatMap((name) => OF_GROUP[name] ?? []).map((name) => join(home, name));
}

export function cachesIn(home: string, environment: Environment): string[] {
  const moved = CACHE_VARIABLES.flatMap((name) => environment[name] ?? []).filter((path) => path.startsWith("/"));
  return [...CACHES.map((name) => join(home, name)), ...moved].filter((path) => existsSync(path));
}
