// The processor time of a process, of what it has started, and of the database's server, as /proc tells it.
import { readdirSync, readFileSync } from "node:fs";

const MILLISECONDS_A_TICK = 10;

/** In milliseconds, since each of them began. Empty where there is no /proc. */
export function cpuOf({ pid: server }, pid) {
  const rows = processes();
  const own = rows.find((one) => one.pid === pid);
  if (!own) return {};
  const helper = rows.find((one) => one.parent === pid && one.line.includes("git-helper"));
  const backends = rows.filter((one) => one.parent === server);
  const ended = rows.find((one) => one.pid === server)?.children ?? 0;
  return {
    "our process": own.self,
    ...(helper && { "its git helper": helper.self, git: helper.children }),
    "worker and check": own.children,
    PostgreSQL: backends.reduce((sum, one) => sum + one.self, ended),
  };
}

function processes() {
  let ids = [];
  try {
    ids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
  return ids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const [self, children] = [fields[11] + fields[12], fields[13] + fields[14]];
      return [
        { pid, parent: fields[1], line, self: self * MILLISECONDS_A_TICK, children: children * MILLISECONDS_A_TICK },
      ];
    } catch {
      return []; // it has ended
    }
  });
}
