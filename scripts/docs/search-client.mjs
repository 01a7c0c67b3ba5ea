// Runs in the reader's browser. The index is loaded with the first letter; nothing is sent anywhere.
import MiniSearch from "minisearch";
import { SEARCH_OPTIONS } from "./search-options.mjs";

const box = document.querySelector("#search");
const list = document.querySelector("#found");
const { root, index, none } = box.dataset;
let loading;

box.addEventListener("input", async () => {
  loading ??= fetch(`${root}${index}`).then(async (answer) => MiniSearch.loadJSON(await answer.text(), SEARCH_OPTIONS));
  const found = box.value.trim() === "" ? [] : (await loading).search(box.value).slice(0, 12);
  list.replaceChildren(...found.map(entry));
  if (found.length === 0 && box.value.trim() !== "") list.append(none);
  list.hidden = box.value.trim() === "";
});

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  }
  if (event.key === "Escape" && document.activeElement === box) {
    box.value = "";
    list.hidden = true;
  }
});

function entry({ id, title, page }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${root}${id}`;
  link.textContent = title === page ? title : `${page} › ${title}`;
  item.append(link);
  return item;
}
