// What the pages of the service begin with and have at their head: token, language, light or dark, links.

import { keepToken, make, memory, speak } from "./dom.js";

const LANGUAGES = { en: "English", de: "Deutsch" };

/** Keep the token of an invitation, and show this view. Returns whether there was one. */
export function takeToken(firstView) {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (!found) return false;
  keepToken(found[1]);
  history.replaceState(null, "", `/#${firstView}`);
  return true;
}

/** Take up the theme and the language that were chosen here before. */
export function beginAsBefore() {
  dress(memory.get("blotlight-theme"));
  speak(wantedLanguage());
}

function wantedLanguage() {
  const kept = memory.get("blotlight-language");
  if (kept in LANGUAGES) return kept;
  return navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) ?? "en";
}

function dress(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** A button that changes between light and dark. */
export function themeButton(words) {
  return make("button", { type: "button", class: "plain", "aria-label": words.theme, title: words.theme, text: "◐", click: () => {
    const root = document.documentElement.dataset.theme;
    const isDark = root ? root === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    memory.set("blotlight-theme", isDark ? "light" : "dark");
    dress(isDark ? "light" : "dark");
  } });
}

/** A list of the languages; the page is loaded again in the one that is chosen. */
export function languageList(words) {
  const language = make("select", { "aria-label": words.language, change: () => {
    memory.set("blotlight-language", language.value);
    location.reload();
  } }, ...Object.entries(LANGUAGES).map(([code, name]) => make("option", { value: code, text: name, lang: code })));
  language.value = document.documentElement.lang;
  return language;
}

/** Links to the views of these names. */
export function fillNav(words, names) {
  const nav = document.getElementById("nav");
  nav.setAttribute("aria-label", words.views);
  nav.replaceChildren(...names.map((name) => make("a", { href: `#${name}`, text: words[name] })));
}

/** Mark the link to the view that is shown. */
export function markLink(wanted) {
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.hash === `#${wanted}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
