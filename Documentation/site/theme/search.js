// Searches an index that Scripts/site makes. It is loaded when somebody is about to search.
"use strict";

const base = document.currentScript.dataset.base;
const form = document.getElementById("search-form");
const field = document.getElementById("search-words");
const results = document.getElementById("search-results");
const longest = 12;
let loading;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${base}/search/index.js`;
    script.onload = () => resolve(searchIndex.docs.map((entry) => ({
      ...entry,
      text: plain(entry.text),
      title: plain(entry.title),
    })));
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

// The index has the entities of HTML.
function plain(text) {
  return new DOMParser().parseFromString(text, "text/html").body.textContent.replace(/\s+/g, " ").trim();
}

// Each word must be there; the nearer to the beginning of a title, the better.
function score(entry, words) {
  const title = entry.title.toLowerCase();
  const text = entry.text.toLowerCase();
  let sum = entry.location.includes("#") ? 0 : 2;
  for (const word of words) {
    const inTitle = title.indexOf(word);
    if (inTitle >= 0) {
      sum += inTitle === 0 || /[^\p{L}\p{N}]/u.test(title[inTitle - 1]) ? 20 : 8;
      if (title === word) sum += 20;
    }
    const count = text.split(word).length - 1;
    if (inTitle < 0 && count === 0) return 0;
    sum += Math.min(count, 5);
  }
  return sum;
}

function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(Math.min(...places, text.length) - 40, 0);
  return (start > 0 ? "…" : "") + text.slice(start, start + 140) + (start + 140 < text.length ? "…" : "");
}

function show(found, words, pages) {
  results.replaceChildren();
  if (words.length === 0) return;
  if (found.length === 0) {
    const none = document.createElement("p");
    none.textContent = "Nothing found.";
    results.append(none);
    return;
  }
  const list = document.createElement("ul");
  for (const entry of found) {
    const page = pages.get(entry.location.split("#")[0]);
    const link = document.createElement("a");
    link.href = `${base}/${entry.location}`;
    link.textContent = page && page !== entry.title ? `${page}: ${entry.title}` : entry.title;
    const text = document.createElement("small");
    text.textContent = excerpt(entry.text, words);
    link.append(text);
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  results.append(list);
}

async function search() {
  const typed = field.value;
  const entries = await load();
  if (typed !== field.value) return;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const pages = new Map(
    entries.filter((entry) => !entry.location.includes("#")).map((entry) => [entry.location, entry.title]));
  const found = words.length === 0 ? [] : entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter((result) => result.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, longest)
    .map((result) => result.entry);
  show(found, words, pages);
}

// The arrows go through the results, and Escape leaves them.
function move(event) {
  const links = [field, ...results.querySelectorAll("a")];
  const index = links.indexOf(document.activeElement);
  if (event.key === "Escape") {
    results.replaceChildren();
    field.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = index + (event.key === "ArrowDown" ? 1 : -1);
    links[Math.min(Math.max(next, 0), links.length - 1)].focus();
    event.preventDefault();
  }
}

form.hidden = false;
field.addEventListener("focus", load);
field.addEventListener("input", search);
form.addEventListener("keydown", move);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) results.replaceChildren();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, [contenteditable]");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});
