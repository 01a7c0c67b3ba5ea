import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { accountName } from "../../../src/connection/agents/account-name.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** A machine's HOME with these files. */
async function home(files: Readonly<Record<string, object>> = {}): Promise<{ HOME: string }> {
  const HOME = await temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(HOME, path)), { recursive: true });
    await writeFile(join(HOME, path), JSON.stringify(content));
  }
  return { HOME };
}

const claude = (accountUuid: string) => ({ ".claude.json": { oauthAccount: { accountUuid } } });
const codex = (account_id: string) => ({ ".codex/auth.json": { tokens: { access_token: "secret", account_id } } });

test("machines with the same login share an account, and others do not", async () => {
  const [one, same, other] = [await home(claude("a")), await home(claude("a")), await home(claude("b"))];
  expect(accountName("claude", one, undefined)).toBe(accountName("claude", same, undefined));
  expect(accountName("claude", one, undefined)).not.toBe(accountName("claude", other, undefined));

  const [first, second] = [await home(codex("a")), await home(codex("a"))];
  expect(accountName("codex", first, undefined)).toBe(accountName("codex", second, undefined));
  expect(accountName("codex", first, undefined)).not.toBe(accountName("claude", one, undefined));
  const gemini = { ".gemini/google_accounts.json": { active: "ann@example.com" } };
  expect(accountName("gemini", await home(gemini), undefined)).toBe(
    accountName("gemini", await home(gemini), undefined),
  );
});

test("a login is found where the vendor's variable says, and a key comes before it", async () => {
  const { HOME } = await home(claude("a"));
  const elsewhere = { ...(await home()), CLAUDE_CONFIG_DIR: HOME };
  expect(accountName("claude", elsewhere, undefined)).toBe(accountName("claude", { HOME }, undefined));
  const key = { ANTHROPIC_API_KEY: "fake" };
  expect(accountName("claude", { HOME, ...key }, undefined)).toBe(
    accountName("claude", { ...(await home()), ...key }, undefined),
  );
});

test("a login that does not say whose it is, is the machine's alone, unless its owner names it", async () => {
  const [one, other] = [await home(), await home({ ".claude.json": { oauthAccount: null } })];
  expect(accountName("claude", one, undefined)).not.toBe(accountName("claude", other, undefined));
  expect(accountName("command:x", one, undefined)).not.toBe(accountName("command:x", other, undefined));
  expect(accountName("claude", one, "team-max")).toBe("claude team-max");
});
