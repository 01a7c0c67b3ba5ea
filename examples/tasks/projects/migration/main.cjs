const { greet } = require("./greet.cjs");

console.log(greet(process.argv[2]));
