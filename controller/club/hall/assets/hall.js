// Begins: language, token, views by the part of the address after #, and the stream of the boards.

import { BoardsView } from "./boards.js";
import { ask } from "./dom.js";
import { beginAsBefore, fillNav, languageList, markLink, takeToken, themeButton } from "./head.js";
import { RatingsView } from "./ratings.js";
import { listen } from "./stream.js";
import { TournamentsView } from "./tournaments.js";

const view = document.getElementById("view"), lost = document.getElementById("lost");

class Hall {
  async begin() {
    beginAsBefore();
    this.words = await ask("/texts");
    this.access = await ask("/access");
    this.views = {
      boards: new BoardsView(this.words, this.access),
      tournaments: new TournamentsView(this.words, this.access),
      ratings: new RatingsView(this.words),
    };
    this.fillHead();
    addEventListener("hashchange", () => { if (takeToken("boards")) location.reload(); else this.route(); });
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
    fillNav(this.words, Object.keys(this.views));
    document.getElementById("tools").replaceChildren(themeButton(this.words), languageList(this.words));
  }

  route() {
    const [name, rest] = location.hash.slice(1).split("/");
    const wanted = name in this.views ? name : "boards";
    markLink(wanted);
    view.replaceChildren(this.views[wanted].root);
    this.views[wanted].open(rest);
    document.title = `${this.words[wanted]} – Blotlight`;
  }
}

takeToken("boards");
const begin = () => new Hall().begin().catch(() => setTimeout(begin, 2000));
begin();
