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
  /** What it reaches and writes. `claude`: it is Claude Code behind the protocol, with its settings, its login and its files. */
  needs: Needs | "claude";
}

/** What an agent needs of a sandbox that is closed otherwise. */
export interface Needs {
  /** Hosts of its model and of its login. */
  hosts: readonly string[];
  /** A variable that names another server for its model. */
  server: string;
  /** Its own directories, below HOME. */
  folders: readonly string[];
  /** Of these, what decides what it runs: a worker must not leave anything in them for the user's next session. */
  deciding: readonly string[];
}

/** What may stand for a login. */
export interface LoginWay {
  /** Variables that may hold a key; `A + B` where it takes both. */
  variables: readonly string[];
  /** Files below HOME that hold something after a login. */
  files: readonly LoginFile[];
  /** Below HOME: credentials of other programs that it uses. */
  borrows?: readonly string[];
}

/** How to see that somebody is logged in, without asking anybody. */
export interface Login extends LoginWay {
  /** What a user types to log in. */
  command: string;
  /** Arguments with which the program itself says, as JSON, whether there is a login. */
  status?: readonly string[];
  /** Other ways, of which its settings choose one; then no other counts. */
  chosen?: {
    path: string;
    /** Finds the name of the way in the settings. */
    pattern: RegExp;
    ways: Readonly<Record<string, LoginWay>>;
  };
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
  /** Its content cannot be read. */
  is_sealed?: true;
}
