import { expect, test } from "vitest";
import { createGithubTracker } from "../../../src/connection/trackers/github/github-tracker.ts";
import { proxyServer } from "../../support/proxy-server.ts";

test("GitHub is asked through the proxy of the run's environment", async () => {
  const proxy = await proxyServer(1, { refuses: 404 });
  const tracker = createGithubTracker({
    owner: "o",
    repo: "r",
    token: async () => "t",
    api_url: "http://github.test",
    environment: { HTTP_PROXY: proxy.url },
  });

  await expect(tracker.get("issue", 1, new AbortController().signal)).rejects.toThrow();

  expect(proxy.asked).toEqual(["GET http://github.test/repos/o/r/issues/1"]);
});
