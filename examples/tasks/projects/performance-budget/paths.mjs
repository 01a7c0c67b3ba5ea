function paths(right, down) {
  if (right === 0 || down === 0) return 1;
  return paths(right - 1, down) + paths(right, down - 1);
}

const size = Number(process.argv[2]);
console.log(paths(size, size));
