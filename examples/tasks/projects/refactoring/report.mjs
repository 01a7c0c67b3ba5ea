const items = [
  ["tea", 3.5],
  ["scones", 12],
];

for (const [name, amount] of items) console.log(`${name}: EUR ${amount.toFixed(2)}`);
const sum = items.reduce((total, [, amount]) => total + amount, 0);
console.log(`sum: EUR ${Number(sum).toFixed(2)}`);
console.log(`tax: EUR ${(sum * 0.1).toFixed(2)}`);
