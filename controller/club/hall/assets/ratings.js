// The ratings of all players.

import { ask, make } from "./dom.js";
import { save } from "./stream.js";

export class RatingsView {
  constructor(words) {
    this.words = words;
    this.body = make("div", { class: "tournament" });
    this.root = make("div", { class: "tournaments" }, make("h1", { text: words.ratings }), make("p", { class: "hint", text: words.how_rated }), this.body);
  }

  async open() {
    const { words } = this, { ratings } = await ask("/ratings");
    if (!ratings.length) {
      this.body.replaceChildren(make("p", { class: "empty", text: words.no_ratings }));
      return;
    }
    const heads = [words.place, words.search_player, words.rating, words.experience];
    this.body.replaceChildren(
      make("div", { class: "buttons exports" },
        make("button", { type: "button", text: words.ratings_csv, click: () => save("/ratings.csv", "ratings.csv") }),
        make("button", { type: "button", text: words.print, click: () => window.print() })),
      make("section", { class: "card wide-table", tabindex: "0", "aria-label": words.ratings }, make("table", { class: "standings" },
        make("caption", { class: "visually-hidden", text: words.ratings }),
        make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))),
        make("tbody", {}, ...ratings.map((one, n) => make("tr", {},
          ...[n + 1, one.player, one.rating, one.experience].map((text) => make("td", { text: String(text) }))))))));
  }
}
