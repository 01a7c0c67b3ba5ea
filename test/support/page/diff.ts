import type { DiffView } from "../../../src/model/dashboard.ts";

const CART = `diff --git a/src/cart.ts b/src/cart.ts
index 1111111..2222222 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,12 +1,18 @@
 import type { Line } from "./line.ts";
 
 /** What a customer pays for all lines. */
-export function total(lines: Line[]): number {
-  let sum = 0;
-  for (const line of lines) {
-    sum += Math.round(line.price * line.count * (1 + line.rate) * 100) / 100;
-  }
-  return sum;
+export function total(lines: readonly Line[]): number {
+  const exact = lines.map(amountOf);
+  return rounded(exact.reduce((sum, amount) => sum + amount, 0));
+}
+
+function amountOf({ price, count, rate }: Line): number {
+  return price * count * (1 + rate);
+}
+function rounded(amount: number): number {
+  if (amount === 0) return 0; // nothing to round
+  const cents = amount * 100;
+  return Math.round(cents) / 100;
 }
 
 export const CURRENCY = "EUR";
`;

const README = `diff --git a/README.md b/README.md
index 3333333..4444444 100644
--- a/README.md
+++ b/README.md
@@ -3,4 +3,6 @@
 # Shop
 
+Totals are **rounded once**, after all lines were added.
+
 ## Use
 
`;

const JAPANESE = `diff --git a/docs/\u5408\u8a08.md b/docs/\u5408\u8a08.md
new file mode 100644
--- /dev/null
+++ b/docs/\u5408\u8a08.md
@@ -0,0 +1,2 @@
+# \u5408\u8a08\u91d1\u984d
+\u7aef\u6570\u306f\u6700\u5f8c\u306b\u4e00\u5ea6\u3060\u3051\u4e38\u3081\u307e\u3059\u3002
`;

/** A file of so many new lines. */
function long(lines: number): string {
  const body = Array.from(
    { length: lines },
    (_, index) => `+export const rate${index} = { country: "C${index}", value: ${index / 100} };`,
  );
  return `diff --git a/src/rates.ts b/src/rates.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/rates.ts\n@@ -0,0 +1,${lines} @@\n${body.join("\n")}\n`;
}

export function diffOf(from: number, to: number, lines: number): DiffView {
  return {
    from,
    to,
    files: [
      { path: "src/cart.ts", status: "modified", added: 15, removed: 6 },
      { path: "README.md", status: "modified", added: 2, removed: 0 },
      { path: "docs/\u5408\u8a08.md", status: "added", added: 2, removed: 0 },
      { path: "src/rates.ts", status: "added", added: lines, removed: 0 },
    ],
    diff: CART + README + JAPANESE + long(lines),
    is_cut: false,
  };
}
