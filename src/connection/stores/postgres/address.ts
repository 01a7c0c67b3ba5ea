import { readFileSync } from "node:fs";
import { E8Error } from "../../../model/errors.ts";
import { message, type Statement } from "../../../model/message.ts";
import { problemOf } from "../files/faults.ts";

/** Where a store is, as its URL says it. Ours of its parameters are `schema`, `project` and `lease`; the others are PostgreSQL's. */
export interface Address {
  /** For the driver: without our parameters and those about TLS. May hold a password. */
  connection: string;
  tls: Tls;
  /** For people and records: without user, password and parameters but the schema. */
  name: string;
  schema: string;
  /** Whose tasks and knowledge are meant; the project's own name where absent. */
  project: string | undefined;
  /** A run that shows no life for so many seconds loses its task. */
  lease: number;
}

/** False: not encrypted. Without a certificate to check, only listening in is prevented. */
export type Tls =
  | false
  | { rejectUnauthorized: boolean; ca?: string; cert?: string; key?: string; checkServerIdentity?: () => undefined };

const DEFAULT_SCHEMA = "endless8";
const DEFAULT_LEASE = 60;
const OURS = ["schema", "project", "lease", "sslmode", "sslrootcert", "sslcert", "sslkey"];

/** Throws `store_url_invalid`, which never shows the URL itself. */
export function readAddress(url: string): Address {
  const parsed = parse(url);
  const get = (name: string) => parsed.searchParams.get(name) || undefined;
  const schema = get("schema") ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) throw invalid(message("store_schema_unfit", { schema }));
  const lease = Number(get("lease") ?? DEFAULT_LEASE);
  if (!(lease >= 1 && lease <= 3600)) throw invalid(message("store_lease_unfit", { lease: get("lease") ?? "" }));
  const tls = withOwn(tlsOf(parsed, get("sslmode"), get("sslrootcert")), get("sslcert"), get("sslkey"));
  const project = get("project");
  for (const name of OURS) parsed.searchParams.delete(name);
  const database = parsed.pathname.slice(1);
  const own = schema === DEFAULT_SCHEMA ? "" : `?schema=${schema}`;
  const name = `postgres://${parsed.host || "localhost"}/${database}${own}`;
  return { connection: parsed.href, tls, name, schema, project, lease };
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** Whether the URL holds a password: such a URL belongs into no file of a project. */
export function holdsPassword(url: string): boolean {
  const parsed = parse(url);
  return parsed.password !== "" || parsed.searchParams.has("password");
}

function parse(url: string): URL {
  if (!isPostgresUrl(url)) throw invalid(message("store_url_not_postgres", {}));
  try {
    const parsed = new URL(url);
    // A password with a bare slash ends in the name of the database, which people see.
    if (!parsed.pathname.includes("@") && parsed.hash === "") return parsed;
  } catch {
    // the error of the parser quotes the URL
  }
  throw invalid(message("store_url_broken", {}));
}

function invalid(problem: Statement): E8Error {
  return new E8Error("store_url_invalid", { problem });
}

const MODES = ["disable", "require", "verify-ca", "verify-full"];

/**
 * The modes mean what they mean to PostgreSQL's own programs. Where none is named, a database on another machine must show a certificate
 * for its name: what is sent unread by anybody today may be read tomorrow.
 */
function tlsOf({ hostname, searchParams }: URL, mode: string | undefined, root: string | undefined): Tls {
  if (mode !== undefined && !MODES.includes(mode))
    throw invalid(message("store_sslmode_unfit", { mode, known: MODES.join(", ") }));
  const chosen = mode ?? (isLocal(searchParams.get("host") ?? hostname) ? "disable" : "verify-full");
  if (chosen === "disable") return false;
  const ca = root === undefined ? {} : { ca: certificateIn(root) };
  if (chosen === "verify-full") return { rejectUnauthorized: true, ...ca };
  if (chosen === "require" && root === undefined) return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...ca, checkServerIdentity: () => undefined };
}

/** A certificate by which the database knows us. Not without its key, and not over a connection that shows it to nobody. */
function withOwn(tls: Tls, certificate: string | undefined, key: string | undefined): Tls {
  if (certificate === undefined && key === undefined) return tls;
  if (tls === false || certificate === undefined || key === undefined)
    throw invalid(message("store_sslcert_unfit", {}));
  return { ...tls, cert: certificateIn(certificate), key: certificateIn(key) };
}

function isLocal(host: string): boolean {
  return host === "" || host.startsWith("/") || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

function certificateIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(problemOf(error));
  }
}
