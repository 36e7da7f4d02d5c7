// Begins: language, token, views by the part of the address after #, and the stream of the boards.

import { BoardsView } from "./boards.js";
import { ask, keepToken, make, memory, speak } from "./dom.js";
import { listen } from "./stream.js";
import { TournamentsView } from "./tournaments.js";

const LANGUAGES = { en: "English", de: "Deutsch" };
const view = document.getElementById("view"), lost = document.getElementById("lost");

function takeToken() {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (!found) return false;
  keepToken(found[1]);
  history.replaceState(null, "", "/#boards");
  return true;
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

class Hall {
  async begin() {
    dress(memory.get("blotlight-theme"));
    speak(wantedLanguage());
    this.words = await ask("/texts");
    this.access = await ask("/access");
    this.views = {
      boards: new BoardsView(this.words, this.access),
      tournaments: new TournamentsView(this.words, this.access),
    };
    this.fillHead();
    addEventListener("hashchange", () => { if (takeToken()) location.reload(); else this.route(); });
    this.route();
    listen((boards) => {
      this.views.boards.heard(boards);
      document.body.dataset.shown = String(performance.now());
    }, (isLost) => {
      lost.textContent = this.words.connection_lost;
      lost.hidden = !isLost;
    }, this.access.may_command);
  }

  fillHead() {
    const { words } = this;
    document.getElementById("nav").setAttribute("aria-label", words.views);
    document.getElementById("nav").replaceChildren(...Object.keys(this.views).map((name) => make("a", { href: `#${name}`, text: words[name] })));
    const theme = make("button", { type: "button", class: "plain", "aria-label": words.theme, title: words.theme, text: "◐", click: () => {
      const root = document.documentElement.dataset.theme;
      const isDark = root ? root === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      memory.set("blotlight-theme", isDark ? "light" : "dark");
      dress(isDark ? "light" : "dark");
    } });
    const language = make("select", { "aria-label": words.language, change: () => {
      memory.set("blotlight-language", language.value);
      location.reload();
    } }, ...Object.entries(LANGUAGES).map(([code, name]) => make("option", { value: code, text: name, lang: code })));
    language.value = document.documentElement.lang;
    document.getElementById("tools").replaceChildren(theme, language);
  }

  route() {
    const [name, rest] = location.hash.slice(1).split("/");
    const wanted = name in this.views ? name : "boards";
    for (const link of document.querySelectorAll("#nav a")) {
      if (link.hash === `#${wanted}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    view.replaceChildren(this.views[wanted].root);
    this.views[wanted].open(rest);
    document.title = `${this.words[wanted]} – Blotlight`;
  }
}

takeToken();
const begin = () => new Hall().begin().catch(() => setTimeout(begin, 2000));
begin();
