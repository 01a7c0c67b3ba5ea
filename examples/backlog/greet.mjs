import { readFileSync } from "node:fs";

const [language = "en"] = process.argv.slice(2);
const { hello } = JSON.parse(readFileSync(new URL(`greetings/${language}.json`, import.meta.url), "utf8"));
console.log(`${hello}!`);
