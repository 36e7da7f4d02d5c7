// The matches that are kept: their list, and one of them turn by turn.

import { Board, turned } from "./board.js";
import { ask, make, memory } from "./dom.js";
import { turnTable } from "./live.js";

export class MatchesView {
  constructor(words) {
    this.words = words;
    this.root = make("div", { class: "matches" });
  }

  async open(number) {
    try {
      if (number) this.showMatch(await ask(`/matches/${number}`));
      else this.showList((await ask("/matches")).matches);
    } catch (error) {
      this.root.replaceChildren(make("h1", { text: this.words.matches }), make("p", { class: "empty", text: error.message }));
    }
  }

  showList(matches) {
    const { words } = this;
    const list = make("ul", { class: "match-list" });
    const fill = (wanted) => {
      const found = matches.filter((one) => `${one.white} ${one.black}`.toLowerCase().includes(wanted.toLowerCase()));
      list.replaceChildren(...found.map((one) => make("li", {}, make("a", { class: "card match-entry", href: `#matches/${one.number}` },
        make("span", { class: "match-players", text: `${one.white} – ${one.black}` }),
        make("span", { class: "match-score", text: one.score.join("–") }),
        make("span", { class: "hint", text: [one.date, one.length, one.standing].filter(Boolean).join(" · ") })))));
      if (!found.length) list.replaceChildren(make("li", { class: "empty", text: matches.length ? words.no_such_player : words.no_matches }));
    };
    const search = make("input", { type: "search", id: "search", autocomplete: "off", input: () => fill(search.value) });
    this.root.replaceChildren(make("h1", { text: words.matches }),
      ...(matches.length ? [make("div", { class: "search" }, make("label", { for: "search", text: words.search_player }), search)] : []), list);
    fill("");
  }

  showMatch({ entry, games, light }) {
    const { words } = this;
    const isTurned = memory.get("blotlight-turned") === "yes";
    const board = new Board(words);
    const players = [{ colour: "white", name: entry.white }, { colour: "black", name: entry.black }];
    const caption = make("p", { class: "caption", "aria-live": "polite" });
    const pips = make("p", { class: "hint" });
    const table = make("div", { class: "turns" });
    const slider = make("input", { type: "range", min: "0", step: "1", id: "step", input: () => step(Number(slider.value)) });
    const button = (label, sign, by) => make("button", { type: "button", "aria-label": label, text: sign, click: () => step(by()) });
    let game = games[0], at = 0;
    const step = (to) => {
      at = Math.max(0, Math.min(to, game.turns.length));
      slider.value = String(at);
      const view = game.boards[at], turn = game.turns[at - 1];
      board.show(isTurned ? turned(view) : view, {
        dice: turn?.dice ? [...turn.dice].map(Number) : [], diceAreLight: turn?.player === light,
      });
      const name = turn && players.find((one) => one.colour === turn.player).name;
      caption.textContent = turn ? `${at}. ${name} ${turn.dice || "??"}: ${turn.play}` : words.before_first;
      pips.textContent = `${words.pips}: ${entry.white} ${game.pips[at][0]}, ${entry.black} ${game.pips[at][1]}`;
      table.replaceChildren(turnTable(words, players, game.turns, (one) => () => { step(one.number); table.querySelector(".current")?.focus({ preventScroll: true }); }, at));
      const row = table.querySelector(".current");
      if (row) table.scrollTop = row.offsetTop - table.clientHeight / 2;
    };
    const choose = (number) => {
      game = games[number];
      slider.max = String(game.turns.length);
      result.textContent = game.result;
      step(game.turns.length);
    };
    const result = make("p", { class: "result" });
    const picker = games.length > 1
      ? make("div", { class: "search" }, make("label", { for: "game", text: words.game }),
        make("select", { id: "game", change: (event) => choose(Number(event.target.value)) },
          ...games.map((one, n) => make("option", { value: String(n), text: one.title }))))
      : null;
    const files = make("div", { class: "buttons" }, ...entry.files.map((kind) => make("a", {
      class: "button", href: `/matches/${entry.number}.${kind}`, download: "", text: `${words.save_as} .${kind}` })),
      make("button", { type: "button", text: words.print, click: () => window.print() }));
    const head = [make("p", { class: "back" }, make("a", { href: "#matches", text: `‹ ${words.matches}` })),
      make("h1", { text: `${entry.white} – ${entry.black}` }),
      make("p", { class: "hint", text: [entry.score.join("–"), entry.length, entry.date, entry.standing].filter(Boolean).join(" · ") })];
    if (!games.length) {
      this.root.replaceChildren(...head, make("p", { class: "empty", text: words.no_half_turns }));
      return;
    }
    const stepper = make("div", { class: "stepper" }, button(words.first, "|◀", () => 0), button(words.previous, "◀", () => at - 1),
      make("label", { class: "visually-hidden", for: "step", text: words.half_turn }), slider,
      button(words.next, "▶", () => at + 1), button(words.last, "▶|", () => game.turns.length));
    this.root.replaceChildren(...head, make("div", { class: "live" },
      make("div", { class: "table" }, board.root, caption, stepper, pips),
      make("div", { class: "side" }, make("section", { class: "card" }, make("h2", { text: words.half_turns }), ...(picker ? [picker] : []), result, table),
        make("section", { class: "card" }, make("h2", { text: words.files }), files))));
    choose(games.length - 1);
    if (picker) picker.querySelector("select").value = String(games.length - 1);
  }
}
