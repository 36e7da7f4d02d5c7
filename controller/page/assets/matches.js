// The matches that are kept: their list, and one of them turn by turn.

import { Board, turned } from "./board.js";
import { AnalysisPart } from "./analysis.js";
import { ask, chooser, make, memory, stillOf, withToken } from "./dom.js";
import { turnTable } from "./live.js";

export class MatchesView {
  constructor(words, access) {
    this.words = words;
    this.access = access;
    this.root = make("div", { class: "matches" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.visits = 0;
  }

  /** Show a match, or the list. An answer that comes after people have gone elsewhere is dropped. */
  async open(number) {
    const visit = this.visits += 1;
    try {
      const told = await ask(number ? `/matches/${number}` : "/matches");
      if (visit !== this.visits) return;
      if (number) this.showMatch(told);
      else this.showList(told.matches);
    } catch (error) {
      if (visit !== this.visits) return;
      this.root.replaceChildren(make("h1", { text: this.words.matches }), make("p", { class: "empty", text: error.message }));
    }
  }

  showList(all) {
    const { words } = this;
    const matches = all.filter((one) => !one.is_deleted), deleted = all.filter((one) => one.is_deleted);
    const list = make("ul", { class: "match-list" });
    const facts = (one) => [one.date, one.length, one.standing].filter(Boolean).join(" · ");
    const fill = (wanted) => {
      const found = matches.filter((one) => `${one.white} ${one.black}`.toLowerCase().includes(wanted.toLowerCase()));
      list.replaceChildren(...found.map((one) => make("li", {}, make("a", { class: "card match-entry", href: `#matches/${one.number}` },
        make("span", { class: "match-players", text: `${one.white} – ${one.black}` }),
        make("span", { class: "match-score", text: one.score.join("–") }),
        make("span", { class: "hint", text: facts(one) })))));
      if (!found.length) list.replaceChildren(make("li", { class: "empty", text: matches.length ? words.no_such_player : words.no_matches }));
    };
    const search = make("input", { type: "search", id: "search", autocomplete: "off", input: () => fill(search.value) });
    const bin = make("details", {}, make("summary", { text: `${words.deleted_matches} (${deleted.length})` }),
      make("ul", { class: "match-list" }, ...deleted.map((one) => make("li", { class: "card match-entry" },
        make("span", { class: "match-players", text: `${one.white} – ${one.black}` }),
        this.access.may_command ? make("button", { type: "button", text: words.bring_back, click: () => this.mark(one.number, false) }) : null,
        make("span", { class: "hint", text: facts(one) })))));
    this.root.replaceChildren(make("h1", { text: words.matches }),
      ...(matches.length ? [make("div", { class: "search" }, make("label", { for: "search", text: words.search_player }), search)] : []), list, this.problem,
      ...(deleted.length ? [bin] : []));
    fill("");
  }

  /** Delete a match, or bring it back; then show the list. */
  async mark(number, deleted) {
    this.problem.textContent = "";
    try {
      await ask(`/matches/${number}/deletion`, { method: "POST", body: JSON.stringify({ deleted }) });
      if (location.hash === "#matches") this.open();
      else location.hash = "#matches";
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  showMatch({ entry, games, light }) {
    const { words } = this;
    const isTurned = memory.get("blotlight-turned") === "yes";
    const board = new Board(words);
    const players = [{ colour: "white", name: entry.white }, { colour: "black", name: entry.black }];
    const caption = make("p", { class: "caption", "aria-live": "polite" });
    const pips = make("p", { class: "hint" }), photos = make("div", { class: "photos" }), ids = make("div", { class: "ids" });
    const analysis = new AnalysisPart(words, entry, players, this.access.may_command, (n, number) => {
      choose(n);
      step(number);
    });
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
      const shots = at && game.shots[at - 1] >= 0 ? ` · ${words.shots}: ${game.shots[at - 1]} / 36` : "";
      pips.textContent = `${words.pips}: ${entry.white} ${game.pips[at][0]}, ${entry.black} ${game.pips[at][1]}${shots}`;
      const number = games.indexOf(game) + 1;
      photos.replaceChildren(...(game.stills[at - 1] ?? []).map((kind) => make("figure", {},
        stillOf(`/stills/${entry.number}/${number}/${at}/${kind}`, words[`still_of_${kind}`]), make("figcaption", { class: "hint", text: words[`still_of_${kind}`] }))));
      ids.replaceChildren(...(game.ids[at - 1] ?? []).map((id, n) => (id ? idButton(words, n ? "XGID" : "ID", id) : "")));
      analysis.mark(number, at);
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
        chooser("game", games.map((one, n) => [n, one.title]), games.length - 1, (event) => choose(Number(event.target.value))))
      : null;
    const files = make("div", { class: "buttons" }, ...entry.files.map((kind) => make("a", {
      class: "button", href: withToken(`/matches/${entry.number}.${kind}`), download: "", text: `${words.save_as} .${kind}` })),
      make("button", { type: "button", text: words.print, click: () => window.print() }),
      this.access.may_command ? make("button", { type: "button", class: "grave", text: words.delete_match, click: () => this.mark(entry.number, true) }) : null);
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
      make("div", { class: "table" }, board.root, caption, stepper, pips, ids, photos),
      make("div", { class: "side" }, make("section", { class: "card" }, make("h2", { text: words.half_turns }), ...(picker ? [picker] : []), result, table),
        make("section", { class: "card" }, make("h2", { text: words.files }), files, this.problem), analysis.root)), sheet(words, players, games));
    choose(games.length - 1);
  }
}

/** An ID that a tap copies, or marks where the browser does not let pages copy. */
function idButton(words, name, id) {
  const button = make("button", { type: "button", class: "id", title: words.copy, "aria-label": `${words.copy} ${name} ${id}`, click: async () => {
    const mark = document.createRange();
    mark.selectNodeContents(text);
    getSelection().removeAllRanges();
    getSelection().addRange(mark);
    try { await navigator.clipboard.writeText(id); } catch { document.execCommand("copy"); }
    state.textContent = `✓ ${words.copied}`;
  } });
  const text = make("code", { text: id }), state = make("span", { class: "hint", "aria-live": "polite" });
  button.append(make("span", { text: name }), " ", text);
  return make("p", {}, button, state);
}

/** The whole match, only for printing. */
function sheet(words, players, games) {
  return make("div", { class: "sheet" }, ...games.flatMap((game) => [make("h2", { text: game.title }), turnTable(words, players, game.turns, () => null), make("p", { text: game.result })]));
}
