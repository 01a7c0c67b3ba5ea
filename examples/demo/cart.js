/** The price of everything in the cart, in cents. Ten or more of one item: 10 % off that item. */
export function total(items) {
  let sum = 0;
  for (const { cents, count } of items) {
    const price = cents * count;
    sum = count > 10 ? price * 0.9 : price;
  }
  return sum;
}
