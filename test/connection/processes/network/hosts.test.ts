import { expect, test } from "vitest";
import { isLocalAddress, namedBy, targetOf } from "../../../../src/connection/processes/network/hosts.ts";

const PATTERNS = [
  ...["registry.npmjs.org", "*.example.com", "localhost:5432", "bedrock-runtime.*.amazonaws.com", "10.0.0.7:8080"],
  "[::1]:9000",
];

test.each([
  ["registry.npmjs.org", 443, "exactly"],
  ["REGISTRY.npmjs.org.", 443, "exactly"],
  ["registry.npmjs.org", 80, "exactly"],
  ["registry.npmjs.org", 22, undefined],
  ["evil.registry.npmjs.org", 443, undefined],
  ["registry.npmjs.org.evil.test", 443, undefined],
  ["registry-npmjs.org", 443, undefined],
  ["a.example.com", 443, "wildcard"],
  ["a.b.example.com", 443, "wildcard"],
  ["example.com", 443, undefined],
  ["a.example.com.", 443, "wildcard"],
  ["aexample.com", 443, undefined],
  ["bedrock-runtime.us-east-1.amazonaws.com", 443, "wildcard"],
  ["bedrock-runtime.bucket.s3.amazonaws.com", 443, undefined],
  ["localhost", 5432, "exactly"],
  ["localhost", 443, undefined],
  ["127.0.0.1", 5432, undefined],
  ["10.0.0.7", 8080, "exactly"],
  ["10.7", 8080, undefined],
  ["167772167", 8080, undefined],
  ["0x0a000007", 8080, undefined],
  ["[::1]", 9000, "exactly"],
  ["::1", 9000, "exactly"],
  ["a.example.com/../x", 443, undefined],
  ["", 443, undefined],
] as const)("%s:%s is named %s", (host, port, named) => {
  expect(namedBy(PATTERNS, { host, port })).toBe(named);
});

test("a wildcard never means an address", () => {
  for (const host of ["1.2.3.4", "127.1", "0x7f.1", "::ffff:127.0.0.1", "[::]"])
    expect(namedBy(["*", "*.*", "*.1", "*.4"], { host, port: 80 })).toBeUndefined();
});

test.each([
  ["api.anthropic.com:443", { host: "api.anthropic.com", port: 443 }],
  ["[2001:db8::1]:443", { host: "2001:db8::1", port: 443 }],
  ["api.anthropic.com", { host: "api.anthropic.com", port: 0 }],
])("%s is read into its parts", (text, target) => {
  expect(targetOf(text)).toEqual(target);
});

test.each([
  ...[
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
  ],
  ...["100.64.0.1", "224.0.0.1", "::1", "::", "fd00::1", "fe80::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
])("%s does not lead to the Internet", (address) => {
  expect(isLocalAddress(address)).toBe(true);
});

test.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2606:4700::1111", "::ffff:1.1.1.1"])(
  "%s does",
  (address) => {
    expect(isLocalAddress(address)).toBe(false);
  },
);
